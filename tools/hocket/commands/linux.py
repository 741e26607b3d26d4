"""`hocket linux build`: builds the Debian system that runs beside Hocket, and describes it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hocket.errors import shorten
from hocket.linux.build import Wish, build
from hocket.linux.kernel import check_word
from hocket.linux.machine import MIB, memory_size
from hocket.linux.sources import read_sources


def linux_build_command(
    word: str, memory: str, add: Sequence[str], refresh: bool, sources: Path | None
) -> int:
    check_word(word)
    memory_size(memory)
    text = read_sources(sources) if sources is not None else ""
    linux = build(Wish(word, memory, tuple(add), text), refresh)
    size = linux.root.stat().st_size
    print(f"{word}: Debian's kernel {linux.release}, for {memory} of memory")
    print(f"root: {size / MIB:.0f} MiB out of {len(linux.packages)} packages")
    print(shorten(linux.folder))
    return 0
