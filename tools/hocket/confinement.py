"""Programs that run a board on this computer and start no others are confined: they open the files that they
were told to, and begin nothing (docs/guide/strangers.md, simulation/confined).

On sim the program is the sketch; that of the Uno interprets it.
"""

from __future__ import annotations

import itertools
import os
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

from hocket.boards import Board
from hocket.paths import BUILD, ROOT

# Built with the board sim (hocket.builder).
LAUNCHER = BUILD / "sim" / "simulation" / "confined" / "hocket_confined"

# Options of the board's program that name a file (docs/reference/sim-program.md).
_READ = (
    *("--scenario", "--input", "--touches", "--image", "--flash"),
    *("--second-image", "--second-flash", "--second-scenario"),
)
_WRITTEN = ("--facts", "--log", "--vcd", "--second-facts", "--second-vcd")
_CONFINED = ("itself", "uno-simulator")

Words = Sequence[str | Path]

# Of the system, besides /usr: how compilers tell which one it is.
_OF_TOOLS = ("/etc/alternatives", "/etc/os-release", "/etc/lsb-release", "/etc/debian_version")


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
    launcher: list[str | Path] = [LAUNCHER, "--folder", folder]
    for option, value in itertools.pairwise(command):
        if option in _READ:
            launcher += ["--read", value]
        elif option in _WRITTEN:
            launcher += _made(value)
    for file in written:
        launcher += _made(file)
    return launcher


def tool(program: str, read: Iterable[str | Path], made: Path) -> list[str | Path]:
    """What stands before a tool that works on a stranger's texts, so that it reads these and its own system's
    files alone, whatever they name (`.incbin` of an assembler is in no list of what it has read). made: the
    folder of what it makes. Nothing where the tool is not found: it says so itself.
    """
    found = shutil.which(program)
    if found is None:
        return []
    own = Path(os.path.realpath(found)).parent.parent
    launcher: list[str | Path] = [LAUNCHER, "--make", made]
    for folder in dict.fromkeys((Path("/usr"), own)):
        launcher += ["--run", folder]
    for file in (*_OF_TOOLS, ROOT, BUILD, *read):
        launcher += ["--read", file]
    return [*launcher, found]


def _made(file: str | Path) -> list[str | Path]:
    Path(file).touch()
    return ["--write", file]
