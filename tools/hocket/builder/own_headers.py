"""Finds the Hocket header that declares a name which a sketch uses without including it."""

from __future__ import annotations

import re

from hocket.builder.missing_header import Advice
from hocket.paths import ROOT

_HEADERS = ROOT / "arduino"
_ALL = "TimeServices.h"  # includes several of them, and is the header that the guide names
# The message of clang, and that of avr-gcc.
_UNKNOWN = re.compile(
    r"(?:unknown type name|use of undeclared identifier|no template named) '(\w+)'"
    r"|'(\w+)' (?:does not name a type|was not declared in this scope)"
)
_DEFINED = r"^(?:(?:class|struct|enum class) (?:\[\[\w+\]\] )?{name}\b[^;]*$|using {name} =)"


def of_own_header(first: str) -> Advice | None:
    """Returns advice, or None if no header of Hocket's declares the name. first: the text of the first
    error."""
    found = _UNKNOWN.search(first)
    name = (found[1] or found[2]) if found else ""
    header = _header_of(name) if name else None
    if header is None:
        return None
    return Advice(f"{name} is declared in <{header}>", f"write #include <{header}> at the top")


def _header_of(name: str) -> str | None:
    defined = re.compile(_DEFINED.format(name=name), re.MULTILINE)
    for file in sorted((_HEADERS / "hocket").glob("*.h")):
        if defined.search(file.read_text(encoding="utf-8")):
            own = f"hocket/{file.name}"
            together = f'#include "{own}"' in (_HEADERS / _ALL).read_text(encoding="utf-8")
            return _ALL if together else own
    return None
