"""The user's own files. No command writes a result over one of them, or makes a file that looks like one.

A file is recognized by its ending: a result that is named `tab.h` would be compiled with the sketch.
`check_writable` (hocket.running.request) asks before the work, and `write_result` (hocket.whole_files) again
before it replaces a file.
"""

from __future__ import annotations

import os
from pathlib import Path

from hocket.errors import HocketError

_SOURCES = (
    *(".ino", ".pde", ".c", ".cc", ".cpp", ".cxx", ".s"),
    *(".h", ".hh", ".hpp", ".hxx", ".inc", ".ipp", ".tpp"),
)
_KINDS = dict.fromkeys(_SOURCES, "a source of a sketch") | {
    ".yaml": "a scenario or a file of settings",
    ".yml": "a scenario or a file of settings",
    ".toml": "a file of settings",
}


def check_not_own(what: str, file: Path) -> None:
    """Raises HocketError if this name, or the target of this link, has the ending of a user's own file. A
    device may have any name."""
    if file.exists() and not file.is_file():
        return
    for place in (file, Path(os.path.realpath(file))):
        kind = _KINDS.get(place.suffix.lower())
        if kind is None:
            continue
        if place.exists():
            fact, cause = f"{what} would overwrite a file", f"{place.name} is {kind}"
        else:
            fact = f"{what} has the ending of another kind of file"
            cause = f"a file that ends in {place.suffix} is {kind}"
        raise HocketError(fact, cause, "name another file")
