"""A declared cost that is too low fails `hocket test`: a run takes what it takes, and the value that it is
held against is made a tenth less than that.

The board's program runs as ever, and its facts go the whole way of the command. Only the declared value is
another one, as it would be in a port that declares too little.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.sketches import start

from hocket.builder import Image
from hocket.commands.trials import Request, trials_command
from hocket.paths import ROOT
from hocket.trials import perform

SKETCH = """
void setup() {}
void loop(1, 10, 50) { delay(3); }
void loop(2, 10, 100) { delay(7); }
void periodic(3, 10, 80) {}
"""
SCENARIO = "for: 500 ms\nparts: {}\nexpect:\n  - {misses: 0}\n"

# `hocket run` with a board whose declared cost is so many times what the run has taken.
RUN = """
import sys
from hocket.running import performing
from hocket.__main__ import main

NAME, SHARE = %r, %r
facts_of = performing.read_facts

def read_facts(file):
    facts = facts_of(file)
    overheads = facts["overheads"]
    if NAME == "longest_masked_us":
        seen = max(overheads["longest_masked_seen_us"], overheads.get("kernel_seen", {}).get(NAME, 0))
    else:
        seen = overheads["kernel_seen"][NAME]
    assert 0 < seen <= overheads[NAME], overheads
    overheads[NAME] = SHARE * seen
    return facts

performing.read_facts = read_facts
main()
"""
COSTS = [
    ("sim", "longest_masked_us"),
    ("sim", "interrupt_entry_us"),
    ("sim", "context_switch_us"),
    ("sim", "timer_interrupt_us"),
    ("uno", "longest_masked_us"),
    ("uno", "interrupt_entry_us"),
    ("uno", "context_switch_us"),
    ("uno", "timer_interrupt_us"),
]


@pytest.mark.parametrize(("board", "name"), COSTS)
def test_a_cost_declared_a_tenth_too_low_is_caught(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    board: str,
    name: str,
) -> None:
    folder = tmp_path / "three"
    folder.mkdir()
    (folder / "three.ino").write_text(SKETCH)
    (folder / "scenario.yaml").write_text(SCENARIO)
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "tools"))

    def run(share: float) -> tuple[int, str]:
        entry = [sys.executable, "-c", RUN % (name, share)]
        monkeypatch.setattr(perform, "_entry", lambda: entry)
        status = trials_command(Request([str(folder)], [board]))
        return status, " ".join(capsys.readouterr().out.split())

    status, said = run(1)
    assert status == 0 and "1 test: 1 passed" in said, said
    status, said = run(0.9)
    words = name.removesuffix("_us").replace("_", " ")
    assert status == 1 and "FAILED" in said, said
    assert f"a declared cost was exceeded: {words} on {board}" in said, said


MASKS = """
volatile unsigned sink;
void setup() {}
void loop(1, 10, 100) { delay(10); }
void loop(2, 10, 100) {
  noInterrupts(); for (unsigned i = 0; i < 5000; i++) sink = i; interrupts();
  delay(30);
}
"""


def test_no_test_runs_a_sketch_that_exceeds_one_without_saying_so(
    image: Callable[..., Image], tmp_path: Path
) -> None:
    masks = image("masks", MASKS, "uno")
    with pytest.raises(AssertionError, match="longest_masked_us"):
        start(masks, 0.2, tmp_path / "facts.json")
    report = start(masks, 0.2, tmp_path / "facts.json", exceeds=True).report
    assert report["overheads"]["exceeded"] == ["longest_masked_us"]
    assert "in loop 2 (masks/masks.ino:6, in loop 2), longer than" in report["notices"][0]
