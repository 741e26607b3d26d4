"""Random programs print the same, whether avr-gcc compiles them, or clang, or each a half.

tests/uno/generated makes them. Each has a few pieces with many expressions, and prints a sum of what each
piece has worked out.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.campaign import long_form, rounds
from tests.uno.conftest import Run
from tests.uno.generated.program import LOOPS, PLAIN, Program

PIECES = 6
# Without its arguments a call is an error (builder/avr_code.py).
REFUSED = ("bytes of flash", "clang would compile this function wrong")


def printed(uno: Run, sketch: Path, compiler: str) -> list[str]:
    """What a sketch prints; nothing: it is refused, as the Uno has no room for it, or clang fails."""
    done = uno(sketch, "400ms")
    if done.status == 2 and any(words in done.said for words in REFUSED):
        return []
    assert done.status == 0, done.said
    assert compiler in done.report["compiler"]
    lines = done.serial.splitlines()
    return lines[: lines.index("end")]


def test_two_compilers_in_one_program(uno: Run, tmp_path: Path) -> None:
    """Half of it is avr-gcc's and half clang's, with calls of each other: as if all were avr-gcc's."""
    program = Program(12, PIECES)
    expected = printed(uno, program.sketch(tmp_path / "plain", PLAIN), "avr-gcc")
    assert len(expected) == PIECES
    assert printed(uno, program.border(tmp_path / "border" / "both"), "clang") == expected


@long_form
@pytest.mark.parametrize("seed", range(rounds(1, 40, "HOCKET_PROGRAMS")))
def test_each_compiler(uno: Run, tmp_path: Path, seed: int) -> None:
    program = Program(1000 + seed, PIECES)
    expected = printed(uno, program.sketch(tmp_path / "plain", PLAIN), "avr-gcc")
    assert len(expected) == PIECES
    for sketch in (
        program.sketch(tmp_path / "loops", LOOPS),
        program.border(tmp_path / "border" / "both"),
    ):
        assert printed(uno, sketch, "clang") in ([], expected), sketch.name
