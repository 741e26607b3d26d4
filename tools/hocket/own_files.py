"""The user's own files. No command writes a result over one of them.

A file is recognized by its ending. `check_writable` (hocket.running.request) asks before the work, and
`write_result` (hocket.whole_files) again before it replaces a file.
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
    """Raises HocketError if the user's own file has this name or is what this link leads to."""
    if not file.exists():
        return
    for place in (file, Path(os.path.realpath(file))):
        kind = _KINDS.get(place.suffix.lower())
        if kind is not None:
            raise HocketError(
                f"{what} would overwrite a file", f"{place.name} is {kind}", "name another file"
            )
