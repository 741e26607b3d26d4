"""Draws docs/pictures/two-level.svg from the tables in docs/guide/experiments.md, which are what
`hocket bench two-level` printed: median and worst of each system under each load.

    .venv/bin/python docs/pictures/two_level.py [--check]

The same tables give the same bytes. With --check nothing is written; the exit status says whether the picture
is up to date. (The command's own plot has all events, as cumulative curves.)
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl

mpl.use("svg")
from matplotlib import pyplot

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tools"))

from hocket.plots import COLOURS  # noqa: E402

PICTURE = HERE / "two-level.svg"
TABLES = HERE.parent / "guide" / "experiments.md"
_FIGURES = re.compile(r"([\d,]+) \(([\d,]+)\)")
_MEASURES = ("from an alarm to the waiting code", "from pin to pin")


@dataclass(frozen=True)
class Row:
    """One system: by load its median and its worst, in instructions. measure: which of the two tables."""

    measure: int
    system: str
    late: dict[str, tuple[int, int]]


def rows(text: str) -> Iterator[Row]:
    """The rows of both tables. Those of the paper are of another machine, and are left out."""
    section = text.split("\n## two-level", 1)[1].split("\n## ", 1)[0]
    measure, loads = -1, list[str]()
    for line in section.splitlines():
        first, *cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("| ") or first.startswith("paper:"):
            continue
        if first == "worst (median)":
            measure, loads = measure + 1, cells
            continue
        late = {}
        for load, cell in zip(loads, cells, strict=True):
            found = _FIGURES.fullmatch(cell)
            if found is None:
                raise SystemExit(f"{TABLES}: {cell!r} is not `worst (median)`")
            worst, median = (int(each.replace(",", "")) for each in found.groups())
            late[load] = (median, worst)
        yield Row(measure, first, late)


def colour(system: str) -> str:
    return COLOURS[("Hocket", "PREEMPT_RT", "Linux").index(re.split(r"[ ,]", system)[0])]


def picture() -> bytes:
    found = list(rows(TABLES.read_text(encoding="utf-8")))
    loads = list(found[0].late)
    mpl.rcParams.update({"svg.hashsalt": "hocket", "svg.fonttype": "none", "font.size": 9})
    figure, panels = pyplot.subplots(
        len(loads), len(_MEASURES), figsize=(11, 8), sharex=True, layout="constrained"
    )
    for line, load in enumerate(loads):
        for measure, axes in enumerate(panels[line]):
            here = [row for row in found if row.measure == measure]
            for at, row in enumerate(here):
                median, worst = row.late[load]
                axes.plot([median, worst], [at, at], "-|", color=colour(row.system), markersize=11)
                axes.plot([median], [at], "o", color=colour(row.system), markersize=5)
            axes.set_yticks(range(len(here)), [row.system for row in here])
            axes.set(xscale="log", xlim=(10, 10_000_000), ylim=(len(here) - 0.5, -0.5))
            axes.set_title(f"{load}, {_MEASURES[measure]}", loc="left", fontsize=9)
            axes.minorticks_off()
            axes.grid(True, axis="x", alpha=0.3)
    for axes in panels[-1]:
        axes.set_xlabel("instructions: median (point) to worst")
    made = io.BytesIO()
    figure.savefig(made, format="svg", metadata={"Date": None})
    return made.getvalue()


def main() -> int:
    made = picture()
    if "--check" in sys.argv[1:]:
        return 0 if PICTURE.read_bytes() == made else 1
    PICTURE.write_bytes(made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
