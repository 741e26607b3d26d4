"""In gdb, for the Uno: unwinds frames from the code, because clang for the AVR writes no unwind tables.

A function changes its stack in its first instructions and restores it in its last ones: it pushes registers
and, for its variables, sets up a frame pointer in r29:r28 (Y). Instructions: AVR Instruction Set Manual
(DS40002198).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import gdb
from gdb.unwinder import Unwinder

from hocket.debugger.in_gdb import memory
from hocket.debugger.in_gdb.frames import FrameId, unwound

DATA = 0x800000  # gdb's address of the data at 0
Y_LOW, Y_HIGH = 28, 29
# Functions without a caller.
OUTERMOST = ("hocket::uno::(anonymous namespace)::run_loop(void*)", "hocket_thread_start", "main")
# Labels of ports/avr8/switch.S to which calls return, with the registers on the stack from the stack pointer
# up. None: a register that does not belong to the loop.
_IN_ASSEMBLER: dict[str, tuple[int | None, ...]] = {
    "hocket_close": (24,),
    # .Lleave of an interrupt, which follows it: the registers that `restore` pops, including the status
    # register.
    "hocket_idle": (27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 1, None, 0, 31, 30),
}
_FARTHEST = 40  # most instructions of a function's prologue or epilogue
# in r28, SPL; in r0, SREG; cli; out SREG, r0; out SPH, r29; clr r1
_BESIDES = (0xB7CD, 0xB60F, 0x94F8, 0xBE0F, 0xBFDE, 0x2411)
# Registers that ports/avr8/switch.S has saved, from the stack pointer up.
_SWITCHED = (29, 28, *range(17, 1, -1))


def saved_by_switch(sp: int) -> dict[str, int]:
    """Returns the registers of a suspended thread whose stack pointer is in its context."""
    sp &= 0xFFFF
    kept = {f"r{n}": _byte(sp + 1 + at) for at, n in enumerate(_SWITCHED)}
    return {**kept, **_returned(sp + len(_SWITCHED))}


def _byte(address: int) -> int:
    return memory.word(DATA + (address & 0xFFFF), 1)


def _returned(sp: int) -> dict[str, int]:
    """Returns where `ret` goes with this stack pointer, and the stack pointer after it."""
    pc = (_byte(sp + 1) << 8 | _byte(sp + 2)) * 2
    return {"PC2": pc, "pc": pc, "SP": DATA + sp + 2}


@dataclass
class Frame:
    """The frame of a function at a certain instruction."""

    pushed: dict[int, int] = field(default_factory=dict)  # register: bytes pushed before it
    depth: int = 0  # bytes that were pushed
    by_pointer: bool = False  # Y has the stack pointer…
    room: int = 0  # …minus this number of bytes for variables


def instruction(address: int) -> int:
    return memory.word(address, 2)


def _low_high(op: int) -> int:
    """Returns the constant of subi and sbci."""
    return (op >> 4 & 0xF0) | (op & 0x0F)


def beginning(start: int, pc: int) -> Frame:
    """Returns what the function at `start` has done before `pc`."""
    frame, at = Frame(), start
    low = 0
    while at < pc and at < start + 2 * _FARTHEST:
        op = instruction(at)
        if op & 0xFE0F == 0x920F:  # push
            frame.pushed.setdefault(op >> 4 & 31, frame.depth)
            frame.depth += 1
        elif op == 0xD000:  # rcall to the next one: reserves two bytes
            frame.depth += 2
        elif op == 0xB7DE:  # in r29, SPH: behind in r28, SPL
            frame.by_pointer = True
        elif op & 0xFF30 == 0x9720:  # sbiw r28
            frame.room += (op >> 2 & 0x30) | (op & 0x0F)
        elif op & 0xF0F0 == 0x50C0:  # subi r28
            low = _low_high(op)
        elif op & 0xF0F0 == 0x40D0:  # sbci r29
            frame.room += (_low_high(op) << 8 | low) & 0xFFFF
        elif op == 0xBFCD or op not in _BESIDES:  # out SPL, r28: the last instruction
            return frame
        at += 2
    return frame


def _taken_back(registers: tuple[int | None, ...], sp: int) -> dict[str, int]:
    """Returns the registers after pops of these and the return."""
    kept = {f"r{n}": _byte(sp + 1 + at) for at, n in enumerate(registers) if n is not None}
    return {**kept, **_returned(sp + len(registers))}


def ending(pc: int, sp: int, y: int) -> dict[str, int]:
    """Returns the registers after `ret`, if only the end of a function follows from `pc` on. Otherwise
    returns none."""
    kept: dict[str, int] = {}
    low = 0
    for at in range(pc, pc + 2 * _FARTHEST, 2):
        op = instruction(at)
        if op & 0xFE0F == 0x900F:  # pop
            sp += 1
            kept[f"r{op >> 4 & 31}"] = _byte(sp)
            if op >> 4 & 31 == Y_LOW:
                y = (y & 0xFF00) | _byte(sp)
            if op >> 4 & 31 == Y_HIGH:
                y = (y & 0x00FF) | _byte(sp) << 8
        elif op & 0xFF30 == 0x9620:  # adiw r28
            y += (op >> 2 & 0x30) | (op & 0x0F)
        elif op & 0xF0F0 == 0x50C0:  # subi r28, of the negative number
            low = _low_high(op)
        elif op & 0xF0F0 == 0x40D0:  # sbci r29
            y -= _low_high(op) << 8 | low
        elif op == 0xBFCD:  # out SPL, r28
            sp = y & 0xFFFF
        elif op in (0x9508, 0x9518):  # ret, reti
            return {**kept, **_returned(sp)}
        elif op not in _BESIDES:
            return {}
    return {}


def _start_of(pc: int) -> int | None:
    """Returns the address of the function that contains this address."""
    block = gdb.block_for_pc(pc)
    while block is not None and block.function is None:
        block = block.superblock
    while block is not None and block.superblock is not None and block.superblock.function:
        block = block.superblock  # an inlined function has no frame
    if block is not None:
        return int(block.start)
    name, offset = memory.symbol_at(pc)
    return pc - offset if name else None


class Calls(Unwinder):  # type: ignore[misc]
    """Unwinds the frames of all functions."""

    def __init__(self) -> None:
        super().__init__("hocket-avr")

    def __call__(self, pending: gdb.PendingFrame) -> gdb.UnwindInfo | None:
        try:
            return self.unwind(pending)
        except gdb.MemoryError:  # the stack does not exist yet, or no longer
            return unwound(
                pending, FrameId(0, 0), {**self.kept_by_calls(pending), "PC2": 0, "pc": 0}
            )

    def unwind(self, pending: gdb.PendingFrame) -> gdb.UnwindInfo | None:
        def register(name: str) -> int:
            return int(pending.read_register(name)) & 0xFFFF

        pc, sp = register("PC2"), register("SP")
        if pc == 0:
            return None
        y = register("r28") & 0xFF | (register("r29") & 0xFF) << 8
        # A caller's address follows its call, which may be the function's last instruction.
        start = _start_of(pc if pending.level() == 0 else pc - 1)
        if start is None:
            return None
        if memory.symbol_at(start)[0] in OUTERMOST:
            return unwound(
                pending, FrameId(sp, start), {**self.kept_by_calls(pending), "PC2": 0, "pc": 0}
            )
        name = memory.symbol_at(pc)[0]
        if pending.level() > 0 and name in _IN_ASSEMBLER:
            kept = _taken_back(_IN_ASSEMBLER[name], sp)
            return unwound(
                pending, FrameId(kept["SP"], start), {**self.kept_by_calls(pending), **kept}
            )
        kept = ending(pc, sp, y) if pending.level() == 0 else {}
        if not kept:
            kept = self.in_the_middle(beginning(start, pc), sp, y)
        return unwound(pending, FrameId(kept["SP"], start), {**self.kept_by_calls(pending), **kept})

    def kept_by_calls(self, pending: gdb.PendingFrame) -> dict[str, int]:
        """Returns the caller's registers, for those that the function has not saved."""
        names = [f"r{n}" for n in _SWITCHED]
        return {name: int(pending.read_register(name)) for name in names} | {
            "SP": int(pending.read_register("SP"))
        }

    def in_the_middle(self, frame: Frame, sp: int, y: int) -> dict[str, int]:
        top = sp + frame.depth
        if frame.by_pointer:
            top = y + frame.room + frame.depth
        saved = {f"r{n}": _byte(top - before) for n, before in frame.pushed.items()}
        return {**saved, **_returned(top)}
