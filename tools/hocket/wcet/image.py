"""A linked program for the analysis of execution times: its code, its bytes that never change, its lines."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection
from elftools.elf.sections import SymbolTableSection

from hocket.builder.stack_depth import Program
from hocket.wcet.avr8.decode import decode
from hocket.wcet.lines import Line, read_lines
from hocket.wcet.processor import Instruction

_DATA = 0x100  # where RAM begins
_RAM_IN_FILE = 0x800000  # where the file has address 0 of RAM
_POINTER = 4  # R_AVR_16 (binutils, include/elf/avr.h)
# An input section in the linker's map: its name, address and size, on one line or two.
_INPUT = re.compile(r"^ (\.rodata\S*)\s+0x([0-9a-f]+)\s+0x([0-9a-f]+) ", re.MULTILINE)


class Image:
    """A program (stack_depth.py) with its debug information and the linker's map."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._decoded: dict[int, Instruction] = {}
        self._constant = _constant_ranges(program.path.with_name(f"{program.path.name}.map"))

    def instruction(self, at: int) -> Instruction:
        found = self._decoded.get(at)
        if found is None:
            found = self._decoded[at] = decode(at, self.program.word)
        return found

    def flash(self, address: int) -> int | None:
        word = self.program.word(address & ~1)
        return word >> 8 if address & 1 else word & 0xFF

    def data(self, address: int) -> int | None:
        """Returns a byte of data that no program changes. None: it may be changed."""
        for begin, end in self._constant:
            if begin <= address < end:
                return self._initial(address)
        if address in self._to_tables or address - 1 in self._to_tables:
            return self._initial(address)
        return None

    def _initial(self, address: int) -> int:
        """Returns a byte that is copied to memory at the start."""
        place = self.program.data_load + address - _DATA
        word = self.program.word(place & ~1)
        return word >> 8 if place & 1 else word & 0xFF

    @cached_property
    def _to_tables(self) -> frozenset[int]:
        """The addresses of pointers to tables of virtual functions. An object keeps its own. The relocations
        tell them from numbers with the same value."""
        found = set()
        with self.program.path.open("rb") as stream:
            elf = ELFFile(stream)
            for section in elf.iter_sections():
                if not isinstance(section, RelocationSection):
                    continue
                symbols = elf.get_section(section["sh_link"])
                assert isinstance(symbols, SymbolTableSection)
                for each in section.iter_relocations():
                    if each["r_info_type"] != _POINTER or each["r_offset"] < _RAM_IN_FILE:
                        continue
                    symbol = symbols.get_symbol(each["r_info_sym"])
                    to = (symbol["st_value"] + each["r_addend"]) & 0xFFFF
                    if to in self.program.table_starts:
                        found.add(each["r_offset"] & 0xFFFF)
        return frozenset(found)

    def line(self, at: int) -> Line | None:
        """Returns the file and line of an instruction, if it has them."""
        begins, lines = self._lines
        place = bisect_right(begins, at) - 1
        return lines[place] if place >= 0 else None

    @property
    def stripped(self) -> bool:
        return not self._lines[0]

    @cached_property
    def _lines(self) -> tuple[list[int], list[Line | None]]:
        return read_lines(self.program.path)


def _constant_ranges(map_file: Path) -> list[tuple[int, int]]:
    try:
        text = map_file.read_text(errors="replace")
    except OSError:
        return []
    joined = re.sub(r"^( \.\S+)\n +", r"\1 ", text, flags=re.MULTILINE)
    ranges = []
    for match in _INPUT.finditer(joined):
        begin, size = int(match[2], 16) & 0xFFFF, int(match[3], 16)
        if int(match[2], 16) >= 0x800000 and size:
            ranges.append((begin, begin + size))
    return ranges
