"""Response times of each loop as a histogram, with the bound in it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from bokeh.models import Label, Span

from hocket.durations import format_microseconds as us
from hocket.webreport.plots import INK, WARNING, colour_of, hatch_of, plot

_BINS = 40
_FAR = 20.0  # a bound so many times the longest response asks for a scale of powers of ten


def bins_of(responses: Sequence[float], most: float) -> tuple[np.ndarray, np.ndarray, bool]:
    """Counts, edges (us), and whether the edges are powers; `most`: to where the edges go at least."""
    longest = max(responses)
    top = max(longest, most)
    shortest = min(value for value in (*responses, top) if value > 0) if top > 0 else 0
    powers = top > _FAR * longest or (longest > _FAR * shortest > 0 and top > _FAR * shortest)
    if top <= 0:
        top, powers = 1.0, False
    if powers:
        low = math.log10(max(shortest * 0.8, 0.001))
        edges = np.logspace(low, math.log10(top * 1.05), _BINS + 1)
    else:
        edges = np.linspace(0.0, top * 1.05, _BINS + 1)
    # What is 0 or less by rounding belongs to the first.
    counts, edges = np.histogram(np.clip(responses, edges[0], edges[-1]), edges)
    return counts, edges, powers


def draw(
    name: str, responses: Sequence[float], bound: float | None, longest: float | None, place: int
) -> Any:
    """responses in us. longest: as the report has it, which knows also of what did not end."""
    counts, edges, powers = bins_of(responses, max(bound or 0.0, longest or 0.0))
    few = int(counts.max()) < _FAR
    made = plot(
        name, 220, zooms=False,
        x_axis_type="log" if powers else "linear",
        y_axis_type="linear" if few else "log",
        x_range=(float(edges[0]), float(edges[-1]) * (1.3 if powers else 1.05)),
        y_range=(0 if few else 0.5, float(counts.max()) * (1.6 if few else 12.0)),
    )  # fmt: skip
    drawn = counts > 0
    made.quad(
        left=edges[:-1][drawn], right=edges[1:][drawn], top=counts[drawn].astype(float),
        bottom=0 if few else 0.5, fill_color=colour_of(place), line_color=INK, line_width=0.5,
        hatch_pattern=hatch_of(place), hatch_color=INK, hatch_alpha=0.4, hatch_scale=8,
    )  # fmt: skip
    made.xaxis.axis_label = f"response, us{' (powers of ten)' if powers else ''}"
    made.yaxis.axis_label = "jobs"
    edge = float(edges[-1])
    middle = math.sqrt(edge * float(edges[0])) if powers else edge / 2
    # Above the bars, one above the other, each to the side on which there is room.
    for at, name, dash, colour, height in (
        (longest, "longest", "dotted", INK, 112),
        (bound, "bound", "solid", WARNING, 128),
    ):
        if at is not None:
            _line(made, at, name, dash, colour, height, right=at < middle)
    return made


def _line(
    made: Any, at: float, name: str, dash: str, colour: str, height: int, right: bool
) -> None:
    made.add_layout(
        Span(location=at, dimension="height", line_color=colour, line_dash=dash, line_width=2)
    )
    made.add_layout(
        Label(
            x=at, y=height, y_units="screen", x_offset=5 if right else -5, text=f"{name} {us(at)}",
            text_align="left" if right else "right", text_color=INK, text_font_size="11px",
        )
    )  # fmt: skip
