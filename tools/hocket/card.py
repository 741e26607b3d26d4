"""The files on a Raspberry Pi's memory card, besides the Foundation's firmware.

    kernel8.img   the kernel with the sketch, as it lies in memory from 0x80000 on
    config.txt    the configuration of the firmware
    HOCKET.txt    describes these files, and what else must be on the card

Sources: Raspberry Pi documentation, "The boot folder" and "config.txt" (kernel, arm_64bit, enable_uart,
init_uart_clock).
"""

from __future__ import annotations

from pathlib import Path

from hocket.errors import EXIT_DEFECT, HocketError
from hocket.segments import LITTLE_64, load_segments

LOAD_ADDRESS = 0x80000  # where the firmware loads a 64-bit kernel
LARGEST = 64 * 1024 * 1024
KERNEL, CONFIG, README = "kernel8.img", "config.txt", "HOCKET.txt"

# Files of the Raspberry Pi Foundation, which Hocket does not distribute. A card without them does not start.
FIRMWARE = ("bootcode.bin", "start.elf", "fixup.dat")

_CONFIG = f"""\
# Hocket: the kernel with the sketch instead of an operating system.
arm_64bit=1
kernel={KERNEL}
# The serial port on GPIO 14 and 15, with a clock that does not change.
enable_uart=1
init_uart_clock=48000000
"""

_README = """\
This card's files {kernel} and {config} were made by Hocket from the sketch {sketch}.

A Raspberry Pi 3 or Zero 2 W starts from a card whose first partition is FAT and holds, besides these:

{firmware}

They are the Raspberry Pi Foundation's and are not part of Hocket. A card with Raspberry Pi OS has them;
they can also be copied from https://github.com/raspberrypi/firmware (folder boot).

Serial: GPIO 14 sends (header pin 8), GPIO 15 receives (header pin 10), 3.3 V.
"""


def card_files(program: Path, sketch: str) -> dict[str, bytes]:
    """Returns the files for the card, by name, from the kernel's ELF file."""
    firmware = "\n".join(f"    {name}" for name in FIRMWARE)
    readme = _README.format(kernel=KERNEL, config=CONFIG, sketch=sketch, firmware=firmware)
    return {
        KERNEL: flatten(program),
        CONFIG: _CONFIG.encode(),
        README: readme.encode(),
    }


def flatten(program: Path) -> bytes:
    """Returns the ELF file's segments as one image from LOAD_ADDRESS on. Raises HocketError if they do not
    lie there."""
    try:
        segments = load_segments(program, LITTLE_64)
    except (OSError, ValueError) as problem:
        raise _unfit(program, str(problem)) from problem
    first = min((address for address, _ in segments), default=None)
    if first != LOAD_ADDRESS:
        begin = "nowhere" if first is None else f"at {first:#x}"
        raise _unfit(program, f"it begins {begin}, not at {LOAD_ADDRESS:#x}")
    size = max(address + len(content) for address, content in segments) - LOAD_ADDRESS
    if size > LARGEST:
        raise _unfit(program, f"it has {size} bytes")
    image = bytearray(size)
    for address, content in segments:
        image[address - LOAD_ADDRESS : address - LOAD_ADDRESS + len(content)] = content
    return bytes(image)


def _unfit(program: Path, why: str) -> HocketError:
    return HocketError(
        "the kernel cannot be put onto a card",
        why,
        "this is a defect of Hocket: please report it with the sketch",
        program,
        exit_code=EXIT_DEFECT,
    )
