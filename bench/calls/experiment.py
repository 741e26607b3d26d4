"""What a protected loop pays for its calls into the system: instructions, on the board virt.

The sketch looks at the clock around each call. On virt a tick of the clock is one instruction, so these
are exact counts of a whole call: the Arduino function, the system call, the kernel, and back. The
kernel's own paths between its threads are counted by `hocket bench kernel`.
"""

from __future__ import annotations

import re
from typing import Any

from hocket.bench import Context, Result, Run
from hocket.errors import HocketError
from hocket.plots import Range, ranges

SKETCH = "calls"
END = "done"
BOARD = "virt"  # a board whose clock counts instructions
SIZES = {BOARD: None}

# The same on kernels whose threads are protected as well (Zephyr 3.7's user threads, without budgets; seL4
# 16.0.0 MCS, with them: its scheduling contexts round robin, and sporadic in brackets), on this emulator.
NO_PEERS = ("–", "–")
PEERS = {
    "free Semaphore: v() and p()": ("384 (sys_sem 43)", "680"),
    "a call that only answers (loop_id)": ("84", "271"),
    "yield() with nobody to yield to": ("–", "438–460"),
    "v() to the woken loop's code": ("341", "614 (687)"),
    "p() that blocks, to the code of the loop below": ("–", "498 (571)"),
    "Semaphore ping-pong, a round": ("1,024–1,172", "1,808–2,271"),
    "timer: from the interrupted loop to the code behind delay()": ("398", "431"),
    "pin: from the edge to its handler's code": ("–", "449 (522)"),
}
PIN = "parts:\n  edges: {type: generator, pin: 2, frequency: 250 Hz, start: 3 ms}\n"


def measure(context: Context) -> tuple[dict[str, tuple[int, int, int]], str]:
    """Least, median and most of each row of the sketch; and what they were measured on."""
    figures, conditions = measure_calls(context)
    pins = context.run_sketch("pin-path", duration="2s", scenario_text=PIN)
    return figures | _figures(pins), conditions


def measure_calls(context: Context) -> tuple[dict[str, tuple[int, int, int]], str]:
    """Without the path of a pin, over a loop that has to be busy for as long as there are edges."""
    done = context.run_sketch(SKETCH, duration="10s")
    return _figures(done), done.conditions()


def _figures(done: Run) -> dict[str, tuple[int, int, int]]:
    figures = {}
    for line in done.serial.splitlines():
        name, *numbers = line.split("|")
        if numbers:
            least, median, most = map(int, numbers)
            figures[name] = (least, median, most)
    if END not in done.serial.split():
        raise HocketError("the sketch did not come to its end", f"it sent: {done.serial[-200:]}")
    return figures


def run(context: Context) -> Result:
    figures, conditions = measure(context)
    rows: list[list[str | int | float | None]] = [
        [name, *numbers, *PEERS.get(name, NO_PEERS)] for name, numbers in figures.items()
    ]
    return Result(
        "Instructions of a protected loop's calls, from the sketch and back to it",
        ["call", "least", "median", "most", "Zephyr 3.7", "seL4 16 MCS"],
        rows,
        [
            conditions,
            "budgets, accounting and protection are on; the kernel is the one for one core",
            "a free semaphore and a free spinlock are no system calls; the first lock of a loop, and each "
            "that is held for longer than all before it, takes some instructions more (most)",
            "a pin's edge: from the pin block's interrupt on, through the top half and the bottom half on "
            "its I/O virtual CPU, to the handler at EL0 on a virtual CPU of its own; the peer's has no "
            "bottom half",
            "the five rows before it are whole switches between two loops on virtual CPUs of their own, "
            "with the end and the beginning of their budgets",
            "Zephyr protects user threads and has no budgets; seL4's MCS kernel has both, sporadic budgets "
            "in brackets; both counted on this emulator (GCC 12)",
        ],
        lambda figure: _plot(figure, figures),
        {"calls": figures},
    )


def _plot(figure: Any, figures: dict[str, tuple[int, int, int]]) -> None:
    rows: dict[str, dict[str, Range]] = {}
    for name, counted in figures.items():
        rows[name] = {"Hocket": counted}
        for peer, text in zip(
            ("Zephyr 3.7", "seL4 16 MCS"), PEERS.get(name, NO_PEERS), strict=True
        ):
            numbers = [int(each.replace(",", "")) for each in re.findall(r"\b[\d,]+\b", text)]
            if numbers:
                rows[name][peer] = (min(numbers), numbers[0], max(numbers))
    ranges(figure, "Calls of a protected loop (virt): least, median, most", rows, "instructions")
