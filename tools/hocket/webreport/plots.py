"""What all plots of a page share: their look, and that one zooms with the other.

Bokeh draws them; a page has its script in it. Colours are those of Okabe and Ito, which stay apart for
colour-blind eyes, and each loop has a hatch of its own besides. Text and lines have two colours that
page.js changes in the dark: INK and FAINT.
"""

from __future__ import annotations

from typing import Any

from bokeh.models import BasicTickFormatter
from bokeh.plotting import figure

INK, FAINT = "#1b2330", "#8a94a3"
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442")
HATCHES = (" ", "/", ".", "x", "\\", "-", "+")
LEFT = 170  # pixels before each plot over time, so that one stands below the other
ROW = 26  # pixels of a row of a timeline
WARNING = "#d55e00"
MISSED = "#c4161c"  # a missed deadline: red, and marked by a cross


def colour_of(place: int) -> str:
    return COLOURS[place % len(COLOURS)]


def hatch_of(place: int) -> str:
    """Together with the colour: other than that of the next 48."""
    return HATCHES[(place + place // len(COLOURS)) % len(HATCHES)]


def plot(title: str, height: int, zooms: bool = True, **settings: Any) -> Any:
    """A figure as wide as its place."""
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
    """The legend stands above the plot, so that it covers nothing."""
    legend.orientation = "horizontal"
    legend.label_text_color = INK
    legend.label_text_font_size = "11px"
    legend.background_fill_color = None
    legend.border_line_color = None
    legend.margin = legend.padding = 2
    legend.spacing = 12
    legend.ncols = "auto"
    made.add_layout(legend, "above")
