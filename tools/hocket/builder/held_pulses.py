"""Warns about servos beside SoftwareSerial on a board whose processor generates both. SoftwareSerial masks
interrupts while a byte is sent or received, and a servo pulse cannot end before they are unmasked."""

from __future__ import annotations

from collections.abc import Iterable

from hocket.boards import Board
from hocket.builder.libraries import Library
from hocket.sketch.folder import Sketch, read_source
from hocket.sketch.tokens import Kind, Lines, directive_name, directive_rest, tokens_of

_MASKING = "SoftwareSerial"


def held_pulses(sketch: Sketch, board: Board, libraries: Iterable[Library]) -> list[str]:
    """Returns a warning, in the compilers' format, at the line that includes the serial library, or no
    warning."""
    if not board.byte_at_a_time or not {"Servo", _MASKING} <= {each.name for each in libraries}:
        return []
    return [
        f"{_place(sketch)}warning: a servo's pulse that ends while {_MASKING} sends or receives a byte is "
        "longer by the rest of that byte, 1 ms at 9600 baud at most, and the servo jerks: interrupts are "
        "masked meanwhile. Use Serial for the device, a higher rate, or detach() the servo at its place"
    ]


def _place(sketch: Sketch) -> str:
    for path in (*sketch.tabs, *sketch.sources, *sketch.headers):
        text = read_source(path)
        if _MASKING not in text:
            continue
        for token in tokens_of(text):
            included = token.kind is Kind.DIRECTIVE and directive_name(token.text) == "include"
            if included and _MASKING in directive_rest(token.text):
                return f"{path}:{Lines(text).line(token.start + token.text.index('#'))}: "
    return ""
