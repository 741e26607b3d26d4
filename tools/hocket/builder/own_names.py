"""Renames names of a sketch that also exist in this computer's C library.

On the board sim a sketch is part of one program with the simulator and this computer's C library. For the
linker, `int read;` is the library's `read` as well, and the simulator's next read() would call into that
variable. So such a name is renamed in all objects of a sketch that defines it. On the other boards a sketch
has a C library of its own, whose parts refer to each other by internal names.
"""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from hocket.builder.board import Toolchain
from hocket.builder.compile import run
from hocket.builder.symbols import defined
from hocket.errors import EXIT_DEFECT, HocketError
from hocket.paths import BUILD
from hocket.whole_files import made_aside, write_whole

_RENAMES = "llvm-objcopy-19"
_LIBRARIES = ("libc.so.6", "libm.so.6")
_OWN = "hocket_sketchs_"


def with_own_names(objects: Sequence[Path], toolchain: Toolchain) -> list[Path]:
    """Returns the objects, or renamed copies of them if they define a name of the C library."""
    if toolchain.around or toolchain.memory is not None:
        return list(objects)
    names = sorted(_defined(objects) & _of_the_library(toolchain.cxx))
    return [_renamed(path, names) for path in objects] if names else list(objects)


def _renamed(path: Path, names: Sequence[str]) -> Path:
    copy = path.with_suffix(".own.o")
    words = [f"--redefine-sym={name}={_OWN}{name}" for name in names]
    with made_aside(copy) as fresh:
        done = run([_RENAMES, *words, str(path), str(fresh)])
        if done.returncode != 0:
            raise HocketError(
                f"the sketch's {', '.join(names)} cannot be told from the C library's",
                done.stderr.strip(),
                "give it another name",
                exit_code=EXIT_DEFECT,
            )
    return copy


@cache
def _of_the_library(compiler: str) -> frozenset[str]:
    """Returns the names that this computer's C library defines. Reading these thousands of names takes longer
    than linking a small sketch, so they are stored with the state of the files that they were read from."""
    kept = BUILD / "names-of-the-c-library.json"
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        known = json.loads(kept.read_text(encoding="utf-8"))
        if known["of"] == _state(compiler, known["of"].keys()):
            return frozenset(known["names"])
    places = [run([compiler, f"-print-file-name={name}"]).stdout.strip() for name in _LIBRARIES]
    found = [place for place in places if Path(place).is_file()]
    names = _defined(found, "--dynamic")
    content = json.dumps({"of": _state(compiler, found), "names": sorted(names)})
    with contextlib.suppress(OSError):  # without the file, the names are read again the next time
        write_whole(kept, content)
    return names


def _state(compiler: str, libraries: Iterable[str]) -> dict[str, list[int]]:
    """Returns the size and time of each file. Raises OSError."""
    state = {}
    for file in (shutil.which(compiler) or compiler, *libraries):
        found = Path(file).stat()
        state[file] = [found.st_size, found.st_mtime_ns]
    return state


def _defined(files: Sequence[str | Path], *options: str) -> frozenset[str]:
    """Returns the exported names, except C++ names, which also encode parameter types."""
    return frozenset(name for name in defined(files, *options) if not name.startswith("_Z"))
