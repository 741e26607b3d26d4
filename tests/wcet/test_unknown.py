"""What cannot be bounded is reported, and never counted as if it took no time."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.wcet.programs import build

from hocket.wcet.longest import JUMP, LOOP, POINTER, RECURSION
from hocket.wcet.point import Unknown
from hocket.wcet.telling import told

_HEAD = "#include <stdint.h>\nvolatile uint8_t flag; void (*volatile function)();\n"
_FUNCTION = 'extern "C" __attribute__((noinline)) uint16_t measured(const uint8_t *in)'
UNBOUNDED = {
    LOOP: "while (flag) {} return 0;",
    RECURSION: "if (in[0] == 0) return 1; flag = measured(in + 1); return flag * measured(in + 2);",
    POINTER: "function(); return 1;",
    JUMP: 'asm volatile("movw r30, r24\\n\\tijmp" ::: "r30", "r31"); return 0;',
}


@pytest.mark.parametrize("kind", UNBOUNDED)
def test_it_has_no_bound(kind: str, tmp_path: Path) -> None:
    built = build(f"{_HEAD}{_FUNCTION} {{ {UNBOUNDED[kind]} }}\n", tmp_path, options=("-O1",))
    assert kind in {unknown.kind for unknown in built.bound().unknown}


_IN_THE_LIBRARY = {
    "qsort": "qsort(numbers, 20, 2, compare); return 1;",
    "longjmp": "setjmp(place); if (++flag < 100) longjmp(place, 1); return 1;",
}


@pytest.mark.parametrize("kind", _IN_THE_LIBRARY)
def test_a_jump_of_the_library_leads_to_no_function_of_the_sketch(
    kind: str, tmp_path: Path
) -> None:
    """It leads back into the function, or to another one that is not known."""
    head = (
        "#include <setjmp.h>\n#include <stdlib.h>\njmp_buf place; int numbers[20];\n"
        "int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }\n"
        "int (*volatile used)(const void *, const void *) = compare;\n"
    )
    source = f"{_HEAD}{head}{_FUNCTION} {{ {_IN_THE_LIBRARY[kind]} }}\n"
    bound = build(source, tmp_path).bound()
    assert {unknown.kind for unknown in bound.unknown} == {JUMP}


def test_a_pointer_in_a_structure_is_no_virtual_call(tmp_path: Path) -> None:
    source = f"""{_HEAD}
struct Base {{ virtual void act() = 0; }};
struct One : Base {{ void act() override {{ flag = 1; }} }};
One one;
Base *volatile base = &one;
void heavy() {{ for (uint16_t i = 0; i < 3000; i++) flag = i; }}
struct Entry {{ void (*run)(); }} entries[2] = {{ {{heavy}}, {{heavy}} }};
Entry *volatile entry = entries;
{_FUNCTION} {{ base->act(); entry->run(); return flag; }}
"""
    built = build(source, tmp_path, runs=3)
    bound = built.bound()
    _, longest = built.seen()
    assert not bound.unknown
    assert longest <= bound.cycles


def test_a_loop_that_reads_a_variable_of_others_has_no_bound(tmp_path: Path) -> None:
    """Static memory may be changed by an interrupt, so what was stored there is not known to remain."""
    body = "flag = 3; uint16_t n = 0; while (flag) { flag = flag - 1; n++; } return n;"
    bound = build(f"{_HEAD}{_FUNCTION} {{ {body} }}\n", tmp_path).bound()
    assert {unknown.kind for unknown in bound.unknown} == {LOOP}


def test_a_wait_for_a_pin_is_told_to_have_a_limit(tmp_path: Path) -> None:
    """`while (digitalRead(3) == LOW) {}` is instructions of digitalRead(), which are not in the sketch."""
    unknown = Unknown(0x400, "hocket_loop_2", LOOP)
    elsewhere = told(unknown, ("arduino/variants/atmega328p/pins.h", 171), tmp_path)
    assert "pins.h:171: nothing bounds this loop: where it waits for a pin" in elsewhere
    assert "give it a limit" in elsewhere
    (tmp_path / "wait.ino").write_text("")
    assert "atMost(32)" in told(unknown, ("wait.ino", 8), tmp_path)
