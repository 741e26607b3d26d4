"""One build at a time in a folder, also between commands that run at the same time."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hocket.console import say
from hocket.errors import HocketError


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Makes the folder and holds its lock; waits, saying so, while another command holds it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = (folder / ".lock").open("w")
    except OSError as problem:
        raise HocketError(
            "the build folder cannot be written",
            problem.strerror or str(problem),
            "run hocket as the owner of this copy of the project",
            folder,
        ) from problem
    with handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another build of the same thing")
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
