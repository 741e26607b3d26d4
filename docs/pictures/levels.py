"""Draws docs/pictures/levels.svg from the output of the image levels_latency (tests/contract/aarch64).

    .venv/bin/python docs/pictures/levels.py OUTPUT

OUTPUT: what the image printed, as tests/contract/aarch64/test_levels.py runs it. The same output gives the
same bytes.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import matplotlib as mpl

mpl.use("svg")
from matplotlib import pyplot

HERE = Path(__file__).resolve().parent
NAMES = {"quiet": "UART idle", "storm": "UART receiving at full rate"}
COLOURS = {"quiet": "#2b6cb0", "storm": "#c05621"}


def main() -> None:
    text = Path(sys.argv[1]).read_text(encoding="utf-8")
    mpl.rcParams.update({"svg.hashsalt": "hocket", "svg.fonttype": "none", "font.size": 9})
    figure, axes = pyplot.subplots(figsize=(7, 2.8), layout="constrained")
    for number, (name, label) in enumerate(NAMES.items()):
        found = re.findall(rf"^{name} (\d+) (\d+)$", text, re.M)
        late = [int(ticks) + (number - 0.5) * 0.4 for ticks, _ in found]
        counts = [int(count) for _, count in found]
        axes.bar(late, counts, 0.4, label=label, color=COLOURS[name])
    axes.set_yscale("log")
    axes.set_xlabel("instructions from the alarm's instant to its handler")
    axes.set_ylabel("alarms of 20,000")
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(HERE / "levels.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
