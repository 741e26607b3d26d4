"""What all plots of a page share: their look, and a common zoom.

Bokeh draws the plots, and the page contains its script. The colours are those of Okabe and Ito, which
colour-blind readers can distinguish. Each loop also has its own hatch. Text and lines have two colours that
page.js changes in dark mode: INK and FAINT.
"""

from __future__ import annotations

from typing import Any

from bokeh.models import BasicTickFormatter
from bokeh.plotting import figure

INK, FAINT = "#1b2330", "#8a94a3"
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442")
HATCHES = (" ", "/", ".", "x", "\\", "-", "+")
LEFT = 170  # pixels to the left of each plot over time, so that the plots align
ROW = 26  # pixels of a row of a timeline
WARNING = "#d55e00"
MISSED = "#c4161c"  # a missed deadline: red, with a cross


def colour_of(place: int) -> str:
    return COLOURS[place % len(COLOURS)]


def hatch_of(place: int) -> str:
    """Returns a hatch. Colour and hatch together are unique among 49 consecutive places."""
    return HATCHES[(place + place // len(COLOURS)) % len(HATCHES)]


def plot(title: str, height: int, zooms: bool = True, **settings: Any) -> Any:
    """Returns a figure with the width of its place."""
    made = figure(
        title=title,
        height=height,
        sizing_mode="stretch_width",
        tools="xpan,xwheel_zoom,xbox_zoom,xzoom_in,xzoom_out,reset" if zooms else "",
        active_scroll=None,
        **settings,
    )
    made.toolbar.logo = None
    if zooms:
        made.toolbar.autohide = True
    else:
        made.toolbar_location = None
    made.background_fill_color = None
    made.border_fill_color = None
    made.outline_line_color = None
    made.title.text_color = INK
    made.title.text_font_size = "13px"
    made.min_border_right = 16
    for grid in made.grid:
        grid.grid_line_color = FAINT
        grid.grid_line_alpha = 0.3
    for axis in made.axis:
        axis.axis_label_text_color = axis.major_label_text_color = INK
        axis.axis_line_color = axis.major_tick_line_color = axis.minor_tick_line_color = FAINT
        axis.axis_label_text_font_style = "normal"
    return made


def with_time(made: Any, label: str = "board time, ms") -> Any:
    made.xaxis.axis_label = label
    made.xaxis.formatter = BasicTickFormatter(use_scientific=False)
    return made


def under_title(made: Any, legend: Any) -> None:
    """Places the legend above the plot, so that it covers nothing."""
    legend.orientation = "horizontal"
    legend.label_text_color = INK
    legend.label_text_font_size = "11px"
    legend.background_fill_color = None
    legend.border_line_color = None
    legend.margin = legend.padding = 2
    legend.spacing = 12
    legend.ncols = "auto"
    made.add_layout(legend, "above")
