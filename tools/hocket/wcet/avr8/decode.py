"""Decodes instructions of the ATmega328P (AVRe+), with their cycles.

Encoding and cycles: Microchip, AVR Instruction Set Manual (DS40002198), chapter 5 and table 4-2 and
following, columns for AVRe+ with a program counter of 16 bits. Data is in internal memory: an access takes
two cycles. tests/wcet compares each instruction's text with binutils, and its cycles with simavr.
"""

from __future__ import annotations

from collections.abc import Callable

from hocket.wcet.processor import Flow, Instruction

_TWO_REGISTERS = {
    0x01: "cpc", 0x02: "sbc", 0x03: "add", 0x04: "cpse", 0x05: "cp", 0x06: "sub", 0x07: "adc",
    0x08: "and", 0x09: "eor", 0x0A: "or", 0x0B: "mov", 0x27: "mul",
}  # fmt: skip
_WITH_CONSTANT = {0x3: "cpi", 0x4: "sbci", 0x5: "subi", 0x6: "ori", 0x7: "andi", 0xE: "ldi"}
_ONE_REGISTER = {
    0x0: "com", 0x1: "neg", 0x2: "swap", 0x3: "inc", 0x5: "asr", 0x6: "lsr", 0x7: "ror", 0xA: "dec",
}  # fmt: skip
# Loads and stores of one word with the lower bits of their encoding: pointer, and its change.
_POINTED = {
    0x1: ("z", 1), 0x2: ("z", -1), 0x9: ("y", 1), 0xA: ("y", -1),
    0xC: ("x", 0), 0xD: ("x", 1), 0xE: ("x", -1),
}  # fmt: skip
POINTERS = {"x": 26, "y": 28, "z": 30}
_ALONE = {
    0x9508: ("ret", Flow.RETURN, 4), 0x9518: ("reti", Flow.RETURN, 4),
    0x9409: ("ijmp", Flow.COMPUTED_JUMP, 2), 0x9509: ("icall", Flow.COMPUTED_CALL, 3),
    0x9588: ("sleep", Flow.SLEEP, 1), 0x9598: ("break", Flow.UNKNOWN, 1),
    0x95A8: ("wdr", Flow.NEXT, 1), 0x95C8: ("lpm", Flow.NEXT, 3), 0x95E8: ("spm", Flow.UNKNOWN, 1),
    0x0000: ("nop", Flow.NEXT, 1),
}  # fmt: skip


def decode(at: int, word_at: Callable[[int], int]) -> Instruction:
    """Returns the instruction at an address. word_at: reads a word of the flash."""
    word = word_at(at)
    alone = _ALONE.get(word)
    if alone is not None:
        name, flow, cycles = alone
        return Instruction(at, 2, name, flow, cycles, two=POINTERS["z"] if name == "lpm" else 0)
    kind = word >> 12
    if kind in _WITH_CONSTANT:
        value = (word >> 4 & 0xF0) | (word & 0xF)
        return _next(at, _WITH_CONSTANT[kind], 1, 16 + (word >> 4 & 0xF), value=value)
    if kind in (0x0, 0x1, 0x2) or (kind == 0x9 and word & 0xFC00 == 0x9C00):
        return _of_registers(at, word)
    if kind in (0xC, 0xD):
        target = (at + 2 + _signed(word, 12) * 2) & 0xFFFF
        if kind == 0xC:
            return Instruction(at, 2, "rjmp", Flow.JUMP, 2, target=target)
        return Instruction(at, 2, "rcall", Flow.CALL, 3, target=target)
    if kind in (0x8, 0xA):
        return _displaced(at, word)
    if kind == 0xB:
        port = (word >> 5 & 0x30) | (word & 0xF)
        return _next(at, "out" if word & 0x800 else "in", 1, word >> 4 & 0x1F, port)
    if kind == 0xF:
        return _of_bits(at, word)
    return _of_nine(at, word, word_at)


def _next(
    at: int, name: str, cycles: int, one: int = 0, two: int = 0, value: int = 0, size: int = 2
) -> Instruction:
    return Instruction(at, size, name, Flow.NEXT, cycles, one=one, two=two, value=value)


def _unknown(at: int, word: int) -> Instruction:
    return Instruction(at, 2, "unknown", Flow.UNKNOWN, 1, value=word)


def _of_registers(at: int, word: int) -> Instruction:
    one, two = word >> 4 & 0x1F, (word >> 5 & 0x10) | (word & 0xF)
    name = _TWO_REGISTERS.get(word >> 10)
    if name == "cpse":
        return Instruction(at, 2, name, Flow.SKIP, 1, further=1, one=one, two=two)
    if name is not None:
        return _next(at, name, 2 if name == "mul" else 1, one, two)
    if word & 0xFF00 == 0x0100:
        return _next(at, "movw", 1, (word >> 4 & 0xF) * 2, (word & 0xF) * 2)
    if word & 0xFF00 == 0x0200:
        return _next(at, "muls", 2, 16 + (word >> 4 & 0xF), 16 + (word & 0xF))
    if word & 0xFF00 == 0x0300:
        name = ("mulsu", "fmul", "fmuls", "fmulsu")[(word >> 6 & 2) | (word >> 3 & 1)]
        return _next(at, name, 2, 16 + (word >> 4 & 7), 16 + (word & 7))
    return _unknown(at, word)


def _displaced(at: int, word: int) -> Instruction:
    value = (word >> 8 & 0x20) | (word >> 7 & 0x18) | (word & 7)
    pointer = POINTERS["y" if word & 8 else "z"]
    return _next(at, "std" if word & 0x200 else "ldd", 2, word >> 4 & 0x1F, pointer, value)


def _of_bits(at: int, word: int) -> Instruction:
    bit = word & 7
    if word & 0x800 == 0:
        target = (at + 2 + _signed(word >> 3, 7) * 2) & 0xFFFF
        name = "brbc" if word & 0x400 else "brbs"
        return Instruction(at, 2, name, Flow.BRANCH, 1, further=1, one=bit, target=target)
    if word & 8:
        return _unknown(at, word)
    name = ("bld", "bst", "sbrc", "sbrs")[word >> 9 & 3]
    if name in ("bld", "bst"):
        return _next(at, name, 1, word >> 4 & 0x1F, bit)
    return Instruction(at, 2, name, Flow.SKIP, 1, further=1, one=word >> 4 & 0x1F, two=bit)


def _of_nine(at: int, word: int, word_at: Callable[[int], int]) -> Instruction:
    one, low = word >> 4 & 0x1F, word & 0xF
    group = word >> 8 & 0xF
    if group in (0, 1, 2, 3):
        return _memory(at, word, one, low, word_at)
    if group in (4, 5):
        return _of_one(at, word, one, low, word_at)
    if group in (6, 7):
        value = (word >> 2 & 0x30) | low
        return _next(at, "sbiw" if group == 7 else "adiw", 2, 24 + (word >> 4 & 3) * 2, value=value)
    port, bit = word >> 3 & 0x1F, word & 7
    name = {0x8: "cbi", 0x9: "sbic", 0xA: "sbi", 0xB: "sbis"}[group]
    if name in ("cbi", "sbi"):
        return _next(at, name, 2, port, bit)
    return Instruction(at, 2, name, Flow.SKIP, 1, further=1, one=port, two=bit)


def _memory(at: int, word: int, one: int, low: int, word_at: Callable[[int], int]) -> Instruction:
    stores = word & 0x200 != 0
    if low == 0:
        address = word_at(at + 2)
        return _next(at, "sts" if stores else "lds", 2, one, value=address, size=4)
    if low == 0xF:
        return _next(at, "push" if stores else "pop", 2, one)
    if low in _POINTED:
        pointer, change = _POINTED[low]
        return _next(at, "st" if stores else "ld", 2, one, POINTERS[pointer], change)
    if not stores and low in (4, 5):
        return _next(at, "lpm", 3, one, POINTERS["z"], low & 1)
    return _unknown(at, word)


def _of_one(at: int, word: int, one: int, low: int, word_at: Callable[[int], int]) -> Instruction:
    if low in _ONE_REGISTER:
        return _next(at, _ONE_REGISTER[low], 1, one)
    if word & 0xFF0F == 0x9408:
        return _next(at, "bclr" if word & 0x80 else "bset", 1, word >> 4 & 7)
    if low >= 0xC:
        target = (word_at(at + 2) | (word & 1) << 16) * 2
        if word & 2:
            return Instruction(at, 4, "call", Flow.CALL, 4, target=target)
        return Instruction(at, 4, "jmp", Flow.JUMP, 3, target=target)
    return _unknown(at, word)


def _signed(bits: int, width: int) -> int:
    value = bits & (1 << width) - 1
    return value - (1 << width) if value >> width - 1 else value
