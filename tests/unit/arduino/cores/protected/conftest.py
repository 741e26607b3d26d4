"""What the tests of sketches for the AArch64 boards share: build one, flatten it, read its header."""

from __future__ import annotations

import json
import struct
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection
from tests.sketches import kept

from hocket.boards import BOARDS
from hocket.builder import Toolchain, build_sketch
from hocket.builder.board import prepare_board
from hocket.sketch.folder import find_sketch

ROOT = Path(__file__).resolve().parents[5]
BASE = 0x10000000
DESCRIPTOR = struct.Struct("<QQQQQIIBBB?4x3x5x8x")  # LoopDescriptor (arduino/runtime/loops.h)


@dataclass(frozen=True)
class Segment:
    kind: str
    begin: int
    end: int
    file_end: int
    flags: str


@dataclass(frozen=True)
class Built:
    """A linked sketch: what its ELF file says, its flat image, and the header in it; and the board's
    program around it."""

    program: Path
    elf: Path
    segments: list[Segment]
    symbols: dict[str, int]
    undefined: list[str]
    flat: bytes
    header: dict[str, int]

    def memory(self, address: int, size: int) -> bytes:
        assert BASE <= address <= address + size <= BASE + len(self.flat)
        return self.flat[address - BASE :][:size]

    def loops(self) -> list[dict[str, int | str]]:
        """The table of loops, as the kernel reads it from the flat image."""
        begin, end = self.header["loops_begin"], self.header["loops_end"]
        found: list[dict[str, int | str]] = []
        for (at,) in struct.iter_unpack("<Q", self.memory(begin, end - begin)):
            body, file, budget, period, deadline, _, _, number, _, kind, _ = DESCRIPTOR.unpack(
                self.memory(at, DESCRIPTOR.size)
            )
            name = self.memory(file, 200).split(b"\0")[0].decode()
            found.append(
                {
                    "id": number,
                    "body": body,
                    "file": name,
                    "budget": budget,
                    "period": period,
                    "deadline": deadline,
                    "periodic": kind,
                }
            )
        return found


Builder = Callable[..., Built]


def memory_of(elf: Path, begin: int, end: int) -> bytes:
    """What an ELF file puts into memory from one virtual address to another, inside one segment."""
    with elf.open("rb") as stream:
        for segment in ELFFile(stream).iter_segments("PT_LOAD"):
            if segment["p_vaddr"] <= begin <= end <= segment["p_vaddr"] + segment["p_filesz"]:
                data: bytes = segment.data()
                return data[begin - segment["p_vaddr"] : end - segment["p_vaddr"]]
    raise AssertionError(f"no segment of {elf} holds {begin:#x} to {end:#x}")


@pytest.fixture(scope="session")
def toolchains() -> dict[str, Toolchain]:
    boards = {board.name: board for board in BOARDS}
    return {name: prepare_board(boards[name]) for name in ("virt", "rpi3")}


@pytest.fixture(scope="session")
def read_program() -> Callable[[Path], tuple[list[str], bytes, int]]:
    """read_program(program): symbols that are missing, the sketch that it carries, where that lies."""

    def read(program: Path) -> tuple[list[str], bytes, int]:
        _, symbols, missing = read_elf(program)
        begin, end = symbols["hocket_sketch_begin"], symbols["hocket_sketch_end"]
        return missing, memory_of(program, begin, end), begin

    return read


@pytest.fixture(scope="session")
def header_printer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = tmp_path_factory.mktemp("header") / "print_header"
    source = Path(__file__).parent / "print_header.cpp"
    folders = [f"-I{ROOT}", f"-I{ROOT}/arduino/cores/aarch64"]
    command = ["clang++-19", "-std=c++20", *folders, str(source), "-o", str(program)]
    subprocess.run(command, check=True)
    return program


@pytest.fixture(scope="session")
def build(toolchains: dict[str, Toolchain], header_printer: Path) -> Builder:
    """build(path): the sketch there; build(text=…, name=…): one of that text."""

    def make(
        path: Path | None = None, text: str = "", name: str = "sketch", board: str = "virt"
    ) -> Built:
        if path is None:
            path = kept(name, text)
        chosen = next(b for b in BOARDS if b.name == board)
        image = build_sketch(find_sketch(str(path)), chosen, toolchains[board])
        elf = image.sketch_elf
        flat = elf.with_suffix(".flat")
        subprocess.run(["llvm-objcopy-19", "-O", "binary", str(elf), str(flat)], check=True)
        said = subprocess.run([header_printer, flat], check=True, capture_output=True, text=True)
        return Built(image.program, elf, *read_elf(elf), flat.read_bytes(), json.loads(said.stdout))

    return make


def read_elf(elf: Path) -> tuple[list[Segment], dict[str, int], list[str]]:
    """The segments, the addresses of the symbols, and the names of symbols that are missing."""
    with elf.open("rb") as stream:
        read = ELFFile(stream)
        segments = [
            Segment(
                segment["p_type"],
                segment["p_vaddr"],
                segment["p_vaddr"] + segment["p_memsz"],
                segment["p_vaddr"] + segment["p_filesz"],
                "".join(
                    letter
                    for bit, letter in ((4, "r"), (2, "w"), (1, "x"))
                    if segment["p_flags"] & bit
                ),
            )
            for segment in read.iter_segments()
        ]
        table = read.get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        symbols = [symbol for symbol in table.iter_symbols() if symbol.name]
        defined = {s.name: s["st_value"] for s in symbols if s["st_shndx"] != "SHN_UNDEF"}
        strong = [
            s.name
            for s in symbols
            if s["st_shndx"] == "SHN_UNDEF" and s["st_info"]["bind"] != "STB_WEAK"
        ]
    return segments, defined, strong
