"""The commands `hocket sweep` and `hocket tune`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hocket.boards import DEFAULT_BOARD, first_with
from hocket.cli.options import (
    BoardOption,
    CoresOption,
    PolicyOption,
    ScenarioOption,
    SketchArgument,
)

_DurationOption = Annotated[
    str | None,
    typer.Option("--for", metavar="TIME", help="Board time of each run. Left out: as in `run`."),
]
_SeedsOption = Annotated[
    int, typer.Option(metavar="N", help="Number of runs, each with another seed.")
]
_FirstOption = Annotated[int, typer.Option("--seed", metavar="N", help="Seed of the first run.")]
_VaryOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="WHAT",
        help="What to vary, for example 'loop 2 C = 5..30 ms' or 'obstacle.speed = 1, 2 m/s'. "
        "May be repeated.",
    ),
]
_JobsOption = Annotated[
    int | None,
    typer.Option(metavar="N", help="Runs at the same time. Left out: one for each processor."),
]
_HtmlOption = Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page with plots.")]
_DaskOption = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Use the workers of the Dask cluster at this address."),
]


def sweep(
    sketch: SketchArgument = ".",
    board: BoardOption = DEFAULT_BOARD,
    cores: CoresOption = None,
    duration: _DurationOption = None,
    seeds: _SeedsOption = 100,
    seed: _FirstOption = 1,
    vary: _VaryOption = None,
    scenario: ScenarioOption = None,
    policy: PolicyOption = None,
    jobs: _JobsOption = None,
    dask: _DaskOption = None,
    json: Annotated[
        Path | None,
        typer.Option(
            "--json", metavar="FILE", help="Write all results as JSON; - is standard output."
        ),
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option("--csv", metavar="FILE", help="Write a table with a row for each run."),
    ] = None,
    html: _HtmlOption = None,
) -> int:
    """Run a sketch many times with varied seeds, budgets and parts; show distributions and failures."""
    from hocket.commands.sweep import Campaign, sweep_command
    from hocket.running.request import Request

    run = Request(sketch, board, cores, duration, seed, scenario=scenario, policy=policy)
    return sweep_command(Campaign(run, seeds, vary or (), jobs, dask, json, csv, html))


def tune(
    sketch: SketchArgument = ".",
    cores: CoresOption = None,
    duration: _DurationOption = None,
    seeds: _SeedsOption = 10,
    seed: _FirstOption = 1,
    vary: _VaryOption = None,
    scenario: ScenarioOption = None,
    policy: PolicyOption = None,
    jobs: _JobsOption = None,
    dask: _DaskOption = None,
    loop: Annotated[
        list[int] | None,
        typer.Option(metavar="ID", help="Tune the budget of this loop only; may be repeated."),
    ] = None,
    step: Annotated[
        str | None,
        typer.Option(
            metavar="TIME", help="Precision of the result. Left out: a thousandth of each budget."
        ),
    ] = None,
    html: _HtmlOption = None,
) -> int:
    """Find the smallest budgets with which every run meets the expectations of its scenario."""
    from hocket.commands.sweep import Campaign, tune_command
    from hocket.running.request import Request

    run = Request(
        sketch,
        first_with("settable_budgets"),
        cores,
        duration,
        seed,
        scenario=scenario,
        policy=policy,
    )
    return tune_command(
        Campaign(run, seeds, vary or (), jobs, dask, html=html, step=step, loops=tuple(loop or ()))
    )
