"""What a protected loop pays for its calls into the system: instructions, on the board virt.

The sketch looks at the clock around each call. On virt a tick of the clock is one instruction, so these
are exact counts of a whole call: the Arduino function, the system call, the kernel, and back. The
kernel's own paths between its threads are counted by `hocket bench kernel`.
"""

from __future__ import annotations

from hocket.bench import Context, Result
from hocket.errors import HocketError

SKETCH = "calls"
END = "done"
SIZES = {"virt": None}  # a board whose clock counts instructions


def run(context: Context) -> Result:
    done = context.run_sketch(SKETCH, duration="10s")
    rows: list[list[str | int | float | None]] = []
    for line in done.serial.splitlines():
        name, *figures = line.split("|")
        if figures:
            rows.append([name, *map(int, figures)])
    if END not in done.serial.split():
        raise HocketError("the sketch did not come to its end", f"it sent: {done.serial[-200:]}")
    return Result(
        "Instructions of a protected loop's calls, from the sketch and back to it",
        ["call", "least", "median", "most"],
        rows,
        [
            done.conditions(),
            "budgets, accounting and protection are on; the kernel has the code for eight cores",
            "the last two rows are whole switches between two loops on virtual CPUs of their own, with "
            "the end and the beginning of their budgets",
            "no other system of the comparison in `hocket bench kernel` protects its threads there",
        ],
    )
