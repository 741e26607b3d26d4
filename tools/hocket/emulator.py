"""Runs boards in QEMU with further options for it: to trace it, or to watch its pins."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from hocket.errors import HocketError

EMULATOR = "qemu-system-aarch64"


@contextmanager
def with_words(folder: Path, words: Sequence[str | Path]) -> Iterator[None]:
    """While the context is active, the emulator found in PATH gets these options. folder: an empty one.

    Only for one run at a time, because PATH belongs to the whole process. Raises HocketError if there is no
    emulator.
    """
    real = shutil.which(EMULATOR)
    if real is None:
        raise HocketError(f"{EMULATOR} is not installed", next_step="run: hocket doctor")
    program = folder / EMULATOR
    line = " ".join(shlex.quote(str(word)) for word in (real, *words))
    program.write_text(f'#!/bin/sh\nexec {line} "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    before = os.environ["PATH"]
    os.environ["PATH"] = f"{folder}:{before}"
    try:
        yield
    finally:
        os.environ["PATH"] = before
