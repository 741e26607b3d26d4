"""The command `hocket wcet`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hocket.boards import first_of
from hocket.cli.options import PolicyOption, ScenarioOption, SeedOption, SketchArgument


def wcet(
    sketch: SketchArgument = ".",
    board: Annotated[
        str | None,
        typer.Option("--board", help="A board with an ATmega328P. Left out: the first of them."),
    ] = None,
    json: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the bounds as JSON.")
    ] = None,
    duration: Annotated[
        str,
        typer.Option(
            "--for", metavar="TIME", help="Board time of the run that is watched. 0: run nothing."
        ),
    ] = "2s",
    scenario: ScenarioOption = None,
    seed: SeedOption = 1,
    policy: PolicyOption = None,
) -> int:
    """Bound the time that each loop and handler takes at most, from the linked program."""
    from hocket.commands.wcet import wcet_command
    from hocket.running.request import Request

    runs = duration.strip() != "0"
    request = Request(
        sketch,
        board or first_of("avr8"),
        cores=1,
        duration=duration if runs else None,
        seed=seed,
        scenario=scenario,
        policy=policy,
    )
    return wcet_command(request, json, runs)
