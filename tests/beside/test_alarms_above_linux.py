"""Nothing that a Debian does makes a real-time interrupt one instruction late, but for the few
instructions of its calls to EL3: it starts, works, panics, is started again.

On one core, where the emulator's clock counts that core's instructions and no others.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from tests.beside import alarms
from tests.campaign import long_form

ENTRY = 20  # from an alarm's instant to its handler's first instruction
# …and where the alarm comes in a call of Linux to EL3: it makes some when it starts and one at its end.
AT_A_CALL, CALLS = 41, 1
WORK = """i=0
while [ $i -lt 3 ]; do
  dd if=/dev/zero of=/tmp/x bs=64k count=30 2>/dev/null; cp /tmp/x /tmp/y; i=$((i+1))
done
"""
PANIC, REBOOT, OFF = "echo c > /proc/sysrq-trigger\n", "reboot -f\n", "poweroff -f\n"


def _with_job(folder: Path, job: str) -> Path:
    (folder / "linux").mkdir()
    (folder / "linux" / "job").write_text(f"#!/bin/sh\n{job}")
    (folder / "linux" / "job").chmod(0o755)
    return folder


@long_form
@pytest.mark.parametrize(
    ("word", "end", "milliseconds", "restarts"),
    [
        ("linux", PANIC, 2_500, 1),
        pytest.param("linux", REBOOT, 2_500, 1, marks=long_form),
        pytest.param("linux", OFF, 5_000, 0, marks=long_form),
        pytest.param("linux-rt", PANIC, 4_000, 1, marks=long_form),
    ],
)
def test_every_alarm_comes_after_as_many_instructions(
    word: str, end: str, milliseconds: int, restarts: int, tmp_path: Path
) -> None:
    sketch, folder = tmp_path / "sketch", tmp_path / "run"
    sketch.mkdir()
    folder.mkdir()
    seen = alarms.run(word, _with_job(sketch, WORK + end), 1, milliseconds, folder)
    assert seen.restarts >= restarts, seen.console
    late = sum(seen.late.values(), start=Counter[int]())
    in_calls = {instructions: count for instructions, count in late.items() if instructions > ENTRY}
    assert min(late) == ENTRY
    assert sum(in_calls.values()) <= CALLS and max(in_calls, default=ENTRY) <= AT_A_CALL
    assert sum(late.values()) == seen.alarms > 3_000
    assert seen.masked > 100, "Linux masked its interrupts meanwhile"
    if end == OFF:
        assert seen.alarms < milliseconds * 4, "it ended before its time"
