"""Measures images for the Uno from outside: cycles in the simulator, and bytes with their owners.

The program behind it is simulation/avr/measure.cpp.
"""

from __future__ import annotations

import bisect
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hocket.builder.board import prepare_avr_program
from hocket.builder.room import SECTIONS
from hocket.errors import EXIT_DEFECT, HocketError

CYCLES_PER_US = 16
_DOCTOR = "run: hocket doctor; if all is well there, this is a defect of Hocket"


@dataclass(frozen=True)
class Sample:
    """Cycles of one measurement, the program counter when the edge came, and whether interrupts were
    masked."""

    cycles: int
    pc: int = 0
    masked: bool = False


@dataclass(frozen=True)
class Measured:
    """The output of avr_measure, and all samples."""

    count: int
    least: int
    median: int
    mean: float
    most: int
    samples: tuple[Sample, ...]

    def histogram(self) -> dict[int, int]:
        """Returns how often each number of cycles was seen."""
        bins: dict[int, int] = {}
        for sample in self.samples:
            bins[sample.cycles] = bins.get(sample.cycles, 0) + 1
        return dict(sorted(bins.items()))


def responses(image: Path, count: int, seed: int, *, sparse: bool = False) -> Measured:
    """Measures cycles from a rising edge on pin 2 until pin 3 rises, for edges at random instants, 3,000 to
    7,000 cycles apart. sparse: 8,000 to 24,000."""
    return _measure(image, "sparse" if sparse else "response", str(count), str(seed))


def responses_during(image: Path, vector: int, count: int, seed: int) -> Measured:
    """As responses(), for edges that coincide with a timer's overflow interrupt, one for each interrupt."""
    return _measure(image, "during", str(vector), str(count), str(seed))


def pulses(image: Path, count: int) -> Measured:
    """Measures the cycles for which pin 3 is high."""
    return _measure(image, "pulse", str(count))


def writes(
    image: Path, port: str, count: int, seconds: int, hz: int = 16_000_000
) -> list[tuple[str, int]]:
    """Returns the image's writes to its ports B, C and D, as port and cycle, until it has written `count`
    times to `port`."""
    program = prepare_avr_program("avr_timing")
    command: list[str | Path] = [program, image, str(hz), str(seconds), port, str(count)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise HocketError("an image could not be measured", done.stderr.strip(), _DOCTOR, image)
    lines = (line.split() for line in done.stdout.splitlines())
    return [(name, int(cycle)) for name, cycle in lines]


def _measure(image: Path, *what: str) -> Measured:
    program = prepare_avr_program("avr_measure")
    with tempfile.TemporaryDirectory(prefix="hocket-measure-") as folder:
        file = Path(folder) / "samples"
        command: list[str | Path] = [program, image, *what, file]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise HocketError("an image could not be measured", done.stderr.strip(), _DOCTOR, image)
        lines = file.read_text(encoding="ascii").splitlines()
    count, least, median, mean, most = done.stdout.split()
    samples = tuple(_sample(line.split()) for line in lines)
    return Measured(int(count), int(least), int(median), float(mean), int(most), samples)


def _sample(words: list[str]) -> Sample:
    if len(words) == 1:
        return Sample(int(words[0]))
    return Sample(int(words[0]), int(words[1]), words[2] == "1")


@dataclass(frozen=True)
class Symbol:
    """A function or variable of an image. size: in bytes. kind: as nm prints it."""

    name: str
    kind: str
    address: int
    size: int


def symbols(image: Path) -> list[Symbol]:
    """Returns the image's symbols in order of their addresses. size 0: unknown."""
    found = []
    for line in _tool("avr-nm", "-nSC", image).splitlines():
        words = line.split(None, 3)
        if len(words) == 4 and len(words[1]) == len(words[0]) and len(words[2]) == 1:
            found.append(Symbol(words[3], words[2], int(words[0], 16), int(words[1], 16)))
        elif len(words) >= 3 and len(words[1]) == 1:
            name = " ".join(words[2:])
            found.append(Symbol(name, words[1], int(words[0], 16), 0))
    return found


def place(image: Path) -> Callable[[int], str]:
    """Returns a function that names what lies at an address of the flash.

    If a place has several names, the first one that is not weak is used. The linker's own names for the begin
    and the end of a section sort after that of a vector.
    """
    named: dict[int, Symbol] = {}
    for symbol in reversed([s for s in symbols(image) if s.kind in "tTwW"]):
        if symbol.kind in "tT" or symbol.address not in named:
            named[symbol.address] = symbol
    code = sorted(named.values(), key=lambda s: s.address)
    addresses = [s.address for s in code]

    def name(pc: int) -> str:
        index = bisect.bisect_right(addresses, pc) - 1
        return code[index].name if index >= 0 else "?"

    return name


def flash_and_ram(image: Path) -> tuple[int, int]:
    """Returns the bytes of flash, and of RAM for variables. main()'s stack takes the rest of the RAM."""
    rows = [line.split() for line in _tool("avr-size", "-A", image).splitlines()]
    taken = [(SECTIONS[row[0]], int(row[1])) for row in rows if row and row[0] in SECTIONS]
    flash, ram = (sum(size for where, size in taken if memory in where) for memory in "fr")
    return flash, ram


def _tool(*command: str | Path) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise HocketError(
            f"`{' '.join(map(str, command))}` failed",
            done.stderr.strip(),
            _DOCTOR,
            exit_code=EXIT_DEFECT,
        )
    return done.stdout
