"""The command `hocket lab`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hocket.boards import DEFAULT_BOARD
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
    board: BoardOption = DEFAULT_BOARD,
    cores: CoresOption = None,
    duration: Annotated[
        str | None,
        typer.Option("--for", metavar="TIME", help="Board time to run. Left out: no limit."),
    ] = None,
    scenario: ScenarioOption = None,
    seed: SeedOption = 1,
    policy: PolicyOption = None,
    port: Annotated[
        int, typer.Option(metavar="N", help="Port of the page. Left out: a free one.")
    ] = 0,
    listen: Annotated[
        bool,
        typer.Option(
            "--listen", help="Let other devices of your network open the page, for example a phone."
        ),
    ] = False,
    no_open: Annotated[
        bool, typer.Option("--no-open", help="Only print the address of the page.")
    ] = False,
    speed: Annotated[
        float,
        typer.Option(
            metavar="X",
            help="Board seconds in each second, for example 0.1; 0: as fast as possible.",
        ),
    ] = 1.0,
    touches: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Record what you operate, for `run --touches FILE`."),
    ] = None,
) -> int:
    """Run a sketch live in your browser: operate and add parts, pause and step time."""
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
