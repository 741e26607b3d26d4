"""Which registers an instruction and a function read and write, as sets of bits.

The convention of both compilers (avr-gcc's wiki page "ABI", which clang follows): a function restores r2 to
r17, r28 and r29. Functions in assembler need not: what one of them changes is found from its code.
"""

from __future__ import annotations

from hocket.wcet.graph import Function
from hocket.wcet.processor import Flow, Instruction

ALL = (1 << 32) - 1
FREE: int = sum(1 << r for r in (0, 1, *range(18, 28), 30, 31))  # a function need not restore these
_SAVED: int = ALL & ~FREE
_READS_BOTH = {"add", "adc", "sub", "sbc", "and", "or", "eor", "cp", "cpc", "cpse"}
_CHANGES_ONE = {
    "subi",
    "sbci",
    "ori",
    "andi",
    "com",
    "neg",
    "swap",
    "inc",
    "asr",
    "lsr",
    "ror",
    "dec",
    "bld",
}
_READS_ONE = {"cpi", "sbrc", "sbrs", "bst", "out", "sts", "push"}
_WRITES_ONE = {"in", "lds", "pop", "ldi"}
_PRODUCTS = {"mul", "muls", "mulsu", "fmul", "fmuls", "fmulsu"}
_COMPARES = {"cp", "cpc", "cpse"}


def uses(one: Instruction) -> tuple[int, int]:
    """Returns the registers that an instruction reads, and those that it writes."""
    name, first, second = one.name, 1 << one.one, 1 << one.two
    if name in _READS_BOTH:
        if name == "eor" and one.one == one.two:
            return 0, first
        return first | second, 0 if name in _COMPARES else first
    if name in _CHANGES_ONE:
        return first, first
    if name in _READS_ONE:
        return first, 0
    if name in _WRITES_ONE:
        return 0, first
    if name == "mov":
        return second, first
    if name == "movw":
        return second * 3, first * 3
    if name in ("adiw", "sbiw"):
        return first * 3, first * 3
    if name in _PRODUCTS:
        return first | second, 3
    if name in ("ldd", "ld", "lpm"):
        return second * 3, first | (second * 3 if one.value and name != "ldd" else 0)
    if name in ("std", "st"):
        return first | second * 3, second * 3 if one.value and name == "st" else 0
    if one.flow in (Flow.COMPUTED_JUMP, Flow.COMPUTED_CALL):
        return 3 << 30, 0
    return 0, 0


def restored(function: Function) -> int:
    """Returns the registers that a function pushes and pops, and need not be counted as read or changed."""
    pushed = popped = 0
    for block in function.blocks.values():
        for one in block.code:
            if one.name == "push":
                pushed |= 1 << one.one
            elif one.name == "pop":
                popped |= 1 << one.one
    return pushed & popped & _SAVED


def changed(function: Function, of_calls: int) -> int:
    """Returns the registers that a function may change. of_calls: those that its calls may change."""
    written = of_calls
    for block in function.blocks.values():
        for one in block.code:
            written |= uses(one)[1]
    return written & ~restored(function)


def read_first(function: Function, by_block: dict[int, tuple[int, int]]) -> int:
    """Returns the registers that a function may read before it writes them. by_block: what the call at the
    end of a block reads, and what it surely does not leave as it was."""
    saved = restored(function)
    needs: dict[int, int] = {}
    for at, block in function.blocks.items():
        need, gone = 0, 0
        for one in block.code:
            reads, writes = uses(one)
            if one.name == "push":
                reads &= ~saved
            need |= reads & ~gone
            gone |= writes
        called, _ = by_block.get(at, (0, 0))
        need |= called & ~gone
        needs[at] = need
    before = dict(needs)
    kept = {at: ALL & ~_surely_written(function, at) for at in function.blocks}
    busy = True
    while busy:
        busy = False
        for at, block in function.blocks.items():
            after = 0
            for edge in block.edges:
                after |= before[edge.to] if edge.to is not None else 0
            now = needs[at] | after & kept[at]
            if now != before[at]:
                before[at], busy = now, True
    return int(before[function.entry])


def _surely_written(function: Function, at: int) -> int:
    written = 0
    for one in function.blocks[at].code:
        written |= uses(one)[1]
    return written


def shows_frame(function: Function) -> bool:
    """Returns whether the address of a variable in the function's frame may get into another register than
    Y, and so into a pointer."""
    frame = any(
        one.name == "in" and one.two in (0x3D, 0x3E)
        for b in function.blocks.values()
        for one in b.code
    )
    if not frame:
        return False
    for block in function.blocks.values():
        for one in block.code:
            if one.name == "in" and one.two == 0x3D and one.one != 28:
                return True
            if one.name == "movw" and one.two == 28:
                return True
            if one.name in ("mov", "add", "adc", "st", "std", "sts") and 28 in (
                one.two if one.name in ("mov", "add", "adc") else one.one,
            ):
                return True
    return False
