"""Time goes on across every wrap: of the kernel's 32 bits, of micros() and of millis().

The simulator lets the clock begin as if the board had run for minutes or for weeks; the sketch's pins are
watched from outside, to the cycle.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from hocket.bench import build_targets
from hocket.paths import BUILD

SKETCH = Path(__file__).parent / "sketches" / "wraps"
TIMING = BUILD / "sim" / "simulation" / "avr" / "avr_timing"
HZ = 16_000_000
TICKS_OF_A_TURN = 65_536  # of 0.5 us
# What wraps, and after how many turns of the 16-bit timer.
WRAPS = {
    "the sign of the kernel's instants": 2**31 // TICKS_OF_A_TURN,
    "the kernel's instants": 2**32 // TICKS_OF_A_TURN,
    "micros(), after 71 minutes": 2**32 * 2 // TICKS_OF_A_TURN,
    "millis(), after 49.7 days": 2**32 * 2000 // TICKS_OF_A_TURN,
}
SECONDS = 2
# How many turns before its wrap the clock begins: 1.05 s, the middle of a run.
BEFORE = 32
assert BEFORE * TICKS_OF_A_TURN / 2_000_000 < SECONDS


def _writes(image: Path, turns: int) -> dict[str, list[int]]:
    """The cycles of the writes to each port."""
    events = SECONDS * 1000 // 50
    command = [str(part) for part in (TIMING, image, HZ, SECONDS + 1, "D", events, turns)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    writes: dict[str, list[int]] = {"B": [], "C": [], "D": []}
    for port, cycle in map(str.split, done.stdout.splitlines()):
        writes[port].append(int(cycle))
    return writes


@pytest.mark.parametrize("wrap", [*WRAPS, "none"])
def test_nothing_slips(built: Callable[[Path], Path], wrap: str) -> None:
    build_targets("sim", "avr_timing")
    turns = WRAPS[wrap] - BEFORE if wrap in WRAPS else 5
    writes = _writes(built(SKETCH), turns)
    # setup() may write to port C, as digital output begins; loop 1 found nothing wrong after that.
    assert [at for at in writes["C"] if at > HZ // 100] == []
    periodic = [after - before for before, after in pairwise(writes["D"][2:])]
    assert len(periodic) >= 35
    # A call that comes while loop 1 runs waits for it, and the next one is on time again.
    assert all(abs(gap - HZ // 20) < HZ // 1_000 for gap in periodic), periodic
    assert abs(sum(periodic) - len(periodic) * HZ // 20) < HZ // 1_000
    assert periodic.count(HZ // 20) > len(periodic) // 2
    delays = [after - before for before, after in pairwise(writes["B"][2:])]
    assert len(delays) >= 90
    # The call and the loop's own work come on top of 20 ms; the other loop at times, too.
    assert all(HZ // 50 <= gap < HZ // 50 + HZ // 1_000 for gap in delays), delays
