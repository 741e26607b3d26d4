"""The processor as the search for the longest path sees it: decisions at branches, calls, and returns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hocket.wcet.avr8 import uses
from hocket.wcet.avr8.effects import Constant, Effect, effect
from hocket.wcet.avr8.state import State
from hocket.wcet.graph import Block, Function
from hocket.wcet.processor import Flow, Instruction

_EQUAL = 1  # the number of the flag Z
_COMPARING = ("cp", "cpc", "cpi")


@dataclass(frozen=True)
class Interface:
    """What calls of a function have to do with their callers. reads: the registers that matter to it.
    changes: those that it may change."""

    reads: int
    changes: int


ANY_FUNCTION = Interface(uses.ALL, uses.ALL)
BY_CONVENTION = Interface(sum(1 << r for r in range(18, 26)), uses.FREE)


class Machine:
    """An ATmega328P with a program. data, flash: read a byte that never changes."""

    def __init__(self, data: Constant, flash: Constant) -> None:
        self._data, self._flash = data, flash
        self._effects: dict[tuple[int, int], list[Effect]] = {}

    def effects(self, block: Block) -> list[Effect]:
        """Returns the effects of a block's instructions, without a jump or call at its end."""
        key = block.at, len(block.code)
        made = self._effects.get(key)
        if made is None:
            found = (
                effect(one, self._data, self._flash) for one in block.code if one.flow is Flow.NEXT
            )
            made = self._effects[key] = [each for each in found if each is not None]
        return made

    def decide(self, one: Instruction, state: State) -> bool | None:
        """Returns whether a branch is taken, or a skip skips. None: it is not known."""
        if one.flow is Flow.BRANCH:
            flag = state.flags[one.one]
            return None if flag is None else (flag == 1) == (one.name == "brbs")
        registers = state.registers
        if one.name == "cpse":
            first, second = registers[one.one], registers[one.two]
            return None if first is None or second is None else first == second
        if one.name in ("sbrc", "sbrs"):
            value = registers[one.one]
            return None if value is None else (value >> one.two & 1 == 1) == (one.name == "sbrs")
        return None

    def apart(self, one: State, other: State) -> bool:
        """Returns whether two states have different arguments of a call."""
        pairs = zip(one.registers[18:26], other.registers[18:26], strict=True)
        return any(a != b and a is not None and b is not None for a, b in pairs)

    def pointed(self, one: Instruction, state: State) -> int | None:
        """Returns the function that a computed call reaches, if it is known."""
        word = state.pair(30) if one.flow is Flow.COMPUTED_CALL else None
        return word * 2 if word else None

    def refine(self, block: Block, state: State, taken: bool) -> None:
        """Notes what follows from a branch: two values that were compared are equal on one way."""
        one = block.last
        if one.name == "cpse":
            if taken:
                _equal(state, one.one, one.two)
            return
        if one.flow is not Flow.BRANCH:
            return
        state.flags[one.one] = int(taken == (one.name == "brbs"))
        if one.one != _EQUAL or state.flags[_EQUAL] != 1:
            return
        for before in reversed(block.code[:-1]):
            if before.name == "cpi":
                state.registers[before.one] = before.value
            elif before.name in ("cp", "cpc"):
                _equal(state, before.one, before.two)
            elif before.name == "and" and before.one == before.two:
                state.registers[before.one] = 0
            if before.name != "cpc":
                break

    def interface(
        self, function: Function, of_call: Callable[[Instruction], Interface]
    ) -> Interface:
        """Returns the interface of a function. of_call: that of the functions that a call may reach."""
        by_block, changes = {}, 0
        for at, block in function.blocks.items():
            if block.last.flow in (Flow.CALL, Flow.COMPUTED_CALL):
                called = of_call(block.last)
                by_block[at] = called.reads, 0
                changes |= called.changes
        return Interface(uses.read_first(function, by_block), uses.changed(function, changes) | 3)

    def key(self, state: State, interface: Interface) -> tuple[int | None, ...]:
        """Returns what is known of the registers that matter to a function."""
        return tuple(
            value if interface.reads >> r & 1 else None for r, value in enumerate(state.registers)
        )

    def enter(self, key: tuple[int | None, ...], sp: int | None, function: Function) -> State:
        """Returns the state in which a function begins. sp: behind the return address."""
        state = State(sp)
        state.registers = list(key)
        state.registers[1] = 0
        state.escapes = uses.shows_frame(function)
        return state

    def leave(self, caller: State, called: State | None, interface: Interface) -> None:
        """Changes the state of a caller as a function leaves it. called: the state at the end of the
        function; None: by the convention."""
        if called is None:
            for r in range(32):
                if interface.changes >> r & 1:
                    caller.registers[r] = None
            caller.registers[1] = 0
            caller.flags = [None] * 8
            caller.stored_anywhere()
            return
        for r in range(32):
            if interface.changes >> r & 1:
                caller.registers[r] = called.registers[r]
        caller.flags = called.flags[:]
        if called.wild:
            caller.stored_anywhere()

    def widen(self, state: State, function: Function, blocks: frozenset[int]) -> None:
        """Forgets what the blocks of a loop may change."""
        for at in blocks:
            block = function.blocks[at]
            for one in block.code:
                written = uses.uses(one)[1]
                for r in range(32):
                    if written >> r & 1:
                        state.registers[r] = None
            if block.last.flow in (Flow.CALL, Flow.COMPUTED_CALL):
                for r in range(32):
                    if uses.FREE >> r & 1 and r != 1:
                        state.registers[r] = None
        state.flags = [None] * 8
        state.frame.clear()


def _equal(state: State, one: int, two: int) -> None:
    registers = state.registers
    if registers[one] is None:
        registers[one] = registers[two]
    elif registers[two] is None:
        registers[two] = registers[one]
