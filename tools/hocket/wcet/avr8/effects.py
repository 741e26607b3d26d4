"""What each instruction does to the known state of the processor (Microchip, AVR Instruction Set Manual,
DS40002198, chapter 5).

An effect may lose knowledge, and never invents any. tests/wcet compares the time of code that depends on the
results of such instructions with simavr.
"""

from __future__ import annotations

from collections.abc import Callable

from hocket.wcet.avr8.state import C, H, N, S, State, T, V, Z
from hocket.wcet.processor import Instruction

Effect = Callable[[State], None]
# Reads a byte that never changes, of data or of the flash, by its address. None: it may change.
Constant = Callable[[int], int | None]
SPL, SPH, SREG = 0x3D, 0x3E, 0x3F
_IO = 0x20  # the address of the first I/O register


def effect(instruction: Instruction, data: Constant, flash: Constant) -> Effect | None:
    """Returns the effect of an instruction that continues at the next. None: it has none."""
    name = instruction.name
    if name in ("nop", "wdr", "cbi", "sbi"):
        return None
    if name in _MEMORY:
        return _MEMORY[name](instruction, data, flash)
    return _COMPUTE[name](instruction)


def _set(flags: list[int | None], result: int, overflow: int) -> None:
    negative = result >> 7
    flags[Z] = 1 if result == 0 else 0
    flags[N], flags[V], flags[S] = negative, overflow, negative ^ overflow


def _unknown(flags: list[int | None]) -> None:
    flags[C] = flags[Z] = flags[N] = flags[V] = flags[S] = flags[H] = None


def _plus(one: int, two: int, with_carry: bool) -> Effect:
    def run(state: State) -> None:
        r, f = state.registers, state.flags
        a, b, carry = r[one], r[two], f[C] if with_carry else 0
        if a is None or b is None or carry is None:
            r[one] = None
            _unknown(f)
            return
        total = a + b + carry
        result = total & 0xFF
        r[one] = result
        f[C], f[H] = total >> 8, ((a & 15) + (b & 15) + carry) >> 4
        _set(f, result, (~(a ^ b) & (a ^ result)) >> 7 & 1)

    return run


def _minus(one: int, two: int | None, value: int, with_carry: bool, keeps: bool) -> Effect:
    """Subtracts a register or a constant. keeps: compares only."""

    def run(state: State) -> None:
        r, f = state.registers, state.flags
        a, b, carry = r[one], value if two is None else r[two], f[C] if with_carry else 0
        before = f[Z]
        if one == two and carry is not None:  # as if both were known
            a = b = 0
        if a is None or b is None or carry is None:
            if not keeps:
                r[one] = None
            _unknown(f)
            if with_carry and before == 0:
                f[Z] = 0
            return
        result = (a - b - carry) & 0xFF
        if not keeps:
            r[one] = result
        f[C] = 1 if a - b - carry < 0 else 0
        f[H] = 1 if (a & 15) - (b & 15) - carry < 0 else 0
        _set(f, result, ((a ^ b) & (a ^ result)) >> 7 & 1)
        if with_carry and f[Z] == 1:
            f[Z] = before

    return run


def _logic(one: int, two: int | None, value: int, how: str) -> Effect:
    def run(state: State) -> None:
        r, f = state.registers, state.flags
        a, b = r[one], value if two is None else r[two]
        result: int | None = None
        if how == "eor" and one == two:
            result = 0
        elif a is not None and b is not None:
            result = a & b if how == "and" else a | b if how == "or" else a ^ b
        elif how == "and" and (a == 0 or b == 0):
            result = 0
        elif how == "or" and (a == 0xFF or b == 0xFF):
            result = 0xFF
        r[one] = result
        if result is None:
            f[Z] = f[N] = f[S] = None
            f[V] = 0
            if how == "or" and (a or b):
                f[Z] = 0
        else:
            _set(f, result, 0)

    return run


def _mov(one: int, two: int) -> Effect:
    def run(state: State) -> None:
        state.registers[one] = state.registers[two]

    return run


def _movw(one: int, two: int) -> Effect:
    def run(state: State) -> None:
        r = state.registers
        r[one], r[one + 1] = r[two], r[two + 1]

    return run


def _ldi(one: int, value: int) -> Effect:
    def run(state: State) -> None:
        state.registers[one] = value

    return run


def _step(one: int, by: int) -> Effect:
    def run(state: State) -> None:
        r, f = state.registers, state.flags
        a = r[one]
        if a is None:
            f[Z] = f[N] = f[V] = f[S] = None
            return
        result = (a + by) & 0xFF
        r[one] = result
        _set(f, result, 1 if a == (0x7F if by == 1 else 0x80) else 0)

    return run


def _com(one: int) -> Effect:
    def run(state: State) -> None:
        r, f = state.registers, state.flags
        a = r[one]
        if a is None:
            _unknown(f)
        else:
            r[one] = a ^ 0xFF
            _set(f, a ^ 0xFF, 0)
        f[C], f[V] = 1, 0

    return run


def _neg(one: int) -> Effect:
    def run(state: State) -> None:
        r, f = state.registers, state.flags
        a = r[one]
        if a is None:
            _unknown(f)
            return
        result = -a & 0xFF
        r[one] = result
        f[C], f[H] = (1 if result else 0), (result | a) >> 3 & 1
        _set(f, result, 1 if result == 0x80 else 0)

    return run


def _shift(one: int, how: str) -> Effect:
    def run(state: State) -> None:
        r, f = state.registers, state.flags
        a, top = r[one], f[C] if how == "ror" else 0
        if a is None or top is None:
            if a is None:
                _unknown_but_half(f)
            else:
                f[C] = a & 1
                f[Z] = f[N] = f[V] = f[S] = None
            r[one] = None
            return
        result = a >> 1 | (a & 0x80 if how == "asr" else top << 7)
        r[one] = result
        f[C] = a & 1
        _set(f, result, (result >> 7) ^ (a & 1))

    return run


def _unknown_but_half(flags: list[int | None]) -> None:
    flags[C] = flags[Z] = flags[N] = flags[V] = flags[S] = None


def _swap(one: int) -> Effect:
    def run(state: State) -> None:
        a = state.registers[one]
        state.registers[one] = None if a is None else (a << 4 | a >> 4) & 0xFF

    return run


def _word(one: int, by: int) -> Effect:
    def run(state: State) -> None:
        r, f = state.registers, state.flags
        low, high = r[one], r[one + 1]
        if low is None or high is None:
            state.move_pair(one, by)
            f[C] = f[Z] = f[N] = f[V] = f[S] = None
            return
        a = low | high << 8
        result = (a + by) & 0xFFFF
        r[one], r[one + 1] = result & 0xFF, result >> 8
        negative, before = result >> 15, a >> 15
        f[C] = 1 if not 0 <= a + by <= 0xFFFF else 0
        f[Z], f[N] = (1 if result == 0 else 0), negative
        overflow = negative & (1 - before) if by >= 0 else before & (1 - negative)
        f[V], f[S] = overflow, negative ^ overflow

    return run


def _product(one: int, two: int, name: str) -> Effect:
    first_signed = name in ("muls", "mulsu", "fmuls", "fmulsu")
    second_signed = name in ("muls", "fmuls")

    def run(state: State) -> None:
        r, f = state.registers, state.flags
        a, b = r[one], r[two]
        if a == 0 or b == 0:
            a = b = 0
        if a is None or b is None:
            r[0] = r[1] = f[C] = f[Z] = None
            return
        a = a - 256 if first_signed and a & 0x80 else a
        b = b - 256 if second_signed and b & 0x80 else b
        product = a * b & 0xFFFF
        f[C] = product >> 15
        if name.startswith("f"):
            product = product << 1 & 0xFFFF
        r[0], r[1] = product & 0xFF, product >> 8
        f[Z] = 1 if product == 0 else 0

    return run


def _bset(bit: int, value: int) -> Effect:
    def run(state: State) -> None:
        state.flags[bit] = value

    return run


def _bst(one: int, bit: int) -> Effect:
    def run(state: State) -> None:
        a = state.registers[one]
        state.flags[T] = None if a is None else a >> bit & 1

    return run


def _bld(one: int, bit: int) -> Effect:
    def run(state: State) -> None:
        a, t = state.registers[one], state.flags[T]
        known = a is not None and t is not None
        state.registers[one] = (a & ~(1 << bit)) | t << bit if known else None  # type: ignore[operator]

    return run


def _push(one: int) -> Effect:
    def run(state: State) -> None:
        state.push(state.registers[one])

    return run


def _pop(one: int) -> Effect:
    def run(state: State) -> None:
        state.registers[one] = state.pop()

    return run


def _in(one: int, port: int) -> Effect:
    def run(state: State) -> None:
        value = None
        if port in (SPL, SPH) and state.sp is not None:
            value = state.sp & 0xFF if port == SPL else state.sp >> 8
        state.registers[one] = value

    return run


def _out(one: int, port: int) -> Effect | None:
    if port == SREG:
        return lambda state: setattr(state, "flags", [None] * 8)
    if port not in (SPL, SPH):
        return None

    def run(state: State) -> None:
        value = state.registers[one]
        if value is None or state.sp is None:
            state.sp = None
        else:
            low = port == SPL
            state.sp = (state.sp & 0xFF00) | value if low else (state.sp & 0xFF) | value << 8

    return run


def _load(one: int, pointer: int, displaced: int, change: int, data: Constant) -> Effect:
    def run(state: State) -> None:
        if change < 0:
            state.move_pair(pointer, change)
        address = state.pair(pointer)
        if change > 0:
            state.move_pair(pointer, change)
        if address is None:
            state.registers[one] = None
            return
        address = (address + displaced) & 0xFFFF
        known = state.load(address)
        state.registers[one] = data(address) if known is None else known

    return run


def _store(one: int, pointer: int, displaced: int, change: int) -> Effect:
    def run(state: State) -> None:
        value = state.registers[one]
        if change < 0:
            state.move_pair(pointer, change)
        address = state.pair(pointer)
        if change > 0:
            state.move_pair(pointer, change)
        state.store(None if address is None else (address + displaced) & 0xFFFF, value)

    return run


def _lds(one: int, address: int, data: Constant) -> Effect:
    if address in (SPL + _IO, SPH + _IO, SREG + _IO):
        return _in(one, address - _IO)

    def run(state: State) -> None:
        known = state.load(address)
        state.registers[one] = data(address) if known is None else known

    return run


def _sts(one: int, address: int) -> Effect | None:
    if address in (SPL + _IO, SPH + _IO, SREG + _IO):
        return _out(one, address - _IO)
    if address >= _IO:
        return None
    return lambda state: state.store(address, state.registers[one])


def _lpm(one: int, pointer: int, change: int, flash: Constant) -> Effect:
    def run(state: State) -> None:
        address = state.pair(pointer)
        if change:
            state.move_pair(pointer, 1)
        state.registers[one] = None if address is None else flash(address)

    return run


_MEMORY: dict[str, Callable[[Instruction, Constant, Constant], Effect | None]] = {
    "ldd": lambda i, d, f: _load(i.one, i.two, i.value, 0, d),
    "ld": lambda i, d, f: _load(i.one, i.two, 0, i.value, d),
    "std": lambda i, d, f: _store(i.one, i.two, i.value, 0),
    "st": lambda i, d, f: _store(i.one, i.two, 0, i.value),
    "lds": lambda i, d, f: _lds(i.one, i.value, d),
    "sts": lambda i, d, f: _sts(i.one, i.value),
    "lpm": lambda i, d, f: _lpm(i.one, i.two, i.value, f),
}
_COMPUTE: dict[str, Callable[[Instruction], Effect | None]] = {
    "add": lambda i: _plus(i.one, i.two, False),
    "adc": lambda i: _plus(i.one, i.two, True),
    "sub": lambda i: _minus(i.one, i.two, 0, False, False),
    "sbc": lambda i: _minus(i.one, i.two, 0, True, False),
    "subi": lambda i: _minus(i.one, None, i.value, False, False),
    "sbci": lambda i: _minus(i.one, None, i.value, True, False),
    "cp": lambda i: _minus(i.one, i.two, 0, False, True),
    "cpc": lambda i: _minus(i.one, i.two, 0, True, True),
    "cpi": lambda i: _minus(i.one, None, i.value, False, True),
    "and": lambda i: _logic(i.one, i.two, 0, "and"),
    "or": lambda i: _logic(i.one, i.two, 0, "or"),
    "eor": lambda i: _logic(i.one, i.two, 0, "eor"),
    "andi": lambda i: _logic(i.one, None, i.value, "and"),
    "ori": lambda i: _logic(i.one, None, i.value, "or"),
    "mov": lambda i: _mov(i.one, i.two),
    "movw": lambda i: _movw(i.one, i.two),
    "ldi": lambda i: _ldi(i.one, i.value),
    "inc": lambda i: _step(i.one, 1),
    "dec": lambda i: _step(i.one, -1),
    "com": lambda i: _com(i.one),
    "neg": lambda i: _neg(i.one),
    "lsr": lambda i: _shift(i.one, "lsr"),
    "asr": lambda i: _shift(i.one, "asr"),
    "ror": lambda i: _shift(i.one, "ror"),
    "swap": lambda i: _swap(i.one),
    "adiw": lambda i: _word(i.one, i.value),
    "sbiw": lambda i: _word(i.one, -i.value),
    "bset": lambda i: _bset(i.one, 1),
    "bclr": lambda i: _bset(i.one, 0),
    "bst": lambda i: _bst(i.one, i.two),
    "bld": lambda i: _bld(i.one, i.two),
    "push": lambda i: _push(i.one),
    "pop": lambda i: _pop(i.one),
    "in": lambda i: _in(i.one, i.two),
    "out": lambda i: _out(i.one, i.two),
    **{
        name: lambda i: _product(i.one, i.two, i.name)
        for name in ("mul", "muls", "mulsu", "fmul", "fmuls", "fmulsu")
    },
}
