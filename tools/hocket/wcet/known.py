"""What the code of a program alone does not tell: targets of pointers, bounds of loops, library facts."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from hocket.builder.indirect_calls import Calls, targets
from hocket.builder.pointed import Pointed
from hocket.wcet.avr8.state import State
from hocket.wcet.facts import Serial, fact_of, has_fact, longest_text, passes_text, rounds_of
from hocket.wcet.graph import Function, Loop
from hocket.wcet.image import Image
from hocket.wcet.longest import Fact
from hocket.wcet.processor import Instruction

# Returns how often a loop's back edge is taken at most, by the compiler.
Rounds = Callable[[Function, Loop], int | None]
_CPP = re.compile(r"_Z|hocket_")
_RATE = re.compile(r"hocket_serial_rate_(\d+)")


class ProgramFacts:
    """The knowledge of a program (longest.Known)."""

    def __init__(self, image: Image, rounds: Rounds) -> None:
        self._image = image
        self._program = image.program
        self._rounds = rounds
        self._targets: dict[int, Sequence[int] | None] = {}
        rates = [
            int(match[1]) for name in image.program.all_names() if (match := _RATE.fullmatch(name))
        ]
        self._serial = Serial(min(rates)) if rates else Serial()
        pointed = Pointed(self._program)
        self._calls: Calls = pointed.by()

    def name(self, function: int) -> str:
        return self._program.name(function)

    def has_fact(self, function: int) -> bool:
        return has_fact(self._program.names.get(function, ""))

    def longest_text(self, function: int, state: State) -> int | None:
        return longest_text(self.name(function), state)

    def passes_text(self, function: int) -> bool:
        return passes_text(self.name(function))

    def fact(self, function: int, state: State, text: int | None) -> Fact | None:
        return fact_of(self._program.names.get(function, ""), state, self._serial, text)

    def targets(self, one: Instruction) -> Sequence[int] | None:
        if one.at not in self._targets:
            self._targets[one.at] = targets(self._program, self._calls, one.at)
        return self._targets[one.at]

    def jumps(self, one: Instruction) -> Sequence[int]:
        """A function of C++ jumps to a function instead of calling it last. Those of the C library and of the
        compiler's jump elsewhere: longjmp(), tables of switches, the beginnings of qsort() and printf()."""
        owner = self._program.owner(one.at)
        return self.targets(one) or () if _CPP.match(owner) else ()

    def rounds(self, function: Function, loop: Loop, state: State) -> int | None:
        at = min(loop.heads)
        local = function.entry not in self._program.names
        known = rounds_of(self._program.owner(at), state, local, len(loop.blocks))
        return known if known is not None else self._rounds(function, loop)

    def at_most(self, function: Function, loop: Loop) -> tuple[int, int] | None:
        return None
