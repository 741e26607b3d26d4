"""In gdb: the results of an unwinder."""

from __future__ import annotations

import gdb


class FrameId:
    """The identity of a frame, in gdb's form."""

    def __init__(self, sp: int, pc: int) -> None:
        self.sp = gdb.Value(sp)
        self.pc = gdb.Value(pc)


_kinds: dict[str, gdb.Type] = {}


def kind_of(pending: gdb.PendingFrame, name: str) -> gdb.Type:
    """Returns the type of a register, also in a frame that does not have it."""
    if name not in _kinds:
        _kinds[name] = pending.read_register(name).type
    return _kinds[name]


def unwound(pending: gdb.PendingFrame, frame: FrameId, registers: dict[str, int]) -> gdb.UnwindInfo:
    """Returns the unwind information for a caller's frame with these registers."""
    info = pending.create_unwind_info(frame)
    for name, value in registers.items():
        kind = kind_of(pending, name)
        raw = (value & (1 << 8 * kind.sizeof) - 1).to_bytes(kind.sizeof, "little")
        info.add_saved_register(name, gdb.Value(raw, kind))
    return info
