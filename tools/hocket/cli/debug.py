"""The command `hocket debug`."""

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


def debug(
    sketch: SketchArgument = ".",
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="-- WORD", help="Further words for gdb, such as -- -ex bt."),
    ] = None,
    board: BoardOption = DEFAULT_BOARD,
    cores: CoresOption = None,
    duration: Annotated[
        str | None,
        typer.Option("--for", metavar="TIME", help="Board time to run. Left out: no limit."),
    ] = None,
    scenario: ScenarioOption = None,
    seed: SeedOption = 1,
    policy: PolicyOption = None,
    batch: Annotated[
        bool, typer.Option("--batch", help="Run gdb without questions: it ends after its scripts.")
    ] = False,
    script: Annotated[
        list[Path] | None,
        typer.Option("-x", metavar="FILE", help="A script for gdb; may be repeated."),
    ] = None,
    server: Annotated[
        int | None,
        typer.Option(
            metavar="PORT",
            help="Start no gdb, and wait for an editor's debugger at this port of this computer.",
        ),
    ] = None,
) -> int:
    """Debug a sketch with gdb: stop it anywhere, look into its loops."""
    from hocket.commands.debug import Request, debug_command

    return debug_command(
        Request(
            sketch,
            board,
            cores,
            duration,
            seed,
            scenario,
            policy,
            batch,
            tuple(script or ()),
            server,
            tuple(words or ()),
        )
    )
