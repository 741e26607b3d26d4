"""`hocket arduino install`: puts Hocket's two platforms into a sketchbook, where the Arduino IDE looks for
boards.

    SKETCHBOOK/hardware/hocket/
      HOCKET.txt            marks the folder as Hocket's, so that it may be removed
      avr/, host/           boards with an AVR; boards that are simulated on this computer
        boards.txt                 from the boards' descriptions (menu.py)
        platform.txt               a link to arduino/ide/
        platform.local.txt         the path of this hocket
        libraries/                 links to the libraries of the board that are not the sketchbook's
        cores/hocket/              empty: hocket itself builds everything but the sketch
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from hocket.arduino.menu import ide_boards
from hocket.arduino.own_folder import begin, uninstall
from hocket.boards import first_of
from hocket.builder.libraries import libraries_for
from hocket.errors import HocketError
from hocket.paths import INSTALLED, ROOT

# The processor of each platform's boards.
PLATFORMS = {"avr": "avr8", "host": "host"}
DESCRIPTIONS = ROOT / "arduino" / "ide"
_MARK = (
    "The boards of Hocket, for the Arduino IDE. `hocket arduino install` made this folder;\n"
    "`hocket arduino uninstall` removes it.\n"
)
_NEXT = "name the sketchbook: in the IDE's preferences it is the first line"


def install_command(sketchbook: Path | None) -> int:
    folder, command = _place(sketchbook), started_by("the IDE")
    try:
        begin(folder, _MARK)
        for platform, processor in PLATFORMS.items():
            _make(folder / platform, DESCRIPTIONS / platform, processor, command)
    except OSError as problem:
        raise HocketError(
            "the platforms cannot be written", problem.strerror or str(problem), _NEXT, folder
        ) from problem
    print(f"installed the boards of Hocket in {folder}")
    print("next: restart the Arduino IDE; the boards are in its menu Tools > Board")
    return 0


def uninstall_command(sketchbook: Path | None) -> int:
    uninstall(_place(sketchbook), "the platforms", _NEXT)
    return 0


def _make(folder: Path, description: Path, processor: str, command: Path) -> None:
    (folder / "cores" / "hocket").mkdir(parents=True)
    (folder / "libraries").mkdir()
    for file in sorted(description.iterdir()):
        (folder / file.name).symlink_to(file)
    (folder / "boards.txt").write_text(ide_boards(processor), encoding="utf-8")
    board = first_of(processor)  # all of them have the same libraries
    for library in reversed(libraries_for(board)):  # of several with one name the first counts
        link = folder / "libraries" / library.name
        link.unlink(missing_ok=True)
        link.symlink_to(library)
    local = f"hocket.cmd={command}\ntools.hocket.cmd.path={command}\n"
    (folder / "platform.local.txt").write_text(local, encoding="utf-8")


def started_by(whom: str) -> Path:
    """Returns the program that starts this hocket. whom: the program that will call it."""
    if not INSTALLED:
        return ROOT / "hocket"
    started = Path(sys.argv[0]).absolute()
    found = str(started) if started.name == "hocket" else shutil.which("hocket")
    if found is None:
        raise HocketError(
            f"{whom} cannot start this hocket",
            "it was started as a module of Python, and PATH has no hocket",
            "install it with pipx, or put it into PATH",
        )
    return Path(found)


def _place(sketchbook: Path | None) -> Path:
    chosen = sketchbook or _of_the_ide()
    if not chosen.is_dir():
        raise HocketError(f"there is no sketchbook {chosen}", next_step=_NEXT)
    return chosen.resolve() / "hardware" / "hocket"


def _of_the_ide() -> Path:
    """Returns the sketchbook that the IDE 1.8 remembers, else the usual one."""
    preferences = Path.home() / ".arduino15" / "preferences.txt"
    if preferences.is_file():
        for line in preferences.read_text(encoding="utf-8", errors="replace").splitlines():
            key, _, value = line.partition("=")
            if key == "sketchbook.path" and value:
                return Path(value)
    return Path.home() / "Arduino"
