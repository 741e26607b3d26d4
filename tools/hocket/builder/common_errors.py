"""Explains frequent first errors of the compiler, and what to do about them."""

from __future__ import annotations

import re
from pathlib import Path

from hocket.boards import Board, first_of
from hocket.builder.missing_header import Advice
from hocket.errors import HocketError
from hocket.sketch.folder import read_anything

_PORT = re.compile(r"use of undeclared identifier '(Serial[1-9])'")
_VECTOR = re.compile(r"ISR\(\w+\) is an interrupt vector of an AVR chip")
_MEMBER = "reference to non-static member function must be called"
# Such a function is usually in .init3.
_NAKED = "non-ASM statement in naked function is not supported"
# Calls that take a handler.
_TAKES_HANDLER = re.compile(r"\b(?:attach\w*|on[A-Z]\w*|set\w*(?:Callback|Handler))\s*\(")


def of_a_common_error(
    first: str, file: str | None, line: int | None, board: Board
) -> Advice | None:
    """Returns advice for a frequent error, or None. first: the text of the first error. file, line: its
    place."""
    port = _PORT.match(first)
    if port and board.architecture == "avr":
        return Advice(
            f"the Uno has one serial port, Serial, and no {port[1]}",
            "use Serial, or a line at two other pins: SoftwareSerial",
        )
    if first.startswith("redefinition of 'loop'"):
        return Advice(
            "a sketch has one plain loop()",
            "give one of them a number, a budget and a period: void loop(1, 20, 100) { ... }",
        )
    if first.startswith("no member named 'printf' in 'hocket::SerialPort"):
        return Advice(
            "Serial has no printf(), as on an Arduino Uno",
            "call printf() itself, which prints to Serial, or snprintf() and Serial.print()",
        )
    if first.startswith(_MEMBER) and _TAKES_HANDLER.search(_text(file, line)):
        return Advice(
            "a member function needs an object, and a handler is called without one",
            "make the handler a function outside of the class, or a static member function",
        )
    if first.startswith(_NAKED) and board.architecture == "avr":
        return Advice(
            "clang, which compiles sketches with loops, accepts only assembler in a naked function",
            "move the function to a .cpp file of a library, which avr-gcc then compiles (docs/guide/uno.md), "
            "or do its work at the beginning of setup()",
        )
    if _VECTOR.search(first):
        return Advice(
            f"the processor of {board.name} is not an AVR",
            f"build it for the Uno (--board {first_of('avr8')}), or keep this part for it: "
            "#ifdef __AVR__",
        )
    return None


def _text(file: str | None, line: int | None) -> str:
    if file is None or line is None:
        return ""
    try:
        lines = read_anything(Path(file)).split("\n")
    except HocketError:
        return ""
    return lines[line - 1] if 0 < line <= len(lines) else ""
