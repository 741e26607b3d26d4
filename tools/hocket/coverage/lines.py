"""Maps the blocks of a program that have run to the lines of the sketch that have run.

The compiler has put a call at the start of each basic block. The linker has recorded the places of these
calls, so all blocks are known. The file that visits.cpp has written says which of them ran. A block extends
from its call to the next one of its function. The debug information gives the lines of its instructions.

The program is optimised. A line without instructions, such as a propagated constant, does not count as a
line. A line with several blocks has run if one of them has.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from elftools.common.exceptions import ELFError
from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection
from elftools.elf.sections import SymbolTableSection

from hocket.errors import EXIT_DEFECT, HocketError

Lines = dict[Path, dict[int, int]]  # by file and line, the number of runs in which it ran

_CALLS = {"__sanitizer_cov_trace_pc", "__wrap___sanitizer_cov_trace_pc"}
_REACH = 4  # from the relocated place to the end of the call, on x86-64 and AArch64
# The length of the call, whose own line is that of the block that begins there.
_CALL_BYTES = {"EM_X86_64": 5, "EM_AARCH64": 4}


@dataclass(frozen=True)
class Program:
    """blocks: the beginning of each block, in order. returns: the return address of its call. functions:
    (start, end), in order. first: the address of the first byte that visits.cpp counts from."""

    blocks: list[int]
    returns: list[int]
    functions: list[tuple[int, int]]
    first: int


@dataclass(frozen=True)
class Piece:
    """Code of a single line."""

    start: int
    end: int
    file: Path
    line: int


def lines_of(program: Path, visits: Path, folder: Path) -> Lines:
    """Returns the lines of the files in the folder: 1 for those that ran, 0 for the others."""
    visited = visits.read_bytes() if visits.is_file() else b""
    try:
        with program.open("rb") as stream:
            elf = ELFFile(stream)
            known = _program(elf)
            units = _units(elf, folder.resolve(), program.parent.resolve())
            pieces = [piece for unit in units for piece in _pieces(unit, folder.resolve())]
            also_inlined = {start for unit in units for start in _also_inlined(unit)}
    except (ELFError, OSError, KeyError) as problem:
        raise HocketError(
            "the lines that ran are not known",
            f"{program.name}: {problem}",
            "remove the folder build/sketches and try again",
            exit_code=EXIT_DEFECT,
        ) from problem
    return count(known, pieces, visited, also_inlined)


def count(
    program: Program, pieces: list[Piece], visited: bytes, also_inlined: Collection[int] = ()
) -> Lines:
    """Returns which lines ran, from the blocks that did. also_inlined: functions that are also inlined in
    others. If only inlined copies have run, the lines that only the function's own code has, such as its
    head, are left out."""
    starts = [start for start, _ in program.functions]
    found: Lines = {}
    for piece in pieces:
        place = bisect_right(starts, piece.start) - 1
        if place < 0 or piece.start >= program.functions[place][1]:
            continue
        begin, end = program.functions[place]
        first, behind = (bisect_right(program.blocks, at - 1) for at in (begin, end))
        if first == behind:
            continue  # no block is counted here
        own = range(first, behind)
        if begin in also_inlined and not any(_ran(program, block, visited) for block in own):
            continue
        lines = found.setdefault(piece.file, {})
        ran = any(_ran(program, block, visited) for block in _blocks(program, piece, first, behind))
        lines[piece.line] = max(lines.get(piece.line, 0), int(ran))
    return found


def _blocks(program: Program, piece: Piece, first: int, behind: int) -> Iterator[int]:
    """Yields the blocks of the function, from `first` on, in which the piece has code. Code before the first
    call belongs to the first block."""
    at = max(bisect_right(program.blocks, piece.start, first, behind) - 1, first)
    yield at
    while at + 1 < behind and program.blocks[at + 1] < piece.end:
        at += 1
        yield at


def _ran(program: Program, block: int, visited: bytes) -> bool:
    place = program.returns[block] - program.first
    return place < len(visited) and visited[place] != 0


def _program(elf: ELFFile) -> Program:
    before = _CALL_BYTES[elf["e_machine"]] - _REACH
    calls: set[int] = set()
    functions: dict[int, int] = {}
    first = 0
    for section in elf.iter_sections():
        if isinstance(section, RelocationSection):
            if not elf.get_section(section["sh_info"])["sh_flags"] & SH_FLAGS.SHF_EXECINSTR:
                continue
            calls |= set(_calls(elf, section))
        elif isinstance(section, SymbolTableSection):
            for symbol in section.iter_symbols():
                start, size = symbol["st_value"], symbol["st_size"]
                if symbol["st_info"]["type"] == "STT_FUNC" and size:
                    functions[start] = max(functions.get(start, 0), start + size)
                elif symbol.name == "__executable_start":
                    first = start
    places = sorted(calls)
    return Program(
        [at - before for at in places],
        [at + _REACH for at in places],
        sorted(functions.items()),
        first,
    )


def _calls(elf: ELFFile, section: RelocationSection) -> Iterator[int]:
    symbols = elf.get_section(section["sh_link"])
    if not isinstance(symbols, SymbolTableSection):
        return
    wanted = {n for n, symbol in enumerate(symbols.iter_symbols()) if symbol.name in _CALLS}
    for relocation in section.iter_relocations():
        if relocation["r_info_sym"] in wanted:
            yield relocation["r_offset"]


def _units(elf: ELFFile, folder: Path, built: Path) -> list[Any]:
    """Returns the units that were compiled from the sketch's folder or from its translation. The board's own
    units are many."""
    if not elf.has_dwarf_info():
        return []
    dwarf = elf.get_dwarf_info(relocate_dwarf_sections=False)
    return [
        unit
        for unit in dwarf.iter_CUs()
        if any(_source(unit).is_relative_to(place) for place in (folder, built))
    ]


def _base(unit: Any) -> Path:
    attributes = unit.get_top_DIE().attributes
    return Path(
        _text(attributes["DW_AT_comp_dir"].value) if "DW_AT_comp_dir" in attributes else "/"
    )


def _source(unit: Any) -> Path:
    return _base(unit) / _text(unit.get_top_DIE().attributes["DW_AT_name"].value)


def _also_inlined(unit: Any) -> set[int]:
    """Returns the addresses of functions that the compiler has also inlined into others."""
    begins: dict[int, int] = {}
    copied: set[int] = set()
    for entry in unit.iter_DIEs():
        origin = entry.attributes.get("DW_AT_abstract_origin")
        if origin is None:
            continue
        if entry.tag == "DW_TAG_inlined_subroutine":
            copied.add(origin.value)
        elif entry.tag == "DW_TAG_subprogram" and "DW_AT_low_pc" in entry.attributes:
            begins[origin.value] = entry.attributes["DW_AT_low_pc"].value
    return {start for origin, start in begins.items() if origin in copied}


def _pieces(unit: Any, folder: Path) -> Iterator[Piece]:
    program = unit.dwarfinfo.line_program_for_CU(unit)
    if program is None:
        return
    files = _files(program, _base(unit), folder)
    yield from _calls_copied(unit, files)
    before: Any = None
    for entry in program.get_entries() if any(files.values()) else ():
        state = entry.state
        if state is None:
            continue
        if before is not None and state.address > before.address and before.line > 0:
            file = files.get(before.file)
            if file is not None:
                yield Piece(before.address, state.address, file, before.line)
        before = None if state.end_sequence else state


def _calls_copied(unit: Any, files: dict[int, Path | None]) -> Iterator[Piece]:
    """Yields the code that was inlined in place of a call, as code of the call's line. If the function is a
    library's, the line would have no other code."""
    for entry in unit.iter_DIEs():
        if entry.tag != "DW_TAG_inlined_subroutine" or "DW_AT_call_line" not in entry.attributes:
            continue
        file = files.get(entry.attributes["DW_AT_call_file"].value)
        if file is None:
            continue
        line = entry.attributes["DW_AT_call_line"].value
        for start, end in _ranges(unit, entry.attributes):
            yield Piece(start, end, file, line)


def _ranges(unit: Any, attributes: Any) -> Iterator[tuple[int, int]]:
    if "DW_AT_low_pc" in attributes and "DW_AT_high_pc" in attributes:
        start, size = attributes["DW_AT_low_pc"].value, attributes["DW_AT_high_pc"]
        is_size = size.form.startswith("DW_FORM_data")
        yield start, start + size.value if is_size else size.value
    elif "DW_AT_ranges" in attributes:
        known = unit.dwarfinfo.range_lists()
        offset = attributes["DW_AT_ranges"].value
        base = unit.get_top_DIE().attributes.get("DW_AT_low_pc")
        from_here = base.value if base is not None else 0
        for each in known.get_range_list_at_offset(offset, cu=unit):
            if hasattr(each, "base_address"):
                from_here = each.base_address
            else:
                add = 0 if each.is_absolute else from_here
                yield each.begin_offset + add, each.end_offset + add


def _files(program: Any, base: Path, folder: Path) -> dict[int, Path | None]:
    """Returns the files by their numbers in the line program. None: the file is not in the folder."""
    header = program.header
    version5 = header["version"] >= 5
    folders = [
        base / _text(each.DW_LNCT_path if hasattr(each, "DW_LNCT_path") else each)
        for each in header["include_directory"]
    ]
    if not version5:
        folders = [base, *folders]
    found: dict[int, Path | None] = {}
    for number, entry in enumerate(header["file_entry"], 0 if version5 else 1):
        file = (folders[entry.dir_index] if entry.dir_index < len(folders) else base) / _text(
            entry.name
        )
        place = file.resolve()
        found[number] = place if place.is_relative_to(folder) else None
    return found


def _text(value: Any) -> str:
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else str(value)
