"""The commands that build a sketch and run nothing of it here: `check`, `build`, `flash`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hocket.boards import BOARDS, DEFAULT_BOARD, listed, names_with
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


_REAL = listed(board.name for board in BOARDS if board.card or board.programmed)


def build(
    sketch: SketchArgument = ".",
    board: BoardOption = DEFAULT_BOARD,
    cores: CoresOption = None,
    output: Annotated[
        Path | None,
        typer.Option(
            *("--output", "-o"),
            metavar="FILE",
            help=f"Copy the program to this place. {names_with('programmed')}: FILE.hex or FILE.elf. "
            f"{names_with('card')}: a folder for the files of its memory card.",
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
        str | None, typer.Option("--board", help=f"The board to write to: {_REAL}.")
    ] = None,
    card: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help=f"Where the memory card is mounted ({names_with('card')})."
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Write even if the folder does not look like a card.")
    ] = False,
    port: Annotated[
        Path | None,
        typer.Option(
            metavar="P",
            help=f"The board's serial port, such as /dev/ttyACM0 ({names_with('programmed')}). Left out: the "
            "only one that there is.",
        ),
    ] = None,
    baud: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help=f"Rate of the boot loader ({names_with('programmed')}). Left out: each that the board's "
            "has, one after the other. An old Nano has 57600.",
        ),
    ] = None,
) -> int:
    """Build a sketch and put it onto a real board: by its serial port, or by its memory card."""
    from hocket.commands.flash import flash_command

    return flash_command(sketch, board, card, force, port, baud)
