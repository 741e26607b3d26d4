"""One build at a time in a folder, also between commands that run at the same time."""

from __future__ import annotations

import fcntl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path

from hocket.console import say
from hocket.errors import HocketError

# A wait that is over before one could have read about it is not worth a line.
_WORTH_SAYING_S = 1.0
LOCK = ".lock"  # its file in the folder


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Makes the folder and holds its lock; waits while another command holds it, and says so when that
    lasts."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = (folder / LOCK).open("w")
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
            _wait_for(handle)
        yield


def _wait_for(handle: TextIOWrapper) -> None:
    said = "waiting for another build of the same thing"
    speak = threading.Timer(_WORTH_SAYING_S, say, [said])
    speak.daemon = True  # an interrupt while it waits ends the command at once
    speak.start()
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
    finally:
        speak.cancel()
