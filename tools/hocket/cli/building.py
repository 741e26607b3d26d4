"""The commands that build a sketch and run nothing of it here: `check`, `build`, `flash`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hocket.cli.options import (
    BesideOption,
    BoardOption,
    BoardOrItsOption,
    CoresOption,
    PolicyOption,
    ReportOption,
    SketchArgument,
    board_meant,
)


def check(
    sketch: SketchArgument = ".",
    board: BoardOrItsOption = None,
    cores: CoresOption = None,
    json: ReportOption = None,
    policy: PolicyOption = None,
    beside: BesideOption = None,
) -> int:
    """Say whether a sketch's loops can be guaranteed, with the bounds; run nothing."""
    from hocket.commands.check import check_command

    return check_command(sketch, board_meant(board, beside), cores, json, policy, beside)


def build(
    sketch: SketchArgument = ".",
    board: BoardOption = "sim",
    cores: CoresOption = None,
    output: Annotated[
        Path | None,
        typer.Option(
            *("--output", "-o"),
            metavar="FILE",
            help="Copy the program to this place. uno: FILE.hex or FILE.elf. rpi3: a folder for the files "
            "of its memory card.",
        ),
    ] = None,
    policy: PolicyOption = None,
) -> int:
    """Build a sketch and say where the program is."""
    from hocket.commands.build import build_command

    return build_command(sketch, board, output, cores, policy)


def flash(
    sketch: SketchArgument = ".",
    board: Annotated[
        str | None, typer.Option("--board", help="The board to write to: uno or rpi3.")
    ] = None,
    card: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Where the memory card is mounted (rpi3)."),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Write even if the folder does not look like a card.")
    ] = False,
    port: Annotated[
        Path | None,
        typer.Option(
            metavar="P",
            help="The board's serial port, such as /dev/ttyACM0 (uno). Left out: the only one that there is.",
        ),
    ] = None,
    baud: Annotated[
        int,
        typer.Option(metavar="N", help="Rate of the boot loader (uno); an old Nano has 57600."),
    ] = 115200,
) -> int:
    """Build a sketch and put it onto a real board: uno, by its port; rpi3, by its memory card."""
    from hocket.commands.flash import flash_command

    return flash_command(sketch, board, card, force, port, baud)
