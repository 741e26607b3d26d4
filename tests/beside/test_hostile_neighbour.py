"""Loops above a system that does all it can against them (tests/contract/aarch64/neighbour/hostile.cpp):
calls of PSCI with any arguments, every register of the interrupt controller, memory and devices that are
not its own, one beginning anew after the other. The loops keep what they are guaranteed, and do as much
work as above a system that minds its own business.

On one core: several share one clock in the emulator. What that program does to further cores, to stop them
and to let their exceptions lead nowhere, is not seen here.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.beside.above import Above, Ran, neighbour_program
from tests.campaign import rounds

SEEDS = rounds(1, 20, "HOCKET_HOSTILE")
FOR_MS = 250
# C and T of each, in ms; all of them count what they do with it, and one more waits for a timer.
GUARDS = {1: (3, 10), 2: (10, 50), 3: (2, 20)}


def sketch() -> str:
    text = "volatile unsigned long turns[4];\nvoid setup() { Serial.begin(115200); }\n"
    for number, (budget, period) in GUARDS.items():
        text += f"void loop({number}, {budget}ms, {period}ms) {{ ++turns[{number}]; }}\n"
    text += "void loop(4, 1ms, 100ms) { delay(95);\n"
    text += "  for (int i = 1; i < 4; ++i) { Serial.print(turns[i]); Serial.print(' '); }\n"
    text += "  Serial.println(millis()); }\n"
    return text


def account(ran: Ran) -> None:
    """The run came to its end, and where its time went adds up."""
    assert ran.status == 0, ran.errors
    report = ran.report
    assert (report["faults"], report["duration_us"]) == ([], FOR_MS * 1000)
    for core in report["beside"]["cores"]:
        parts = [core[name] for name in ("beside_us", "loops_us", "for_loops_us", "rest_us")]
        assert abs(sum(parts) - report["duration_us"]) < 1 and min(parts) >= 0, core


def turns_of(ran: Ran) -> list[int]:
    """Of the loops until the last line; what is guaranteed has been given."""
    account(ran)
    for loop in ran.report["loops"]:
        if loop["id"] in GUARDS:
            assert loop["min_cpu_per_period_us"] >= GUARDS[loop["id"]][0] * 1000, loop
        assert loop["deadline_misses"] == 0, loop
        bound, worst = loop["response_bound_us"], loop["max_response_us"]
        assert bound is None or worst is None or worst <= bound, loop
    lines = re.findall(r"^(\d+) (\d+) (\d+) (\d+)\r?$", ran.said, re.M)
    assert len(lines) >= FOR_MS // 100 - 1, ran.said
    return [int(turns) for turns in lines[-1][:3]]


def deeds(above: Above, ran: Ran) -> int:
    """So many thousands; and how often it began is in the report."""
    said = above.console.read_bytes()
    assert said.count(b"R") >= 1 + ran.report["beside"]["restarts"], said[-200:]
    return said.count(b".")


@pytest.mark.parametrize("seed", range(1, SEEDS + 1))
def test_loops_keep_what_they_are_guaranteed(tmp_path: Path, seed: int) -> None:
    quiet = Above(neighbour_program(), tmp_path)
    expected = turns_of(quiet.run("guards", sketch(), 1, FOR_MS))
    hostile = Above(neighbour_program("hostile"), tmp_path, seed)
    ran = hostile.run("guards", sketch(), 1, FOR_MS)
    turns = turns_of(ran)
    for mine, theirs in zip(turns, expected, strict=True):
        assert mine >= 0.99 * theirs, (turns, expected)
    assert deeds(hostile, ran) >= 3
    assert ran.report["beside"]["restarts"] > 0
