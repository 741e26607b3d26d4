"""`hocket build`: builds the sketch's program or image."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

from hocket.boards import boards_with, find_board, listed
from hocket.builder import Image, build_sketch
from hocket.builder.sizes import tell_sizes
from hocket.card import card_files
from hocket.errors import EXIT_REFUSED, HocketError, shorten, system_error
from hocket.own_files import check_not_own
from hocket.running.admission import refused_for_hardware
from hocket.running.request import check_cores, check_outputs, check_writable, cores_of
from hocket.running.scenarios import find_scenario, inputs_of
from hocket.sketch.folder import Sketch, find_sketch
from hocket.whole_files import write_result


def build_command(
    sketch: str,
    board: str,
    output: Path | None,
    cores: int | None = None,
    policy: str | None = None,
) -> int:
    chosen = find_board(board)
    if cores is not None:
        check_cores(cores, chosen)
    if output is not None and output.suffix.lower() == ".hex" and not chosen.programmed:
        raise HocketError(
            f"the board {board} has no {output.name}",
            "Intel HEX is what a board with a boot loader is programmed with",
            f"use --board {listed(boards_with('programmed'))}, or another name",
        )
    if output is not None and output.suffix.lower() == ".bin":
        forms = "FILE.hex or FILE.elf" if chosen.programmed else "a name without .bin"
        raise HocketError(
            f"there is no flat binary for the board {board}",
            "a file ending in .bin has no addresses in it",
            f"name {forms}" if not chosen.card else "name a folder: it gets the card's files",
        )
    if output is not None:
        _check_place(output, chosen.card)
    found = find_sketch(sketch)
    if output is not None:
        _check_files(output, found, chosen.card)
    image = build_sketch(found, chosen, policy=policy)
    program = image.native_for(cores_of(cores, find_scenario(None, found, chosen), chosen))
    if refused_for_hardware(image):
        return EXIT_REFUSED
    tell_sizes(image)
    place = program
    if output is not None:
        try:
            place = _write_card(image, output) if chosen.card else _copy(image, program, output)
        except OSError as problem:
            raise system_error("the program cannot be copied", problem, output) from problem
    print(shorten(place))
    return 0


def _check_place(output: Path, card: bool) -> None:
    """Checks before the build that the output can be written. A folder gets the program under the program's
    own name. The folder of a card is created."""
    if output.is_dir() and str(output) != ".":
        if not os.access(output, os.W_OK | os.X_OK):
            raise system_error(
                f"-o {output} cannot be written", PermissionError(errno.EACCES, "permission denied")
            )
    elif not (card and output.parent.is_dir()):
        check_writable("-o", output)


def _check_files(output: Path, sketch: Sketch, card: bool) -> None:
    """Checks that the output is not a file that the program is made from."""
    place = output / sketch.name if output.is_dir() and not card else output
    check_not_own(f"-o {output}", place)
    check_outputs([("-o", place)], inputs_of(sketch))


def _copy(image: Image, program: Path, output: Path) -> Path:
    """Copies the program to the output, as Intel HEX if the output's name ends in .hex."""
    place = output / image.sketch.name if output.is_dir() else output
    made = image.flash_file if place.suffix.lower() == ".hex" else program
    with made.open("rb") as content:
        write_result(place, content)
    if place.is_file():
        shutil.copymode(made, place)
    return place


def _write_card(image: Image, folder: Path) -> Path:
    """Writes the files of a memory card to a folder, which is created if necessary."""
    files = card_files(image.native_for(image.board.most_cores), image.sketch.name)
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        write_result(folder / name, content)
    return folder
