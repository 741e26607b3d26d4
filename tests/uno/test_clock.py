"""millis() and micros() are exact at every instant, pending overflows included."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

SKETCH = Path(__file__).parent / "sketches" / "clock"


def test_the_clock_equals_64_bit_arithmetic(uno: Callable[..., Any]) -> None:
    done = uno(SKETCH, "5s")
    assert done.status == 0, done.said
    cases, wrong = map(int, done.serial.split()[:2])
    assert cases > 20_000
    assert wrong == 0
