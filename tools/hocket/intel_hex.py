"""Intel HEX files of sketches for boards with an AVR, which programmers write and the simulator runs.

Intel, *Hexadecimal Object File Format Specification*, revision A (1988). Up to 64 KiB data records and the
end record suffice. Beyond that, an extended segment address precedes the data.
"""

from __future__ import annotations

from pathlib import Path

from hocket.avr_chips import MOST_FLASH
from hocket.errors import EXIT_DEFECT, HocketError
from hocket.segments import LITTLE_32, load_segments
from hocket.whole_files import write_whole

# Addresses from here on are not in flash (avr-libc's linker script): RAM, EEPROM, fuses, information for
# tools.
_OTHER_MEMORY = 0x800000

_RECORD = 16  # bytes of data
_DATA, _END, _SEGMENT = 0, 1, 2
_PARAGRAPH, _SEGMENT_SIZE = 16, 0x10000


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
    lines = list[str]()
    segment = 0
    for address, content in flash:
        at = 0
        while at < len(content):
            place = address + at
            if place // _SEGMENT_SIZE != segment:
                segment = place // _SEGMENT_SIZE
                paragraph = segment * _SEGMENT_SIZE // _PARAGRAPH
                lines.append(_record(0, _SEGMENT, paragraph.to_bytes(2, "big")))
            left = _SEGMENT_SIZE - place % _SEGMENT_SIZE  # a record does not cross the end
            data = content[at : at + min(_RECORD, left)]
            lines.append(_record(place % _SEGMENT_SIZE, _DATA, data))
            at += len(data)
    return "".join([*lines, _record(0, _END, b"")])


def _record(address: int, kind: int, data: bytes) -> str:
    record = bytes([len(data), address >> 8, address & 0xFF, kind]) + data
    return f":{record.hex()}{-sum(record) & 0xFF:02x}\n".upper()


def write_hex(program: Path, place: Path) -> None:
    """Writes the flash contents of a linked sketch. Raises HocketError if they do not fit."""
    flash = flash_contents(program)
    if any(address + len(content) > MOST_FLASH for address, content in flash):
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
