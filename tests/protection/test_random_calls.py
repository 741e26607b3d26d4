"""Millions of system calls with random numbers and arguments: no defect, nothing foreign, no bound broken.

A short campaign with a fixed seed runs always. A long one, of ten million calls, with
`hocket self-test --long`, or of as many as HOCKET_RANDOM_CALLS says (with the seed
HOCKET_RANDOM_SEED, 1 without):

    HOCKET_RANDOM_CALLS=1000000 .venv/bin/python -m pytest tests/protection/test_random_calls.py
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from tests.campaign import long_form, one_in, rounds
from tests.sketches import Outcome, Run

SKETCH = Path(__file__).parent / "sketches" / "random-calls" / "random-calls.ino"
SURVIVORS = 4
PERIODIC, JUDGE = 5, 6
FIRST_SACRIFICED, SACRIFICED = 10, 200
LONG = rounds(0, 10_000_000, "HOCKET_RANDOM_CALLS")
LONG_SEED = int(os.environ.get("HOCKET_RANDOM_SEED", "1"))


def campaign(run_virt: Run, calls: int, seed: int, cores: int, *options: str) -> Outcome:
    name = f"random-calls-{calls}-{seed}"
    numbers = (
        f"#define CALLS {calls // SURVIVORS}\n#define SEED {seed}ull\n"
        f"#define FIRST_SACRIFICED {FIRST_SACRIFICED}\n#define SACRIFICED {SACRIFICED}\n"
    )
    text = SKETCH.read_text(encoding="utf-8")
    for number in range(FIRST_SACRIFICED, FIRST_SACRIFICED + SACRIFICED):
        text += f"void loop({number}, 10us, 100ms, stackBytes(4096)) {{ sacrificed({number}); }}\n"
    limits = ("--expect-text", "CAMPAIGN OVER", "--serial-limit", str(1 << 30), *options)
    return run_virt(
        name, 20 + calls / 5000, text, cores=cores, seed=seed, options=limits, patience=6 * 3600,
        headers={"campaign": numbers},
    )  # fmt: skip


def judge(outcome: Outcome, counted: bool = True) -> None:
    """counted: the emulator counted instructions, so how far a run gets is known."""
    assert outcome.report["end"] in ("expected", "time"), (outcome.report["end"], outcome.errors)
    strange = re.sub(r"[a-z]|CAMPAIGN OVER|[\r\n]", "", outcome.said)
    assert strange == "", strange[:200]
    stopped = set(outcome.faults)
    assert stopped <= set(range(FIRST_SACRIFICED, FIRST_SACRIFICED + SACRIFICED))
    kinds = {fault["kind"] for fault in outcome.report["faults"]}
    assert kinds <= {"bad access", "call"}
    if counted:
        assert outcome.report["end"] == "expected"
        assert len(stopped) > SACRIFICED / 4
        assert kinds == {"bad access", "call"}


@one_in(2)
@pytest.mark.parametrize(("seed", "cores"), [(1, 1), (2, 4)])
def test_a_short_campaign(run_virt: Run, seed: int, cores: int) -> None:
    outcome = campaign(run_virt, 40_000, seed, cores)
    judge(outcome)
    assert outcome.broken_bounds([PERIODIC, JUDGE]) == []


@long_form
def test_a_short_campaign_as_fast_as_it_goes(run_virt: Run) -> None:
    """Without counted instructions the cores really run at the same time; times mean nothing then."""
    judge(campaign(run_virt, 12_000, 3, 4, "--no-icount"), counted=False)


@pytest.mark.skipif(LONG == 0, reason="hocket self-test --long runs it")
@pytest.mark.parametrize("cores", [1, 4])
def test_a_long_campaign(run_virt: Run, cores: int) -> None:
    outcome = campaign(run_virt, LONG, LONG_SEED, cores)
    judge(outcome)
    assert outcome.broken_bounds([PERIODIC, JUDGE]) == []
