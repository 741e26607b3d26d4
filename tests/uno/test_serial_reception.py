"""What comes in at Serial: every byte reaches the sketch or is counted as lost, wherever it was lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.campaign import except_virt, long_form, one_in
from tests.commands import run_hocket
from tests.uno.conftest import ROOT, Outcome, Run

# What the sketch itself has read is what it prints.
READS = """
unsigned got;
void setup() { Serial.begin(115200); }
void loop(1, 10, 100) { if (Serial.read() >= 0) ++got; }
void loop(2, 5, 100) { delay(235); Serial.print("got "); Serial.println(got); }
"""
# As the loop's own body runs on, and with a section of 2 ms.
MASKS = """
unsigned got;
void setup() { Serial.begin(115200); }
void loop(1, 65, 100) {
  while (Serial.read() >= 0) ++got;
  if (got == 100) { noInterrupts(); delayMicroseconds(2000); interrupts(); }
}
void loop(2, 5, 100) { delay(235); Serial.print("got "); Serial.println(got); }
"""
ASKS = "#define SERIAL_RX_BUFFER_SIZE 256\n"
BYTES = 400


def receive(uno: Run, folder: Path, text: str, at: int = 20) -> tuple[int, Outcome]:
    """How many of 400 bytes at 115200 the sketch has read that come from `at` on, for 34 ms. (The loops
    begin at 5 ms.)"""
    folder.mkdir()
    (folder / f"{folder.name}.ino").write_text(text)
    scenario = folder.parent / "peer.yaml"
    sent = "0123456789abcdef" * (BYTES // 16)
    scenario.write_text(
        f"parts:\n  peer: {{type: serial, port: 0, send: [{{at: {at} ms, text: {sent}}}]}}\n"
    )
    done = uno(folder, "300ms", "--scenario", scenario)
    assert done.status == 0, done.said
    line = next(line for line in done.serial.splitlines() if line.startswith("got "))
    return int(line.split()[1]), done


def account(done: Outcome) -> dict[str, Any]:
    port: dict[str, Any] = done.report["serial"][0]
    assert port["bytes_received"] + port["bytes_lost"] == BYTES
    assert sum(port["lost_because"].values()) == port["bytes_lost"]
    return port


def test_a_budgeted_loop_loses_bytes_and_the_report_says_how_many(uno: Run, tmp_path: Path) -> None:
    got, done = receive(uno, tmp_path / "reads", READS, at=90)
    port = account(done)
    assert 64 <= got < BYTES - 64
    assert port["lost_because"] == {"no_room": BYTES - got, "not_begun": 0, "overrun": 0}
    told = f"Serial lost {BYTES - got} bytes: {BYTES - got} found its buffer of 64 bytes full."
    assert told in done.report["notices"]


@long_form
def test_the_buffer_is_as_large_as_the_sketch_says(uno: Run, tmp_path: Path) -> None:
    small, _ = receive(uno, tmp_path / "small", READS)
    large, done = receive(uno, tmp_path / "large", ASKS + READS)
    assert (small, large) == (63, 255)
    assert account(done)["bytes_lost"] == BYTES - large
    assert any("its buffer of 256 bytes full" in notice for notice in done.report["notices"])
    macro, _ = receive(uno, tmp_path / "macro", "HOCKET_SERIAL_BUFFER(256)\n" + READS)
    assert macro == large


@long_form
def test_what_the_processor_itself_cannot_hold_is_counted(uno: Run, tmp_path: Path) -> None:
    """A section in which some 25 bytes come: it keeps three, and says of the others only that there were
    some."""
    got, done = receive(uno, tmp_path / "masks", MASKS)
    port = account(done)
    came = done.report["overheads"]["longest_masked_seen_us"] / (10 / 0.1152)
    assert came - 4 < BYTES - got < came - 2
    assert port["lost_because"] == {"no_room": 0, "not_begun": 0, "overrun": BYTES - got}
    assert any("because interrupts were masked" in notice for notice in done.report["notices"])


def test_nothing_is_lost_with_a_buffer_and_a_budget_that_suffice(uno: Run, tmp_path: Path) -> None:
    """Without its budget the loop is away for 8 ms: 93 bytes."""
    often = READS.replace("10, 100", "2, 10")
    few, done = receive(uno, tmp_path / "few", often)
    assert few < BYTES == few + account(done)["bytes_lost"]
    got, done = receive(uno, tmp_path / "enough", "#define SERIAL_RX_BUFFER_SIZE 128\n" + often)
    assert got == BYTES
    assert account(done)["bytes_lost"] == 0
    assert not any("Serial lost" in notice for notice in done.report["notices"])


@one_in(4)
@pytest.mark.parametrize("size", ["100", "8", "512", "0"])
def test_a_size_that_cannot_be_is_refused(tmp_path: Path, size: str) -> None:
    folder = tmp_path / "size"
    folder.mkdir()
    (folder / "size.ino").write_text(f"#define SERIAL_RX_BUFFER_SIZE {size}\n{READS}")
    done = run_hocket("build", "--board", "uno", folder, cwd=ROOT)
    assert done.returncode == 2
    assert "Serial's buffer has 16, 32, 64, 128 or 256 bytes on an AVR" in done.stderr


@pytest.mark.parametrize("board", except_virt(["sim", "virt"]))
def test_other_boards_have_the_size_that_is_asked_for(tmp_path: Path, board: str) -> None:
    """All 400 bytes come while the loop is without budget: as many as there is room for are read."""
    burst = READS.replace("Serial.read() >= 0", "millis() > 60 && Serial.read() >= 0")
    for size, text in ((64, burst), (300, "#define SERIAL_RX_BUFFER_SIZE 300\n" + burst)):
        folder = tmp_path / f"other{size}"
        folder.mkdir()
        (folder / f"{folder.name}.ino").write_text(text)
        peer, report = tmp_path / "peer.yaml", tmp_path / "report.json"
        sent = "0123456789abcdef" * (BYTES // 16)
        peer.write_text(
            f"parts:\n  peer: {{type: serial, port: 0, send: [{{at: 20 ms, text: {sent}}}]}}\n"
        )
        options = ("--for", "300ms", "--scenario", peer, "--json", report)
        done = run_hocket("run", "--board", board, folder, *options, cwd=ROOT)
        assert done.returncode == 0, done.stderr
        assert f"got {size}" in done.stdout
        told = f"Serial lost {BYTES - size} bytes: {BYTES - size} found its buffer of {size} bytes full."
        assert told in json.loads(report.read_text())["notices"]
