"""The debug information of the Uno as gdb can use it: single units of DWARF, written by hand."""

from __future__ import annotations

import struct

import pytest

from hocket.debugger.uno_dwarf import UnknownDwarf, mended, mended_ranges

LOW_PC, HIGH_PC, LOCATION, NAME = 0x11, 0x12, 0x02, 0x03
ADDR, DATA4, EXPRLOC, STRING = 0x01, 0x06, 0x18, 0x08
# A unit with a variable (2) and a function (3).
ABBREVIATIONS = b"".join(
    bytes(entry)
    for entry in (
        (1, 0x11, 1, NAME, STRING, 0, 0),
        (2, 0x34, 0, NAME, STRING, LOCATION, EXPRLOC, 0, 0),
        (3, 0x2E, 0, LOW_PC, ADDR, HIGH_PC, DATA4, 0, 0),
        (0,),
    )
)


def unit(entries: bytes, version: int = 4) -> bytes:
    body = struct.pack("<HIB", version, 0, 2) + b"\1steps.ino\0" + entries + b"\0"
    return struct.pack("<I", len(body)) + body


def variable(expression: bytes) -> bytes:
    return b"\2total\0" + bytes([len(expression)]) + expression


def function(low: int, length: int) -> bytes:
    return b"\3" + struct.pack("<HI", low, length)


@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        (b"\x03\x38\x01", b"\x0a\x38\x01"),  # DW_OP_addr: a number
        (b"\x91\x08", b"\x91\x09"),  # DW_OP_fbreg 8: of the byte above
        (b"\x91\x7f", b"\x91\x00"),  # -1
        (b"\x91\xff\x00", b"\x91\x80\x01"),  # 127
        (b"\x91\x3f", b"\x93\x7f"),  # 63: 64 is no signed number of seven bits
        (b"\x6c", b"\x6c"),  # in a register
    ],
)
def test_places_of_variables(was: bytes, becomes: bytes) -> None:
    assert mended(unit(variable(was)), ABBREVIATIONS) == unit(variable(becomes))


def test_functions_that_were_left_out() -> None:
    before = unit(function(0, 40) + function(0x154, 42))
    assert mended(before, ABBREVIATIONS) == unit(function(0, 0) + function(0x154, 42))


def test_several_units() -> None:
    two = unit(variable(b"\x03\0\1")) + unit(function(0, 2))
    assert mended(two, ABBREVIATIONS) == unit(variable(b"\x0a\0\1")) + unit(function(0, 0))


def test_ranges() -> None:
    was = struct.pack("<6H", 0, 40, 0x100, 0x12A, 0, 0)
    assert mended_ranges(was) == struct.pack("<6H", 1, 1, 0x100, 0x12A, 0, 0)


def test_another_version_is_told() -> None:
    with pytest.raises(UnknownDwarf, match="version 5"):
        mended(unit(b"", version=5), ABBREVIATIONS)
