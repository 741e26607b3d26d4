"""Bounds of the parts of a sketch: its loops, handlers and setup()."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from hocket.builder import Image as Built
from hocket.builder.pointed import Pointed
from hocket.builder.stack_depth import Program
from hocket.errors import HocketError
from hocket.wcet.avr8.machine import Machine
from hocket.wcet.evolution import Evolution, loops_of_build
from hocket.wcet.image import Image
from hocket.wcet.known import ProgramFacts
from hocket.wcet.lines import Line
from hocket.wcet.longest import Longest
from hocket.wcet.point import Result, Unknown

_LOOP = re.compile(r"_Z\d+hocket_loop_(\d+)v")


@dataclass(frozen=True)
class Part:
    """A function of the sketch that is called from outside. name: what the sketch calls it."""

    name: str
    address: int
    loop: int | None = None


@dataclass
class Bound:
    """The bound of one call of a part, in cycles: its work, and what waits and payments for others take from
    a budget besides. unknown: why there is none. by_line: where the cycles of the longest way are."""

    part: Part
    work: int
    charged: int
    waits: int
    unknown: tuple[Unknown, ...] = ()
    by_line: Counter[Line | None] = field(default_factory=Counter)
    # The longest call that a simulated run had, and how many it had; None: no run.
    seen: int | None = None
    calls: int | None = None

    @property
    def cycles(self) -> int | None:
        return None if self.unknown else self.work + self.charged

    @property
    def ratio(self) -> float | None:
        return None if self.unknown or not self.seen else self.work / self.seen


@dataclass(frozen=True)
class Bounds:
    """The bounds of a sketch. loops: how many loops of the code were met, and how many of them have a
    bound."""

    parts: list[Bound]
    loops: int
    bounded: int
    places: dict[int, Line | None]


def bounds_of(built: Built, of_a_wait: int) -> Bounds:
    """Returns the bounds of a built sketch. of_a_wait: the cycles of a wake-up."""
    memory = built.toolchain.memory
    assert memory is not None
    image = Image(Program(built.sketch_elf, memory.symbols))
    if image.stripped:
        raise HocketError(
            "the program has no debug information, so its loops have no lines",
            "the options of the sketch or of a library remove it (-g0, -s)",
            "remove these options",
        )
    evolution = Evolution(image, lambda: loops_of_build(built))
    known = ProgramFacts(image, evolution.rounds)
    longest = Longest(image, Machine(image.data, image.flash), known, of_a_wait)
    found = [
        _bound(longest, image, part, built.sketch.folder)
        for part in parts_of(image, built.sketch.folder)
    ]
    places = {u.at: image.line(u.at) for bound in found for u in bound.unknown}
    count, without = len(longest.loops), len(longest.unbounded)
    return Bounds(found, count, count - without, places)


def parts_of(image: Image, folder: Path) -> list[Part]:
    """Returns the parts of a sketch, in the order in which they are shown."""
    program = image.program
    parts = [Part("setup()", at) for at in program.named("setup")]
    for at in program.named(_LOOP.pattern):
        match = _LOOP.fullmatch(program.name(at))
        if match:
            parts.append(Part(f"loop {match[1]}", at, int(match[1])))
    parts += [Part("loop()", at, 0) for at in program.named("loop")]
    parts = sorted(parts, key=lambda part: -1 if part.loop is None else part.loop)
    return parts + list(_handlers(image, folder))


def _handlers(image: Image, folder: Path) -> Iterator[Part]:
    program = image.program
    for at in Pointed(program).handlers:
        if not program.name(at).startswith("_ZN12_GLOBAL__N_14call"):
            yield Part(f"{_plain(program.name(at))}()", at)
    for number, at in program.vectors():
        line = image.line(at)
        if line is not None and _is_own(line, folder):
            yield Part(f"ISR({program.chip.vectors[number].split()[0]})", at)


def _plain(symbol: str) -> str:
    match = re.match(r"_Z(?:L)?(\d+)", symbol)
    if match is None:
        return symbol
    begin = match.end()
    return symbol[begin : begin + int(match[1])]


def _bound(longest: Longest, image: Image, part: Part, folder: Path) -> Bound:
    result = longest.of(part.address)
    unknown = tuple(sorted(result.unknown, key=lambda u: (u.at, u.kind)))

    def own_line(at: int) -> Line | None:
        line = image.line(at)
        return line if line is not None and _is_own(line, folder) else None

    lines = by_line(result, own_line, {})
    return Bound(part, result.cycles - result.charged, result.charged, result.waits, unknown, lines)


def _is_own(line: Line, folder: Path) -> bool:
    return (folder / Path(line[0]).name).exists()


def by_line(
    result: Result, own_line: Callable[[int], Line | None], known: dict[int, Counter[Line | None]]
) -> Counter[Line | None]:
    """Returns the cycles of the longest way by the sketch's lines. A line has what it calls elsewhere, too.
    own_line: the sketch's line of an instruction. None: no line of the sketch."""
    found = known.get(id(result))
    if found is not None:
        return found
    found = known[id(result)] = Counter()
    blocks, calls = result.steps
    for at, cycles in blocks.items():
        found[own_line(at)] += cycles
    for at, call, times in calls:
        inner = by_line(call, own_line, known) if call.way is not None else {None: call.cycles}
        for line, cycles in inner.items():
            found[line if line is not None else own_line(at)] += cycles * times
    return found
