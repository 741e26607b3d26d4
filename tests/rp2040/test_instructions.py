"""Instructions as Unicorn (a Cortex-M0 of QEMU's code) executes them: with random registers, flags and memory
they leave the same in them.

What the architecture leaves open ("unpredictable") is left out, and so is what ends a block (branches to
registers, exceptions): tests/rp2040/test_against_qemu.py has these.
"""

from __future__ import annotations

import random
import struct
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
import unicorn
from tests.campaign import long_form
from tests.targets import build_target
from unicorn import arm_const as arm

RAM, SIZE, CODE = 0x20000000, 0x10000, 0x100
EDGES = [0, 1, 2, 31, 32, 33, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF]
EDGES += [0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFE, 0xFFFFFFFF]
REGISTERS = [*(arm.UC_ARM_REG_R0 + i for i in range(13))]
REGISTERS += [arm.UC_ARM_REG_SP, arm.UC_ARM_REG_LR, arm.UC_ARM_REG_PC]
NOP, ROOM = 0xBF00, 16


def predictable(code: int) -> bool:
    """Whether the architecture says what it does, and it neither branches to a register nor traps."""
    low, high = code & 7, code >> 4 & 8
    destination, source = low | high, code >> 3 & 15
    upper = code >> 8 & 7
    ranges = [
        (0x4700, 0x4800),  # BX, BLX
        (0xB100, 0xB200),
        (0xB300, 0xB400),
        (0xB600, 0xBA00),  # CPS
        (0xBA80, 0xBAC0),
        (0xBB00, 0xBC00),
        (0xBD00, 0xC000),  # POP with pc, BKPT, hints
        (0xDE00, 0xE000),  # undefined, SVC
        (0xE800, 0x10000),  # 32 bits
    ]
    if any(begin <= code < end for begin, end in ranges):
        return False
    if 0x4400 <= code < 0x4700 and destination == 15:
        return False  # ADD and MOV to pc
    if 0x4500 <= code < 0x4600 and (source == 15 or max(destination, source) < 8):
        return False
    if 0x4400 <= code < 0x4700 and code >> 8 != 0x45 and destination == 13:
        return False  # Unicorn keeps the lowest bits of sp
    if code >> 9 in (0b1011010, 0b1011110) and code & 0x1FF == 0:
        return False  # an empty list
    if code >> 12 == 0xC and code & 0xFF == 0:
        return False
    if code >> 11 == 0b11000 and code >> upper & 1:
        return (
            code & ((1 << upper) - 1) == 0
        )  # STM stores its base as it was only where that is first
    return True


@dataclass
class Case:
    code: list[int]
    registers: list[int]
    flags: int

    def bytes(self) -> bytes:
        """What is in memory, in a room of its own: the instructions, and NOPs behind them."""
        return struct.pack(f"<{ROOM}H", *self.code, *[NOP] * (ROOM - len(self.code)))


@dataclass
class Result:
    registers: list[int]
    flags: int
    fault: int = 0
    cycles: int = 0
    changed: dict[int, int] = field(default_factory=dict)


def cases(count: int, length: int, rng: random.Random) -> Iterator[Case]:
    codes = [code for code in range(0x10000) if predictable(code)]
    straight = [code for code in codes if not 0xD000 <= code < 0xE800]
    rng.shuffle(codes)
    for i in range(count):
        code = [codes[i % len(codes)]] if length == 1 else rng.choices(straight, k=length)
        registers = [value(rng) for _ in range(13)]
        registers += [RAM + 0xC000 + 4 * rng.randrange(64), value(rng), RAM + CODE]
        yield Case(code, registers, rng.randrange(16) << 28)


def value(rng: random.Random) -> int:
    kind = rng.random()
    if kind < 0.4:
        return rng.choice(EDGES)
    if kind < 0.7:
        return RAM + 0x8000 + 4 * rng.randrange(2048)
    return rng.getrandbits(32)


def here(memory: bytes, asked: list[Case]) -> list[Result]:
    folder = build_target("sim", "rp2040_instructions") / "tests" / "rp2040"
    text = bytearray(memory)
    for case in asked:
        text += struct.pack("<18I", *case.registers, case.flags, len(case.code)) + case.bytes()
    program = [str(folder / "rp2040_instructions")]
    done = subprocess.run(program, input=bytes(text), capture_output=True, timeout=600, check=True)
    words = [word for (word,) in struct.iter_unpack("<I", done.stdout)]
    results, at = [], 0
    while at < len(words):
        *registers, flags, cycles, fault, changes = words[at : at + 20]
        pairs = words[at + 20 : at + 20 + 2 * changes]
        changed = dict(zip(pairs[::2], pairs[1::2], strict=True))
        results.append(Result(registers, flags, fault, cycles, changed))
        at += 20 + 2 * changes
    return results


class Reference:
    """Unicorn's core. Each case begins with the same memory."""

    def __init__(self, memory: bytes) -> None:
        self.memory = memory
        self.uc = unicorn.Uc(unicorn.UC_ARCH_ARM, unicorn.UC_MODE_THUMB | unicorn.UC_MODE_MCLASS)
        self.uc.ctl_set_cpu_model(arm.UC_CPU_ARM_CORTEX_M0)
        self.uc.mem_map(RAM, SIZE)
        self.uc.mem_write(RAM, memory)
        self.dirty: list[tuple[int, int]] = []
        self.uc.hook_add(unicorn.UC_HOOK_MEM_WRITE, self._writes)

    def _writes(self, _uc: object, _kind: int, at: int, size: int, *_: object) -> None:
        self.dirty.append((at - RAM, size))

    def perform(self, case: Case) -> Result:
        for at, size in self.dirty:  # also of a case that was given up
            self.uc.mem_write(RAM + at, self.memory[at : at + size])
        self.dirty = []
        self.uc.mem_write(RAM + CODE, case.bytes())
        self.uc.ctl_remove_cache(RAM + CODE, RAM + CODE + 2 * ROOM)
        for register, number in zip(REGISTERS, case.registers, strict=True):
            self.uc.reg_write(register, number)
        self.uc.reg_write(arm.UC_ARM_REG_APSR, case.flags)
        self.uc.emu_start(RAM + CODE | 1, 0xFFFFFFFF, count=len(case.code))
        result = Result(
            [self.uc.reg_read(register) & 0xFFFFFFFF for register in REGISTERS],
            self.uc.reg_read(arm.UC_ARM_REG_APSR) & 0xF0000000,
        )
        before = bytearray(self.memory)
        before[CODE : CODE + 2 * ROOM] = case.bytes()
        for at, size in self.dirty:
            for i, byte in enumerate(self.uc.mem_read(RAM + at, size)):
                if byte != before[at + i]:
                    result.changed[at + i] = byte
        return result


def compare(count: int, length: int, seed: int) -> None:
    rng = random.Random(seed)
    memory = rng.randbytes(SIZE)
    asked = list(cases(count, length, rng))
    results = here(memory, asked)
    assert len(results) == count
    reference = Reference(memory)
    compared = elsewhere = 0
    for case, mine in zip(asked, results, strict=True):
        if mine.fault:
            continue  # what the access would do elsewhere is no matter of the instruction
        try:
            theirs = reference.perform(case)
        except unicorn.UcError:
            elsewhere += 1  # in flash or the boot ROM, which it does not have
            continue
        # Code is part of memory, and a store into it is compared as one.
        mine.cycles = 0
        assert mine == theirs, f"{[hex(code) for code in case.code]} {case}"
        compared += 1
    assert compared > count // (5 if length == 1 else 20), "most cases were refused"
    assert elsewhere < count // 10


@pytest.mark.parametrize(
    "count", [6_000, pytest.param(200_000, marks=long_form)], ids=["short", "long"]
)
def test_single_instructions(count: int) -> None:
    compare(count, 1, seed=1)


@pytest.mark.parametrize(
    "count", [1_000, pytest.param(50_000, marks=long_form)], ids=["short", "long"]
)
def test_sequences(count: int) -> None:
    compare(count, 6, seed=2)
