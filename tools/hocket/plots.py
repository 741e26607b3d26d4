"""The style of all plots of `hocket bench`, and checks of the drawn plots.

Lines differ by marker and dash, and bars by hatch, in addition to their colours (those of Okabe and Ito).
Legends are below their axes, where no data are. finish() moves them there, wherever an experiment has placed
them. wrong_with() examines the drawn picture. The test suite calls it for every plot.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
DASHES = ("-", "--", "-.", ":")
HATCHES = ("", "///", "...", "xx", "\\\\\\", "--", "++")

Range = tuple[float, float, float]  # minimum, median, maximum

_GAP = 0.08  # inches between the labels below the axes and the legend
_CHARACTERS = 110  # in a line of a legend as wide as the figure


def make(plot: Callable[[Any], None], name: str, cache: Path) -> Any:
    """Returns the finished figure. The same plot gives the same bytes."""
    # A home folder that cannot be written must not prevent a plot.
    os.environ.setdefault("MPLCONFIGDIR", str(cache))
    import matplotlib

    matplotlib.use("agg")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with style(name):
        figure = Figure(figsize=(8, 4.8), dpi=120, layout="constrained")
        FigureCanvasAgg(figure)  # wrong_with() needs it for measuring
        plot(figure)
        finish(figure)
    return figure


@contextmanager
def style(name: str) -> Iterator[None]:
    import matplotlib
    from cycler import cycler

    matplotlib.rcParams["svg.hashsalt"] = name  # also applies when the figure is saved
    cycle = cycler(color=COLOURS)
    with matplotlib.rc_context({"axes.prop_cycle": cycle, "hatch.linewidth": 0.6}):
        yield


def finish(figure: Any) -> None:
    """Makes similar looks distinguishable, and moves legends off the data."""
    moved = []
    for axes in figure.axes:
        _mark_lines(axes)
        _hatch_bars(axes)
        if axes.get_legend() is not None:
            moved.append((axes, *_taken_off(axes)))
    if moved:
        figure.canvas.draw()  # to measure how far down the labels reach
    for axes, handles, texts in moved:
        _put_below(figure, axes, handles, texts)


def _named(artist: Any) -> bool:
    return not str(artist.get_label()).startswith("_")


def _mark_lines(axes: Any) -> None:
    """Gives a named line another marker and dash if an earlier line has the same."""
    seen: set[tuple[str, str, str]] = set()
    for line in axes.lines:
        # A line without points only provides the legend entry for other lines.
        if not _named(line) or not len(line.get_xdata()):
            continue
        if _look(line) in seen:
            _take_another(line, seen)
        seen.add(_look(line))


def _take_another(line: Any, seen: set[tuple[str, str, str]]) -> None:
    connected = line.get_linestyle() not in ("None", "none", "", " ")
    if line.get_marker() in ("None", "none", "", " "):  # many points: a few marks are enough
        line.set_markevery(max(1, len(line.get_xdata()) // 8))
    for fill, dash, marker in itertools.product(("full", "none"), DASHES, MARKERS):
        line.set(marker=marker, fillstyle=fill)
        if connected:
            line.set_linestyle(dash)
        if _look(line) not in seen:
            return


def _look(line: Any) -> tuple[str, str, str]:
    """Returns a line's look without its colour."""
    return str(line.get_linestyle()), str(line.get_marker()), str(line.get_fillstyle())


def _hatch_bars(axes: Any) -> None:
    """Gives each group of bars with a new colour a hatch of its own."""
    hatches: dict[Any, str] = {}
    for container in axes.containers:
        for patch in container.patches if hasattr(container, "patches") else ():
            if patch.get_hatch():
                continue
            colour = patch.get_facecolor()
            hatch = hatches.setdefault(colour, HATCHES[len(hatches) % len(HATCHES)])
            if hatch:
                patch.set_hatch(hatch)


def _taken_off(axes: Any) -> tuple[list[Any], list[str]]:
    """Removes the legend. Returns its entries, with the current look of the lines and bars."""
    legend = axes.get_legend()
    handles = list(legend.legend_handles)
    texts = [text.get_text() for text in legend.get_texts()]
    named, labels = axes.get_legend_handles_labels()
    legend.remove()
    return (named if labels == texts else handles), texts


def _put_below(figure: Any, axes: Any, handles: list[Any], texts: list[str]) -> None:
    from matplotlib.transforms import ScaledTranslation

    renderer = figure.canvas.get_renderer()
    depth = axes.get_window_extent(renderer).y0 - axes.get_tightbbox(renderer).y0
    below = ScaledTranslation(0, -depth / figure.dpi - _GAP, figure.dpi_scale_trans)
    spec = axes.get_subplotspec()
    room = _CHARACTERS / (spec.get_gridspec().ncols if spec else 1)
    longest = max((len(text) for text in texts), default=0)
    axes.legend(
        handles, texts, loc="upper center", bbox_to_anchor=(0.5, 0.0),
        bbox_transform=axes.transAxes + below, ncols=max(1, min(len(texts), int(room // (longest + 6)))),
        fontsize="small", frameon=False, borderaxespad=0,
    )  # fmt: skip


def wrong_with(figure: Any) -> list[str]:
    """Returns the faults of a figure: a legend on data, data beyond the axes, looks that differ by colour
    alone. Empty: none."""
    figure.canvas.draw()
    found: list[str] = []
    for number, axes in enumerate(figure.axes):
        name = axes.get_title() or axes.get_title(loc="left") or f"axes {number}"
        found += [
            f"{name}: {what}" for what in (*_covered(figure, axes), *_beyond(axes), *_alike(axes))
        ]
    return found


def _covered(figure: Any, axes: Any) -> list[str]:
    legends = [axes.get_legend(), *figure.legends]
    renderer = figure.canvas.get_renderer()
    boxes = [legend.get_window_extent(renderer) for legend in legends if legend is not None]
    field = axes.get_window_extent(renderer)
    found = ["its legend stands on the plot" for box in boxes if box.overlaps(field)]
    words = [each.xaxis.get_tightbbox(renderer) for each in figure.axes]
    words += [each.title.get_window_extent(renderer) for each in figure.axes if each.get_title()]
    found += [
        "a legend stands on words"
        for box in boxes
        for word in words
        if word is not None and box.shrunk(0.98, 0.98).overlaps(word)
    ]
    page = figure.bbox
    found += [
        "its legend is cut off"
        for box in boxes
        if box.x0 < page.x0 - 1
        or box.x1 > page.x1 + 1
        or box.y0 < page.y0 - 1
        or box.y1 > page.y1 + 1
    ]
    return found


def _beyond(axes: Any) -> list[str]:
    """Returns the data that the limits of the axes cut off."""
    left, right = sorted(axes.get_xlim())
    low, high = sorted(axes.get_ylim())
    found = []
    for line in axes.lines:
        if line.get_transform() != axes.transData:
            continue
        points = [(float(x), float(y)) for x, y in zip(*line.get_data(orig=False), strict=True)]
        known = [(x, y) for x, y in points if x == x and y == y]
        if any(not left <= x <= right or not low <= y <= high for x, y in known):
            found.append(f"{line.get_label()!r} leaves the axes")
    for patch in axes.patches:
        if not hasattr(patch, "get_width") or patch.get_transform() == axes.transAxes:
            continue
        x = max(patch.get_x(), patch.get_x() + patch.get_width())
        y = max(patch.get_y(), patch.get_y() + patch.get_height())
        if x > right or y > high:
            found.append("a bar leaves the axes")
    return found


def _alike(axes: Any) -> list[str]:
    looks = [_look(line) for line in axes.lines if _named(line)]
    found = ["lines differ by their hue alone"] if len(set(looks)) < len(looks) else []
    hatches: dict[Any, Any] = {}
    for container in axes.containers:
        for patch in getattr(container, "patches", ()):
            hatches.setdefault(patch.get_hatch() or "", set()).add(patch.get_facecolor())
    found += ["bars differ by their hue alone" for hues in hatches.values() if len(hues) > 1]
    return found


def ranges(
    figure: Any, title: str, rows: Mapping[str, Mapping[str, Range]], unit: str, log: bool = True
) -> None:
    """Draws a line from minimum to maximum for each row and series, and a mark at the median."""
    series = {name for each in rows.values() for name in each}
    figure.set_size_inches(9, 1.6 + len(rows) * (0.2 + 0.18 * len(series)))
    figure.suptitle(title)
    draw_ranges(figure.subplots(), rows, unit, log)


def draw_ranges(
    axes: Any, rows: Mapping[str, Mapping[str, Range]], unit: str, log: bool = True
) -> None:
    """Draws the ranges in existing axes."""
    series = list(dict.fromkeys(name for each in rows.values() for name in each))
    for number, name in enumerate(series):
        places, medians = [], []
        for place, each in enumerate(rows.values()):
            if name not in each:
                continue
            least, median, most = each[name]
            at = place + (number - (len(series) - 1) / 2) * 0.8 / len(series)
            colour = COLOURS[number % len(COLOURS)]
            axes.plot([least, most], [at, at], "-|", color=colour, label="_range", linewidth=1.2)
            places.append(at)
            medians.append(median)
        axes.plot(
            medians, places, MARKERS[number % len(MARKERS)], linestyle="none", label=name,
            color=COLOURS[number % len(COLOURS)],
        )  # fmt: skip
    _rows(axes, list(rows), unit, log)
    if len(series) > 1:
        axes.legend()


def bars(
    figure: Any, title: str, labels: Sequence[str], series: Mapping[str, Sequence[float | None]],
    unit: str, log: bool = False,
) -> None:  # fmt: skip
    """Draws horizontal bars, with those of one label together."""
    figure.set_size_inches(9, 1.6 + len(labels) * (0.2 + 0.18 * len(series)))
    figure.suptitle(title)
    axes = figure.subplots()
    height = 0.8 / len(series)
    for number, (name, values) in enumerate(series.items()):
        offset = (number - (len(series) - 1) / 2) * height
        known = [(place + offset, value) for place, value in enumerate(values) if value is not None]
        axes.barh(
            [at for at, _ in known], [value for _, value in known], height * 0.9, label=name,
            color=COLOURS[number % len(COLOURS)], edgecolor="black", linewidth=0.5,
            hatch=HATCHES[number % len(HATCHES)],
        )  # fmt: skip
        for at, value in known:
            axes.annotate(
                f"{value:,.4g}" if isinstance(value, float) else f"{value:,}", (value, at), (3, 0),
                textcoords="offset points", va="center", fontsize="x-small",
            )  # fmt: skip
    axes.margins(x=0.12)
    _rows(axes, labels, unit, log)
    if len(series) > 1:
        axes.legend()


def _rows(axes: Any, labels: Sequence[str], unit: str, log: bool) -> None:
    axes.set_yticks(range(len(labels)), labels, fontsize="small")
    axes.set_ylim(len(labels) - 0.4, -0.6)
    if log:
        axes.set_xscale("log")
        axes.set_xlabel(f"{unit} (logarithmic)")
    else:
        axes.set_xlim(left=0)
        axes.set_xlabel(unit)
    axes.grid(axis="x", alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
