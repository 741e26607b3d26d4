"""Allows one build at a time in a folder, also between commands that run concurrently."""

from __future__ import annotations

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path

from hocket.console import say
from hocket.errors import HocketError, shorten

# A shorter wait is over before its message could be read.
_WORTH_SAYING_S = 1.0
LOCK = ".lock"  # the lock file in the folder


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Makes the folder and holds its lock. Waits while another command holds it, and prints a line if the
    wait is long. A command that removes the folder (`hocket clean`) holds the lock meanwhile; a waiting
    command then makes the folder again."""
    while True:
        with _opened(folder) as handle:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                _wait_for(handle)
            if _is_there(handle, folder / LOCK):
                _sign(handle)
                yield
                return


def _opened(folder: Path) -> TextIOWrapper:
    while True:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            return (folder / LOCK).open("a+")  # the number of the process that holds it stays
        except OSError as problem:
            if isinstance(problem, FileNotFoundError) and not (folder / LOCK).is_symlink():
                continue  # removed between the two calls
            raise HocketError(
                "the build folder cannot be written",
                problem.strerror or str(problem),
                "run hocket as the owner of this copy of the project",
                folder,
            ) from problem


def _is_there(handle: TextIOWrapper, file: Path) -> bool:
    """Returns whether the open file is still the lock file. If not, another command locks a new file."""
    try:
        there = file.stat()
    except FileNotFoundError:
        return False
    return os.path.samestat(os.fstat(handle.fileno()), there)


def _sign(handle: TextIOWrapper) -> None:
    """Writes the number of this process into the lock file, for the commands that wait. On a full disk it is
    left out."""
    with suppress(OSError):
        os.ftruncate(handle.fileno(), 0)
        os.write(handle.fileno(), f"{os.getpid()}\n".encode())


def _wait_for(handle: TextIOWrapper) -> None:
    speak = threading.Timer(_WORTH_SAYING_S, lambda: say(_waiting(handle)))
    speak.daemon = True  # an interrupt during the wait ends the command at once
    speak.start()
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
    finally:
        speak.cancel()


def _waiting(handle: TextIOWrapper) -> str:
    """Returns for which process this command waits, and in which folder. A process that has just got the
    lock has not written its number yet."""
    folder = Path(handle.name).parent
    number = os.pread(handle.fileno(), 20, 0).decode("ascii", "replace").strip()
    if number == str(os.getpid()):  # a command may build several things at once
        process = "this command itself"
    else:
        process = f"process {number}" if number.isdigit() else "another process"
    return f"waiting for another build: {process} works in {shorten(folder)}"
