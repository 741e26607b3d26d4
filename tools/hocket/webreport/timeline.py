"""Draws loops and cores over time: running, ready, throttled; releases, deadlines, bounds.

The number of spans is limited, so that the browser stays responsive. Drawn are the beginning of the run, and,
if it lies later, the surroundings of the response that came nearest to its bound. The page says what is left
out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from bokeh.models import FactorRange, HoverTool, Range1d

from hocket.durations import format_microseconds as us
from hocket.report import Report
from hocket.trace.eventlog import EventLog
from hocket.trace.states import FAULTED, READY, RUNNING, THROTTLED, Span, Timeline
from hocket.webreport.plots import (
    FAINT,
    INK,
    LEFT,
    MISSED,
    ROW,
    WARNING,
    colour_of,
    hatch_of,
    plot,
    with_time,
)
from hocket.webreport.responses import ISR, LOOP, PERIODIC, Jobs, missed

MOST_SPANS = 8_000  # in one plot
_KINDS = {LOOP: "loop", PERIODIC: "periodic", ISR: "isr"}
_STATES = {READY: "ready, another has the core", THROTTLED: "budget used up", FAULTED: "stopped"}

_LOOKS: dict[str, dict[str, Any]] = {
    READY: {"height": 0.1, "fill_color": INK},
    THROTTLED: {"height": 0.4, "fill_color": None, "hatch_pattern": "/", "hatch_color": INK,
                "hatch_scale": 6},
    FAULTED: {"height": 0.5, "fill_color": WARNING, "hatch_pattern": "x"},
}  # fmt: skip


@dataclass(frozen=True)
class Window:
    """The drawn period in ns, and the number of spans of the whole log that it leaves out."""

    start: int
    end: int
    left_out: int


@dataclass(frozen=True)
class Row:
    """A loop of the log: its thread, the name of its row, and its entry in the report."""

    thread: int
    name: str
    place: int
    entry: dict[str, Any]


def rows_of(log: EventLog, jobs: dict[int, Jobs], report: Report) -> list[Row]:
    """Returns the loops in the report's order, then the log's other threads."""
    found = {(_KINDS[j.kind], j.loop): thread for thread, j in jobs.items()}
    rows: list[Row] = []
    for loop in report["loops"]:
        thread = found.pop((loop["kind"], loop["id"]), None)
        if thread is not None:
            rows.append(Row(thread, _name(loop), len(rows), loop))
    known = {row.thread for row in rows}
    for thread, name in sorted(log.thread_names().items()):
        if thread not in known:
            rows.append(Row(thread, name, len(rows), {}))
    return rows


def _name(loop: dict[str, Any]) -> str:
    name = f"{loop['kind']} {loop['id']}"
    if loop["budget_us"] is None or loop["period_us"] is None:
        return name
    return f"{name}: {us(loop['budget_us'])} in {us(loop['period_us'])}"


def first_window(line: Timeline, most: int = MOST_SPANS) -> Window:
    """Returns the window from the start of the run with as many spans as may be drawn."""
    starts = sorted(span.start for span in _all(line))
    if len(starts) <= most:
        return Window(0, line.end, 0)
    return Window(0, starts[most], len(starts) - most)


def worst_window(
    line: Timeline, jobs: dict[int, Jobs], report: Report
) -> tuple[Window, str] | None:
    """Returns the window around the response that came nearest to its bound, and its description."""
    bounds = {(each["kind"], each["id"]): each for each in report["loops"]}
    worst: tuple[float, int, dict[str, Any], int] | None = None
    for mine in jobs.values():
        entry = bounds.get((_KINDS[mine.kind], mine.loop))
        released = mine.worst()
        if entry is None or released is None or not entry["response_bound_us"]:
            continue
        longest = max(mine.responses)
        share = longest / 1000 / entry["response_bound_us"]
        if worst is None or share > worst[0]:
            worst = (share, released, entry, longest)
    if worst is None:
        return None
    share, released, entry, longest = worst
    around = max(int((entry["period_us"] or 0) * 1000), longest)
    window = _narrowed(line, max(0, released - around), min(line.end, released + longest + around))
    told = (
        f"{entry['kind']} {entry['id']}, released at {us(released / 1000)}: {us(longest / 1000)}, "
    )
    return window, f"{told}{share * 100:.1f} % of its bound"


def _narrowed(line: Timeline, start: int, end: int) -> Window:
    starts = sorted(s.start for s in _all(line) if s.end >= start and s.start <= end)
    if len(starts) <= MOST_SPANS:
        return Window(start, end, 0)
    return Window(start, starts[MOST_SPANS], len(starts) - MOST_SPANS)


def _all(line: Timeline) -> Iterable[Span]:
    for spans in (*line.cores.values(), *line.threads.values()):
        yield from spans


def draw(
    line: Timeline,
    rows: list[Row],
    jobs: dict[int, Jobs],
    window: Window,
    axis: Range1d | None = None,
) -> tuple[Any, Range1d]:
    """Draws the timeline. Returns the plot, and its time range for other plots. axis: the range of another
    plot."""
    cores = [f"core {core}" for core in sorted(line.cores)]
    names = [*cores, *(row.name for row in rows)]
    start, end = window.start / 1e6, max(window.end, window.start + 1000) / 1e6
    shown = axis or Range1d(start, end, bounds=(start, end), min_interval=0.000_1)
    height = 64 + ROW * len(names)
    made = plot(
        "", height, min_border_left=LEFT, x_range=shown, y_range=FactorRange(*reversed(names))
    )
    with_time(made)
    made.ygrid.grid_line_color = None
    made.xaxis.minor_tick_line_color = None
    _bounds(made, rows, jobs, window)
    _states(made, line, rows, window)
    _running(made, line, rows, window)
    _misses(made, rows, jobs, window)
    _marks(made, rows, jobs, window)
    return made, shown


def _inside(spans: Iterable[Span], window: Window) -> list[Span]:
    return [s for s in spans if s.end >= window.start and s.start <= window.end]


def _bar_data(pairs: list[tuple[str, Span]], window: Window) -> dict[str, list[Any]]:
    return {
        "row": [name for name, _ in pairs],
        "left": [max(span.start, window.start) / 1e6 for _, span in pairs],
        "right": [min(span.end, window.end) / 1e6 for _, span in pairs],
        "from": [f"{span.start / 1000:.3f}" for _, span in pairs],
        "took": [us((span.end - span.start) / 1000) for _, span in pairs],
    }


def _running(made: Any, line: Timeline, rows: list[Row], window: Window) -> None:
    """Draws the running spans in the row of the loop and in that of its core, with the same colour and
    hatch."""
    tips = []
    for row in rows:
        pairs = [
            (row.name, s) for s in _inside(line.threads[row.thread], window) if s.what == RUNNING
        ]
        for core, spans in line.cores.items():
            pairs += [(f"core {core}", s) for s in _inside(spans, window) if s.thread == row.thread]
        if not pairs:
            continue
        data = _bar_data(pairs, window)
        data["who"] = [row.name] * len(pairs)
        bars = made.hbar(
            y="row", left="left", right="right", height=0.62, source=data, line_width=0.5,
            fill_color=colour_of(row.place), line_color=colour_of(row.place),
            hatch_pattern=hatch_of(row.place), hatch_color=INK, hatch_alpha=0.45, hatch_scale=7,
        )  # fmt: skip
        tips.append(bars)
    if tips:
        told = [("", "@who runs"), ("from", "@from us"), ("for", "@took")]
        made.add_tools(HoverTool(renderers=tips, tooltips=told))


def _states(made: Any, line: Timeline, rows: list[Row], window: Window) -> None:
    tips = []
    for state, label in _STATES.items():
        pairs = [
            (row.name, span)
            for row in rows
            if row.entry  # other threads, such as setup(), are in the core's row
            for span in _inside(line.threads[row.thread], window)
            if span.what == state
        ]
        if not pairs:
            continue
        data = _bar_data(pairs, window)
        data["who"] = [label] * len(pairs)
        look = _LOOKS[state]
        bars = made.hbar(
            y="row",
            left="left",
            right="right",
            source=data,
            line_color=FAINT,
            line_width=0.5,
            **look,
        )
        tips.append(bars)
    if tips:
        told = [("", "@row: @who"), ("from", "@from us"), ("for", "@took")]
        made.add_tools(HoverTool(renderers=tips, tooltips=told))


def _bounds(made: Any, rows: list[Row], jobs: dict[int, Jobs], window: Window) -> None:
    """Draws the response time bound after each release."""
    pairs = [
        (row.name, Span(released, released + int(row.entry["response_bound_us"] * 1000), "", 0))
        for row in rows
        if row.entry.get("response_bound_us")
        for released in _releases(row, jobs, window)
    ]
    if not pairs:
        return
    made.hbar(
        y="row", left="left", right="right", height=0.86, source=_bar_data(pairs, window),
        fill_color=FAINT, fill_alpha=0.18, line_color=FAINT, line_alpha=0.6, line_width=0.5,
    )  # fmt: skip


def _marks(made: Any, rows: list[Row], jobs: dict[int, Jobs], window: Window) -> None:
    """Draws releases at the lower edge of a row and deadlines at the upper edge."""
    releases = [(r.name, at, at) for r in rows for at in _releases(r, jobs, window)]
    deadlines = [
        (row.name, at, at + int(row.entry["deadline_us"] * 1000))
        for row in rows
        if row.entry.get("deadline_us") is not None
        for at in _releases(row, jobs, window)
        if at + int(row.entry["deadline_us"] * 1000) <= window.end
    ]
    looks = (
        (releases, "release", "triangle", -0.4, INK),
        (deadlines, "deadline", "inverted_triangle", 0.4, WARNING),
    )
    for marks, label, marker, edge, colour in looks:
        if not marks:
            continue
        data = {
            "x": [at / 1e6 for _, _, at in marks],
            "y": [(name, edge) for name, _, _ in marks],
            "at": [f"{at / 1000:.3f}" for _, _, at in marks],
        }
        drawn = made.scatter(
            "x", "y", source=data, marker=marker, size=7, fill_color=colour, line_color=None
        )
        made.add_tools(HoverTool(renderers=[drawn], tooltips=[("", f"{label} at @at us")]))


def late_in(
    row: Row, jobs: dict[int, Jobs], window: Window, end: int | None = None
) -> list[tuple[int, int]]:
    """Returns the deadlines that a row's loop missed, and when each job was done. Empty if the report, which
    counts all misses, has none: the log leaves out the ends of very short calls."""
    mine, entry = jobs.get(row.thread), row.entry
    if mine is None or not entry.get("deadline_misses") or entry.get("deadline_us") is None:
        return []
    deadline, period = (round(entry[key] * 1000) for key in ("deadline_us", "period_us"))
    return [
        (due, min(done, window.end))
        for due, done in missed(mine, deadline, period, window.end if end is None else end)
        if window.start <= due <= window.end
    ]


def _misses(made: Any, rows: list[Row], jobs: dict[int, Jobs], window: Window) -> None:
    """Draws a bar from each missed deadline to the end of the job, and a mark at the deadline."""
    late = [(row.name, due, done) for row in rows for due, done in late_in(row, jobs, window)]
    if not late:
        return
    firsts: dict[tuple[str, int], int] = {}  # for each late job, its first missed deadline
    for name, due, done in late:
        if due < done:  # not the deadline of an overrun release
            firsts.setdefault((name, done), due)
    pairs = [(name, Span(due, done, "", 0)) for (name, done), due in firsts.items()]
    made.hbar(
        y="row", left="left", right="right", height=0.9, source=_bar_data(pairs, window),
        fill_color=MISSED, fill_alpha=0.35, line_color=MISSED, line_width=1,
    )  # fmt: skip
    data = {
        "x": [due / 1e6 for _, due, _ in late],
        "y": [(name, 0.0) for name, _, _ in late],
        "at": [f"{due / 1000:.3f}" for _, due, _ in late],
    }
    drawn = made.scatter(
        "x", "y", source=data, marker="x", size=11, line_color=MISSED, line_width=3
    )
    made.add_tools(
        HoverTool(renderers=[drawn], tooltips=[("", "deadline missed at @at us")], name="misses")
    )


def _releases(row: Row, jobs: dict[int, Jobs], window: Window) -> list[int]:
    mine = jobs.get(row.thread)
    if mine is None:
        return []
    return [at for at in mine.all_releases if window.start <= at <= window.end]
