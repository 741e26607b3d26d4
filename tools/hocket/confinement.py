"""Confines programs that run a board on this computer and start no other program. They can open only the
files on their command line, and start nothing (docs/guide/strangers.md, simulation/confined).

On sim the program is the sketch. On the Uno it interprets the sketch.
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
_CONFINED = ("itself", "avr-simulator")

Words = Sequence[str | Path]

# Files outside of /usr from which compilers identify the system.
_OF_TOOLS = ("/etc/alternatives", "/etc/os-release", "/etc/lsb-release", "/etc/debian_version")


def confined(command: Words, board: Board, folder: Path, written: Words = ()) -> list[str | Path]:
    """Returns the command that starts the board's program, confined if the board requires it.

    A confined program creates no files: those that it writes are created here, empty. folder: for temporary
    files of this run. written: files that it writes besides those of its options.
    """
    return [*launcher_of(command, board, folder, written), *command]


def launcher_of(
    command: Words, board: Board, folder: Path, written: Words = ()
) -> list[str | Path]:
    """Returns the words before the command. Empty: it is not confined."""
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
    """Returns the words that start a tool for untrusted texts confined, ending with the tool itself. It
    can then read only these files and the system's, whatever the texts name. (The `.incbin` of an assembler
    is in no list of the files read.)

    made: the folder of its output. Empty if the tool is not found: the command then fails with its own
    message.
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
