"""Intel HEX files of sketches for the Uno, which programmers write and the simulated Uno runs.

Intel, *Hexadecimal Object File Format Specification*, revision A (1988). A flash of 32 KiB needs only data
records and the end record.
"""

from __future__ import annotations

from pathlib import Path

from hocket.errors import EXIT_DEFECT, HocketError
from hocket.segments import LITTLE_32, load_segments
from hocket.whole_files import write_whole

FLASH = 0x8000
# Addresses from here on are not in flash (avr-libc's linker script): RAM, EEPROM, fuses, information for
# tools.
_OTHER_MEMORY = 0x800000

_RECORD = 16  # bytes of data
_DATA, _END = 0, 1


def flash_contents(program: Path) -> list[tuple[int, bytes]]:
    """Returns address and bytes of a linked sketch's segments in flash, in order. Raises HocketError if it
    cannot be read."""
    try:
        segments = sorted(load_segments(program, LITTLE_32))
    except (OSError, ValueError) as problem:
        raise _unfit(program, str(problem)) from problem
    return [(address, content) for address, content in segments if address < _OTHER_MEMORY]


def intel_hex(flash: list[tuple[int, bytes]]) -> str:
    """Returns these bytes as the text of a file."""
    lines = [
        _record(address + at, _DATA, content[at : at + _RECORD])
        for address, content in flash
        for at in range(0, len(content), _RECORD)
    ]
    return "".join([*lines, _record(0, _END, b"")])


def _record(address: int, kind: int, data: bytes) -> str:
    record = bytes([len(data), address >> 8, address & 0xFF, kind]) + data
    return f":{record.hex()}{-sum(record) & 0xFF:02x}\n".upper()


def write_hex(program: Path, place: Path) -> None:
    """Writes the flash contents of a linked sketch. Raises HocketError if they do not fit."""
    flash = flash_contents(program)
    if any(address + len(content) > FLASH for address, content in flash):
        raise _unfit(program, "it has bytes beyond the flash")
    write_whole(place, intel_hex(flash))  # another run may be reading it


def _unfit(program: Path, why: str) -> HocketError:
    return HocketError(
        "the program cannot be converted",
        why,
        "run: hocket doctor; if all is well there, this is a defect of Hocket",
        program,
        exit_code=EXIT_DEFECT,
    )
