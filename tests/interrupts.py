"""Sketches with pin interrupts in tests: runs with a scenario, and what their reports say of each pin."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

from tests.commands import run_hocket
from tests.sketches import Report, kept

from hocket.trace.eventlog import EventKind, in_order, read_log


def run(
    tmp_path: Path, name: str, sketch: str, scenario: str, time: str, *options: str | Path
) -> tuple[int, str, Report]:
    """Exit status, Serial's text with what was said, and the report of a run."""
    return run_folder(tmp_path, kept(name, sketch), scenario, time, *options)


def run_folder(
    tmp_path: Path, folder: Path, scenario: str, time: str, *options: str | Path
) -> tuple[int, str, Report]:
    """The same of a sketch that is there."""
    file, facts = tmp_path / "scenario.yaml", tmp_path / "report.json"
    file.write_text(scenario, encoding="utf-8")
    words: list[str | Path] = ["--scenario", file, "--for", time, "--json", facts, *options]
    done = run_hocket("run", folder, *words)
    report = json.loads(facts.read_text()) if facts.is_file() else {}
    return done.returncode, done.stdout + done.stderr, report


def on(board: str, cores: int = 1) -> tuple[str, ...]:
    """The options for a run there."""
    return "--board", board, "--cores", str(cores)


def interrupts(report: Report) -> dict[int, Report]:
    """By pin; each account must balance."""
    for entry in report["interrupts"]:
        if entry["edges"] is not None:
            gone = entry["delivered"] + entry["pending"] + entry["lost"]
            assert entry["edges"] == gone, entry
            assert entry["lost"] == sum(entry["lost_because"].values()), entry
    return {entry["pin"]: entry for entry in report["interrupts"] if entry["edges"] is not None}


def loop(report: Report, number: int) -> Report:
    (found,) = (loop for loop in report["loops"] if loop["id"] == number)
    return dict(found)


def generators(pins: Iterable[int], what: str) -> str:
    """A scenario with one for each of these pins."""
    return "parts:\n" + "".join(
        f"  g{pin}: {{type: generator, pin: {pin}, {what}}}\n" for pin in pins
    )


# Handlers that count in two halves, which a section must never see apart.
HALVES = """
volatile unsigned long first, second, torn, calls;
void edge() {
  unsigned long a = first;
  if (a != second) ++torn;
  first = a + 1;
  for (volatile int i = 0; i < 40; ++i) { }
  second = a + 1;
  ++calls;
}
"""


# Bottom halves that take one turn after the other: six pins with an edge at each half period.
TURNS = """
void seen() { }
void setup() {
  interruptsVcpu(500us, 10);
  for (int pin = 2; pin < 8; ++pin) attachInterruptVcpu(pin, seen, CHANGE, 1, 10);
}
void loop(1, 30, 100) { noInterrupts(); interrupts(); }
"""


def declared_halves(header: Path) -> tuple[int, int]:
    """kTopHalf and kBottomHalf, as a board declares them: ns, where a tick is one."""
    declared = dict(re.findall(r"k(TopHalf|BottomHalf) = ([\d']+);", header.read_text("utf-8")))
    top, bottom = (int(declared[name].replace("'", "")) for name in ("TopHalf", "BottomHalf"))
    return top, bottom


def check_halves(log: Path, report: Report, half_period: int, top: int, bottom: int) -> None:
    """What TURNS has shown from 50 ms on, held against what is declared. half_period: of the pins, ns."""
    events = [e for e in in_order(read_log(log)) if e.time_ns >= 50_000_000]
    io = {e.thread for e in events if e.kind == EventKind.EDGES_TAKEN}
    (core,) = {e.core for e in events if e.kind == EventKind.EDGES_TAKEN}
    turns, gaps, firsts, alone = 0, [], [], None
    for event in events:
        if event.core != core:
            continue
        if event.kind == EventKind.PIN_INTERRUPT:
            alone = None
        elif event.kind == EventKind.WAKE and event.thread in io:
            # All edges come at one instant. From there to here are the way to the top half, and it.
            firsts.append(event.time_ns % half_period)
        elif event.kind == EventKind.EDGES_TAKEN:
            turns += 1
            if alone is not None:
                gaps.append(event.time_ns - alone)
            alone = event.time_ns
        elif event.kind == EventKind.DISPATCH and event.thread not in io:
            alone = None  # somebody else ran between two of its turns
    assert turns > 2_000
    assert len(gaps) > 1_000
    assert max(gaps) <= bottom, max(gaps)
    assert max(gaps) > bottom / 4, "declared far too high"
    masked = 1000 * report["overheads"]["longest_masked_us"]
    assert len(firsts) > 400
    assert max(firsts) <= top + masked, max(firsts)


# Beside a pin that is masked: its direct handler's distance has not passed.
_WORK = """
void tick() {}
void setup() {
  Serial.begin(115200);
  attachInterruptDirect(2, tick, RISING, 5us, 95ms);
}
void loop(1, 70, 100) {
  delay(3);
  unsigned long begin = micros();
  for (volatile long i = 0; i < ROUNDS; ++i) { CALL; }
  unsigned long took = micros() - begin;
  Serial.print(took); Serial.println(" us");
  delay(1000);
}
"""


def work(rounds: int, call: str = "") -> str:
    """A sketch that prints how long so many rounds took, with this call in each, while pin 2 changes."""
    return _WORK.replace("ROUNDS", str(rounds)).replace("CALL", call)


def work_took(said: str) -> int:
    """What it printed, in us."""
    (line,) = (line for line in said.splitlines() if line.endswith(" us"))
    return int(line.split()[0])


def check_edges_took_nothing(beside: int, without: int, changes_per_us: float) -> None:
    """The times of two runs of that sketch, while pin 2 changes and while it does not yet. Nothing is given
    to a sketch by the simulation's edges, and some instructions at most are lost with each."""
    looks = without * changes_per_us
    assert looks > 2_000
    assert 0 <= beside - without + 1 <= 1 + looks * 0.004, (beside, without)
