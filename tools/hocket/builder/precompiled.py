"""Precompiles the headers with which every translated sketch begins, once for each board.

These headers are most of what the compiler reads for a sketch. The precompiled header is made again if its
command or one of its files changes. The objects made with it list it among their files.
"""

from __future__ import annotations

import hashlib

from hocket.builder.board import Toolchain
from hocket.builder.compile import Unit, compile_unit
from hocket.builder.lock import locked
from hocket.paths import BUILD
from hocket.whole_files import keep_current

# Whether the header is current is decided here, by content (compile.py). With timestamps in it, the compiler
# rejects it if a file was only touched, or includes a header a second time in spite of its `#pragma once`.
_WITHOUT_TIMES = ("-Xclang", "-fno-pch-timestamp")

# Unless the precompiled headers use va_list, clang 19 for x86-64 treats the va_list of a later header
# (<string>) as a different type from its own.
_VA_LIST = """\
namespace hocket::precompiled {
inline void variadic(int last, ...) {
  __builtin_va_list arguments;
  __builtin_va_start(arguments, last);
  __builtin_va_end(arguments);
}
}  // namespace hocket::precompiled
"""


def precompiled(toolchain: Toolchain, headers: str) -> tuple[str, ...]:
    """Returns flags with which a source that begins with these lines uses the precompiled header. Returns
    none if the headers do not compile: the source's own messages then say why."""
    command = (
        toolchain.cxx,
        *toolchain.for_sketch,
        *_WITHOUT_TIMES,
        "-x",
        "c++-header",
    )
    text = _VA_LIST + headers
    together = "\0".join((*command, text))
    folder = BUILD / "precompiled" / hashlib.sha256(together.encode()).hexdigest()[:12]
    with locked(folder):
        source = keep_current(folder / "sketch.h", text)
        outcome = compile_unit(Unit(source, folder / "sketch.pch", command))
    if outcome.failed:
        return ()
    return ("-include-pch", str(outcome.unit.object))
