"""Draws docs/pictures/flight.svg: the helicopter's pitch when control is on time, late, and too late.

    .venv/bin/python docs/pictures/flight.py

From the waves of three runs of examples/flight. The same program draws the same bytes.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path

import matplotlib as mpl

mpl.use("svg")
from matplotlib import pyplot

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FLIGHT = ROOT / "examples" / "flight"
SCENARIO = (FLIGHT / "scenario.yaml").read_text(encoding="utf-8")
LATE = {0: "on time", 40: "40 ms late from 10 s on", 80: "80 ms late from 10 s on"}
COLOURS = ("#2b6cb0", "#805ad5", "#c05621")
BEGIN, END = 9, 16  # s


def pitch(late: int) -> tuple[list[float], list[float]]:
    """Instants in s and angles in degrees."""
    with tempfile.TemporaryDirectory() as name:
        scenario, vcd = Path(name) / "scenario.yaml", Path(name) / "flight.vcd"
        scenario.write_text(SCENARIO.replace("{at: 10 s, ", f"{{at: 10 s, late: {late} ms, "))
        command = (ROOT / "hocket", "run", FLIGHT, "--scenario", scenario, "--vcd", vcd)
        subprocess.run((*command, "--for", f"{END}s"), check=True, capture_output=True)
        text = vcd.read_text()
    found = re.search(r"\$var real \d+ (\S+) helicopter_pitch_deg", text)
    assert found is not None
    now, times, angles = 0.0, [], []
    for line in text.splitlines():
        if line.startswith("#"):
            now = int(line[1:]) / 1e9
        elif line.startswith("r") and line.endswith(f" {found[1]}"):
            times.append(now)
            angles.append(float(line.split()[0][1:]))
    return times, angles


def main() -> None:
    mpl.rcParams.update({"svg.hashsalt": "hocket", "svg.fonttype": "none", "font.size": 9})
    figure, axes = pyplot.subplots(figsize=(7, 2.8), layout="constrained")
    for (late, label), colour in zip(LATE.items(), COLOURS, strict=True):
        times, angles = pitch(late)
        shown = [i for i, time in enumerate(times) if time >= BEGIN]
        axes.plot(
            [times[i] for i in shown], [angles[i] for i in shown], color=colour, label=label, lw=1.2
        )
    for limit in (-60, 60):
        axes.axhline(limit, color="#999999", lw=0.8, ls="--")
    axes.set(xlabel="seconds", ylabel="pitch (degrees)", xlim=(BEGIN, END), ylim=(-75, 95))
    axes.legend(frameon=False, loc="upper right", ncols=3)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(HERE / "flight.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
