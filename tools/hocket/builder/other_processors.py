"""Advice for sources that need features of a processor that the board does not have."""

from __future__ import annotations

import re
from pathlib import Path

from hocket.boards import Board, first_of
from hocket.builder.missing_header import Advice
from hocket.errors import HocketError
from hocket.sketch.folder import read_anything

_UNKNOWN = re.compile(r"use of undeclared identifier '(\w+)'")
_PORT = re.compile(r"(?:PORT|PIN|DDR)[A-L]\d?$")
# Registers of the ATmega328P and the ATmega2560 (their data sheets, register summaries).
_REGISTER = re.compile(
    r"(?:TCCR\d[A-C]?|TCNT\d[HL]?|OCR\d[A-C]?[HL]?|ICR\d[HL]?|TIMSK\d?|TIFR\d?|GTCCR|ASSR|ADMUX|ADCSRA|ADCSRB"
    r"|ADC[HL]?|DIDR[012]|ACSR|UCSR\d[A-C]|UBRR\d[HL]?|UDR\d|SPCR|SPSR|SPDR|TW(?:BR|CR|DR|SR|AR|AMR)"
    r"|EICR[AB]|EIMSK|EIFR|PCICR|PCIFR|PCMSK\d|WDTCSR|MCUSR|MCUCR|SMCR|PRR\d?|CLKPR|OSCCAL|EECR|EEDR|EEAR[HL]?"
    r"|SPMCSR|GPIOR\d|SP[HL]?)$"
)
# Words with which libraries reject an unknown processor.
_PLATFORM = re.compile(
    r"platform|processor|architecture|\bboards?\b|\bmcu\b|\bcpu\b|not (?:yet )?supported|unsupported",
    re.I,
)


def of_another_processor(
    first: str, file: str | None, line: int | None, board: Board
) -> Advice | None:
    """Returns advice, or None for any other error. first: the text of the first error. file, line: its
    place."""
    name = _UNKNOWN.search(first)
    if board.architecture != "avr" and name and _PORT.match(name[1]):
        return Advice(
            f"{name[1]} is a register of the Uno's processor, which {board.name} does not have",
            "use digitalWrite(), or portOutputRegister(digitalPinToPort(pin)), which every board has; or "
            f"build it for the Uno (--board {first_of('avr8')})",
        )
    if board.architecture != "avr" and name and _REGISTER.match(name[1]):
        return Advice(
            f"{name[1]} is a register of the Uno's processor, which {board.name} does not have",
            f"build it for the Uno (--board {first_of('avr8')}), or keep this part for it: "
            "#ifdef __AVR__",
        )
    if _PLATFORM.search(first) and _is_directive(file, line):
        return Advice(
            f"this source selects its code by macros of processors, and that of {board.name} is none of them",
            f"build it for another board, or give it a part for this one: #ifdef {_macro(board)}",
        )
    return None


def _macro(board: Board) -> str:
    return f"ARDUINO_{board.arduino_name or 'ARCH_HOCKET'}"


def _is_directive(file: str | None, line: int | None) -> bool:
    """Returns whether the line is an `#error`."""
    if file is None or line is None:
        return False
    try:
        lines = read_anything(Path(file)).split("\n")
    except HocketError:
        return False
    return 0 < line <= len(lines) and re.match(r"\s*#\s*error\b", lines[line - 1]) is not None
