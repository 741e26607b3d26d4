"""Turns a sketch's .ino files into C++ as the Arduino IDE and arduino-cli do, prototypes included.

Where those put a prototype decides whether a sketch builds with the stock core. Their own program does it
(`arduino-builder -preprocess`, which arduino-cli has built in). Without it the sketch gets Hocket's
prototypes, which wait for the types that they name.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from hocket.confinement import Words, tool
from hocket.sketch.folder import Sketch

PROGRAM = "arduino-builder"
_HARDWARE = Path("/usr/share/arduino/hardware")
_CTAGS = Path("/usr/share/arduino-builder")  # how to call the program that finds the functions


def has_ide() -> bool:
    return shutil.which(PROGRAM) is not None and _CTAGS.is_dir()


def _command(
    sketch: Sketch, folder: Path, libraries: Sequence[Path], reads: Sequence[Path]
) -> tuple[Words, Path, dict[str, str]]:
    """Returns the command, the file that it makes, and which paths in that file stand for others."""
    made, renamed = folder / "ide", dict[str, str]()
    main = sketch.tabs[0]
    (made / "made").mkdir(parents=True, exist_ok=True)
    if (
        main.parent.name != main.stem
    ):  # it takes a folder with the sketch's name, and all of its tabs
        own = made / main.stem / main.name
        own.parent.mkdir(exist_ok=True)
        shutil.copyfile(main, own)
        renamed[str(own)] = str(main)
        main = own
    options: list[str | Path] = ["-preprocess", "-fqbn", "arduino:avr:uno"]
    for option, places in (
        ("-hardware", (_HARDWARE, _CTAGS)),
        ("-tools", (_HARDWARE / "tools" / "avr", Path("/usr/bin"))),
        ("-libraries", tuple(each for each in libraries if each.is_dir())),
    ):
        for place in places:
            options += [option, place]
    options += ["-build-path", made / "made", main]
    kept = tool(PROGRAM, (*reads, *libraries, made), made)
    return [*kept, *options], made / "made" / "sketch" / f"{main.name}.cpp", renamed


class NotTranslatedError(Exception):
    """The sketch does not build there: what the program and its compiler have said."""

    def __init__(self, command: Words, said: str) -> None:
        super().__init__(said)
        self.command = command
        self.said = said


def as_the_ide(
    sketch: Sketch, folder: Path, libraries: Sequence[Path], reads: Sequence[Path]
) -> str:
    """Returns the C++ text. folder: for all that is made on the way. libraries: folders of libraries.
    Raises NotTranslatedError."""
    command, made, renamed = _command(sketch, folder, libraries, reads)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0 or not made.is_file():
        raise NotTranslatedError(command, done.stderr)
    text = made.read_text(encoding="utf-8", errors="replace")
    for path, own in renamed.items():
        text = text.replace(f'"{path}"', f'"{own}"')
    return text
