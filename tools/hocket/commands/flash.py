"""`hocket flash`: builds a sketch and writes it to a board, by its serial port or a memory card.

Another system on the card is not lost: its kernel8.img and config.txt are kept under other names.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from hocket.avrdude import check_baud, check_port, write_image
from hocket.boards import Board, board_named, find_board
from hocket.builder import build_sketch
from hocket.builder.sizes import tell_sizes
from hocket.card import FIRMWARE, README, card_files
from hocket.commands.hardware import no_hardware, which_board
from hocket.errors import EXIT_REFUSED, HocketError, shorten, system_error
from hocket.running.admission import refused_for_hardware
from hocket.sketch.folder import find_sketch

MOUNTS = Path("/proc/self/mounts")
KEPT = ".before-hocket"
_FAT = ("vfat", "msdos")


def flash_command(
    sketch: str,
    board: str | None,
    card: Path | None,
    force: bool,
    port: Path | None = None,
    baud: int | None = None,
) -> int:
    if board is None:
        which_board()
    known = board_named(board)
    if known is None or not (known.programmed or known.card):
        no_hardware(board)
    if known.programmed:
        return _flash_by_cable(sketch, known, port, baud)
    if card is None:
        raise HocketError(
            "no folder of a card was given",
            "flash copies files to a memory card that is mounted",
            "add --card FOLDER, for example --card /media/you/bootfs",
        )
    check_card(card, force)
    image = build_sketch(find_sketch(sketch), find_board(board))
    kept = write_card(card, card_files(image.native_for(image.board.most_cores), image.sketch.name))
    for name in kept:
        print(f"kept the card's own {name} as {name}{KEPT}")
    print(f"wrote {image.sketch.name} to {shorten(card)}: unmount the card before taking it out")
    missing = missing_firmware(card)
    if missing:
        print(f"the card does not start yet: {', '.join(missing)} missing, see {README}")
    return 0


def _flash_by_cable(sketch: str, board: Board, port: Path | None, baud: int | None) -> int:
    check_baud(baud, board)
    port = check_port(port, board)
    image = build_sketch(find_sketch(sketch), find_board(board.name))
    if refused_for_hardware(image):
        return EXIT_REFUSED
    tell_sizes(image)
    return write_image(image, port, baud)


def check_card(card: Path, force: bool) -> None:
    """Raises HocketError for a folder that is not a card from which a Raspberry Pi starts. force: accept any
    folder."""
    if not card.is_dir():
        raise HocketError(
            f"there is no folder {card}", "the card is not mounted there", "mount it first"
        )
    if force:
        return
    system = file_system(card, MOUNTS.read_text(encoding="utf-8", errors="replace"))
    if system is None:
        raise HocketError(
            f"{card} is not a mounted card",
            "nothing is mounted at this folder, so the files would land on this computer's own disk",
            "name the folder where the card's first partition is mounted, or add --force",
        )
    if system not in _FAT:
        raise HocketError(
            f"{card} is not a partition that a Raspberry Pi starts from",
            f"its file system is {system}; the firmware reads FAT",
            "name the card's first partition (bootfs), or add --force",
        )
    missing = missing_firmware(card)
    if missing:
        raise HocketError(
            f"the card lacks {', '.join(missing)}",
            "these are the Raspberry Pi Foundation's files, which start the processor; Hocket does not "
            "bring them",
            "use a card with Raspberry Pi OS, or copy them from "
            "https://github.com/raspberrypi/firmware (folder boot); --force writes all the same",
        )


def file_system(folder: Path, mounts: str) -> str | None:
    """Returns the type of the file system that is mounted at the folder itself, or None.

    mounts: the text of /proc/self/mounts, in which blanks are octal escapes (proc(5)).
    """
    found = None
    wanted = os.path.realpath(folder)
    for line in mounts.splitlines():
        words = line.split(" ")
        if len(words) < 3:
            continue
        place = re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), words[1])
        if place == wanted:
            found = words[2]  # the last mount hides the earlier ones
    return found


def missing_firmware(card: Path) -> list[str]:
    names = {entry.name.lower() for entry in card.iterdir()}
    return [name for name in FIRMWARE if name not in names]


def write_card(card: Path, files: dict[str, bytes]) -> list[str]:
    """Writes the files. Returns the names of another system's files, which were saved first."""
    ours = (card / README).is_file()
    kept = []
    try:
        for name, content in files.items():
            place = card / name
            backup = card / f"{name}{KEPT}"
            if not ours and place.is_file() and not backup.exists():
                place.rename(backup)
                kept.append(name)
            with place.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
    except OSError as problem:
        raise system_error("the card cannot be written", problem, card) from problem
    return kept
