"""Draws docs/pictures/response-linux.svg from the table in docs/guide/experiments.md, which is what
`hocket bench response-linux` printed, and from the published series.

    .venv/bin/python docs/pictures/response_linux.py [--check]

The same table gives the same bytes. With --check nothing is written; the exit status says whether the picture
is up to date.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("svg")
from matplotlib import pyplot

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tools"))

from hocket.bench import load_experiment  # noqa: E402

PICTURE = HERE / "response-linux.svg"
TABLE = HERE.parent / "guide" / "experiments.md"
# A table begins with a line that names the system of each column.
_COLUMNS = {
    "Hocket": [("Hocket", "idle"), ("Hocket", "loaded")],
    "Linux": [
        *(("Linux", "idle"), ("Linux", "loaded")),
        *(("PREEMPT_RT", "idle"), ("PREEMPT_RT", "loaded")),
    ],
}
_FIGURES = re.compile(r"([\d,]+) / ([\d,]+) / ([\d,]+)(?:, (\d+) lost)?")


def cases(experiment: Any, text: str) -> Iterator[Any]:
    """Yields the cases of the tables, each with its three figures in place of all answers."""
    section = text.split("\n## response-linux", 1)[1].split("\n## ", 1)[0]
    columns: list[tuple[str, str]] = []
    for line in section.splitlines():
        first, *cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("| "):
            continue
        if "least / median / most" in first:
            columns = _COLUMNS.get(first.partition(":")[0], [])
            continue
        for (system, load), cell in zip(columns, cells, strict=True) if columns else ():
            found = _FIGURES.fullmatch(cell)
            if found is None:
                raise SystemExit(f"{TABLE}: {cell!r} is not `least / median / most`")
            late = tuple(int(each.replace(",", "")) for each in found.groups()[:3])
            yield experiment.Case(system, first.replace("`", ""), load, late, int(found[4] or 0))


def picture() -> bytes:
    experiment = load_experiment("response-linux")
    mpl.rcParams.update({"svg.hashsalt": "hocket", "svg.fonttype": "none", "font.size": 9})
    figure, (above, below) = pyplot.subplots(
        2, 1, figsize=(8, 9), height_ratios=[3, 2], layout="constrained"
    )
    found = list(cases(experiment, TABLE.read_text(encoding="utf-8")))
    experiment.draw_ranges(above, below, found, experiment.read_published())
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
