"""Computes the stack depth below a function of a linked program for an AVR from its code.

Every path through a function is followed, with the bytes that are pushed, the size of a frame, and the needs
of calls (static analysis of stacks by abstract interpretation: Regehr, Reid, Webb, *Eliminating Stack
Overflow by Abstract Interpretation*, EMSOFT 2003). Interrupt handlers are analysed as ordinary functions.
Labels in ports/avr8/switch.S mark where the kernel continues on main()'s stack. pointed.py knows the targets
of indirect calls. Recursion and computed sizes (alloca) cannot be derived from a program. They are left out
of the depth and reported as unknown.

Instructions: AVR Instruction Set Manual (Atmel 0856). A call pushes two bytes, or three
where the flash has more than 128 KiB, and so does an interrupt.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from hocket.avr_chips import ATMEGA328P, Chip
from hocket.builder.compile import run
from hocket.builder.indirect_calls import UNKNOWN, Calls, targets
from hocket.intel_hex import flash_contents

_ENTRY = 2  # bytes of an entry of a table of virtual functions
_SPL, _SPH = 0x3D, 0x3E
_Y, _Z = 28, 30
_SEI, _CLI = 0x9478, 0x94F8
_INDIRECT_CALLS = (0x9509, 0x9519)  # icall, eicall
_INDIRECT = (*_INDIRECT_CALLS, 0x9409, 0x9419)  # and ijmp, eijmp
_IN_STATUS, _OUT_STATUS = 0xB60F, 0xBE0F  # with r0
# Labels, not functions (ports/avr8/switch.S).
_OWN_STACK, _IDLE = "hocket_own_stack_", "hocket_end_in_idle"
_WORK, _CLOSE, _SWITCH = "hocket_work", "hocket_close", "hocket_switch"
UNMASKS = "unmasks interrupts"
COMPUTED = "a size that is computed (alloca)"
POINTER = "a call through a pointer"


class On(Enum):
    """The stack whose depth is computed, and the code that uses it."""

    LOOP = "a loop's, by its calls"
    INTERRUPT = "a loop's, by an interrupt"
    MAIN = "main()'s"


@dataclass(frozen=True)
class Depth:
    """bytes: what a call of the function needs, without its return address. chain: the calls to the deepest
    place, beginning with the function itself, each with its own bytes there. unknown: what the bytes do not
    include."""

    bytes: int
    chain: tuple[tuple[str, int], ...]
    unknown: frozenset[str] = frozenset()


class Program:
    """A linked program. symbols: the command that lists symbols (nm)."""

    def __init__(self, program: Path, symbols: str, chip: Chip = ATMEGA328P) -> None:
        self.path = program
        self.chip = chip
        self.address_bytes = chip.return_bytes
        self._flash = bytearray(max(chip.flash, 0x10000) + 4)
        for address, content in flash_contents(program):
            self._flash[address : address + len(content)] = content
        self.names: dict[int, str] = {}
        self.labels: dict[int, str] = {}
        self._addresses: dict[str, int] = {}
        tables: list[tuple[int, int]] = []
        data = end = 0
        for line in run([symbols, str(program)]).stdout.splitlines():
            match = re.match(r"([0-9a-f]{8}) (\w) (\S+)$", line)
            if not match:
                continue
            address, kind, name = int(match[1], 16), match[2], match[3]
            data = address if name == "__data_load_start" else data
            end = address & 0xFFFF if name == "__data_end" else end
            if kind in "tTwW" and address < max(chip.flash, 0x10000):
                self._addresses[name] = address
                if name.startswith(_OWN_STACK):
                    self.labels[address] = name
                elif (
                    not name.startswith(".") and address % 2 == 0
                ):  # odd: a number, such as __stack
                    self.names.setdefault(address, name)
        for line in run([symbols, "-S", str(program)]).stdout.splitlines():
            match = re.match(r"00(8\w{5}) (\w{8}) \w (_ZT[VC]\S+)$", line)
            if match:
                tables.append((int(match[1], 16) & 0xFFFF, int(match[2], 16)))
        # Where the initial values of data are in the flash, and the end of that data in memory.
        self.data_load, self.data_end = data, end
        # The addresses to which objects with virtual functions point (Itanium C++ ABI, 2.5.2).
        self.table_starts = {at + 2 * _ENTRY for at, _ in tables}
        self._tables = [part for at, size in tables for part in self._table(data, at, size)]
        self._starts = sorted({*self.names, *self.labels})
        self._functions = sorted(self.names)

    def address(self, name: str) -> int | None:
        return self._addresses.get(name)

    def all_names(self) -> Iterable[str]:
        """Returns all symbols of code and of numbers that the linker knows."""
        return self._addresses

    def named(self, pattern: str) -> list[int]:
        """Returns the functions whose whole name matches the pattern."""
        return sorted({at for name, at in self._addresses.items() if re.fullmatch(pattern, name)})

    def name(self, function: int) -> str:
        return self.names.get(function, f"{function:#x}")

    def owner(self, at: int) -> str:
        """Returns the name of the function that contains this instruction."""
        place = bisect_right(self._functions, at) - 1
        return self.names[self._functions[place]] if place >= 0 else ""

    def next_label(self, at: int) -> tuple[int, str]:
        """Returns the next label after this instruction, if no other function begins before it, else (0,
        "")."""
        place = bisect_right(self._starts, at)
        address = self._starts[place] if place < len(self._starts) else 0
        return (address, self.labels[address]) if address in self.labels else (0, "")

    def vectors(self) -> Iterator[tuple[int, int]]:
        """Yields the number and the handler of each interrupt that has one."""
        unhandled = self.address("__bad_interrupt")
        for number in range(1, len(self.chip.vectors)):
            to = self._leads_to(number * 4)
            if to not in (0, unhandled, self._leads_to(unhandled) if unhandled else None):
                yield number, to

    def _leads_to(self, at: int) -> int:
        word = self.word(at)
        if word & 0xFE0E == 0x940C:
            return (self.word(at + 2) | _high(word)) * 2
        return self.wrapped(at + 2 + _signed(word, 12) * 2) if word & 0xF000 == 0xC000 else at

    def _table(self, data: int, at: int, size: int) -> Iterator[list[int]]:
        """Yields the functions of a class's table, and those of the tables of its further bases within it
        (Itanium C++ ABI, 2.5.2). Each table begins with distances to bases, with the distance to the object's
        beginning (0 or less), and with a 0 for the type information that -fno-rtti leaves out."""
        begin = data + at - self.chip.data_begin
        words = [
            int.from_bytes(self._flash[place : place + 2], "little")
            for place in range(begin, begin + size, 2)
        ]
        starts = [
            place + 2
            for place in range(len(words) - 1)
            if (words[place] == 0 or words[place] & 0x8000) and words[place + 1] == 0
        ]
        for start, end in zip(
            starts, [*(start - 2 for start in starts[1:]), len(words)], strict=True
        ):
            listed = words[start:end]
            yield [word * 2 if word * 2 in self.names else 0 for word in listed]

    def wrapped(self, at: int) -> int:
        """Returns where a relative jump leads that passes the end of the flash."""
        return at & max(self.chip.flash, 0x10000) - 1

    def depth(self, function: int) -> Depth:
        """Returns the depth of a function on a loop's stack, without knowledge of its indirect calls."""
        return Depths(self, On.LOOP).depth(function)

    def word(self, at: int) -> int:
        return self._flash[at] | self._flash[at + 1] << 8

    def all_virtual(self) -> set[int]:
        return {function for table in self._tables for function in table} - {0}

    def virtual(self, slot: int) -> list[int]:
        """Returns the functions that a call of this entry of a virtual table may reach, in any class."""
        return sorted({table[slot] for table in self._tables if slot < len(table) and table[slot]})


class Depths:
    """The stack depths of a program's functions. never: functions that are not called."""

    def __init__(
        self,
        program: Program,
        on: On,
        calls: Calls = UNKNOWN,
        never: Collection[int] = (),
    ) -> None:
        self.program = program
        self.on = on
        self.calls = calls
        self.never = never
        self.reached: set[int] = set()  # the functions that have been walked through until now
        self._found: dict[int, Depth] = {}
        self._open: list[int] = []

    def depth(self, function: int) -> Depth:
        """Returns the depth of the function at this address."""
        known = self._found.get(function)
        if known is not None:
            return known
        if function in self._open:
            return Depth(0, (), frozenset({self._recursion(function)}))
        self._open.append(function)
        found = _Walk(self, function).depth(self.program.name(function))
        self._open.pop()
        # A depth that was cut short because a caller is still open holds for that caller only.
        if not any(self._recursion(caller) in found.unknown for caller in self._open):
            self._found[function] = found
        return found

    def _recursion(self, function: int) -> str:
        return f"{self.program.name(function)} calls itself"

    def passed_over(self, caller: str, function: int) -> bool:
        """Returns whether a call in the code is never made on this stack. An interrupt handler does not
        switch at the end of a critical section, because interrupts were masked before it. On main()'s stack a
        switch is only recorded, and its critical section is inside another."""
        name = self.program.names.get(function)
        if function in self.never or (self.on is On.MAIN and name == _SWITCH):
            return True
        return self.on is not On.LOOP and caller == _CLOSE and name == _WORK


@dataclass(frozen=True)
class _State:
    """State relative to the function's entry. depth: bytes pushed. frame: the same for where Y points (None:
    elsewhere). low: the lower half of what is being subtracted from Y. top, top_low: the same as frame and
    low, for Z while it holds the stack pointer."""

    depth: int
    frame: int | None = None
    low: int | None = None
    top: int | None = None
    top_low: int | None = None


class _Walk:
    """All paths through one function, including tail calls by jumps."""

    def __init__(self, depths: Depths, function: int) -> None:
        self._depths = depths
        self._program = depths.program
        self._function = function
        self._seen: dict[int, int] = {}
        self._most = 0
        self._own = 0
        self._below: Depth | None = None
        self._unknown: set[str] = set()

    def depth(self, name: str) -> Depth:
        waiting = [(self._function, _State(0))]
        while waiting:
            at, state = waiting.pop()
            if at == 0 or self._seen.get(at, -1) >= state.depth:
                continue
            if self._program.names.get(at) == _IDLE or at in self._depths.never:
                continue
            self._seen[at] = state.depth
            if at in self._program.names:
                self._depths.reached.add(at)
            self._reach(state.depth)
            waiting += self._step(at, state)
        below = self._below.chain if self._below is not None else ()
        return Depth(self._most, ((name, self._own), *below), frozenset(self._unknown))

    def _reach(self, depth: int, below: Depth | None = None) -> None:
        total = depth + (below.bytes if below is not None else 0)
        if below is not None:
            self._unknown |= below.unknown
        if total > self._most:
            self._most, self._own, self._below = total, depth, below

    def _call(self, at: int, depth: int, function: int) -> None:
        if function == 0:  # a weak function that is not linked: the call is never reached
            return
        if self._depths.passed_over(self._program.owner(at), function):
            return
        self._reach(depth + self._program.address_bytes, self._depths.depth(function))

    def _step(self, at: int, state: _State) -> Iterator[tuple[int, _State]]:
        """Yields the instructions that may follow the one at this address, with their states."""
        word = self._program.word(at)
        next_ = at + (4 if _long(word) else 2)
        depth = state.depth
        if word in (0x9508, 0x9518):  # ret, reti
            return
        if word & 0xFE0E in (0x940C, 0x940E):  # jmp, call
            target = (self._program.word(at + 2) | _high(word)) * 2
            if word & 2 == 0:
                yield target, state
                return
            self._call(at, depth, target)
            if next_ not in self._program.names:  # else the called function does not return
                yield next_, state
        elif word & 0xE000 == 0xC000:  # rjmp, rcall
            target = self._program.wrapped(next_ + _signed(word, 12) * 2)
            if word & 0x1000 == 0:
                yield target, state
            elif target == next_:  # reserves the bytes of an address
                yield next_, _State(depth + self._program.address_bytes, state.frame)
            else:
                self._call(at, depth, target)
                if next_ not in self._program.names:
                    yield next_, state
        elif word in _INDIRECT:
            calls = word in _INDIRECT_CALLS
            self._through_pointer(at, depth + (self._program.address_bytes if calls else 0))
            if calls:
                yield next_, state
        elif word & 0xF800 == 0xF000:  # branches
            yield next_, state
            yield self._program.wrapped(next_ + _signed(word >> 3, 7) * 2), state
        elif _skips(word):
            yield next_, state
            yield next_ + (4 if _long(self._program.word(next_)) else 2), state
        else:
            if word == _SEI and self._program.owner(at) != _WORK:  # _WORK unmasks on main()'s stack
                self._unknown.add(UNMASKS)
            behind = self._changed(word, state)
            if behind is not None:
                yield next_, behind
            else:
                yield from self._back(at, depth)

    def _back(self, at: int, depth: int) -> Iterator[tuple[int, _State]]:
        """Another stack is used from here on: yields the place where the code returns to this one."""
        label, name = self._program.next_label(at)
        if name.startswith(_OWN_STACK):
            yield label, _State(depth)

    def _changed(self, word: int, state: _State) -> _State | None:
        """Returns the state after an instruction without jumps. None: another stack is used from here on."""
        depth, frame = state.depth, state.frame
        moved = self._moved_by_z(word, state)
        if moved is not None:
            return moved
        if word & 0xFE0F == 0x920F:  # push
            return _State(depth + 1, frame)
        if word & 0xFE0F == 0x900F:  # pop
            lost = word >> 4 & 0x1F in (_Y, _Y + 1)
            return _State(depth - 1, None if lost else frame)
        if word & 0xF800 == 0xB000 and _port(word) == _SPL:  # in
            return _State(depth, depth if word >> 4 & 0x1F == _Y else frame)
        if word & 0xF800 == 0xB800 and _port(word) in (_SPL, _SPH):  # out
            if word >> 4 & 0x1F not in (_Y, _Y + 1):
                if frame is None:
                    return None
                self._unknown.add(COMPUTED)
                return state
            whole = _port(word) == _SPL and frame is not None
            return _State(frame if whole and frame is not None else depth, frame)
        if frame is not None:
            constant = (word >> 4 & 0xF0) | (word & 0xF)
            if word & 0xFE30 == 0x9620:  # adiw, sbiw of Y
                amount = (word >> 2 & 0x30) | (word & 0xF)
                return _State(depth, frame + (amount if word & 0x100 else -amount))
            if word & 0xF0F0 == 0x50C0:  # subi of YL
                return _State(depth, frame, constant)
            if word & 0xF0F0 == 0x40D0 and state.low is not None:  # sbci of YH
                taken = constant << 8 | state.low
                return _State(depth, frame + (taken - 0x10000 if taken & 0x8000 else taken))
        return _State(depth, frame, state.low)

    def _moved_by_z(self, word: int, state: _State) -> _State | None:
        """Returns the state after one of the instructions, all in a row, by which a function without a frame
        reserves space for a call's arguments and releases it. None: another instruction."""
        register = word >> 4 & 0x1F
        if word & 0xF800 == 0xB000 and _port(word) == _SPL and register == _Z:
            return replace(state, top=state.depth)
        if state.top is None:
            return None
        constant = (word >> 4 & 0xF0) | (word & 0xF)
        if word & 0xFE30 == 0x9630:  # adiw, sbiw of Z
            amount = (word >> 2 & 0x30) | (word & 0xF)
            return replace(state, top=state.top + (amount if word & 0x100 else -amount))
        if word & 0xF0F0 == 0x50E0:  # subi of ZL
            return replace(state, top_low=constant)
        if word & 0xF0F0 == 0x40F0 and state.top_low is not None:  # sbci of ZH
            taken = constant << 8 | state.top_low
            return replace(state, top=state.top + (taken - 0x10000 if taken & 0x8000 else taken))
        if word & 0xF800 == 0xB800 and _port(word) == _SPL and register == _Z:
            return _State(state.top, state.frame, state.low)
        halves = (word & 0xF800 == 0xB000, word & 0xF800 == 0xB800)  # in, out of the upper half
        if word in (_CLI, _IN_STATUS, _OUT_STATUS) or (
            any(halves) and _port(word) == _SPH and register == _Z + 1
        ):
            return state
        return None

    def _through_pointer(self, at: int, depth: int) -> None:
        functions = targets(self._program, self._depths.calls, at)
        if functions is None:
            self._unknown.add(POINTER)
        for function in functions or ():
            self._reach(depth, self._depths.depth(function))


def _high(word: int) -> int:
    """Returns the upper bits of the target of a jmp or call, which the second word continues."""
    return ((word >> 3 & 0x3E) | (word & 1)) << 16


def _long(word: int) -> bool:
    """Returns whether the instruction has two words (jmp, call, lds, sts)."""
    return word & 0xFE0C == 0x940C or word & 0xFC0F == 0x9000


def _skips(word: int) -> bool:
    """Returns whether the instruction may skip the next: cpse, sbrc, sbrs, sbic, sbis."""
    return word & 0xFC00 == 0x1000 or word & 0xFC08 == 0xFC00 or word & 0xFD00 == 0x9900


def _port(word: int) -> int:
    return (word >> 5 & 0x30) | (word & 0xF)


def _signed(bits: int, width: int) -> int:
    value = bits & (1 << width) - 1
    return value - (1 << width) if value >> width - 1 else value
