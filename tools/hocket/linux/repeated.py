"""Figures of an emulated machine that idles: of the runs of one thing, those that agree.

QEMU 7.2 moves an idle clock on from two threads, and one of them may do so before the other has counted the
instructions that came last (accel/tcg/tcg-accel-ops-rr.c, softmmu/icount.c: `icount_start_warp_timer()` with
the lock of devices, `icount_process_data()` without it). The clock is then a few hundred instructions ahead,
and an alarm as many late. It takes a host that is busy and happens once in some ten thousand alarms: a run
that had it is like no other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from hocket.errors import EXIT_DEFECT, HocketError

Found = TypeVar("Found")
MOST = 6  # runs


def repeated(run: Callable[[], Found]) -> Found:
    """What two runs found. HocketError: no two of six were the same."""
    seen: list[Found] = []
    for _ in range(MOST):
        found = run()
        if found in seen:
            return found
        seen.append(found)
    raise HocketError(
        f"no two of {MOST} runs of the same machine were the same",
        "they are counted in instructions, so they should be",
        "this is a defect: please report it with the version of qemu-system-arm",
        exit_code=EXIT_DEFECT,
    )
