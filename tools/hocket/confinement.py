"""Programs that run a board on this computer and start no others are confined: they open the files that they
were told to, and begin nothing (docs/guide/strangers.md, simulation/confined).

On sim the program is the sketch; that of the Uno interprets it.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path

from hocket.boards import Board
from hocket.builder.board import bring_up_to_date
from hocket.paths import BUILD

# Options of the board's program that name a file (docs/reference/sim-program.md).
_READ = (
    *("--scenario", "--input", "--touches", "--image", "--flash"),
    *("--second-image", "--second-flash", "--second-scenario"),
)
_WRITTEN = ("--facts", "--log", "--vcd", "--second-facts", "--second-vcd")
_CONFINED = ("itself", "uno-simulator")

Words = Sequence[str | Path]


def confined(command: Words, board: Board, folder: Path, written: Words = ()) -> list[str | Path]:
    """The command that starts the board's program, confined where that matters. It makes no files: those that
    it writes are made here, empty. folder: for what is of this run alone. written: besides what the
    program's options name.
    """
    return [*launcher_of(command, board, folder, written), *command]


def launcher_of(
    command: Words, board: Board, folder: Path, written: Words = ()
) -> list[str | Path]:
    """What stands before the command; nothing: it needs none."""
    if board.launcher not in _CONFINED:
        return []
    launcher: list[str | Path] = [_launcher(), "--folder", folder]
    for option, value in itertools.pairwise(command):
        if option in _READ:
            launcher += ["--read", value]
        elif option in _WRITTEN:
            launcher += _made(value)
    for file in written:
        launcher += _made(file)
    return launcher


def _launcher() -> Path:
    file = BUILD / "sim" / "simulation" / "confined" / "hocket_confined"
    if not file.is_file():  # the board sim is built with it
        bring_up_to_date("sim", "what confines a board's program", "hocket_confined")
    return file


def _made(file: str | Path) -> list[str | Path]:
    Path(file).touch()
    return ["--write", file]
