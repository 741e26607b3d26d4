"""Corrects the debug information of the Uno's programs for gdb.

**Variables.** clang records their addresses as the processor sees them, from 0x100 on. gdb expects data to
begin at 0x800000 (as the linker's symbols do), and would read the flash. The place of a variable is an
expression, `DW_OP_addr ADDRESS`, whose address gdb uses unchanged. `DW_OP_const2u ADDRESS`, which has the
same length, is a number, which gdb converts to an address of data, as it does with pointers and with places
on the stack. So the opcode is replaced.

**Variables on the stack** are recorded relative to Y, which is the stack pointer. The stack pointer of the
AVR points to the byte below the first one in use, which clang does not take into account. So one is added.

**Functions that the linker has left out** have the address 0, where the vectors are, and gdb would stop
there. They get the length 0, and gdb ignores them.

The reader supports the DWARF that clang 19 and avr-gcc 5.4 write: version 4 and before, in 32 bits, with
addresses of 2 bytes or 4. (pyelftools does not support addresses of 2 bytes.) Source: DWARF Debugging
Information Format, version 4, section 7.5.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

_VARIABLES = (0x34, 0x05)  # DW_TAG_variable, DW_TAG_formal_parameter
_LOCATION, _LOW_PC, _HIGH_PC = 0x02, 0x11, 0x12  # DW_AT_…
_ADDR, _CONST2U, _FBREG, _PIECE = 0x03, 0x0A, 0x91, 0x93  # DW_OP_…
_EXPRLOC, _INDIRECT, _DATA4 = 0x18, 0x16, 0x06  # DW_FORM_…
# Sizes in bytes of the forms with a fixed size.
_SIZES = {0x05: 2, 0x06: 4, 0x07: 8, 0x0B: 1, 0x0C: 1, 0x0E: 4, 0x10: 4, 0x11: 1, 0x12: 2, 0x13: 4, 0x14: 8,
          0x17: 4, 0x19: 0, 0x20: 8, 0x1F20: 4, 0x1F21: 4}  # fmt: skip
_COUNTED = {0x03: 2, 0x04: 4, 0x0A: 1}  # blocks: bytes of their length field
_LEB128, _STRING, _ADDRESS = (0x0D, 0x0F, 0x15), 0x08, 0x01

Abbreviations = dict[int, tuple[int, list[tuple[int, int]]]]


class UnknownDwarf(Exception):
    """DWARF that the two compilers do not write."""


@dataclass
class _Reader:
    data: bytes
    at: int = 0

    def number(self, size: int) -> int:
        value = int.from_bytes(self.data[self.at : self.at + size], "little")
        self.at += size
        return value

    def leb128(self) -> int:
        value = shift = 0
        while True:
            byte = self.number(1)
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def skip(self, form: int, address_size: int) -> None:
        if form in _SIZES:
            self.at += _SIZES[form]
        elif form in _LEB128:
            self.leb128()
        elif form == _ADDRESS:
            self.at += address_size
        elif form == _STRING:
            self.at = self.data.index(0, self.at) + 1
        elif form in _COUNTED:
            self.at += self.number(_COUNTED[form])
        elif form in (_EXPRLOC, 0x09):
            length = self.leb128()
            self.at += length
        elif form == _INDIRECT:
            self.skip(self.leb128(), address_size)
        else:
            raise UnknownDwarf(f"form {form:#x}")


def mended(info: bytes, abbreviations: bytes) -> bytes:
    """Returns the section .debug_info with variables where gdb looks for them, and without functions that are
    not linked."""
    result = bytearray(info)
    for place, better in _wrong(info, abbreviations):
        result[place : place + len(better)] = better
    return bytes(result)


def mended_ranges(ranges: bytes) -> bytes:
    """Returns the section .debug_ranges with addresses of 2 bytes, in which the ranges that begin at 0 are
    empty."""
    result = bytearray(ranges)
    for at in range(0, len(ranges) - 3, 4):
        if ranges[at : at + 2] == b"\0\0" and ranges[at + 2 : at + 4] != b"\0\0":
            result[at : at + 4] = b"\1\0\1\0"
    return bytes(result)


def _wrong(info: bytes, abbreviations: bytes) -> Iterator[tuple[int, bytes]]:
    """Yields the corrections: offset and new bytes."""
    tables: dict[int, Abbreviations] = {}
    reader = _Reader(info)
    while reader.at < len(info):
        length = reader.number(4)
        end = reader.at + length
        version = reader.number(2)
        if not 2 <= version <= 4:
            raise UnknownDwarf(f"version {version}")
        table, address_size = reader.number(4), reader.number(1)
        if table not in tables:
            tables[table] = _table(_Reader(abbreviations, table))
        if address_size == 2:  # others are not from clang for the AVR and need no correction
            yield from _of_unit(reader, end, tables[table])
        reader.at = end


def _of_unit(reader: _Reader, end: int, table: Abbreviations) -> Iterator[tuple[int, bytes]]:
    while reader.at < end:
        code = reader.leb128()
        if code == 0:
            continue
        tag, attributes = table[code]
        at_zero = False
        for name, form in attributes:
            here = reader.at
            reader.skip(form, 2)
            if tag in _VARIABLES and (name, form) == (_LOCATION, _EXPRLOC):
                # The first byte is the length.
                yield here + 1, _expression(reader.data[here + 1 : reader.at])
            elif (name, form) == (_LOW_PC, _ADDRESS):
                at_zero = reader.data[here : here + 2] == b"\0\0"
            elif (name, form) == (_HIGH_PC, _DATA4) and at_zero:
                yield here, bytes(4)


def _expression(was: bytes) -> bytes:
    """Returns the corrected place of a variable, in the same number of bytes."""
    if len(was) >= 3 and was[0] == _ADDR:
        return bytes([_CONST2U]) + was[1:]
    if was[:1] != bytes([_FBREG]):
        return was
    length = next(at for at, byte in enumerate(was) if at > 0 and byte < 0x80)
    value = sum((byte & 0x7F) << 7 * at for at, byte in enumerate(was[1 : length + 1])) + 1
    if value == 1 << 7 * length - 1:  # value + 1 does not fit into this length: no place at all
        return bytes([_PIECE, 0x7F, *was[2:]]) if length == 1 else was
    value %= 1 << 7 * length
    coded = [value >> 7 * at & 0x7F | (0x80 if at < length - 1 else 0) for at in range(length)]
    return bytes([_FBREG, *coded]) + was[length + 1 :]


def _table(reader: _Reader) -> Abbreviations:
    table: Abbreviations = {}
    while code := reader.leb128():
        tag = reader.leb128()
        reader.number(1)  # whether it has children
        attributes = []
        while (pair := (reader.leb128(), reader.leb128())) != (0, 0):
            attributes.append(pair)
        table[code] = (tag, attributes)
    return table
