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
from hocket.whole_files import keep_current

# Whether it is current is decided here, by content (compile.py). With times in it the compiler refuses it
# where a file was only touched, or includes a header a second time in spite of its `#pragma once`.
_WITHOUT_TIMES = ("-Xclang", "-fno-pch-timestamp")

# Without a use of it among the precompiled headers, clang 19 for x86-64 takes the va_list of a header that
# comes later (<string>) for another type than its own.
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
    """Flags with which a source that begins with these lines finds them compiled; none when they do not
    compile: the source's own messages tell why."""
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
