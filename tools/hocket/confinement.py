"""Boards whose program is the sketch, compiled for this computer, run confined: it opens the files that it
was told to and no others, and begins nothing (docs/guide/strangers.md, simulation/confined)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hocket.boards import Board
from hocket.builder.board import bring_up_to_date
from hocket.paths import BUILD

# Options of the board's program that name a file (docs/reference/sim-program.md).
_READ = ("--scenario", "--input", "--touches")
_WRITTEN = ("--facts", "--log", "--vcd")

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
    if board.launcher != "itself":
        return []
    launcher: list[str | Path] = [_launcher(), "--folder", folder]
    for option, value in zip(command, command[1:], strict=False):
        if option in _READ:
            launcher += ["--read", value]
        elif option in _WRITTEN:
            launcher += _made(value)
    for file in written:
        launcher += _made(file)
    return launcher


def _launcher() -> Path:
    file = BUILD / "sim" / "simulation" / "confined" / "hocket_confined"
    if not file.is_file():  # it is built with the board
        bring_up_to_date("sim", "what confines the board sim", "hocket_confined")
    return file


def _made(file: str | Path) -> list[str | Path]:
    Path(file).touch()
    return ["--write", file]
