"""How deep stacks get, read from the code of small programs of assembler: each thing that moves the stack."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from hocket.builder.stack_depth import Depth, Program

# A table of virtual functions as the linker lays it out, and what calls through it.
HEAD = """
  .section .text
  .global __vectors
__vectors:
  jmp 0
leaf_:
  ret
three:
  push r2
  push r3
  push r4
  pop r4
  pop r3
  pop r2
  ret
never:
  rjmp never
"""
CASES = {
    "ret": (0, set()),
    "push r16\n pop r16\n ret": (1, set()),
    "call leaf_\n ret": (2, set()),
    "push r16\n rcall three\n pop r16\n ret": (6, set()),
    "rjmp three": (3, set()),
    "rcall 1f\n1: push r2\n pop r2\n pop r0\n pop r0\n ret": (3, set()),  # room for two bytes
    # The deeper of two ways; a skip over an instruction of two words.
    "tst r24\n breq 1f\n rjmp three\n1: push r2\n pop r2\n ret": (3, set()),
    "sbrs r24, 3\n call three\n push r2\n pop r2\n ret": (5, set()),
    # Frames of up to 63 bytes, and larger.
    "push r28\n push r29\n in r28, 0x3d\n in r29, 0x3e\n sbiw r28, 20\n in r0, 0x3f\n cli\n out 0x3e, r29\n"
    "out 0x3f, r0\n out 0x3d, r28\n call leaf_\n adiw r28, 20\n out 0x3e, r29\n out 0x3d, r28\n"
    "pop r29\n pop r28\n ret": (24, set()),
    "in r28, 0x3d\n in r29, 0x3e\n subi r28, lo8(300)\n sbci r29, hi8(300)\n out 0x3e, r29\n out 0x3d, r28\n"
    "call three\n subi r28, lo8(-300)\n sbci r29, hi8(-300)\n out 0x3e, r29\n out 0x3d, r28\n push r2\n"
    "pop r2\n ret": (305, set()),
    # Room for a call's arguments, in a function without a frame.
    "in r30, 0x3d\n in r31, 0x3e\n sbiw r30, 8\n in r0, 0x3f\n cli\n out 0x3e, r31\n out 0x3f, r0\n"
    "out 0x3d, r30\n std Z+8, r25\n call three\n in r30, 0x3d\n in r31, 0x3e\n adiw r30, 8\n in r0, 0x3f\n"
    "cli\n out 0x3e, r31\n out 0x3f, r0\n out 0x3d, r30\n push r2\n call leaf_\n pop r2\n ret": (13, set()),
    "in r30, 0x3d\n in r31, 0x3e\n subi r30, lo8(70)\n sbci r31, hi8(70)\n out 0x3e, r31\n out 0x3d, r30\n"
    "call leaf_\n in r30, 0x3d\n in r31, 0x3e\n subi r30, lo8(-70)\n sbci r31, hi8(-70)\n out 0x3e, r31\n"
    "out 0x3d, r30\n push r2\n pop r2\n ret": (72, set()),
    # An array whose length is computed, beside a frame of two bytes: what comes behind it counts.
    "in r28, 0x3d\n in r29, 0x3e\n sbiw r28, 2\n out 0x3e, r29\n out 0x3d, r28\n in r18, 0x3d\n"
    "in r19, 0x3e\n sub r18, r24\n sbc r19, r25\n in r0, 0x3f\n cli\n out 0x3e, r19\n out 0x3f, r0\n"
    "out 0x3d, r18\n call three\n adiw r28, 2\n out 0x3e, r29\n out 0x3d, r28\n push r2\n pop r2\n ret":
        (7, {"a size that is computed (alloca)"}),
    # What does not return is not gone on behind.
    "call never\nbehind:\n push r2\n push r3\n push r4\n push r5\n rjmp behind": (2, set()),
    "call 0\n ret": (0, set()),  # a weak function that is not there
    # Another stack is used from there on.
    "push r2\n out 0x3e, r19\n out 0x3d, r18\n call three\n ret": (1, set()),
    "push r2\n rcall start\n pop r2\n ret": (3, {"start calls itself"}),
    "movw r30, r24\n icall\n ret": (0, {"a call through a pointer"}),
    "movw r30, r24\n ld r18, Z\n ldd r19, Z+1\n movw r30, r18\n ldd r18, Z+2\n ldd r19, Z+3\n movw r30, r18\n"
    "icall\n ret": (5, set()),
    # By the table of a second base.
    "movw r30, r24\n ld r18, Z\n ldd r19, Z+1\n movw r30, r18\n ldd r18, Z+4\n ldd r19, Z+5\n movw r30, r18\n"
    "icall\n ret": (2 + 4, set()),
}  # fmt: skip
TABLE = """
  .section .text
deepest:
  push r2
  rcall leaf_
  push r3
  rcall leaf_
  pop r3
  pop r2
  ret
  .section .data
  .global _ZTV1A
  .type _ZTV1A, @object
_ZTV1A:
  .word 0, 0, pm(leaf_), pm(three), -5, 0, pm(leaf_), pm(leaf_), pm(deepest)
  .size _ZTV1A, 18
  .global _ZTV1B
  .type _ZTV1B, @object
_ZTV1B:  ; behind the distance to a virtual base
  .word 6, 0, 0, pm(leaf_), -6, -6, 0, pm(leaf_)
  .size _ZTV1B, 16
"""


@pytest.fixture
def depth(tmp_path: Path) -> Callable[[str], Depth]:
    def of(code: str) -> Depth:
        source, program = tmp_path / "code.S", tmp_path / "code"
        source.write_text(f"{HEAD}  .global start\nstart:\n  {code}\nend_:\n  nop\n{TABLE}")
        subprocess.run(
            ["avr-gcc", "-mmcu=atmega328p", "-nostartfiles", source, "-o", program], check=True
        )
        found = Program(program, "avr-nm")
        start = found.address("start")
        assert start is not None
        return found.depth(start)

    return of


@pytest.mark.parametrize("code", CASES)
def test_depth(code: str, depth: Callable[[str], Depth]) -> None:
    found = depth(code)
    assert (found.bytes, set(found.unknown)) == CASES[code]


def test_the_way_that_takes_most(depth: Callable[[str], Depth]) -> None:
    found = depth("push r2\n rcall middle\n rcall leaf_\n pop r2\n ret\nmiddle:\n push r3\n push r4\n"
                  "rcall three\n pop r4\n pop r3\n ret")  # fmt: skip
    assert found.bytes == 1 + 2 + 2 + 2 + 3
    assert found.chain == (("start", 3), ("middle", 4), ("three", 3))


def test_two_that_call_each_other_are_told_whoever_is_asked(tmp_path: Path) -> None:
    source, program = tmp_path / "code.S", tmp_path / "code"
    source.write_text(
        HEAD + "start:\n rcall other\n ret\nother:\n push r2\n rcall start\n pop r2\n ret\n"
        "outer:\n rcall other\n ret\n"
    )
    subprocess.run(
        ["avr-gcc", "-mmcu=atmega328p", "-nostartfiles", source, "-o", program], check=True
    )
    found = Program(program, "avr-nm")
    for name in ("outer", "start", "other", "outer"):
        address = found.address(name)
        assert address is not None
        assert any("calls itself" in why for why in found.depth(address).unknown), name
