"""Programs for a Linux guest, compiled here: C, statically linked, so that any root can hold them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from hocket.builder.lock import locked
from hocket.console import progress
from hocket.linux.compiling import compile_with
from hocket.linux.module import COMPILER
from hocket.packages import require
from hocket.paths import BUILD
from hocket.whole_files import made_aside

_COMPILER = f"{COMPILER}gcc-12"
_OPTIONS = ("-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-static")
# The compiler of sketches, and its options that affect code (arduino/cores/protected/sketch).
_OF_SKETCHES = "clang-19"
_LIKE_SKETCHES = (
    *("--target=aarch64-linux-gnu", "-mcpu=cortex-a53", "-mno-outline-atomics", "-Os"),
    *("-fno-optimize-sibling-calls", "-fuse-ld=lld", "-pthread"),
)


def program(
    source: Path,
    options: Sequence[str] = (),
    include: Sequence[Path] = (),
    compiler: str = _COMPILER,
) -> bytes:
    """Returns the program of this C file, compiled earlier or now. It may include headers of its folder and
    of those in `include`. options: further options of the compiler (`-pthread`). Raises HocketError if a
    package is missing or it does not compile."""
    require("linux", "a program for the Linux guest")
    words = [compiler, *_OPTIONS, *options, *(f"-I{folder}" for folder in include)]
    headers = [file for folder in (source.parent, *include) for file in folder.glob("*.h")]
    files = [source, *sorted(headers)]
    parts = [" ".join(words).encode(), *(file.read_bytes() for file in files)]
    digest = hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]
    made = BUILD / "linux" / "programs" / f"{source.stem}-{digest}"
    with locked(made.parent):
        if not made.is_file():
            with progress(f"compiling {source.name} for the Linux guest"):
                _compile(source, words, made)
    return made.read_bytes()


def program_like_sketches(source: Path, include: Sequence[Path] = ()) -> bytes:
    """As program(), compiled as sketches for the board `virt` are: the same work takes the same instructions.
    The program may use threads."""
    return program(source, _LIKE_SKETCHES, include, _OF_SKETCHES)


def _compile(source: Path, words: Sequence[str], made: Path) -> None:
    made.parent.mkdir(parents=True, exist_ok=True)
    with made_aside(made) as fresh:
        compile_with(
            [*words, "-o", str(fresh), str(source)],
            f"the program {source.name} for the Linux guest",
            "correct it; if it is Hocket's own, this is a defect: please report it",
            source,
        )
