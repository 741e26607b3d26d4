"""E16: from the interrupt's vector to its handler: instructions and cache lines, counted by a trace (THIN).

QEMU writes down the address of each instruction that the kernel executes, and of the handlers' first ones, in
a run with edges of a pin. The path of an edge begins at the vector of the real-time level (FIQ) and ends at
the handler's first instruction, which is not counted. A line is 32 bytes of code, as on the PXA270 of the
paper. With Linux's side (on_linux.py) also for the kernel at EL3, which has Linux below it.
"""

from __future__ import annotations

import re
import statistics
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from hocket.bench import Context, Result
from hocket.boards import find_board
from hocket.builder import build_sketch
from hocket.emulator import with_words
from hocket.errors import HocketError
from hocket.plots import ranges
from hocket.sketch.folder import find_sketch

BOARD = "virt"
SIZES = {BOARD: None}
LINE = 32
# Of the vectors: a FIQ out of the kernel, and out of a sketch (DDI 0487, D1.3.1).
FROM_KERNEL, FROM_SKETCH = 0x300, 0x500
KERNEL = (0xFFFF_FF80_0000_0000, 0x7F_FFFF_0000)
SKETCH_TEXT = 16  # bytes of a handler that are traced
PIN = "parts:\n  edges: {type: generator, pin: 2, frequency: 500 Hz, start: 3.0005 ms}\n"
DURATION = "24ms"  # ten edges
# Table 1 of the paper: from the entry to the handler, both on an Intel PXA270 (XScale, ARMv5TE).
PEERS = {"THIN": (37, 6), "RTAI": (356, 46)}


@dataclass(frozen=True)
class Path16:
    """The path of the edges that interrupted a loop: instructions (least, median, most) and lines of code
    (most)."""

    name: str
    instructions: tuple[int, int, int]
    lines: int
    edges: int


def run(context: Context) -> Result:
    paths = measure(context)
    rows: list[list[str | int | float | None]] = [
        [path.name, *path.instructions, path.lines, path.edges] for path in paths
    ]
    for peer, (instructions, lines) in PEERS.items():
        rows.append([f"paper, {peer}: to the handler", "–", instructions, "–", lines, "–"])
    return Result(
        "E16 distribution-path: from the vector to the handler (board virt, a trace of the processor)",
        ("path", "least", "median", "most", "lines of 32 bytes", "edges"),
        rows,
        [
            f"board {BOARD}, 1 core, seed {context.seed}; counted in a trace of each instruction: no time",
            "begins with the vector's first instruction, out of a loop at EL0 or out of Debian; the "
            "handler's first one is the end, and not counted; lines of code that the path touches",
            "to the top half: where a driver's own handler in the kernel begins, which is what the paper "
            "counts of THIN and of RTAI, both on a PXA270 (ARMv5TE, lines of 32 bytes). Their handlers are "
            "the kernel's, without protection",
            "a direct handler is the sketch's code at EL0: 31 registers of who was interrupted are kept and "
            "cleared, and its length and distance are checked",
            "a handler on its own virtual CPU: with the bottom half, two servers and a decision",
        ],
        lambda figure: _plot(figure, paths),
    )


def _plot(figure: Any, paths: list[Path16]) -> None:
    rows = {path.name: {"Hocket, virt": path.instructions} for path in paths}
    for peer, (count, _) in PEERS.items():
        rows[f"{peer}: to the handler"] = {"the paper, PXA270": (count, count, count)}
    title = "E16: from the vector to the handler (virt): least, median, most"
    ranges(figure, title, rows, "instructions")


def measure(context: Context) -> list[Path16]:
    """To the top half, to a direct handler, and to a handler on its own virtual CPU; with Linux's side the
    same at EL3."""

    def trace(sketch: str, kernel: tuple[int, int] = KERNEL, beside: str | None = None) -> Trace:
        return _trace(context, sketch, kernel, beside)

    paths = _three(trace("own"), trace("direct"))
    above = context.on_linux()
    return paths if above is None else paths + above.paths(trace, _three)


def _three(own: Trace, direct: Trace, words: str = "") -> list[Path16]:
    return [
        _path(f"{words}to the top half", own, own.symbol("on_blockEPv")),
        _path(f"{words}to a direct handler at EL0", direct, direct.handler),
        _path(f"{words}to a handler at EL0 on a virtual CPU of its own", own, own.handler),
    ]


@dataclass(frozen=True)
class Trace:
    """Addresses in the order in which they were executed, the kernel's symbols, the handler's address."""

    addresses: list[int]
    symbols: dict[str, int]
    handler: int

    def symbol(self, name: str) -> int:
        found = [address for known, address in self.symbols.items() if known.endswith(name)]
        if len(found) != 1:
            raise HocketError(f"the kernel has {len(found)} symbols that end with {name}")
        return found[0]


def _trace(context: Context, sketch: str, kernel: tuple[int, int], beside: str | None) -> Trace:
    folder = context.folder / sketch
    image = build_sketch(find_sketch(str(folder)), find_board(BOARD))
    handler = next(
        address
        for name, address in _symbols(image.sketch_elf).items()
        if name.startswith("_Z4seenv")
    )
    with tempfile.TemporaryDirectory(prefix="hocket-trace-") as name:
        log = Path(name) / "trace"
        ranges = (kernel, (handler, SKETCH_TEXT))
        where = ",".join(f"{at:#x}+{size:#x}" for at, size in ranges)
        words = ["-singlestep", "-d", "exec,nochain", "-dfilter", where, "-D", log]
        with with_words(Path(name), words):  # one instruction at a time is written down
            context.run_sketch(sketch, duration=DURATION, scenario_text=PIN, beside=beside)
        addresses = list(_addresses(log))
    program = image.program_for(1) if beside is None else image.beside_for(1).with_suffix("")
    return Trace(addresses, _symbols(program), handler)


def _addresses(log: Path) -> Iterator[int]:
    """Where the clock counts instructions, an access to a device is begun anew, and so written twice: no
    instruction of these paths goes to itself."""
    before = None
    for address in _written(log):
        if address != before:
            yield address
        before = address


def _written(log: Path) -> Iterator[int]:
    pattern = re.compile(rb"\[[0-9a-f]+/([0-9a-f]+)/")
    with log.open("rb") as file:
        for line in file:
            found = pattern.search(line)
            if found:
                yield int(found.group(1), 16)


def _symbols(program: Path) -> dict[str, int]:
    with program.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        return {symbol.name: symbol["st_value"] for symbol in table.iter_symbols() if symbol.name}


def _path(name: str, trace: Trace, end: int) -> Path16:
    """Of all paths that begin at the vector, out of a sketch, and come to `end` before another one begins."""
    vectors = trace.symbol("hocket_vectors")
    begins = {vectors + FROM_KERNEL, vectors + FROM_SKETCH}
    counts, lines = [], []
    begin: int | None = None
    for place, address in enumerate(trace.addresses):
        if address in begins:
            begin = place if address == vectors + FROM_SKETCH else None
        elif address == end and begin is not None:
            path = trace.addresses[begin:place]
            counts.append(len(path))
            lines.append(len({each // LINE for each in path}))
            begin = None
    if not counts:
        raise HocketError(f"{name}: the trace has no such path")
    return Path16(
        name, (min(counts), statistics.median_low(counts), max(counts)), max(lines), len(counts)
    )
