"""The command `hocket lab`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hocket.cli.options import (
    BoardOption,
    CoresOption,
    PolicyOption,
    ScenarioOption,
    SeedOption,
    SketchArgument,
)


def lab(
    sketch: SketchArgument = ".",
    board: BoardOption = "sim",
    cores: CoresOption = None,
    duration: Annotated[
        str | None,
        typer.Option("--for", metavar="TIME", help="Board time to run. Left out: without end."),
    ] = None,
    scenario: ScenarioOption = None,
    seed: SeedOption = 1,
    policy: PolicyOption = None,
    port: Annotated[
        int, typer.Option(metavar="N", help="Of this computer. Left out: one that is free.")
    ] = 0,
    listen: Annotated[
        bool,
        typer.Option("--listen", help="Let other devices of your network use it, as a phone."),
    ] = False,
    no_open: Annotated[
        bool, typer.Option("--no-open", help="Print the address, and open no browser.")
    ] = False,
    speed: Annotated[
        float,
        typer.Option(
            metavar="X", help="The board's seconds in each second; 0: as fast as it goes."
        ),
    ] = 1.0,
    touches: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write what was touched: `run --touches` repeats it."),
    ] = None,
) -> int:
    """Run a sketch live on a page of this machine: see it, touch it, stop its time (sim, uno)."""
    from hocket.commands.lab import SERIAL, LabRequest, lab_command
    from hocket.running.request import ENDLESS, Request

    request = Request(
        sketch,
        board,
        cores,
        duration or ENDLESS,
        seed,
        scenario=scenario,
        policy=policy,
        serial_limit=SERIAL,
    )
    return lab_command(LabRequest(request, port, not no_open, speed, touches, listen))
