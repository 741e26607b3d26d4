"""Reads the names that object files and programs define, as the linker sees them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from hocket.builder.compile import run
from hocket.errors import EXIT_DEFECT, HocketError

_LISTS = "llvm-nm-19"  # reads some thousands of names in milliseconds


def defined(files: Iterable[str | Path], *options: str) -> frozenset[str]:
    """Returns the exported names, without their versions. options: of llvm-nm."""
    words = [_LISTS, "--defined-only", "--extern-only", "--format=just-symbols", *options]
    words += map(str, files)
    done = run(words)
    if done.returncode != 0:
        raise HocketError(
            "the names in a program cannot be read",
            done.stderr.strip(),
            "build it again; if that does not help, this is a defect of Hocket",
            exit_code=EXIT_DEFECT,
        )
    lines = done.stdout.splitlines()  # includes the files' names, with a colon
    return frozenset(name.partition("@")[0] for name in lines if name and not name.endswith(":"))
