"""Warns about analogWrite() on pins whose timer has another use. The board's description
says which pins share a timer with the clock of the loops, and which with tone(). In a sketch with loops a
computed pin number with the clock's timer is detected at run time (simulation/avr)."""

from __future__ import annotations

from hocket.boards import Board, listed
from hocket.builder.pin_arguments import calls_of, code_of, numbers_named
from hocket.sketch.folder import Sketch, read_source
from hocket.sketch.tokens import Kind, Token


def pwm_warnings(sketch: Sketch, board: Board, has_loops: bool) -> list[str]:
    """Returns a warning, in the compilers' format, for each call with a literal pin or a name that stands for
    one."""
    of_clock = board.clock_pwm_pins if has_loops else frozenset()
    of_tone = board.tone_pwm_pins
    if not of_clock and not of_tone:
        return []
    files = [(path, read_source(path)) for path in (*sketch.tabs, *sketch.sources)]
    if not any("analogWrite" in text for _, text in files):
        return []
    if not any(_has_tone(text) for _, text in files):
        of_tone = frozenset()
    headers = [read_source(path) for path in sketch.headers]
    values = numbers_named((*headers, *(text for _, text in files)))
    written = [
        (path, call.line, call.pin)
        for path, text in files
        for call in calls_of(text, frozenset({"analogWrite"}), values)
    ]
    return [
        f"{path}:{line}: warning: analogWrite() of pin {pin} shows the nearer of the two levels: its timer "
        f"is the clock of the loops. PWM beside loops is on pins {_words(board.pwm_pins)}"
        for path, line, pin in written
        if pin in of_clock
    ] + [
        f"{path}:{line}: warning: analogWrite() of pin {pin} shows the nearer of the two levels while a tone "
        f"sounds, and a tone ends its PWM: tone() and pins {_words(of_tone)} share timer 2. Move the PWM to "
        f"pin {listed(map(str, sorted(board.pwm_pins - of_tone)))}"
        for path, line, pin in written
        if pin in of_tone
    ]


def _words(pins: frozenset[int]) -> str:
    *others, last = map(str, sorted(pins))
    return f"{', '.join(others)} and {last}" if others else last


def _has_tone(text: str) -> bool:
    """Returns whether the source calls tone() and does not define a function of that name."""
    if "tone" not in text:
        return False
    tokens = code_of(text)
    for at, token in enumerate(tokens[:-1]):
        before = tokens[at - 1] if at > 0 else None
        if token.is_word("tone") and tokens[at + 1].is_mark("(") and not _names(before):
            return True
    return False


def _names(before: Token | None) -> bool:
    """Returns whether the token before a name makes it a declaration (`void tone(`) or a member
    (`x.tone(`)."""
    if before is None or before.is_mark(".") or before.is_mark("->") or before.is_mark(">"):
        return True
    return before.kind is Kind.WORD and before.text not in ("else", "do", "return")
