"""The command `hocket compare`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hocket.boards import DEFAULT_BOARD, policy_written
from hocket.cli.options import BoardOption, CoresOption, ScenarioOption, SeedOption, SketchArgument
from hocket.cli.values import complete_policy


def compare(
    sketch: SketchArgument = ".",
    policies: Annotated[
        list[str] | None,
        typer.Option(
            "--policy",
            metavar="NAME",
            help="A policy to compare; may be repeated: vcpu, edf, hybrid-edf, mlq, bitmap or lottery. "
            "Left out: vcpu, edf and mlq.",
            autocompletion=complete_policy,
        ),
    ] = None,
    board: BoardOption = DEFAULT_BOARD,
    cores: CoresOption = None,
    duration: Annotated[
        str | None,
        typer.Option(
            "--for", metavar="TIME", help="Board time of each run. Left out: as in `run`."
        ),
    ] = None,
    scenario: ScenarioOption = None,
    seed: SeedOption = 1,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a page with the timelines of all policies."),
    ] = None,
    json: Annotated[
        Path | None,
        typer.Option(
            "--json", metavar="FILE", help="Write the reports as JSON; - is standard output."
        ),
    ] = None,
) -> int:
    """Run a sketch under several scheduling policies and show the results side by side."""
    from hocket.commands.compare import compare_command
    from hocket.running.request import Request

    request = Request(sketch, board, cores, duration, seed, scenario=scenario)
    return compare_command(request, [policy_written(name) for name in policies or ()], json, html)
