"""Printing where the transmitter's interrupt cannot come: it is polled, as on the stock core."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
LONG = "0123456789" * 10  # the buffer holds 63
HANDLER = f'void handler() {{ Serial.println("{LONG}"); }}\n'
ATTACH = "attachInterrupt(digitalPinToInterrupt(2), handler, RISING);"
TICKS = f'ISR(TIMER2_OVF_vect) {{ TIMSK2 = 0; Serial.println("{LONG}"); Serial.flush(); }}\n'
TICK = "TCCR2A = 0; TCCR2B = 7; TIMSK2 = 1;"
MASKED = f'noInterrupts(); Serial.println("{LONG}"); Serial.flush(); interrupts(); '
MASKED += 'Serial.println("on"); delay(50);'
LOOP = f'Serial.println("{LONG}"); Serial.flush(); delay(20);'

# What a sketch defines besides, does in setup(), and does in its loop; and a line that follows the long one.
SKETCHES = {
    "masked": ("", "", f"void loop() {{ {MASKED} }}"),
    "masked beside a loop": ("", "", f"void loop(1, 20, 100) {{ {MASKED} }}"),
    "in setup()": ("", MASKED, "void loop() {}"),
    "in a handler": (HANDLER, ATTACH, 'void loop() { Serial.println("on"); delay(30); }'),
    "in an ISR": (TICKS, TICK, 'void loop() { Serial.println("on"); delay(30); }'),
    "in a handler beside a printing loop": (HANDLER, ATTACH, f"void loop(1, 20, 100) {{ {LOOP} }}"),
    "in an ISR beside a loop": (TICKS, TICK, "void loop(1, 20, 100) { delay(30); }"),
}
SCENARIO = "parts:\n  g: {type: generator, pin: 2, edges: [5ms, 90ms]}\n"


@pytest.mark.parametrize("where", SKETCHES)
def test_a_line_longer_than_the_buffer_leaves(uno: Run, tmp_path: Path, where: str) -> None:
    head, begin, loop = SKETCHES[where]
    folder = tmp_path / "prints"
    folder.mkdir()
    text = f"{head}void setup() {{ Serial.begin(115200); {begin} }}\n{loop}\n"
    (folder / "prints.ino").write_text(text)
    (folder / "scenario.yaml").write_text(SCENARIO)
    done = uno(folder, "150ms")
    assert done.status == 0, done.said
    lines = done.serial.splitlines()
    assert LONG in lines
    if "on" in loop + begin:
        assert "on" in lines[lines.index(LONG) + 1 :]


def test_bytes_of_a_handler_come_between(uno: Run, tmp_path: Path) -> None:
    """A handler does not wait for the loop that it has interrupted in a line: all bytes leave."""
    folder = tmp_path / "between"
    folder.mkdir()
    (folder / "between.ino").write_text(
        f'void handler() {{ Serial.print("<{LONG[:70]}>"); }}\n'
        f"void setup() {{ Serial.begin(115200); {ATTACH} }}\n"
        f'void loop(1, 20, 40) {{ Serial.println("{LONG}{LONG}"); }}\n'
    )
    (folder / "scenario.yaml").write_text(
        "parts:\n  g: {type: generator, pin: 2, frequency: 23 Hz}\n"
    )
    done = uno(folder, "400ms")
    assert done.status == 0, done.said
    bytes_of_handlers = [
        letter for letter in done.serial.partition(" on uno: ")[0] if letter in "<>"
    ]
    assert bytes_of_handlers.count("<") >= 5
    assert bytes_of_handlers.count("<") - bytes_of_handlers.count(">") <= 1
