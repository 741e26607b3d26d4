"""Draws the response times of each loop as a histogram, with the bound."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from bokeh.models import Legend, LegendItem, Span

from hocket.durations import format_microseconds as us
from hocket.webreport.plots import INK, WARNING, colour_of, hatch_of, plot, under_title

_BINS = 40
_MANY = 100  # jobs in a bin; a single job would be invisible on a linear scale
_FAR = 20.0  # with a bound so many times the longest response, the scale is logarithmic


def bins_of(responses: Sequence[float], most: float) -> tuple[np.ndarray, np.ndarray, bool]:
    """Returns counts, edges (us), and whether the edges are logarithmic. most: the least upper end of the
    edges."""
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
    # Responses that are 0 or less by rounding belong to the first bin.
    counts, edges = np.histogram(np.clip(responses, edges[0], edges[-1]), edges)
    return counts, edges, powers


def draw(
    name: str, responses: Sequence[float], bound: float | None, longest: float | None, place: int
) -> Any:
    """Draws a histogram. responses: in us. longest: from the report, which includes jobs that did not end."""
    counts, edges, powers = bins_of(responses, max(bound or 0.0, longest or 0.0))
    few = int(counts.max()) < _MANY
    made = plot(
        name, 240, zooms=False,
        x_axis_type="log" if powers else "linear",
        y_axis_type="linear" if few else "log",
        x_range=(float(edges[0]), float(edges[-1]) * (1.2 if powers else 1.02)),
        y_range=(0 if few else 0.5, float(counts.max()) * (1.1 if few else 2.0)),
    )  # fmt: skip
    drawn = counts > 0
    made.quad(
        left=edges[:-1][drawn], right=edges[1:][drawn], top=counts[drawn].astype(float),
        bottom=0 if few else 0.5, fill_color=colour_of(place), line_color=INK, line_width=0.5,
        hatch_pattern=hatch_of(place), hatch_color=INK, hatch_alpha=0.4, hatch_scale=8,
    )  # fmt: skip
    made.xaxis.axis_label = f"response, us{' (powers of ten)' if powers else ''}"
    made.yaxis.axis_label = "jobs"
    lines = [
        (longest, "longest", "dotted", INK),
        (bound, "bound", "solid", WARNING),
    ]
    legend = []
    for at, name, dash, colour in lines:
        if at is None:
            continue
        made.add_layout(
            Span(location=at, dimension="height", line_color=colour, line_dash=dash, line_width=2)
        )
        # A Span has no legend entry. This line without points has one.
        drawn = made.line([math.nan], [math.nan], line_color=colour, line_dash=dash, line_width=2)
        legend.append(LegendItem(label=f"{name} {us(at)}", renderers=[drawn]))
    if legend:
        under_title(made, Legend(items=legend))
    return made
