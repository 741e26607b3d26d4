"""Runs of boards in QEMU with more words for it than `hocket run` has: to trace it, to watch its pins."""

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
    """While it lasts, the emulator that is found first begins with these words; folder: an empty one.
    Of one run at a time: where programs are found is this whole process's. HocketError: there is none."""
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
