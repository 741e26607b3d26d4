"""How deep the stack gets below a function of a linked program for the ATmega328P, read from its code.

Every way through a function is followed, with what is pushed, what a frame takes and what calls need (static
analysis of stacks by abstract interpretation: Regehr, Reid, Webb, *Eliminating Stack Overflow by Abstract
Interpretation*, EMSOFT 2003). What a program does not say is left out and told: recursion, a size that is
computed (alloca), a call through a pointer that is in no class's table of virtual functions.

Instructions: AVR Instruction Set Manual (Atmel 0856). A call pushes two bytes, an interrupt too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hocket.builder.compile import run
from hocket.intel_hex import flash_contents

_ADDRESS = 2  # bytes of a return address
_SPL, _SPH = 0x3D, 0x3E
_Y, _Z = 28, 30
# How many instructions before a call through Z its pointer is loaded at most.
_LOADED_WITHIN = 8


@dataclass(frozen=True)
class Depth:
    """bytes: that a call of the function needs, its return address not counted. chain: by which calls, the
    function itself first, each with what it takes itself there. unknown: what the bytes do not hold."""

    bytes: int
    chain: tuple[tuple[str, int], ...]
    unknown: frozenset[str] = frozenset()


class Program:
    """A linked program. symbols: the command that lists symbols (nm)."""

    def __init__(self, program: Path, symbols: str) -> None:
        self._flash = bytearray(0x10000)
        for address, content in flash_contents(program):
            self._flash[address : address + len(content)] = content
        self.names: dict[int, str] = {}
        self._addresses: dict[str, int] = {}
        tables: list[tuple[int, int]] = []
        data = 0
        for line in run([symbols, str(program)]).stdout.splitlines():
            match = re.match(r"([0-9a-f]{8}) (\w) (\S+)$", line)
            if not match:
                continue
            address, kind, name = int(match[1], 16), match[2], match[3]
            data = address if name == "__data_load_start" else data
            if kind in "tTwW" and address < 0x10000:
                self._addresses[name] = address
                if not name.startswith("."):
                    self.names.setdefault(address, name)
        for line in run([symbols, "-S", str(program)]).stdout.splitlines():
            match = re.match(r"00(8\w{5}) (\w{8}) \w (_ZTV\S+)$", line)
            if match:
                tables.append((int(match[1], 16) & 0xFFFF, int(match[2], 16)))
        self._tables = [list(self._table(data, at, size)) for at, size in tables]
        self._found: dict[int, Depth] = {}
        self._open: list[int] = []

    def address(self, name: str) -> int | None:
        return self._addresses.get(name)

    def _table(self, data: int, at: int, size: int) -> Iterator[int]:
        """The functions of a class's table, behind its first two words (Itanium C++ ABI, 2.5.2)."""
        begin = data + at - 0x100
        for place in range(begin + 4, begin + size, 2):
            yield int.from_bytes(self._flash[place : place + 2], "little") * 2

    def depth(self, function: int) -> Depth:
        """Of a function, by its address."""
        known = self._found.get(function)
        if known is not None:
            return known
        if function in self._open:
            return Depth(0, (), frozenset({self._recursion(function)}))
        self._open.append(function)
        found = _Walk(self, function).depth(self._name(function))
        self._open.pop()
        # What was cut short because a caller is open is true for that caller only.
        if not any(self._recursion(caller) in found.unknown for caller in self._open):
            self._found[function] = found
        return found

    def _name(self, function: int) -> str:
        return self.names.get(function, f"{function:#x}")

    def _recursion(self, function: int) -> str:
        return f"{self._name(function)} calls itself"

    def word(self, at: int) -> int:
        return self._flash[at] | self._flash[at + 1] << 8

    def virtual(self, slot: int) -> list[int]:
        """The functions that a call of this entry of a class's table may mean: in any class."""
        return sorted({table[slot] for table in self._tables if slot < len(table) and table[slot]})


@dataclass(frozen=True)
class _State:
    """Behind the function's entry: bytes pushed, the same for where Y points (None: elsewhere), and the low
    half of what is being taken from Y."""

    depth: int
    frame: int | None = None
    low: int | None = None


class _Walk:
    """All ways through one function, tails that it jumps to included."""

    def __init__(self, program: Program, function: int) -> None:
        self._program = program
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
            self._seen[at] = state.depth
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

    def _call(self, depth: int, function: int) -> None:
        if function == 0:  # a weak function that is not there: such a call is never reached
            return
        self._reach(depth + _ADDRESS, self._program.depth(function))

    def _step(self, at: int, state: _State) -> Iterator[tuple[int, _State]]:
        """What may come behind the instruction at this address."""
        word = self._program.word(at)
        next_ = at + (4 if _long(word) else 2)
        depth = state.depth
        if word in (0x9508, 0x9518):  # ret, reti
            return
        if word & 0xFE0E in (0x940C, 0x940E):  # jmp, call
            target = (self._program.word(at + 2) | (word & 1) << 16) * 2
            if word & 2 == 0:
                yield target, state
                return
            self._call(depth, target)
            if next_ not in self._program.names:  # else it is one that does not return
                yield next_, state
        elif word & 0xE000 == 0xC000:  # rjmp, rcall
            target = (next_ + _signed(word, 12) * 2) & 0xFFFF
            if word & 0x1000 == 0:
                yield target, state
            elif target == next_:  # room for two bytes
                yield next_, _State(depth + _ADDRESS, state.frame)
            else:
                self._call(depth, target)
                if next_ not in self._program.names:
                    yield next_, state
        elif word in (0x9509, 0x9409):  # icall, ijmp
            self._through_pointer(at, depth + (_ADDRESS if word == 0x9509 else 0))
            if word == 0x9509:
                yield next_, state
        elif word & 0xF800 == 0xF000:  # branches
            yield next_, state
            yield (next_ + _signed(word >> 3, 7) * 2) & 0xFFFF, state
        elif _skips(word):
            yield next_, state
            yield next_ + (4 if _long(self._program.word(next_)) else 2), state
        else:
            behind = self._changed(word, state)
            if behind is not None:
                yield next_, behind

    def _changed(self, word: int, state: _State) -> _State | None:
        """The state behind an instruction that goes on to the next; None: another stack is used there."""
        depth, frame = state.depth, state.frame
        if word & 0xFE0F == 0x920F:  # push
            return _State(depth + 1, frame)
        if word & 0xFE0F == 0x900F:  # pop
            lost = word >> 4 & 0x1F in (_Y, _Y + 1)
            return _State(depth - 1, None if lost else frame)
        if word & 0xF800 == 0xB000 and _port(word) == _SPL:  # in
            return _State(depth, depth if word >> 4 & 0x1F == _Y else frame)
        if word & 0xF800 == 0xB800 and _port(word) in (_SPL, _SPH):  # out
            if word >> 4 & 0x1F not in (_Y, _Y + 1):
                if frame is not None:
                    self._unknown.add("a size that is computed (alloca)")
                return None
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
        return state

    def _through_pointer(self, at: int, depth: int) -> None:
        slot = self._slot(at)
        functions = self._program.virtual(slot) if slot is not None else []
        if not functions:
            self._unknown.add("a call through a pointer")
        for function in functions:
            self._reach(depth, self._program.depth(function))

    def _slot(self, at: int) -> int | None:
        """Which entry of its class's table is called here: where both halves of Z were read. None: it is no
        such call."""
        registers = [_Z, _Z + 1]
        read: list[int | None] = [None, None]
        for back in range(at - 2, at - 2 * _LOADED_WITHIN, -2):
            word = self._program.word(back)
            to = word >> 4 & 0x1F
            if word & 0xFFF0 == 0x01F0:  # movw r30
                registers = [(word & 0xF) * 2, (word & 0xF) * 2 + 1]
            elif word & 0xD208 == 0x8000 and to in registers:  # ldd from Z
                half = registers.index(to)
                if read[half] is None:
                    read[half] = (word >> 8 & 0x20) | (word >> 7 & 0x18) | (word & 7)
            if None not in read:
                break
        low, high = read
        return low // 2 if low is not None and low % 2 == 0 and high == low + 1 else None


def _long(word: int) -> bool:
    """Is it an instruction of two words (jmp, call, lds, sts)?"""
    return word & 0xFE0C == 0x940C or word & 0xFC0F == 0x9000


def _skips(word: int) -> bool:
    """cpse, sbrc, sbrs, sbic, sbis."""
    return word & 0xFC00 == 0x1000 or word & 0xFC08 == 0xFC00 or word & 0xFD00 == 0x9900


def _port(word: int) -> int:
    return (word >> 5 & 0x30) | (word & 0xF)


def _signed(bits: int, width: int) -> int:
    value = bits & (1 << width) - 1
    return value - (1 << width) if value >> width - 1 else value
