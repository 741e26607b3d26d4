"""What a source wants of another processor is said in words, with a way out."""

from __future__ import annotations

from pathlib import Path

import pytest

from hocket.boards import find_board
from hocket.builder.linking import link_error
from hocket.builder.other_processors import of_another_processor


@pytest.mark.parametrize(
    ("board", "first", "cause"),
    [
        (
            "sim",
            "use of undeclared identifier 'PORTB'",
            "PORTB is a register of the Uno's processor",
        ),
        (
            "virt",
            "use of undeclared identifier 'TCCR1A'",
            "TCCR1A is a register of the Uno's processor",
        ),
        ("sim", "use of undeclared identifier 'portable'", None),
        ("uno", "use of undeclared identifier 'PORTE'", None),
        ("sim", "call to undeclared function 'PORTB'", None),
    ],
)
def test_registers(board: str, first: str, cause: str | None) -> None:
    told = of_another_processor(first, None, None, find_board(board))
    assert (told is None) == (cause is None)
    assert told is None or told.cause.startswith(str(cause))


def test_an_error_that_names_platforms(tmp_path: Path) -> None:
    file = tmp_path / "a.h"
    file.write_text("#ifndef X\n  # error Unknown platform\n#endif\nint platform = unknown;\n")
    told = of_another_processor("Unknown platform", str(file), 2, find_board("sim"))
    assert told is not None
    assert told.next_step.endswith("#ifdef ARDUINO_ARCH_HOCKET")
    assert of_another_processor("unknown platform", str(file), 4, find_board("sim")) is None


def test_the_stock_cores_clock() -> None:
    said = "ld: /home/me/s/s.ino:3: undefined reference to `timer0_millis'\n"
    error = link_error(said)
    assert "here the clock is not a variable" in error.cause


def test_the_end_of_an_avrs_heap() -> None:
    said = (
        "ld.lld: error: undefined symbol: __brkval\n"
        ">>> referenced by s.ino:7 (/home/me/s/s.ino:7)\n>>>               s.ino.o:(setup)\n"
    )
    error = link_error(said)
    assert (error.file, error.line) == ("/home/me/s/s.ino", 7)
    assert "each loop has a stack of its own" in error.cause
    assert "#ifdef __AVR__" in error.next_step
