"""In gdb: the registers of suspended loops, and callers of frames that gdb cannot unwind by itself.

A suspended loop has its registers on its stack, as the context switch of its processor has saved them. While
a loop is selected (`look_at`), the frame after gdb's own frame 0 is that loop's innermost frame. Frame 0
remains the processor's.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import gdb
from gdb.unwinder import Unwinder, register_unwinder

from hocket.debugger.in_gdb import avr, memory
from hocket.debugger.in_gdb.frames import FrameId, unwound


def on_aarch64() -> bool:
    """Returns whether gdb debugs a program for AArch64."""
    return "aarch64" in str(gdb.selected_inferior().architecture().name())


def saved_on_host(sp: int) -> dict[str, int]:
    """Returns the registers saved by ports/host/context.cpp: hocket_host_switch."""
    if on_aarch64():
        names = [f"x{n}" for n in range(19, 31)]
        kept = {name: memory.word(sp + 8 * n, 8) for n, name in enumerate(names)}
        return {**kept, "pc": kept["x30"], "sp": sp + 160}
    names = ["r15", "r14", "r13", "r12", "rbx", "rbp", "rip"]
    kept = {name: memory.word(sp + 8 * n, 8) for n, name in enumerate(names)}
    return {**kept, "rsp": sp + 8 * len(names)}


# The kernel's entries, and the layout of the frame of each (ports/aarch64: frame.inc, entry.inc,
# el1/vectors.S).
FRAME, ELR, SP0, X18 = 192, 160, 176, 144
CALL, CALL_LINK = 48, 16
OF_CALL = ("system_call", "no_such_call")
OF_SKETCH = ("ordinary_from_user", "deferred_in_sketch", "user_trap", "go_back_to_user")
OF_KERNEL = ("ordinary_from_kernel", "deferred_in_kernel", "kernel_floating_point", "go_back")
# In the vectors: FIQ, which is handled where it arrives.
FIQ_OF_KERNEL, FIQ_OF_SKETCH = range(0x300, 0x380), range(0x500, 0x580)
_DEEPEST = 60  # frames of the kernel in one call


def saved_on_aarch64(sp: int) -> dict[str, int]:
    """Returns the registers saved by ports/aarch64/port.h: switch_stacks(). It saves no others.

    A thread that waits in the kernel is shown where it left the sketch, because gdb sees no other memory
    while the sketch runs. Call it within kernel_memory().
    """
    pc = memory.word(sp + 8, 8)
    switched = {"x29": memory.word(sp, 8), "x30": pc, "pc": pc, "sp": sp + 16}
    look_at(switched)
    try:
        frame = gdb.newest_frame().older()
        for _ in range(_DEEPEST):
            if frame is None or not frame.is_valid():
                break
            if frame.pc() >> 48 == 0:
                names = [*(f"x{n}" for n in range(19, 31)), "sp"]
                kept = {name: int(frame.read_register(name)) for name in names}
                return {**kept, "pc": frame.pc()}
            frame = frame.older()
    except gdb.error:
        pass  # the thread has never been in the sketch
    finally:
        look_at(None)
    return switched


def behind_call(frame: int) -> dict[str, int]:
    link, back, stack = (memory.word(frame + CALL_LINK + 8 * n, 8) for n in range(3))
    return {"x30": link, "pc": back, "sp": stack}


def behind_interrupt(frame: int) -> dict[str, int]:
    kept = {f"x{n}": memory.word(frame + 8 * n, 8) for n in range(19)}
    kept |= {"x30": memory.word(frame + X18 + 8, 8), "pc": memory.word(frame + ELR, 8)}
    return kept | {"sp": memory.word(frame + SP0, 8)}


@contextmanager
def kernel_memory(processor: str) -> Iterator[None]:
    """Makes the kernel's memory readable while the context is active. QEMU lets gdb read what the processor
    can read at that moment, and in the sketch, at EL0, that excludes the kernel's memory. So PSTATE is set to
    EL1 meanwhile."""
    if processor != "aarch64":
        yield
        return
    before = int(gdb.newest_frame().read_register("cpsr"))
    if before & 0xC:
        yield
        return
    gdb.newest_frame().select()
    gdb.execute(f"set $cpsr = {before & ~0xF | 5:#x}", to_string=True)
    try:
        yield
    finally:
        look_at(None)
        gdb.newest_frame().select()
        gdb.execute(f"set $cpsr = {before:#x}", to_string=True)


STACK_POINTER = {"host": "sp" if on_aarch64() else "rsp", "aarch64": "sp", "avr8": "SP"}
SAVED = {"host": saved_on_host, "aarch64": saved_on_aarch64, "avr8": avr.saved_by_switch}


class _View(Unwinder):  # type: ignore[misc]
    """Shows the selected loop after frame 0."""

    registers: dict[str, int] | None = None

    def __init__(self, stack_pointer: str) -> None:
        super().__init__("hocket-loop")
        self.stack_pointer = stack_pointer

    def __call__(self, pending: gdb.PendingFrame) -> gdb.UnwindInfo | None:
        if self.registers is None or pending.level() != 0:
            return None
        # Below the loop's own frames, because gdb expects the stack of a caller's frame to be higher.
        below = self.registers[self.stack_pointer] - 1
        return unwound(pending, FrameId(below, 0), self.registers)


class _FromSketch(Unwinder):  # type: ignore[misc]
    """On virt: shows the interrupted or calling code after the frames of the kernel's entry."""

    def __init__(self) -> None:
        super().__init__("hocket-entry")

    def __call__(self, pending: gdb.PendingFrame) -> gdb.UnwindInfo | None:
        pc = int(pending.read_register("pc")) & (1 << 64) - 1
        if pending.level() == 0 or pc >> 48 == 0:
            return None
        name, offset = memory.symbol_at(pc)
        sp = int(pending.read_register("sp")) & (1 << 64) - 1
        vectors = name == "hocket_vectors"
        if name in OF_CALL:
            registers = behind_call(sp)
        elif name in OF_SKETCH or (vectors and offset in FIQ_OF_SKETCH):
            registers = behind_interrupt(sp)
        elif name in OF_KERNEL or (vectors and offset in FIQ_OF_KERNEL):
            registers = behind_interrupt(sp) | {"sp": sp + FRAME}
        else:
            return None
        kept = {f"x{n}": int(pending.read_register(f"x{n}")) for n in range(19, 30)}
        return unwound(pending, FrameId(sp, pc - offset), kept | registers)


_view: _View | None = None


def register(processor: str) -> None:
    """Registers the unwinders once, for the processor of this session."""
    global _view
    _view = _View(STACK_POINTER[processor])
    if processor == "avr8":
        register_unwinder(None, avr.Calls(), replace=True)
    if processor == "aarch64":
        register_unwinder(None, _FromSketch(), replace=True)
    register_unwinder(None, _view, replace=True)  # it has precedence


def look_at(registers: dict[str, int] | None) -> None:
    """Shows these registers of a loop after frame 0 from now on. None: shows the processor's own frames."""
    assert _view is not None
    if _view.registers is registers:
        return
    _view.registers = registers
    gdb.invalidate_cached_frames()


def current_view() -> dict[str, int] | None:
    return _view.registers if _view is not None else None


def looked_at() -> bool:
    return current_view() is not None
