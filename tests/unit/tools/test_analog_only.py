"""Calls that use an analog input of the flat package as a digital pin: building warns of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hocket.boards import find_board
from hocket.builder.analog_only import analog_only_warnings
from hocket.sketch.folder import find_sketch

Maker = Callable[[str, dict[str, str | bytes]], Path]


def warned(sketch: Maker, line: str, board: str = "uno", above: str = "") -> list[str]:
    text = f"{above}\nvoid setup() {{}}\nvoid loop() {{\n  {line};\n}}\n"
    return analog_only_warnings(find_sketch(str(sketch("s", {"s.ino": text}))), find_board(board))


@pytest.mark.parametrize("board", ["uno", "nano"])
@pytest.mark.parametrize(
    ("line", "above", "said"),
    [
        ("digitalRead(A6)", "", "digitalRead() of A6 reads LOW"),
        ("if (digitalRead(KEYER) == HIGH) tone(8, 440)", "#define KEYER A7", "of A7 reads LOW"),
        ("pulseIn(key, HIGH)", "const byte key = KEYER;\n#define KEYER (0)", ""),
        ("pulseIn(key, HIGH)", "#define KEYER A6\nconst byte key = KEYER;", "of A6 reads LOW"),
        ("digitalWrite(21, HIGH)", "", "digitalWrite() of A7 does nothing"),
        ("shiftOut(PIN_A6, 3, MSBFIRST, 1)", "", "shiftOut() of A6 does nothing"),
        ("digitalRead(key)", "const byte key = A6 - 2;", ""),
        ("analogRead(A6)", "", ""),
        ("pinMode(A6, INPUT)", "", ""),
        ("digitalRead(A5)", "", ""),
        ("// digitalRead(A6)\n", "", ""),
    ],
)
def test_which_calls(sketch: Maker, board: str, line: str, above: str, said: str) -> None:
    found = warned(sketch, line, board, above)
    assert len(found) == (1 if said else 0), found
    if said:
        at = above.count("\n") + 4
        assert f"s.ino:{at}: warning: " in found[0]
        assert said in found[0]


def test_boards_with_other_pins(sketch: Maker) -> None:
    assert warned(sketch, "digitalRead(A6)", "sim") == []
