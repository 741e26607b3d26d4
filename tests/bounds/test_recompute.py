"""Every bound can be recomputed from the report alone, and no number of it can be changed unnoticed.

The suite holds each report that it makes against recompute.py (tests/sketches.py, tests/commands.py); here
are reports of every kind of term, and what becomes of them when one number or one term is wrong.
"""

from __future__ import annotations

import copy
import functools
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.bounds import recompute
from tests.commands import ROOT, run_hocket
from tests.sketches import kept

# Two pins and Serial in both directions: handlers on a budget, characters that come and go.
PINS = """volatile int edges;
void edge() { edges++; }
void setup() {
  Serial.begin(57600);
  attachInterrupt(digitalPinToInterrupt(2), edge, FALLING);
  attachInterrupt(digitalPinToInterrupt(3), edge, CHANGE);
}
void loop(1, 5ms, 60ms) { if (Serial.read() == 'e') Serial.println(edges); delay(5); }
void loop(2, 9ms, 100ms) { delay(1); }
"""
# On two cores one loop has a part on each.
PARTS = """void setup() {}
void loop(1, 60ms, 100ms) { delay(1); }
void loop(2, 60ms, 100ms) { delay(1); }
void loop(3, 60ms, 100ms) { delay(1); }
"""
MUTATIONS = 200  # of each run, over all reports
# Sketches, and how they are admitted: priorities, deadlines, pins, direct handlers, characters, refusals.
REPORTS = {
    "priorities": ("examples/three-loops", "--board", "sim"),
    "characters": ("examples/three-loops", "--board", "uno"),
    "deadlines": ("examples/three-loops", "--board", "sim", "--policy", "edf"),
    "pins": ("examples/debounce", "--board", "sim"),
    "pins-by-deadline": ("examples/debounce", "--board", "sim", "--policy", "edf"),
    "direct": ("examples/quick-stop", "--board", "sim"),
    "pins-of-uno": (kept("bounds-of-pins", PINS), "--board", "uno"),
    "pins-of-uno-by-deadline": (
        *(kept("bounds-of-pins", PINS), "--board", "uno"),
        *("--policy", "hybrid-edf"),
    ),
    "parts": (kept("bounds-of-parts", PARTS), "--cores", "2", "--policy", "edf"),
    "refused": ("examples/too-much", "--board", "sim"),
    "refused-by-deadline": (kept("bounds-of-parts", PARTS), "--policy", "edf"),
    "virt": ("examples/debounce", "--board", "virt"),
}


@functools.cache
def report_of(kind: str) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "report.json"
        words = REPORTS[kind]
        done = run_hocket("check", *words, "--json", file)
        assert done.returncode == (3 if kind.startswith("refused") else 0), done.stderr
        return json.loads(file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("kind", REPORTS)
def test_every_bound_can_be_recomputed(kind: str) -> None:
    report = report_of(kind)
    assert recompute.mismatches(report) == []
    ranks = [rank for core in report["bounds"]["cores"] for rank in core["ranks"]]
    assert ranks and all(rank["bound"] is not None for rank in ranks)


def test_the_checker_is_a_program_of_its_own(tmp_path: Path) -> None:
    """It needs no module of the project, and says what differs, where, and by how much."""
    file = tmp_path / "report.json"
    command = [sys.executable, "-I", str(ROOT / "tests/bounds/recompute.py"), str(file)]
    report = copy.deepcopy(report_of("priorities"))
    file.write_text(json.dumps(report), encoding="utf-8")
    assert subprocess.run(command, check=False).returncode == 0
    report["bounds"]["cores"][0]["ranks"][1]["bound"] += 1
    file.write_text(json.dumps(report), encoding="utf-8")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    first = done.stdout.splitlines()[0]
    assert first.startswith("bounds.cores[0].ranks[1].bound: ") and first.endswith("difference 1")


def _places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Each number, truth value and null of a report, and each member and item."""
    if path:
        yield path
    inner: Any = ()
    if isinstance(value, (dict, list)):
        inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, each in inner:
        yield from _places(each, (*path, key))


def _mutated(report: Any, path: tuple[str | int, ...], chance: random.Random) -> Any:
    """One tick more or less, or a term less."""
    changed = copy.deepcopy(report)
    holder = changed
    for key in path[:-1]:
        holder = holder[key]
    value, key = holder[path[-1]], path[-1]
    tick = 10**6 / changed["bounds"]["ticks_per_second"]
    if isinstance(value, (dict, list)) or (path[0] == "bounds" and chance.random() < 0.2):
        del holder[key]
    elif isinstance(value, bool):
        holder[key] = not value
    elif value is None:
        holder[key] = 1
    elif isinstance(value, str):
        holder[key] = value + "s"
    elif path[0] == "bounds" and isinstance(value, int):
        holder[key] = value + chance.choice((-1, 1))
    else:
        holder[key] = value + chance.choice((-1, 1)) * (tick if str(key).endswith("_us") else 1e-6)
    return changed


def _told(report: Any) -> list[tuple[str | int, ...]]:
    """Where a change must be found: the terms, and what is printed of the bounds."""
    found = [path for path in _places(report["bounds"], ("bounds",)) if len(path) > 1]
    found.append(("admission", "accepted"))
    for i, loop in enumerate(report["loops"]):
        if loop["response_bound_us"] is not None:
            found.append(("loops", i, "response_bound_us"))
    for i, row in enumerate(report["interrupts"]):
        found += [
            ("interrupts", i, name)
            for name in ("delay_bound_us", "paper_bound_us")
            if row[name] is not None
        ]
    return found


def test_no_number_can_be_changed_unnoticed() -> None:
    chance = random.Random(29)
    for number in range(MUTATIONS):
        kind = list(REPORTS)[number % len(REPORTS)]
        report = report_of(kind)
        path = chance.choice(_told(report))
        changed = _mutated(report, path, chance)
        assert recompute.mismatches(changed) != [], (kind, path)
