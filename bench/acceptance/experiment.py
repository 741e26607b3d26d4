"""Acceptance against load: how many random sets of loops each admission test takes on four cores.

The kernel's own analyses, compiled for this computer (acceptance.cpp): Liu and Layland's bound, the exact
test for fixed priorities, processor demand for earliest deadline first, and the same with loops in two parts
(C=D).
"""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hocket.bench import Context, Result, build_programs
from hocket.plots import MARKERS

LOOPS, CORES = 8, 4
TESTS = (
    "Liu and Layland's bound",
    "fixed priorities, exact",
    "earliest deadline first",
    "the same, in two parts (C=D)",
)
COSTS = 1  # the program's argument for the costs of the board virt


@dataclass(frozen=True)
class Size:
    """The number of random sets for each load, and the loads in percent of all cores."""

    sets: int = 1000
    loads: tuple[int, ...] = (50, 60, 65, 70, 75, 80, 84, 88, 90, 92, 94, 95, 96, 97, 98, 99, 100)


SIZE = Size()
QUICK = Size(sets=40, loads=(50, 80, 90, 95, 98, 100))


@dataclass(frozen=True)
class Row:
    """accepted: the number of sets with this load that each test accepts. split: those of the last test with
    loops in two parts."""

    load: float
    sets: int
    accepted: tuple[int, ...]
    split: int

    def percent(self, test: int) -> float:
        return 100 * self.accepted[test] / self.sets


def measure(size: Size, seed: int, costs: int = 0) -> list[Row]:
    """Runs the analyses. costs: 0, or COSTS."""
    command = [
        build_programs(Path(__file__).parent) / "acceptance",
        *map(str, (LOOPS, CORES, size.sets, seed, costs, *size.loads)),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    rows = []
    for line in done.stdout.splitlines():
        load, sets, *accepted, split = line.split()
        rows.append(Row(float(load), int(sets), tuple(map(int, accepted)), int(split)))
    return rows


def run(context: Context) -> Result:
    return result(measure(SIZE, context.seed), measure(SIZE, context.seed, COSTS))


def result(rows: list[Row], with_costs: list[Row]) -> Result:
    table = [
        [
            f"{row.load:g} %",
            *(f"{row.percent(test):.1f} %" for test in range(len(TESTS))),
            f"{100 * row.split / row.sets:.1f} %",
            f"{costly.percent(3):.1f} %",
        ]
        for row, costly in zip(rows, with_costs, strict=True)
    ]
    return Result(
        f"Sets of {LOOPS} loops that are accepted on {CORES} cores, against their load",
        ("load", *TESTS, "of these with a split loop", "C=D with what virt costs"),
        table,
        [
            f"{rows[0].sets:,} sets for each load: shares by UUniFast, none more than a core, periods "
            "log-uniform from 10 ms to 1 s, deadlines at their ends",
            "all place first fit, the largest share first; a loop that fits nowhere is then split: a part "
            "that has as much time as work on one core, the rest on another",
            "with what virt costs: each part pays for its activation, and a late timer and the longest "
            "masked section stand in its way (boards/virt/board.h)",
        ],
        lambda figure: plot(figure, rows),
        {
            "rows": [{**row.__dict__, "accepted": list(row.accepted)} for row in rows],
            "with_costs": [{**row.__dict__, "accepted": list(row.accepted)} for row in with_costs],
        },
    )


def plot(figure: Any, rows: list[Row]) -> None:
    axes = figure.subplots()
    figure.suptitle(f"Sets of {LOOPS} loops accepted on {CORES} cores")
    loads = [row.load for row in rows]
    for test, line in enumerate((":", "--", "-", "-.")):
        accepted = [row.percent(test) for row in rows]
        axes.plot(loads, accepted, line, marker=MARKERS[test], label=TESTS[test])
    axes.set(xlabel="load (% of all cores)", ylabel="sets accepted (%)", ylim=(0, 102))
    axes.legend(frameon=False, loc="lower left")
    axes.spines[["top", "right"]].set_visible(False)
