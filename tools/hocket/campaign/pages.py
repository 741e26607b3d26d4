"""The pages of `hocket sweep` and `hocket tune` (`--html`): plots of what varied, and all that is printed.

Runs that are ok are blue circles and plain bars; the others are red, and crosses or hatched bars.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from bokeh.models import FactorRange, HoverTool, Legend, LegendItem, Span

from hocket import __version__
from hocket.campaign.performing import OK, Outcome, repeat_command
from hocket.campaign.searching import Found
from hocket.campaign.telling import OF_BOUND, above_bound, distributions
from hocket.durations import format_microseconds as us
from hocket.running.request import Request
from hocket.webreport.page import render, write_made
from hocket.webreport.plots import COLOURS, INK, MISSED, WARNING, plot, under_title
from hocket.webreport.words import Table

MOST_PLOTS = 40
_BINS = 30
_TOLD = 200  # runs that are not ok, in the table
_VALUE = re.compile(r"(-?[0-9]+(?:\.[0-9]+)?(?:e-?[0-9]+)?) ?(\S*)")


@dataclass(frozen=True)
class Tried:
    """A try of `tune`: the loop whose budget was changed, the budget (ns), and whether every run was ok."""

    loop: int
    budget: int
    ok: bool


def write_sweep(
    title: str,
    command: Sequence[str],
    summary: Sequence[str],
    outcomes: Sequence[Outcome],
    request: Request,
    file: Path,
) -> None:
    plots, left_out = _of_sweep(outcomes)
    bad = [each for each in outcomes if each.verdict != OK]
    rows = [
        (str(each.run.seed), *(setting.value for setting in each.run.settings), each.verdict,
         "; ".join(each.why[:3]), repeat_command(request, each.run))
        for each in bad[:_TOLD]
    ]  # fmt: skip
    varied = [str(each.target) for each in outcomes[0].run.settings] if outcomes else []
    verdict = ("good", "All runs are ok.") if not bad else ("bad", f"{len(bad)} runs are not ok.")
    said = [summary[0], *above_bound(outcomes)]
    if left_out:
        said.append(f"{left_out} further figures are not drawn; --csv has all of them.")
    if len(bad) > _TOLD:
        said.append(f"The table has the first {_TOLD} runs that are not ok.")
    table = Table(("seed", *varied, "verdict", "why", "again"), rows)
    _write(file, plots, title=title, command=command, verdict=verdict, said=said, table=table)


def write_tune(
    title: str,
    command: Sequence[str],
    summary: Sequence[str],
    found: Sequence[Found],
    tried: Sequence[Tried],
    file: Path,
) -> None:
    plots = {
        f"loop-{each.loop}": _search(each, [one for one in tried if one.loop == each.loop])
        for each in found
    }
    rows = [
        (f"loop {each.loop}", us(each.before / 1000), us(each.budget / 1000),
         "; ".join(each.below.why[:3]) if each.below else "no smaller step")
        for each in found
    ]  # fmt: skip
    verdict = ("good", summary[0].rstrip(":") + ".")
    table = Table(("loop", "declared C", "smallest C", "a step less"), rows)
    _write(
        file, plots, title=title, command=command, verdict=verdict, said=summary[-2:], table=table
    )


def _write(file: Path, plots: Mapping[str, Any], **values: Any) -> None:
    write_made(
        render("campaign.html.j2", plots, places=list(plots), version=__version__, **values), file
    )


def _of_sweep(outcomes: Sequence[Outcome]) -> tuple[dict[str, Any], int]:
    """First what was varied, then what came of it; and how much is left out."""
    made = []
    for place, setting in enumerate(outcomes[0].run.settings if outcomes else ()):
        values = [each.run.settings[place].value for each in outcomes]
        made.append(_settings(str(setting.target), values, outcomes))
    for name, found in distributions(outcomes).items():
        if found.least != found.most:
            made.append(_histogram(name, [each for each in outcomes if name in each.measures]))
    shown = {f"figure-{number}": each for number, each in enumerate(made[:MOST_PLOTS])}
    return shown, max(0, len(made) - MOST_PLOTS)


def _settings(name: str, values: Sequence[str], outcomes: Sequence[Outcome]) -> Any:
    """Which values the runs of each verdict had."""
    verdicts = list(dict.fromkeys(each.verdict for each in outcomes))
    read = [_VALUE.fullmatch(value.strip()) for value in values]
    units = {match[2] for match in read if match}
    numeric = all(read) and len(units) == 1
    x: list[Any] = [float(match[1]) for match in read if match] if numeric else list(values)
    ranges = {} if numeric else {"x_range": FactorRange(*dict.fromkeys(x))}
    made = plot(name, 110 + 24 * len(verdicts), False, y_range=FactorRange(*verdicts), **ranges)
    if numeric and units != {""}:
        made.xaxis.axis_label = units.pop()
    for ok in (True, False):
        chosen = [at for at, each in enumerate(outcomes) if (each.verdict == OK) == ok]
        data = {
            "x": [x[at] for at in chosen],
            "y": [outcomes[at].verdict for at in chosen],
            "seed": [str(outcomes[at].run.seed) for at in chosen],
            "value": [values[at] for at in chosen],
        }
        drawn = _points(made, data, ok)
        made.add_tools(HoverTool(renderers=[drawn], tooltips=[("seed", "@seed"), ("", "@value")]))
    return made


def _points(made: Any, data: Mapping[str, Sequence[Any]], ok: bool) -> Any:
    if ok:
        return made.scatter("x", "y", source=data, size=8, fill_color=COLOURS[0], fill_alpha=0.6,
                            line_color=INK, line_width=0.5)  # fmt: skip
    return made.scatter(
        "x", "y", source=data, marker="x", size=10, line_color=MISSED, line_width=2.5
    )


def _histogram(name: str, outcomes: Sequence[Outcome]) -> Any:
    """How many runs have which value, those that are not ok on top."""
    share = name.endswith(OF_BOUND)
    values = np.array([float(each.measures[name]) * (100 if share else 1) for each in outcomes])
    good = np.array([each.verdict == OK for each in outcomes])
    edges = np.histogram_bin_edges(values, min(_BINS, max(5, len(values) // 2)))
    below = np.histogram(values[good], edges)[0].astype(float)
    above = np.histogram(values[~good], edges)[0].astype(float)
    made = plot(name, 220, zooms=False, y_range=(0, float((below + above).max()) * 1.08))
    made.yaxis.axis_label = "runs"
    if share:
        made.xaxis.axis_label = "%"
    elif name.endswith("_us") or (name.startswith("loop ") and not name.endswith("misses")):
        made.xaxis.axis_label = "us"
    items = []
    looks: tuple[dict[str, Any], ...] = (
        {"fill_color": COLOURS[0]},
        {"fill_color": MISSED, "hatch_pattern": "x", "hatch_color": INK, "hatch_alpha": 0.5},
    )
    for label, low, high, look in (
        ("ok", np.zeros_like(below), below, looks[0]),
        ("not ok", below, below + above, looks[1]),
    ):
        seen = high > low
        bars = made.quad(
            left=edges[:-1][seen], right=edges[1:][seen], bottom=low[seen], top=high[seen],
            line_color=INK, line_width=0.5, **look,
        )  # fmt: skip
        items.append(LegendItem(label=label, renderers=[bars]))
    under_title(made, Legend(items=items))
    return made


def _search(found: Found, tried: Sequence[Tried]) -> Any:
    """The budgets that were tried, in their order, and where the search ended."""
    title = (
        f"loop {found.loop}: {us(found.before / 1000)} declared, {us(found.budget / 1000)} found"
    )
    made = plot(title, 260, zooms=False, y_range=(max(len(tried), 1) + 0.5, 0.5))
    made.xaxis.axis_label = "C, us"
    made.yaxis.axis_label = "try"
    made.x_range.start = 0
    for ok in (True, False):
        chosen = [(at, each) for at, each in enumerate(tried, 1) if each.ok == ok]
        data: dict[str, Sequence[Any]] = {
            "x": [each.budget / 1000 for _, each in chosen],
            "y": [at for at, _ in chosen],
        }
        _points(made, data, ok)
    for at, colour, dash in ((found.before, INK, "dotted"), (found.budget, WARNING, "solid")):
        made.add_layout(
            Span(
                location=at / 1000,
                dimension="height",
                line_color=colour,
                line_dash=dash,
                line_width=2,
            )
        )
    return made
