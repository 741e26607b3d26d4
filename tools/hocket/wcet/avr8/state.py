"""What is known of the processor at one place of a program: an element of the abstract domain.

A byte or flag is a number, or None if it is not known. Static memory is not known: interrupts and other loops
change it. Of the stack, bytes that were pushed are kept apart from the variables of a frame: a store through
an unknown pointer may change a variable whose address was taken, but no saved register (the program would
not return then). The stack begins at an address that no other data has, and no branch depends on it.
"""

from __future__ import annotations

from collections.abc import Iterable

STACK_TOP = 0xC000
STACK_LEAST = 0x8000
C, Z, N, V, S, H, T = range(7)


class State:
    """registers, flags: known bytes and bits. pushed, frame: known bytes of the stack, by address. sp: the
    stack pointer. wild: something was stored where it is not known. below: the function's own part of the
    stack begins under this address. escapes: the address of a variable in the frame may be elsewhere."""

    __slots__ = ("below", "escapes", "flags", "frame", "pushed", "registers", "sp", "wild")

    def __init__(self, sp: int | None = STACK_TOP) -> None:
        self.registers: list[int | None] = [None] * 32
        self.registers[1] = 0  # by the convention of both compilers
        self.flags: list[int | None] = [None] * 8
        self.pushed: dict[int, int | None] = {}
        self.frame: dict[int, int | None] = {}
        self.sp = sp
        self.wild = False
        self.below = sp
        self.escapes = True

    def copy(self) -> State:
        made = State.__new__(State)
        made.registers = self.registers[:]
        made.flags = self.flags[:]
        made.pushed = self.pushed.copy()
        made.frame = self.frame.copy()
        made.sp, made.wild, made.below = self.sp, self.wild, self.below
        made.escapes = self.escapes
        return made

    def join(self, other: State) -> State:
        """Returns what is known in both."""
        made = State.__new__(State)
        made.registers = _common(self.registers, other.registers)
        made.flags = _common(self.flags, other.flags)
        made.pushed = _common_memory(self.pushed, other.pushed)
        made.frame = _common_memory(self.frame, other.frame)
        made.sp = self.sp if self.sp == other.sp else None
        made.wild = self.wild or other.wild
        made.below, made.escapes = self.below, self.escapes
        return made

    def same(self, other: State) -> bool:
        return (
            self.registers == other.registers
            and self.flags == other.flags
            and self.sp == other.sp
            and self.pushed == other.pushed
            and self.frame == other.frame
        )

    def pair(self, low: int) -> int | None:
        """Returns the 16 bits in a register pair."""
        first, second = self.registers[low], self.registers[low + 1]
        return None if first is None or second is None else first | second << 8

    def move_pair(self, low: int, by: int) -> None:
        """Adds to a register pair, of which one half may be known."""
        registers = self.registers
        first, second = registers[low], registers[low + 1]
        if first is None:
            registers[low + 1] = None
            return
        total = first + by
        registers[low] = total & 0xFF
        if second is not None:
            registers[low + 1] = (second + (total >> 8)) & 0xFF

    def push(self, value: int | None) -> None:
        if self.sp is None:
            return
        self.pushed[self.sp] = value
        self.frame.pop(self.sp, None)
        self.sp -= 1

    def pop(self) -> int | None:
        if self.sp is None:
            return None
        self.sp += 1
        value = self.pushed.pop(self.sp, None)
        return value if value is not None else self.frame.get(self.sp)

    def load(self, address: int) -> int | None:
        """Returns a byte of the stack or of the registers."""
        if address < 0x20:
            return self.registers[address]
        value = self.pushed.get(address)
        return value if value is not None else self.frame.get(address)

    def store(self, address: int | None, value: int | None) -> None:
        if address is None:
            self.stored_anywhere()
        elif address >= STACK_LEAST:
            if self.below is not None and address > self.below:
                self.wild = True  # into a frame of a caller
            self.pushed.pop(address, None)
            self.frame[address] = value
        elif address < 0x20:
            self.registers[address] = value

    def stored_anywhere(self) -> None:
        """Something was stored where it is not known."""
        self.wild = True
        if self.escapes:
            self.frame.clear()

    def forget(self, registers: Iterable[int]) -> None:
        for register in registers:
            self.registers[register] = None
        self.flags = [None] * 8


def _common(one: list[int | None], other: list[int | None]) -> list[int | None]:
    if one == other:
        return one[:]
    return [a if a == b else None for a, b in zip(one, other, strict=True)]


def _common_memory(
    one: dict[int, int | None], other: dict[int, int | None]
) -> dict[int, int | None]:
    if one == other:
        return one.copy()
    return {at: value for at, value in one.items() if value is not None and other.get(at) == value}
