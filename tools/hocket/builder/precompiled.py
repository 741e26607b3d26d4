"""The headers with which every translated sketch begins, compiled once for a board.

They are most of what the compiler reads of a sketch. The precompiled header is made anew when its command
or one of its files has changed; the objects made with it name it among their files.
"""

from __future__ import annotations

import hashlib

from hocket.builder.board import Toolchain
from hocket.builder.compile import Unit, compile_unit
from hocket.builder.lock import locked
from hocket.paths import BUILD

# Files are compared by content where their times differ, as compile.py does.
_BY_CONTENT = "-fpch-validate-input-files-content"


def precompiled(toolchain: Toolchain, headers: str) -> tuple[str, ...]:
    """Flags with which a source that begins with these lines finds them compiled; none when they do not
    compile: the source's own messages tell why."""
    command = (toolchain.cxx, *toolchain.compile, _BY_CONTENT, "-x", "c++-header")
    together = "\0".join((*command, headers))
    folder = BUILD / "precompiled" / hashlib.sha256(together.encode()).hexdigest()[:12]
    with locked(folder):
        source = folder / "sketch.h"
        if not source.is_file():
            source.write_text(headers, encoding="utf-8")
        outcome = compile_unit(Unit(source, folder / "sketch.pch", command))
    if outcome.failed:
        return ()
    return (_BY_CONTENT, "-include-pch", str(outcome.unit.object))
