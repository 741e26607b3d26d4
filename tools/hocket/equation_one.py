"""Equation 1 of Danish, Li and West (RTAS 2011), by which Quest admits virtual CPUs:

    sum of C/T of the Main virtual CPUs + sum of (2 - U) U of the I/O virtual CPUs  <=  n (2^(1/n) - 1)

n is the number of Main virtual CPUs. An I/O virtual CPU may defer its share U into the next period, so it
counts for more than U. Hocket decides by the exact test and shows this sum for comparison.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

_IO = "io"  # the kind of an I/O virtual CPU's loop
POLICY = "vcpu"  # fixed priorities


def sum_of(loops: Iterable[dict[str, Any]]) -> float:
    """Returns the left side for loops of a report. Loops without a budget do not count."""
    total = 0.0
    for loop in loops:
        if not loop.get("budget_us") or not loop.get("period_us"):
            continue
        share = loop["budget_us"] / loop["period_us"]
        total += (2 - share) * share if loop.get("kind") == _IO else share
    return total


def limit_of(loops: Iterable[dict[str, Any]]) -> float:
    """Returns the right side."""
    count = sum(
        1
        for loop in loops
        if loop.get("kind") != _IO and loop.get("budget_us") and loop.get("period_us")
    )
    return count * (2 ** (1 / count) - 1) if count else 1.0


def has_io(loops: Iterable[dict[str, Any]]) -> bool:
    """Returns whether the sum differs from the utilization."""
    return any(loop.get("kind") == _IO and loop.get("budget_us") for loop in loops)
