"""Handles standard output that is closed, full, no longer read, or reserved for one kind of output."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path

from hocket.errors import EXIT_DEFECT, EXIT_USAGE, WAYS_OUT, HocketError

STANDARD = Path("-")  # the file name that means standard output

# Errors for which the modules have their own messages. If such an error arrives here, it is a defect.
_MADE_ELSEWHERE = {errno.ENOENT, errno.ENOTDIR, errno.EISDIR}


def mend_streams() -> None:
    """Replaces a standard stream that was closed before the start by the null device. Makes standard output
    show ? for characters that the terminal's encoding lacks."""
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115  (for as long as the program runs)
        sys.__stdout__ = sys.stdout  # type: ignore[misc]  # for what goes there alone
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):  # a terminal may not know each character
        utf8 = sys.stdout.encoding.lower().replace("-", "") == "utf8"
        sys.stdout.reconfigure(errors="surrogateescape" if utf8 else "replace")


def nobody_reads() -> None:
    """Redirects the remaining output to the null device, so that no error is reported at exit either."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def tell_interrupted() -> None:
    """Prints that the command was interrupted. The terminal may be gone."""
    with contextlib.suppress(OSError):
        print("hocket: interrupted", file=sys.stderr)


def is_interruption(problem: BaseException | None) -> bool:
    """Returns whether an exception is caused by an interruption. A signal may arrive inside a lock of the
    library. The lock's error about its inconsistent state then has the interruption as its context."""
    while problem is not None:
        if isinstance(problem, KeyboardInterrupt):
            return True
        problem = problem.__context__
    return False


def defect() -> int:
    """Prints the traceback of an unexpected exception and where to report it. Returns the exit status."""
    nobody_reads()
    traceback.print_exc()
    way_out = "please report it, with all of the above and what was run"
    print(HocketError("this is a defect of Hocket", next_step=way_out), file=sys.stderr)
    return EXIT_DEFECT


def explain(problem: OSError) -> int | None:
    """Prints a message for an error of the system that no module has handled. Returns the exit status. None:
    it is another kind of error."""
    way_out = WAYS_OUT.get(problem.errno or 0)
    if way_out is None or problem.errno in _MADE_ELSEWHERE:
        return None
    nobody_reads()
    what = "standard output cannot be written"
    if problem.filename is not None:
        what = f"{problem.filename} cannot be used"
    print(HocketError(what, problem.strerror or str(problem), way_out), file=sys.stderr)
    return EXIT_USAGE if problem.errno != errno.EIO else EXIT_DEFECT


@contextlib.contextmanager
def kept_for(file: Path | None) -> Iterator[None]:
    """If `file` is standard output, reserves it: all other output goes to standard error."""
    if file != STANDARD:
        yield
        return
    with contextlib.redirect_stdout(sys.stderr):
        yield
