"""The page of `hocket compare`: the timelines of all policies one above the other, on one axis of time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bokeh.models import Range1d

from hocket.comparing.performing import Compared, shown
from hocket.comparing.telling import LOOPS, POLICIES, heading, loop_rows, policy_rows
from hocket.durations import format_microseconds as us
from hocket.report import is_guaranteed
from hocket.webreport import timeline
from hocket.webreport.page import render, write_made
from hocket.webreport.words import Table


def write_comparison(compared: Sequence[Compared], command: Sequence[str], file: Path) -> None:
    write_made(make_comparison(compared, command), file)


def make_comparison(compared: Sequence[Compared], command: Sequence[str]) -> str:
    plots: dict[str, Any] = {}
    first, last = shown(compared)
    lines = [each.line for each in compared if each.line is not None]
    windows = [timeline.first_window(line) for line in lines]
    end = max(min((window.end for window in windows), default=0), first + 1)
    until = max(min(last, end), first + 1) / 1e6
    axis = Range1d(first / 1e6, until, bounds=(0.0, end / 1e6), min_interval=0.000_1)
    for each in compared:
        if each.line is not None:
            window = timeline.Window(0, end, 0)
            made, _ = timeline.draw(each.line, each.rows, each.jobs, window, axis)
            plots[f"policy-{each.policy}"] = made
    left_out = any(window.left_out for window in windows)
    return render(
        "comparison.html.j2",
        plots,
        report=compared[0].report,
        compared=compared,
        command=command,
        heading=heading,
        is_guaranteed=is_guaranteed,
        policies=Table(POLICIES, policy_rows(compared)),
        loops=Table(LOOPS, loop_rows(compared)),
        duration=us(max(each.report["duration_us"] or 0 for each in compared)),
        cut=f"The timelines go up to {us(end / 1000)}, so that the page stays quick." * left_out,
    )
