"""millis() and micros() are exact at every instant, pending overflows included: beside loops, where timer 1
counts, and without, where timer 0 does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from hocket.uno_images import writes

SKETCHES = Path(__file__).parent / "sketches"


def test_timer_1_equals_64_bit_arithmetic(built: Callable[[Path], Path]) -> None:
    # Not by `hocket run`, which ends a run that sets the clock of the loops.
    written = [port for port, _ in writes(built(SKETCHES / "clock"), "D", 1, seconds=5)]
    assert written.count("B") > 20
    assert written.count("C") == 0


def test_timer_0_equals_arithmetic(uno: Callable[..., Any]) -> None:
    done = uno(SKETCHES / "plain-clock", "5s")
    assert done.status == 0, done.said
    cases, wrong = map(int, done.serial.split()[:2])
    assert cases > 5_000
    assert wrong == 0
