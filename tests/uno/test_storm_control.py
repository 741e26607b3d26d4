"""Storm control beside what tests/uno/test_shares.py has of the loops' shares: in what it is, when its
budget is back, and whose timer 0 is."""

from __future__ import annotations

import re
from pathlib import Path

from tests.commands import run_hocket
from tests.uno.conftest import ROOT, Built, Run

from hocket.uno_images import symbols

HANDLER = """
volatile unsigned edges;
void count() { ++edges; delayMicroseconds(100); }
void setup() { pinMode(2, INPUT); attachInterrupt(digitalPinToInterrupt(2), count, RISING); }
"""
OWN = """
volatile unsigned matches;
ISR(TIMER0_COMPA_vect) { ++matches; }
void start_timer() { OCR0A = 100; TCCR0B = 3; TIMSK0 = 1 << OCIE0A; }
"""
LOOPS = "void loop(1, 5, 100) { delay(50); }\n"


def sketch(folder: Path, text: str) -> Path:
    folder.mkdir()
    (folder / f"{folder.name}.ino").write_text(text)
    return folder


def names(image: Path) -> str:
    return " ".join(symbol.name for symbol in symbols(image))


def test_it_is_only_where_handlers_and_loops_are(built: Built, tmp_path: Path) -> None:
    plain = "void loop() {}\n"
    limits = re.compile("hocket_look_at_handlers|hocket_handler_ended|hocket_refill(?!_vector)")
    for number, text in enumerate((HANDLER + plain, "void setup() {}\n" + LOOPS)):
        found = [s for s in symbols(built(sketch(tmp_path / f"s{number}", text))) if s.size > 0]
        assert not any(limits.search(symbol.name) for symbol in found)
    assert limits.search(names(built(sketch(tmp_path / "both", HANDLER + LOOPS))))
    changes = HANDLER.replace("(2)", "(8)")
    assert limits.search(names(built(sketch(tmp_path / "change", changes + LOOPS))))


def test_a_budget_used_long_ago_has_come_back(uno: Run, tmp_path: Path) -> None:
    """Nine handlers use most of 1 ms. 8.388 s later, a turn of 16 bits of 128 us, all of it is back."""
    folder = sketch(tmp_path / "again", HANDLER + LOOPS)
    scenario = tmp_path / "edges.yaml"
    turn = 65_536 * 128_000
    bursts = (100_000_000, 200_000_000, 200_000_000 + turn + 1_000_000)
    times = [begin + k * 200_000 for begin in bursts for k in range(8)]
    edges = ", ".join(f"{t}ns, {t + 50_000}ns" for t in times)
    scenario.write_text(f"parts:\n  edges: {{type: generator, pin: 2, edges: [{edges}]}}\n")
    done = uno(folder, "8700ms", "--scenario", scenario)
    assert done.status == 0, done.said
    (entry,) = done.report["interrupts"]
    assert entry["delivered"] == entry["edges"] == len(times)
    assert entry["max_delay_us"] < 500, entry


def test_timer_0_is_the_sketchs_where_nothing_is_attached(uno: Run, tmp_path: Path) -> None:
    text = OWN + "void setup() { Serial.begin(115200); start_timer(); }\n"
    text += "void loop(1, 5, 100) { delay(100); Serial.println(matches); }\n"
    done = uno(sketch(tmp_path / "own", text), "250ms")
    assert done.status == 0, done.said
    counts = [int(line) for line in done.serial.splitlines() if line.isdigit()]
    assert len(counts) == 2 and 95 <= counts[1] - counts[0] <= 100  # one in 1.024 ms


def test_both_are_refused_with_who_wants_it(tmp_path: Path) -> None:
    folder = sketch(tmp_path / "both", OWN + HANDLER + LOOPS)
    done = run_hocket("build", "--board", "uno", folder, cwd=ROOT)
    assert done.returncode == 2
    assert "the interrupt TIMER0_COMPA is wanted twice" in done.stderr
    assert "attachInterrupt()" in done.stderr and "the sketch" in done.stderr
