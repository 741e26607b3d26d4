"""What a built sketch has in flash, read in two ways: from the HEX file, and from the sections of the ELF."""

from __future__ import annotations

from pathlib import Path

from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

_DATA_MEMORY = 0x800000


def of_hex(file: Path) -> dict[int, int]:
    """Byte by address (Intel's specification of 1988)."""
    flash: dict[int, int] = {}
    *records, end = file.read_text(encoding="ascii").splitlines()
    assert end == ":00000001FF"
    for line in records:
        assert line.startswith(":")
        record = bytes.fromhex(line[1:])
        assert sum(record) % 256 == 0
        assert record[3] == 0 and record[0] == len(record) - 5
        address = int.from_bytes(record[1:3], "big")
        assert not flash.keys() & range(address, address + record[0])
        flash |= {address + i: byte for i, byte in enumerate(record[4:-1])}
    return flash


def of_elf(program: Path) -> dict[int, int]:
    """The same, of every section that takes memory; variables' values lie where start-up code reads them."""
    flash: dict[int, int] = {}
    with program.open("rb") as stream:
        elf = ELFFile(stream)
        table = elf.get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        symbols = {symbol.name: symbol["st_value"] for symbol in table.iter_symbols()}
        for section in elf.iter_sections("SHT_PROGBITS"):
            if not section["sh_flags"] & SH_FLAGS.SHF_ALLOC:
                continue
            address = section["sh_addr"]
            if section.name == ".data":
                address = symbols.get("__data_load_start", 0)
            if address < _DATA_MEMORY:
                flash |= {address + i: byte for i, byte in enumerate(section.data())}
    return flash
