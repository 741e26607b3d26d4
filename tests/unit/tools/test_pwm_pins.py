"""Calls of analogWrite() that building warns of: the pin's timer is something else's there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hocket.boards import find_board
from hocket.builder.held_pulses import held_pulses
from hocket.builder.libraries import Library
from hocket.builder.pwm_pins import pwm_warnings
from hocket.sketch.folder import find_sketch

Maker = Callable[[str, dict[str, str | bytes]], Path]
LOOP = "void setup() {}\nvoid loop() {\n  tone(8, 440);\n  analogWrite(%s, 80);\n}\n"


def warned(sketch: Maker, text: str, board: str = "uno", loops: bool = False) -> list[str]:
    folder = sketch("s", {"s.ino": text})
    return pwm_warnings(find_sketch(str(folder)), find_board(board), loops)


@pytest.mark.parametrize("loops", [False, True])
@pytest.mark.parametrize("pin", ["3", "11"])
def test_pwm_of_the_timer_of_tones(sketch: Maker, pin: str, loops: bool) -> None:
    (warning,) = warned(sketch, LOOP % pin, loops=loops)
    assert f"s.ino:4: warning: analogWrite() of pin {pin} " in warning and "timer 2" in warning
    (named,) = warned(sketch, f"const int led = {pin};\n{LOOP % 'led'}", loops=loops)
    assert "s.ino:5: warning: " in named


@pytest.mark.parametrize(
    "text",
    [
        LOOP % "5",
        LOOP.replace("tone(8, 440)", "delay(8)") % "3",
        LOOP.replace("tone(8, 440)", "player.tone(8, 440)") % "3",
        "void tone(int pin, int pitch) {}\nvoid setup() {}\nvoid loop() { analogWrite(3, 80); }\n",
        "// tone(8)\nvoid setup() {}\nvoid loop() { noTone(8); analogWrite(3, 80); }\n",
    ],
)
def test_pwm_that_no_tone_ends(sketch: Maker, text: str) -> None:
    assert warned(sketch, text) == []


def test_pwm_of_the_timer_of_loops(sketch: Maker) -> None:
    text = "void setup() {}\nvoid loop() { analogWrite(9, 80); }\n"
    assert "the clock of the loops" in warned(sketch, text, loops=True)[0]
    assert warned(sketch, text) == []


def test_other_boards_have_timers_enough(sketch: Maker) -> None:
    assert warned(sketch, LOOP % "3", "sim") == []


def test_servos_beside_a_line_that_masks_interrupts(sketch: Maker) -> None:
    folder = sketch("s", {"s.ino": "#include <Servo.h>\n#include <SoftwareSerial.h>\n"})
    found = find_sketch(str(folder))
    servo, line = (Library(name, (folder,), ()) for name in ("Servo", "SoftwareSerial"))
    (warning,) = held_pulses(found, find_board("uno"), [servo, line])
    assert "s.ino:2: warning: a servo's pulse" in warning
    assert held_pulses(found, find_board("uno"), [servo]) == []
    assert held_pulses(found, find_board("uno"), [line]) == []
    assert held_pulses(found, find_board("sim"), [servo, line]) == []
