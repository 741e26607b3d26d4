"""Finds out whether a sketch can compute the number of a pin-change interrupt (Uno).

Only digitalPinToInterrupt() makes such numbers, for other pins than 2 and 3. If no source calls it so, a
number that attachInterrupt() gets at run time is 0, 1 or invalid, and the interrupts of the three ports are
not linked (arduino/cores/avr8/any_change.cpp): 0.6 kB of flash.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from hocket.paths import LIBRARIES, ROOT
from hocket.sketch.tokens import Kind, tokens_of

_NAME = "digitalPinToInterrupt"
_OF_PIN_2_OR_3 = re.compile(rf"{_NAME}\s*\(\s*[23]\s*\)")
_OWN = ROOT / "arduino"
# Calls of attachInterrupt() and its like whose number is not a constant, as they are named in objects.
CALLS = "hocket_attach_any|hocket_attach_any_param|hocket_detach_any"
CALLS += "|attachInterrupt|attachInterruptParam|detachInterrupt"


def names_changing_pins(read: Iterable[str]) -> bool:
    """Returns whether one of the files that the compilers have read calls digitalPinToInterrupt() with a pin
    that may be another than 2 or 3. Hocket's own headers define it."""
    return any(_calls(Path(file)) for file in set(read) if not _is_own(Path(file)))


def _is_own(file: Path) -> bool:
    file = Path(
        os.path.normpath(file)
    )  # as compilers name it: with the ".." of a folder of headers
    return file.is_relative_to(_OWN) and not file.is_relative_to(LIBRARIES)


def _calls(file: Path) -> bool:
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return True
    if _NAME not in _OF_PIN_2_OR_3.sub("", text):
        return False
    code = " ".join(t.text for t in tokens_of(text) if t.kind not in (Kind.COMMENT, Kind.STRING))
    return _NAME in _OF_PIN_2_OR_3.sub("", code)
