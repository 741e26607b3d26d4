"""What a protected loop pays for its calls into the system: instructions, on the board virt.

Quiet, and beside as many other loops as a core has room for; what is declared for a path, which admission
counts with; and the same on other kernels. The sketch looks at the clock around each call. On virt a tick of
the clock is one instruction, so these are exact counts of a whole call: the Arduino function, the system
call, the kernel, and back. The kernel's own paths between its threads are counted by `hocket bench kernel`.
"""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hocket.bench import Context, Result, Run
from hocket.errors import HocketError
from hocket.paths import ROOT
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
PIN_SKETCH = "pin-path"
EDGE = "pin: from the edge to its handler's code"

# The other loops. Those of a longer period become due while the measured ones run, and wait for their
# turn; the two of a shorter one sleep on.
LAST = 64
LOWER = "void loop({id}, 100us, {period}) {{ ++turns_of_others; delay({sleep}); }}\n"
HIGHER = (
    "void loop(63, 100us, 20) { ++turns_of_others; delay(17); }\n"
    "void loop(64, 100us, 10) { ++turns_of_others; delay(9); }\n"
)

Figures = dict[str, tuple[int, int, int]]
Cell = str | int | float | None


def measure(context: Context) -> tuple[Figures, str]:
    """Least, median and most of each row of the sketch; and what they were measured on."""
    figures, conditions = measure_calls(context)
    pins = context.run_sketch(PIN_SKETCH, duration="2s", scenario_text=PIN)
    return figures | _figures(pins), conditions


def measure_calls(context: Context) -> tuple[Figures, str]:
    """Without the path of a pin, over a loop that has to be busy for as long as there are edges."""
    done = context.run_sketch(SKETCH, duration="10s")
    return _figures(done), done.conditions()


@dataclass(frozen=True)
class Loaded:
    """The same rows beside other loops, and what the board declares, in instructions."""

    figures: Figures
    costs: dict[str, int]

    def declared(self, name: str) -> int | None:
        """What admission counts for the path; null: it is no switch."""
        entry, switch = self.costs["interrupt_entry"], self.costs["context_switch"]
        late = self.costs["timer_lateness"]
        return {
            "v() to the woken loop's code": switch,
            "p() that blocks, to the code of the loop below": switch,
            "timer: from the interrupted loop to the code behind delay()": late + entry + switch,
            "delay(), to the code of the loop below": switch,
            EDGE: entry + bottom_half() + switch,
        }.get(name)


def measure_loaded(context: Context) -> Loaded:
    with tempfile.TemporaryDirectory(prefix="hocket-calls-") as name:
        calls = beside_others(context, SKETCH, 3, Path(name))
        done = context.run_sketch(calls, duration="10s")
        pins = beside_others(context, PIN_SKETCH, 2, Path(name))
        edges = context.run_sketch(pins, duration="2s", scenario_text=PIN)
    return Loaded(_figures(done) | _figures(edges), done.report["bounds"]["costs"])


def beside_others(context: Context, sketch: str, first: int, folder: Path) -> Path:
    """The sketch with the loops from `first` to LAST besides, as a sketch of its own in that folder."""
    own = (context.folder / sketch / f"{sketch}.ino").read_text(encoding="utf-8")
    lower = [LOWER.format(id=i, period=200 + i, sleep=1 + i % 5) for i in range(first, LAST - 1)]
    place = folder / f"{sketch}-loaded"
    place.mkdir()
    (place / f"{place.name}.ino").write_text("".join((own, *lower, HIGHER)), encoding="utf-8")
    return place


def bottom_half() -> int:
    """What a bottom half may take, as the board declares it."""
    text = (ROOT / "boards" / BOARD / "peer_pins.h").read_text(encoding="utf-8")
    found = re.search(r"kBottomHalf = ([\d']+);", text)
    if found is None:
        raise HocketError(f"the board {BOARD} declares no kBottomHalf")
    return int(found.group(1).replace("'", ""))


def _figures(done: Run) -> Figures:
    figures = {}
    for line in done.serial.splitlines():
        name, *numbers = line.split("|")
        if numbers:
            least, median, most = map(int, numbers)
            figures[name] = (least, median, most)
    if END not in done.serial.split():
        raise HocketError("the sketch did not come to its end", f"it sent: {done.serial[-200:]}")
    return figures


def _numbers(text: str) -> list[int]:
    return [int(each.replace(",", "")) for each in re.findall(r"\b[\d,]+\b", text)]


def costs_table(quiet: Figures, loaded: Loaded) -> Result:
    rows: list[list[Cell]] = []
    for name, (_, median, _most) in quiet.items():
        _, middle, most = loaded.figures[name]
        declared = loaded.declared(name) or "–"
        rows.append([name, median, middle, most, declared, *PEERS.get(name, NO_PEERS)])
    return Result(
        "What calls cost, in instructions: quiet, loaded, and declared",
        ["call", "quiet: median", "loaded: median", "loaded: most", "declared", "Zephyr", "seL4"],
        rows,
        [
            "quiet: the sketch's own two loops (pin: one loop and the handler's), no others",
            f"loaded: {LAST} loops on the core, of which those of longer periods are due and wait for their "
            "turn, and two of shorter ones sleep; the loop behind delay() wakes many times in a period, so "
            "its list of refills is full; an edge every 4 ms; the peers: quiet",
            "most: of paths in which no other loop had a turn; those would be two paths",
            "declared: what admission counts for it: the switch; for a timer the entry and its lateness "
            "besides; for an edge the entry and the bottom half besides",
        ],
        None,
        {"loaded": loaded.figures, "declared": loaded.costs},
    )


def run(context: Context) -> Result:
    figures, conditions = measure(context)
    loaded = measure_loaded(context)
    rows: list[list[Cell]] = [
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
            "a pin's edge: from the pin block's interrupt on to the handler at EL0 on a virtual CPU of its "
            "own, which waits and takes the core at once; others go through a bottom half, the peer's has "
            "none",
            "the five rows before it are whole switches between two loops on virtual CPUs of their own, "
            "with the end and the beginning of their budgets",
            "Zephyr protects user threads and has no budgets; seL4's MCS kernel has both, sporadic budgets "
            "in brackets; both counted on this emulator (GCC 12)",
        ],
        lambda figure: _plot(figure, figures),
        {"calls": figures},
        [costs_table(figures, loaded)],
    )


def _plot(figure: Any, figures: Figures) -> None:
    rows: dict[str, dict[str, Range]] = {}
    for name, counted in figures.items():
        rows[name] = {"Hocket": counted}
        for peer, text in zip(
            ("Zephyr 3.7", "seL4 16 MCS"), PEERS.get(name, NO_PEERS), strict=True
        ):
            if numbers := _numbers(text):
                rows[name][peer] = (min(numbers), numbers[0], max(numbers))
    ranges(figure, "Calls of a protected loop (virt): least, median, most", rows, "instructions")
