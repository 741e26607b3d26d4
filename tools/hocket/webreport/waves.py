"""Draws the waves of pins and parts from the run's wave file, on the timeline's time axis."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import Any

from bokeh.models import FactorRange, HoverTool, Range1d

from hocket.webreport.plots import FAINT, INK, LEFT, ROW, WARNING, colour_of, plot, with_time

MOST_CHANGES = 4_000  # drawn of each signal
MOST_SIGNALS = 48
MOST_NUMBERS = 12
_NUMBER_HEIGHT = 130
_TIME = re.compile(r"[0-9]{1,19}")


@dataclass
class Signal:
    """times in ns, with one value each: 0 1 x z, or numbers. more: the number of changes that are not
    kept."""

    name: str
    numeric: bool
    times: list[int] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)
    more: int = 0


@dataclass(frozen=True)
class Waves:
    """signals: those that changed. quiet: the names of the others. end: the last instant in ns."""

    signals: list[Signal]
    quiet: list[str]
    end: int


def read_waves(text: str, most: int = MOST_CHANGES) -> Waves:
    """Reads the signals of a wave file. Lines that cannot be parsed are skipped."""
    by_code: dict[str, Signal] = {}
    now, scope, in_head = 0, "", True
    for line in text.splitlines():
        words = line.split()
        if not words:
            continue
        if in_head:
            if words[:2] == ["$scope", "module"] and len(words) > 2:
                scope = words[2]
            elif words[0] == "$var" and len(words) >= 5 and words[3] not in by_code:
                # A pin with a part has two names. The board's name comes first and is kept.
                name = words[4] if scope in ("", "board") else _within(scope, words[4])
                by_code[words[3]] = Signal(name, words[1] == "real")
            in_head = words[0] != "$enddefinitions"
        elif line[0] == "#":
            now = int(line[1:]) if _TIME.fullmatch(line[1:]) else now
        elif line[0] in "rR" and len(words) == 2:
            _change(by_code.get(words[1]), now, _number(words[0][1:]), most)
        elif line[0] in "01xXzZ" and len(words) == 1:
            _change(by_code.get(line[1:]), now, line[0].lower(), most)
    moving, quiet = [], []
    for signal in by_code.values():
        if len({*map(str, signal.values)}) > 1 or signal.more:
            moving.append(signal)
        else:
            quiet.append(signal.name)
    return Waves(moving, quiet, now)


def _within(scope: str, name: str) -> str:
    """Returns the name of a part's signal: `sonar: echo` for `sonar_echo` of the part sonar."""
    return f"{scope}: {name.removeprefix(f'{scope}_')}"


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        return math.nan
    return value if math.isfinite(value) else math.nan


def _change(signal: Signal | None, now: int, value: Any, most: int) -> None:
    if signal is None:
        return
    if len(signal.times) >= most:
        signal.more += 1
        return
    signal.times.append(now)
    signal.values.append(value)


def draw(waves: Waves, shown: Range1d | None, end: int) -> tuple[list[Any], list[str]]:
    """Returns the plots, and sentences about what they leave out."""
    end = max(end, waves.end, 1)
    if shown is None:
        shown = Range1d(0, end / 1e6, bounds=(0, end / 1e6), min_interval=0.000_1)
    levels = [s for s in waves.signals if not s.numeric]
    numbers = [s for s in waves.signals if s.numeric]
    said = [f"{s.name}: {s.more} later changes are not drawn." for s in waves.signals if s.more]
    if len(levels) > MOST_SIGNALS:
        said.append(f"{len(levels) - MOST_SIGNALS} further pins changed and are not drawn.")
    if len(numbers) > MOST_NUMBERS:
        said.append(f"{len(numbers) - MOST_NUMBERS} further figures are not drawn.")
    plots = [_levels(levels[:MOST_SIGNALS], shown, end)] if levels else []
    plots += [
        _figures(signal, shown, end, place) for place, signal in enumerate(numbers[:MOST_NUMBERS])
    ]
    return plots, said


def _levels(signals: list[Signal], shown: Range1d, end: int) -> Any:
    names = list(dict.fromkeys(signal.name for signal in signals))
    made = plot(
        "",
        70 + ROW * len(names),
        min_border_left=LEFT,
        x_range=shown,
        y_range=FactorRange(*reversed(names)),
    )
    with_time(made)
    made.ygrid.grid_line_color = None
    tips = []
    for place, signal in enumerate(signals):
        last = end if not signal.more else signal.times[-1]
        edges = zip(signal.times, [*signal.times[1:], last], signal.values, strict=True)
        spans = [(a / 1e6, b / 1e6, v) for a, b, v in edges]
        for value, height, look in (
            ("1", 0.7, {"fill_color": colour_of(place)}),
            ("0", 0.06, {"fill_color": INK}),
            ("z", 0.06, {"fill_color": FAINT}),
            ("x", 0.7, {"fill_color": WARNING, "hatch_pattern": "x"}),
        ):
            bars = [(a, b) for a, b, v in spans if v == value]
            if not bars:
                continue
            data = {
                "left": [a for a, _ in bars],
                "right": [b for _, b in bars],
                "row": [signal.name] * len(bars),
                "what": [value] * len(bars),
                "took": [f"{(b - a) * 1000:.3f}" for a, b in bars],
            }
            tips.append(
                made.hbar(
                    y="row", left="left", right="right", height=height, source=data,
                    line_color=None, **look,
                )
            )  # fmt: skip
    told = [("", "@row is @what"), ("from", "@left{0.000000} ms"), ("for", "@took us")]
    made.add_tools(HoverTool(renderers=tips, tooltips=told))
    return made


def _figures(signal: Signal, shown: Range1d, end: int, place: int) -> Any:
    made = with_time(plot(signal.name, _NUMBER_HEIGHT, min_border_left=LEFT, x_range=shown), "")
    times = [*(t / 1e6 for t in signal.times), *([] if signal.more else [end / 1e6])]
    values = [*signal.values, *([] if signal.more else [signal.values[-1]])]
    data = {"x": times, "y": values}
    line = made.step(
        "x", "y", source=data, mode="after", line_width=1.5, line_color=colour_of(place)
    )
    told = [("", "@y"), ("at", "@x{0.000} ms")]
    made.add_tools(HoverTool(renderers=[line], tooltips=told, mode="vline"))
    return made
