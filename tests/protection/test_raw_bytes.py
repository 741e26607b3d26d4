"""Raw bytes in all that the kernel reads of a sketch, while it reads it: only who writes them pays.

A short campaign runs always: 100,000 calls with raw bytes, half of them on one core and half on four, and
more writes than that into what they hand over. A long one, of ten million, with `hocket self-test --long`, or
of as many as HOCKET_RAW_BYTES says on each number of cores (with the seed HOCKET_RANDOM_SEED, 1 without):

    HOCKET_RAW_BYTES=1000000 .venv/bin/python -m pytest tests/protection/test_raw_bytes.py
"""

from __future__ import annotations

import itertools
import os
import re
from pathlib import Path

import pytest
from tests.campaign import rounds
from tests.sketches import Outcome, Run

SKETCH = Path(__file__).parent / "sketches" / "raw-bytes" / "raw-bytes.ino"
SURVIVORS = 4
OPERATIONS = rounds(40_000, 5_000_000, "HOCKET_RAW_BYTES")
SEED = int(os.environ.get("HOCKET_RANDOM_SEED", "1"))
FIRST_SACRIFICED, SACRIFICED = 20, 40
GUARDS = {6: (1, 10), 7: (8, 200)}  # loop: C and T in ms
KEEP_THEIRS = (6, 7, 8, 9, 10, 11, 12)


def campaign(run_virt: Run, operations: int, seed: int, cores: int) -> Outcome:
    numbers = (
        f"#define CALLS {operations // SURVIVORS}\n#define SEED {seed}ull\n"
        f"#define FIRST_SACRIFICED {FIRST_SACRIFICED}\n#define SACRIFICED {SACRIFICED}\n"
    )
    text = SKETCH.read_text(encoding="utf-8")
    for number in range(FIRST_SACRIFICED, FIRST_SACRIFICED + SACRIFICED):
        text += f"void loop({number}, 300us, 100ms, stackBytes(4096)) {{ sacrificed({number}); }}\n"
    limits = ("--expect-text", "CAMPAIGN OVER", "--serial-limit", str(1 << 30))
    return run_virt(
        f"raw-bytes-{operations}-{seed}", 20 + operations / 2000, text, cores=cores, seed=seed,
        options=limits, patience=6 * 3600, headers={"campaign": numbers},
    )  # fmt: skip


@pytest.mark.parametrize("cores", [1, 4])
def test_a_lie_costs_its_writer_alone(run_virt: Run, cores: int) -> None:
    outcome = campaign(run_virt, OPERATIONS, SEED + cores, cores)
    assert outcome.report["end"] == "expected", (outcome.report["end"], outcome.errors)
    strange = re.sub(r"WORK \d+ \d+|EACH [A-Z0-9 ]*|CAMPAIGN OVER|[\r\n]", "", outcome.said)
    assert strange == "", strange[:200]
    # Who hands over what is illegal is stopped, for one of these reasons, and nobody else.
    assert set(outcome.faults) <= set(range(FIRST_SACRIFICED, FIRST_SACRIFICED + SACRIFICED))
    texts = " ".join(fault["text"] for fault in outcome.report["faults"])
    reasons = ("lowest_first is", "writes is", "mode is", "not its own", "not a multiple of")
    assert sum(reason in texts for reason in reasons) >= len(reasons) - 1, texts
    # Who has kept to what it was given has all of it.
    assert outcome.broken_bounds(KEEP_THEIRS) == []
    said = re.findall(r"WORK (\d+) (\d+)", outcome.said)
    (told,) = re.findall(r"EACH (\d+) ROUNDS (\d+) DARED (\d+) SCRIBBLED (\d+)", outcome.said)
    each, shared, dared, scribbled = map(int, told)
    assert dared >= 10_000 and scribbled > OPERATIONS / 2
    assert shared > 25 * len(said)
    for place, (number, (budget, period)) in enumerate(GUARDS.items()):
        counts = [int(line[place]) for line in said]
        expected = each * budget * 100 / period  # between two looks, which are 100 ms apart
        assert counts[-1] - counts[1] >= expected * (len(counts) - 2) * 0.99 - each * budget, number
        # A look comes within C of its time: at most one budget more is still to come.
        for before, after in itertools.pairwise(counts[1::2]):
            assert after - before >= 2 * expected - each * budget * 1.01, (number, counts)
