"""What looks otherwise than it is: shifts, assembler, two loops in one, numbers with a pointer's value."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from tests.wcet.programs import build

from hocket.builder.stack_depth import Program
from hocket.wcet.facts import passes_text
from hocket.wcet.hidden import Hidden
from hocket.wcet.image import Image

_HEAD = """#include <math.h>
#include <stdint.h>
#include "/{root}/arduino/api/at_most.h"
volatile uint8_t flag;
extern "C" __attribute__((noinline)) uint16_t measured(const uint8_t *in) {{
  uint16_t n = 0;
"""
# Each has had a bound below what a run takes.
_COUNTED = {
    "shift": "for (uint8_t i = 0; i < 3; i++) n += 3u << in[i];",
    "long shift": "for (uint8_t i = 0; i < 3; i++) n += static_cast<uint32_t>(in[i]) >> in[i + 1];",
    "one head": "for (uint8_t i = 0; i < 10; i++) while (++flag & 7) { atMost(8); }",
    "three": "for (uint8_t i = 0; i < 4; i++) for (uint8_t j = 0; j < 5; j++) while (++flag & 7) atMost(8);",
    "remainder": "n = fmodf(in[0] * 1e30f, (in[1] + 1) * 1e-42f) > 1e-43f;",
    "sine": "n = sinf(in[0] * 1e36f) > 0.5f;",
}
_UNKNOWN = {
    "two ways back": "do { do { atMost(3); } while (++flag & 1); } while (flag & 0x7e);",
    "assembler": "for (uint8_t i = 0; i < 3; i++) { uint8_t k = in[i] | 1; "
    'asm volatile("1: dec %0\\n\\tbrne 1b" : "+r"(k)); flag = k; }',
}


def _source(body: str) -> str:
    root = str(Path(__file__).parents[2]).lstrip("/")
    return f"{_HEAD.format(root=root)}{body}\n  return n;\n}}\n"


@pytest.mark.parametrize("kind", _COUNTED)
def test_no_run_takes_longer_than_the_bound(kind: str, tmp_path: Path) -> None:
    chosen = [[each] * 16 for each in (0, 7, 15, 31, 200, 255)]
    built = build(_source(_COUNTED[kind]), tmp_path, chosen=chosen, runs=60)
    bound = built.bound()
    assert not bound.unknown
    _, longest = built.seen()
    assert longest <= bound.cycles


def test_a_number_that_looks_like_a_pointer_to_a_table_may_change(tmp_path: Path) -> None:
    source = """#include <stdint.h>
struct Base { virtual void act() = 0; };
struct One : Base { void act() override; };
volatile uint8_t flag;
void One::act() { flag = 1; }
One one;
Base *volatile base = &one;
uint16_t limits[] = { LIMITS };
extern "C" __attribute__((noinline)) uint16_t measured(const uint8_t *in) {
  uint16_t n = 0;
  base->act();
  for (uint8_t i = 0; i < limits[1]; i++) flag = i;
  limits[1] = 200;
  return limits[1];
}
"""
    elf = build(source.replace("LIMITS", "1, 2"), tmp_path).elf
    (table,) = Program(elf, "avr-nm").table_starts
    built = build(source.replace("LIMITS", f"1, {table}"), tmp_path)
    image = Image(Program(built.elf, "avr-nm"))
    data = [image.data(at) for at in range(0x100, 0x180)]
    same = [at for at, two in enumerate(pairwise(data)) if two == (table & 0xFF, table >> 8)]
    assert len(same) == 1  # in `one`, and not in `limits`


@pytest.mark.parametrize("kind", _UNKNOWN)
def test_what_cannot_be_told_is_unknown(kind: str, tmp_path: Path) -> None:
    bound = build(_source(_UNKNOWN[kind]), tmp_path).bound()
    assert {unknown.kind for unknown in bound.unknown} == {"loop"}


@pytest.mark.parametrize(
    ("lines", "most"),
    [
        (["%3 = shl i16 3, %2"], [255]),
        (["%1 = and i8 %0, 7", "%2 = zext i8 %1 to i16", "%3 = lshr exact i16 %9, %2"], [7]),
        (["%3 = call i8 @llvm.fshl.i8(i8 %1, i8 %1, i8 %2)"], [255]),
        (["%3 = shl i16 %2, 3"], []),
        (["%3 = ashr i16 %2, 3"], []),
        (['call void asm sideeffect "1: nop\\0Abrne 1b", ""()'], [None]),
        (['call void asm sideeffect "; hocket_at_most $0", "i"(i32 3)'], []),
        (['call void asm sideeffect "sei", "~{memory}"()'], []),
    ],
)
def test_an_instruction_that_becomes_a_loop(lines: list[str], most: list[int | None]) -> None:
    hidden = Hidden()
    assert [each for line in lines for each in hidden.loops_of(line)] == most


def test_a_print_of_the_sketch_may_write_more_than_its_text() -> None:
    assert passes_text("_ZN5Print5writeEPKhj") and passes_text("_ZN14HardwareSerial5writeEPKhj")
    assert not passes_text("_ZN4Loud5writeEPKhj")
