"""Two Unos wired pin to pin: one time, both reports, and everything the same in every run."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.campaign import long_form

from hocket.report import load_report

Run = Callable[..., Any]

ROOT = Path(__file__).resolve().parents[2]
PING = ROOT / "examples" / "two-boards" / "ping"


def _edges(waves: Path, signal: str) -> list[tuple[int, str]]:
    """(nanoseconds, level) of each change of a signal."""
    text = waves.read_text()
    found = re.search(rf"^\$var wire 1 (\S+) {signal} \$end$", text, re.MULTILINE)
    assert found is not None, signal
    edges, now = [], 0
    for line in text.splitlines():
        if line.startswith("#"):
            now = int(line[1:])
        elif line[1:] == found[1] and line[0] in "01":
            edges.append((now, line[0]))
    return edges


def _pair(folder: Path, here: str, there: str, wires: str, more: str = "") -> Path:
    """Two sketches and a scenario; the one to run."""
    for name, text in (("one", here), ("one/other", there)):
        (folder / name).mkdir()
        (folder / name / f"{Path(name).name}.ino").write_text(text)
    (folder / "one" / "scenario.yaml").write_text(
        f"parts: {{}}\nboards:\n  other: {{sketch: other{more}}}\nwires: [{wires}]\n"
    )
    return folder / "one"


def report_of(folder: Path) -> dict[str, Any]:
    return load_report(folder / "report.json")


def test_ping_and_pong(uno: Run, tmp_path: Path) -> None:
    waves = tmp_path / "both.vcd"
    done = uno(PING, "1s", "--vcd", waves, "--allow-path", PING.parent)
    assert done.status == 0, done.said
    lines = done.serial.splitlines()
    answers = [line for line in lines if line.startswith("pulse answered after ")]
    assert len(answers) == 10
    # At once, but where the kernel masks interrupts just then.
    took = sorted(int(line.split()[3]) for line in answers)
    assert took[5] <= 20 and took[-1] <= 20 + report_of(tmp_path)["overheads"]["longest_masked_us"]
    assert [line for line in lines if line.startswith("pong| a line of 26 letters")] != []
    # The other board's report is in it, whole.
    report = report_of(tmp_path)
    other = report["boards"]["pong"]
    assert (report["sketch"], other["sketch"]) == ("ping", "pong")
    assert other["parts"]["probe"]["rising"] == 10
    assert other["serial"][0]["bytes_received"] == report["serial"][0]["bytes_sent"]
    assert report["serial"][0]["bytes_received"] == other["serial"][0]["bytes_sent"]
    assert report["duration_us"] == other["duration_us"] == 1_000_000
    # One time: what one board does is seen by the other within an instruction (and an interrupt's
    # response), at the end of the run as at its beginning.
    for from_here, to_there in (("D3", "pong_D2"), ("pong_D3", "D2")):
        sent, seen = _edges(waves, from_here), _edges(waves, to_there)
        changes = [edge for edge in sent if edge[0] > 1_000_000]
        arrived = [edge for edge in seen if edge[0] > 1_000_000]
        assert [level for _, level in changes] == [level for _, level in arrived]
        assert len(changes) == 20
        assert all(
            0 <= at - when <= 750 for (when, _), (at, _) in zip(changes, arrived, strict=True)
        )


@long_form
def test_neither_board_drifts(uno: Run, tmp_path: Path) -> None:
    """The same sketch on both: each does everything at the same nanosecond as the other, for 1 s."""
    text = """
        void setup() { pinMode(4, OUTPUT); pinMode(5, INPUT); }
        void periodic(1, 1, 7) { static bool on = false; on = !on; digitalWrite(4, on); }
        void loop(2, 20, 100) { volatile long n = 0; while (n < 500) n = n + 1; delay(3); }
    """
    sketch = _pair(tmp_path, text, text, "{here: 4, other: 5}, {other: 4, here: 5}")
    waves = tmp_path / "both.vcd"
    done = uno(sketch, "1s", "--vcd", waves)
    assert done.status == 0, done.said
    ours, theirs = _edges(waves, "D4"), _edges(waves, "other_D4")
    assert len(ours) > 130
    assert ours == theirs
    arrived = _edges(waves, "other_D5")[-1]
    assert ours[-1][0] <= arrived[0] <= ours[-1][0] + 750


@long_form
def test_two_runs_write_the_same_bytes(uno: Run, tmp_path: Path) -> None:
    waves = [tmp_path / "a.vcd", tmp_path / "b.vcd"]
    first, second = (uno(PING, "300ms", "--vcd", file) for file in waves)
    assert first == second
    assert waves[0].read_bytes() == waves[1].read_bytes()


@long_form
def test_outputs_against_each_other_are_told(uno: Run, tmp_path: Path) -> None:
    text = "void setup() {{ pinMode(3, OUTPUT); digitalWrite(3, {}); }}\nvoid loop() {{}}\n"
    sketch = _pair(tmp_path, text.format("HIGH"), text.format("LOW"), "{here: 3, other: 3}")
    done = uno(sketch, "10ms")
    for report in (done.report, done.report["boards"]["other"]):
        (notice,) = report["notices"]
        assert notice.startswith("two outputs drove pin D3 in different directions")


@long_form
def test_other_rates_are_told(uno: Run, tmp_path: Path) -> None:
    one = "void setup() { Serial.begin(9600); Serial.print('x'); }\nvoid loop() {}\n"
    other = "void setup() { Serial.begin(115200); }\nvoid loop() {}\n"
    done = uno(_pair(tmp_path, one, other, "{here: TX, other: RX}"), "20ms")
    report = done.report["boards"]["other"]
    assert report["serial"][0]["bytes_received"] == 0
    (notice,) = report["notices"]
    assert notice.startswith(
        "Serial receives at 117647 baud, and the board at the other end sends at 9615"
    )


def test_a_pull_up_reaches_the_other_board(uno: Run, tmp_path: Path) -> None:
    one = "void setup() { pinMode(3, INPUT_PULLUP); }\nvoid loop() {}\n"
    other = (
        "void setup() { Serial.begin(115200); delay(1); Serial.print(digitalRead(2)); }\n"
        "void loop() {}\n"
    )
    done = uno(_pair(tmp_path, one, other, "{here: 3, other: 2}"), "20ms")
    assert done.serial.startswith("other| 1\n"), done.serial


def test_the_other_board_is_refused_by_name(uno: Run, tmp_path: Path) -> None:
    plain = "void setup() {}\nvoid loop() {}\n"
    greedy = "void setup() {}\nvoid loop(1, 70, 100) {}\nvoid loop(2, 70, 100) {}\n"
    done = uno(_pair(tmp_path, plain, greedy, "{here: 3, other: 2}"), "20ms")
    assert done.status == 3
    assert "refused: other: loop 2 asks for 70 ms in every 100 ms" in done.said
    assert done.report["admission"]["accepted"] is False
    assert done.report["boards"]["other"]["admission"]["accepted"] is False


def test_a_fault_of_the_other_board_ends_both(uno: Run, tmp_path: Path) -> None:
    plain = "void setup() {}\nvoid loop() {}\n"
    deep = (
        "int down(int n) { volatile char room[60]; room[0] = n; return down(n + 1) + room[0]; }\n"
        "void setup() {}\nvoid loop(2, 10, 100) { down(0); }\n"
    )
    done = uno(_pair(tmp_path, plain, deep, "{here: 3, other: 2}"), "1s")
    assert done.status == 1
    assert done.report["faults"] == []
    (fault,) = done.report["boards"]["other"]["faults"]
    assert fault["loop"] == 2
