"""Frames on the Uno by what functions do: single functions as clang writes them, and a stack."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any

import pytest

PUSH_Y = [0x93CF, 0x93DF]  # push r28, push r29
TAKE_SP = [0xB7CD, 0xB7DE]  # in r28, SPL; in r29, SPH
ROOM_10 = [0x972A]  # sbiw r28, 10
GIVE_SP = [0xB60F, 0x94F8, 0xBFDE, 0xBE0F, 0xBFCD]  # in r0, SREG; cli; out SPH; out SREG; out SPL
BODY = [0xE8E8, 0xE003]
ROOM_BACK = [0x962A]  # adiw r28, 10
POP_Y, RET = [0x91DF, 0x91CF], [0x9508]
DATA, START, STACK = 0x800000, 0x100, 0x500


class Memory:
    """Flash and data, as gdb's addresses."""

    def __init__(self) -> None:
        self.bytes: dict[int, int] = {}

    def write(self, address: int, *values: int) -> None:
        self.bytes.update(enumerate(values, address))

    def word(self, address: int, size: int) -> int:
        return int.from_bytes(bytes(self.bytes.get(address + n, 0) for n in range(size)), "little")


@pytest.fixture
def avr(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module as gdb loads it, without gdb."""
    gdb, unwinder = ModuleType("gdb"), ModuleType("gdb.unwinder")
    unwinder.Unwinder = object  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "gdb", gdb)
    monkeypatch.setitem(sys.modules, "gdb.unwinder", unwinder)
    for name in ("memory", "frames", "avr"):
        monkeypatch.delitem(sys.modules, f"hocket.debugger.in_gdb.{name}", raising=False)
    module = importlib.import_module("hocket.debugger.in_gdb.avr")
    yield module
    for name in ("memory", "frames", "avr"):
        sys.modules.pop(f"hocket.debugger.in_gdb.{name}", None)


@pytest.fixture
def memory(avr: Any, monkeypatch: pytest.MonkeyPatch) -> Memory:
    memory = Memory()
    monkeypatch.setattr(avr.memory, "word", memory.word)
    return memory


def function(memory: Memory, *parts: list[int]) -> list[int]:
    """Writes it at START; the addresses at which its parts begin."""
    at, begins = START, []
    for part in parts:
        begins.append(at)
        for word in part:
            memory.write(at, word & 0xFF, word >> 8)
            at += 2
    return begins


WHOLE = (PUSH_Y, TAKE_SP, ROOM_10, GIVE_SP, BODY, ROOM_BACK, GIVE_SP, POP_Y, RET)


def test_what_a_function_has_done_so_far(avr: Any, memory: Memory) -> None:
    at = function(memory, *WHOLE)
    assert avr.beginning(START, START) == avr.Frame()
    assert avr.beginning(START, at[1]).pushed == {28: 0, 29: 1}
    assert not avr.beginning(START, at[1]).by_pointer
    in_body = avr.beginning(START, at[5])
    assert (in_body.depth, in_body.by_pointer, in_body.room) == (2, True, 10)


def test_the_caller_from_each_instruction_of_the_end(avr: Any, memory: Memory) -> None:
    """Called at SP = STACK, with Y = 0x1234, from 0x246."""
    at = function(memory, *WHOLE)
    memory.write(
        DATA + STACK - 1, 0x12, 0x34, 0x01, 0x23
    )  # r29, r28; the return's word, high first
    y = STACK - 2 - 10
    caller = {"PC2": 0x246, "pc": 0x246, "SP": DATA + STACK + 2}
    in_end = avr.ending(at[5], STACK - 12, y)
    assert in_end == {**caller, "r29": 0x12, "r28": 0x34}
    assert avr.ending(at[7], STACK - 2, y + 10) == in_end
    assert avr.ending(at[8], STACK, 0x1234) == caller
    assert avr.ending(at[4], STACK - 12, y) == {}  # the body is no end


def test_registers_of_a_switched_thread(avr: Any, memory: Memory) -> None:
    """ports/avr8/switch.S: r29, r28, r17 … r2 and the return from the stack pointer up."""
    memory.write(DATA + STACK + 1, 29, 28, *range(17, 1, -1), 0x01, 0x23)
    saved = avr.saved_by_switch(STACK)
    assert {name: saved[name] for name in ("r29", "r28", "r17", "r2")} == {
        "r29": 29, "r28": 28, "r17": 17, "r2": 2,
    }  # fmt: skip
    assert (saved["PC2"], saved["SP"]) == (0x246, DATA + STACK + 20)
