"""`hocket wcet` as a user types it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.commands import run_hocket

_SKETCH = """
volatile unsigned int number = 40320;
void setup() {}
void periodic(1, 1ms, 20ms) {
  byte ones = 0;
  for (unsigned int rest = number; rest != 0; rest /= 10) {
    SAID
    if (rest % 10 == 1) ones++;
  }
  digitalWrite(LED_BUILTIN, ones > 2);
}
"""


def _write(folder: Path, said: str) -> Path:
    sketch = folder / "digits"
    sketch.mkdir()
    (sketch / "digits.ino").write_text(_SKETCH.replace("SAID", said))
    return sketch


def test_the_bound_is_that_of_the_fact(tmp_path: Path) -> None:
    sketch, report = _write(tmp_path, "atMost(5);"), tmp_path / "bounds.json"
    done = run_hocket("wcet", sketch, "--for", "200ms", "--json", report)
    assert done.returncode == 0, done.stderr
    part = json.loads(report.read_text())["parts"][1]
    assert part["name"] == "loop 1"
    assert part["seen_cycles"] <= part["bound_cycles"] <= 1.2 * part["seen_cycles"]
    assert part["lines"][0]["place"].endswith("digits.ino:6")


def test_a_false_fact_ends_with_status_1(tmp_path: Path) -> None:
    done = run_hocket("wcet", _write(tmp_path, "atMost(3);"), "--for", "200ms")
    assert done.returncode == 1
    assert "an atMost() is false" in done.stderr


def test_a_loop_without_a_bound_is_named_with_its_line(tmp_path: Path) -> None:
    done = run_hocket("wcet", _write(tmp_path, ""), "--for", "0")
    assert done.returncode == 0, done.stderr
    assert "digits.ino:6: nothing bounds this loop: write atMost(32)" in done.stdout


@pytest.mark.parametrize("board", ["sim", "virt"])
def test_other_boards_are_refused(board: str, tmp_path: Path) -> None:
    done = run_hocket("wcet", _write(tmp_path, ""), "--board", board)
    assert done.returncode == 2
    assert f"hocket wcet does not bound times on {board}" in done.stderr
    assert "--board uno" in done.stderr
