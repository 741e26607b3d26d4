"""Warns about calls that use A6 or A7 of an ATmega328P as a digital pin. They are analog inputs only. The
stock core compiles such calls and reads past the end of its table of pins."""

from __future__ import annotations

from hocket.boards import Board
from hocket.builder.pin_arguments import calls_of, numbers_named
from hocket.sketch.folder import Sketch, read_source

# arduino/variants/atmega328p/pins.h
_PINS = {"A6": 20, "A7": 21, "PIN_A6": 20, "PIN_A7": 21}
_CHIPS = frozenset({"atmega328p"})
_DO_NOTHING = frozenset({"digitalWrite", "analogWrite", "shiftOut", "tone", "noTone"})
_READ = frozenset({"digitalRead", "shiftIn", "pulseIn", "pulseInLong"})


def analog_only_warnings(sketch: Sketch, board: Board) -> list[str]:
    """Returns a warning, in the compilers' format, for each such call."""
    if board.chip not in _CHIPS:
        return []
    files = [(path, read_source(path)) for path in (*sketch.tabs, *sketch.sources)]
    headers = [read_source(path) for path in sketch.headers]
    values = numbers_named((*headers, *(text for _, text in files)), _PINS)
    return [
        f"{path}:{call.line}: warning: {call.function}() of A{call.pin - 14} "
        f"{'reads LOW' if call.function in _READ else 'does nothing'}: the pin is an analog input only. Use "
        f"analogRead(A{call.pin - 14}){' > 512' if call.function in _READ else ' or another pin'}"
        for path, text in files
        for call in calls_of(text, _DO_NOTHING | _READ, values)
        if call.pin in _PINS.values()
    ]
