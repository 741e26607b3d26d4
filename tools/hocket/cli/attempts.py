"""The command `hocket try`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hocket.boards import names_with
from hocket.cli.options import AllowOption
from hocket.inside import allow


def try_folders(
    folders: Annotated[
        list[str],
        typer.Argument(metavar="FOLDER", help="A sketchbook, libraries with examples, a sketch."),
    ],
    board: Annotated[
        list[str] | None,
        typer.Option(
            "--board", help=f"The board; may be repeated. Left out: each of {names_with('tried')}."
        ),
    ] = None,
    libraries: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FOLDER",
            help="Look for libraries in this folder, too; may be repeated. Those in a folder `libraries` "
            "beside or above a sketch are found without it.",
        ),
    ] = None,
    allow_path: AllowOption = [],  # noqa: B006
    jobs: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Builds at the same time. Left out: one for each processor."
        ),
    ] = None,
    against_stock: Annotated[
        bool,
        typer.Option(
            "--against-stock",
            help="Build each sketch with the stock Arduino core, too, run both images in the simulated Uno, "
            "and compare Serial's text and the pins.",
        ),
    ] = False,
    duration: Annotated[
        str | None,
        typer.Option(
            "--for", metavar="TIME", help="With --against-stock: how long both run. Left out: 1s."
        ),
    ] = None,
    json: Annotated[
        Path | None,
        typer.Option("--json", metavar="FILE", help="Write the outcomes; - is standard output."),
    ] = None,
) -> int:
    """Build every sketch and example below a folder on every board, print which build."""
    from hocket.commands.attempts import Request, attempts_command

    allow(allow_path)
    return attempts_command(
        Request(folders, board or (), libraries or (), jobs, json, against_stock, duration)
    )
