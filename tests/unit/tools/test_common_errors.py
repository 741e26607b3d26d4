"""Frequent errors of sketches are followed by the next step."""

from __future__ import annotations

from pathlib import Path

import pytest

from hocket.avr_chips import ATMEGA328P
from hocket.boards import find_board
from hocket.builder.common_errors import of_a_common_error
from hocket.builder.linking import link_error


@pytest.mark.parametrize(
    ("board", "first", "next_step"),
    [
        ("uno", "use of undeclared identifier 'Serial1'; did you mean 'Serial'?", "SoftwareSerial"),
        ("sim", "use of undeclared identifier 'Serial7'", None),
        ("uno", "use of undeclared identifier 'Serials'", None),
        ("uno", "redefinition of 'loop'", "void loop(1, 20, 100)"),
        ("uno", "redefinition of 'loops'", None),
        ("uno", "no member named 'printf' in 'hocket::SerialPort'", "snprintf()"),
        (
            "sim",
            "static assertion failed: ISR(WDT_vect) is an interrupt vector of an AVR chip, which this",
            "#ifdef __AVR__",
        ),
    ],
)
def test_next_steps(board: str, first: str, next_step: str | None) -> None:
    told = of_a_common_error(first, None, None, find_board(board))
    assert (told is None) == (next_step is None)
    assert told is None or str(next_step) in told.next_step


def test_a_member_function_as_handler(tmp_path: Path) -> None:
    file = tmp_path / "a.ino"
    file.write_text("attachInterrupt(digitalPinToInterrupt(2), pressed, FALLING);\nint n = size;\n")
    first = "reference to non-static member function must be called; did you mean to call it?"
    told = of_a_common_error(first, str(file), 1, find_board("uno"))
    assert told is not None
    assert "static member function" in told.next_step
    assert of_a_common_error(first, str(file), 2, find_board("uno")) is None


def test_the_loops_have_timer_1() -> None:
    twice = (
        "/u/libhocket_uno.a(switch.S.obj): In function `x':\n"
        "/h/switch.S:352: multiple definition of `__vector_11'\n"
        "/b/.obj/x.ino.o:/s/x.ino:1: first defined here\n"
    )
    error = link_error(twice)
    assert "timer 1 is the clock of the loops" in str(error.cause)
    assert "TIMER2_COMPA_vect" in str(error.next_step)
    error = link_error(twice.replace("switch.S", "servo.cpp"))
    assert "Servo" in str(error.cause) and "clock" not in str(error.cause)


def test_the_clock_of_loops_is_no_variable() -> None:
    said = "ld: /home/me/s/s.ino:3: undefined reference to `timer0_millis'\n"
    assert "__AVR__" in str(link_error(said).next_step)
    assert "__AVR__" not in str(link_error(said, ATMEGA328P).next_step)
    assert "start = millis()" in str(link_error(said, ATMEGA328P).next_step)
