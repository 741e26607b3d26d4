"""Standard output where it is not what a program would like: closed, full, read no further, or for one
thing only."""

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

STANDARD = Path("-")  # as the name of a file to write: standard output

# Answers that some module should have made a sentence of; here they are defects.
_MADE_ELSEWHERE = {errno.ENOENT, errno.ENOTDIR, errno.EISDIR}


def mend_streams() -> None:
    """A standard stream that was closed before we began takes everything and shows nothing; what a
    terminal's encoding does not have is shown as ?."""
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115  (for as long as the program runs)
        sys.__stdout__ = sys.stdout  # type: ignore[misc]  # for what goes there alone
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115
    if isinstance(
        sys.stdout, io.TextIOWrapper
    ):  # a terminal may not know each character that we print
        utf8 = sys.stdout.encoding.lower().replace("-", "") == "utf8"
        sys.stdout.reconfigure(errors="surrogateescape" if utf8 else "replace")


def nobody_reads() -> None:
    """What is left to say goes nowhere, so that nothing is said of it at the end either."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def tell_interrupted() -> None:
    """The terminal may be what has gone."""
    with contextlib.suppress(OSError):
        print("hocket: interrupted", file=sys.stderr)


def is_interruption(problem: BaseException | None) -> bool:
    """A signal is raised between any two instructions, those of the library's locks as well: what such a lock
    says of its being half taken has the interruption as its context."""
    while problem is not None:
        if isinstance(problem, KeyboardInterrupt):
            return True
        problem = problem.__context__
    return False


def defect() -> int:
    """Shows the traceback of what nobody has foreseen, and whom to tell; the exit status."""
    nobody_reads()
    traceback.print_exc()
    way_out = "please report it, with all of the above and what was run"
    print(HocketError("this is a defect of Hocket", next_step=way_out), file=sys.stderr)
    return EXIT_DEFECT


def explain(problem: OSError) -> int | None:
    """Says what the system answered where no module has made a sentence of it; the exit status. None: it is
    no answer of that kind."""
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
    """Where `file` is standard output it is for that alone: everything else goes to standard error."""
    if file != STANDARD:
        yield
        return
    with contextlib.redirect_stdout(sys.stderr):
        yield
