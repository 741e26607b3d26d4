"""FIFOs between a loop and programs of Linux beside it: instructions for a record, and bytes in a second.

The sketch reads the clock before and after each call. On virt a tick of the clock is one instruction, so
these are exact counts of a whole call: from the loop at EL0 through the kernel at EL3 and back, including the
copy. Then the loop and a program of Linux transfer as much as possible, on one core. The loop sleeps for a
millisecond whenever the FIFO is full or empty.
"""

from __future__ import annotations

from typing import Any

from hocket.bench import Context, Result
from hocket.errors import HocketError
from hocket.plots import ranges

BOARD = "virt"
SIZES = {BOARD: None}
SKETCH = "fifos"
END = "done"


def measure(context: Context) -> tuple[dict[str, tuple[int, ...]], str]:
    """Returns by name the least, median and most instructions of a call, or the bytes in a second, and the
    conditions."""
    done = context.run_sketch(SKETCH, duration="20s", beside="linux", expect_text=(END,))
    figures = {}
    for line in done.serial.splitlines():
        name, *numbers = line.split("|")
        if numbers:
            figures[name] = tuple(map(int, numbers))
    if END not in done.serial.split():
        raise HocketError("the sketch did not come to its end", f"it sent: {done.serial[-200:]}")
    return figures, done.conditions()


def run(context: Context) -> Result:
    figures, conditions = measure(context)
    calls = {name: numbers for name, numbers in figures.items() if len(numbers) == 3}
    flows = {name: numbers for name, numbers in figures.items() if len(numbers) == 1}
    flow = Result(
        "Bytes in a second between a loop and a program of Linux, records of 1024 bytes",
        ["way", "bytes per second"],
        [[name, *numbers] for name, numbers in flows.items()],
        [
            conditions,
            "one core for both; a FIFO holds three such records, and the loop looks once in a millisecond "
            "when it can do no more",
        ],
    )
    return Result(
        "Instructions of a protected loop's FIFO calls, from the loop and back to it",
        ["call", "least", "median", "most"],
        [[name, *numbers] for name, numbers in calls.items()],
        [
            conditions,
            "the kernel is at EL3, the loop at secure EL0, Linux in the other world; the copy is included: "
            "eight bytes in 7 instructions",
            "in the row in which Linux is told a program sleeps in read(): its interrupt is raised",
        ],
        lambda figure: _plot(figure, calls),
        {"calls": calls, "flows": flows},
        more=[flow],
    )


def _plot(figure: Any, calls: dict[str, tuple[int, ...]]) -> None:
    rows = {name: {"instructions": (n[0], n[1], n[2])} for name, n in calls.items()}
    ranges(figure, "Calls of FIFOs (virt): least, median, most", rows, "instructions")
