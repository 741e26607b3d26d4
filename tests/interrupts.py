"""Sketches with pin interrupts in tests: runs with a scenario, and what their reports say of each pin."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from tests.commands import run_hocket
from tests.sketches import Report, kept


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
