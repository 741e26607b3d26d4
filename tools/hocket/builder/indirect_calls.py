"""The targets of a call through a pointer in a linked program for the ATmega328P. The analyses of stacks and
of execution times share them, and so one call graph.

Instructions: AVR Instruction Set Manual (Atmel 0856).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hocket.builder.stack_depth import Program

_Z = 30
# The most instructions between the load of the pointer and a call through Z.
_LOADED_WITHIN = 16
# Arduino's own classes (arduino/api) call virtual functions, and no functions through pointers.
_CALLS_VIRTUAL = re.compile(
    r"_ZNK?(5Print|6Stream|14HardwareSerial|9IPAddress|6Client|6Server|3UDP)"
)


@dataclass(frozen=True)
class Calls:
    """The targets of an indirect call, by the name of the calling function. None: unknown (pointed.py).
    pointed: queried before a virtual function is looked for. otherwise: queried beside it, and where there is
    none."""

    pointed: Callable[[str], Sequence[int] | None] = lambda owner: None
    otherwise: Callable[[str], Sequence[int] | None] = lambda owner: None


UNKNOWN = Calls()


def targets(program: Program, calls: Calls, at: int) -> Sequence[int] | None:
    """Returns the functions that the call at this address may reach. None: unknown."""
    owner, slot = program.owner(at), _slot(program, at)
    functions = calls.pointed(owner)
    if functions is not None:
        return functions
    virtual = program.virtual(slot) if slot is not None else []
    if virtual and _CALLS_VIRTUAL.match(owner):
        return virtual
    others = calls.otherwise(owner)
    if not virtual:
        return others
    # A call through a pointer that a structure holds looks alike. No pointer holds a virtual function.
    return sorted({*virtual, *(set(others or ()) - program.all_virtual())})


def _slot(program: Program, at: int) -> int | None:
    """Returns which entry of a virtual table is called here, from the two loads of the halves of Z. None:
    not a virtual call."""
    registers = [_Z, _Z + 1]
    read: list[int | None] = [None, None]
    for back in range(at - 2, at - 2 * _LOADED_WITHIN, -2):
        word = program.word(back)
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
