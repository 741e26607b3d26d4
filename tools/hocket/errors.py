"""The error that a user of `hocket` may meet: a fact, its cause, and the next step.

Every module raises `HocketError` for problems that the user can solve. The command line prints it and exits
with its status. Any other exception is a defect of Hocket and keeps its traceback.
"""

from __future__ import annotations

import errno
from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path

from hocket.started import as_started

# Exit statuses of the command line (docs/reference/command-line.md).
EXIT_DONE = 0
EXIT_FAULT = 1
EXIT_USAGE = 2
EXIT_REFUSED = 3
EXIT_TIME_OUT = 42
EXIT_DEFECT = 70
EXIT_INTERRUPTED = 130
EXIT_NOBODY_READS = 141  # as a shell reports SIGPIPE


# Control characters are shown as text: a message may quote untrusted input, and a terminal would obey them.
_CONTROLS = {
    code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if chr(code) not in "\t\n"
}


class HocketError(Exception):
    """What is wrong, why, and what to do about it.

    fact       one sentence: what is wrong (without a full stop)
    cause      the reason, if it is not plain from the fact
    next_step  what the user can do now
    file, line where it is wrong; line counts from 1
    exit_code  the exit status of the command (2: usage or build error)
    """

    def __init__(
        self,
        fact: str,
        cause: str = "",
        next_step: str = "",
        file: Path | str | None = None,
        line: int | None = None,
        exit_code: int = EXIT_USAGE,
    ) -> None:
        super().__init__(fact)
        self.fact = fact
        self.cause = cause
        self.next_step = next_step
        self.file = str(file) if file is not None else None
        self.line = line
        self.exit_code = exit_code

    def place(self) -> str:
        """Returns `FILE:LINE: `, `FILE: ` or an empty string, with the file relative to the current folder if
        inside it."""
        if self.file is None:
            return ""
        shown = shorten(self.file)
        return f"{shown}:{self.line}: " if self.line is not None else f"{shown}: "

    def __str__(self) -> str:
        lines = [f"hocket: {self.place()}{self.fact}"]
        if self.cause:
            lines.append(f"  cause: {self.cause}")
        if self.next_step:
            lines.append(f"  next:  {as_started(self.next_step)}")
        return "\n".join(lines).translate(_CONTROLS)


class SeveralErrors(HocketError):
    """Several errors, printed one after the other. The fields are those of the first."""

    def __init__(self, errors: Sequence[HocketError]) -> None:
        first = errors[0]
        super().__init__(
            first.fact, first.cause, first.next_step, first.file, first.line, first.exit_code
        )
        self.errors = tuple(errors)

    def __str__(self) -> str:
        return "\n".join(str(error) for error in self.errors)


def raise_all(errors: Sequence[HocketError]) -> None:
    """Raises the errors, if any, in order of their lines."""
    ordered = sorted(errors, key=lambda error: error.line or 0)
    if len(ordered) > 1:
        raise SeveralErrors(ordered)
    if ordered:
        raise ordered[0]


def near_name(name: str, known: Collection[str]) -> str:
    """Returns a similar name, in whatever case it is written, or an empty string."""
    return next(iter(get_close_matches(name.lower(), known, 1, 0.75)), "")


def check_names(what: str, names: Iterable[str], known: Collection[str], otherwise: str) -> None:
    """Raises HocketError for the first unknown name. Its next step is a similar name, or `otherwise`."""
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, 1)
            raise HocketError(
                f"there is no {what} {name!r}",
                f"there are: {', '.join(known) or 'none'}",
                f"did you mean {near[0]}?" if near else otherwise,
            )


# Errors of the system that are no defects of Hocket, and what the user can do about them.
WAYS_OUT = {
    errno.ENOSPC: "free some space, then do it again",
    errno.EDQUOT: "free some space, then do it again",
    errno.EFBIG: "raise the limit of a file's size (ulimit -f)",
    errno.EACCES: "change its permissions, or name another one",
    errno.EPERM: "change its permissions, or name another one",
    errno.EROFS: "name a folder that can be written",
    errno.EIO: "the device fails: use another one",
    errno.EMFILE: "raise the limit of open files (ulimit -n)",
    errno.ENOENT: "name one that exists",
    errno.ENOTDIR: "name one that exists: a part of this path is a file, not a folder",
    errno.EISDIR: "name a file, not a folder",
    errno.ENAMETOOLONG: "choose a shorter name",
    errno.ELOOP: "the link leads back to itself: name its target instead",
}


def system_error(fact: str, problem: OSError, file: Path | str | None = None) -> HocketError:
    """Returns the error for an error of the system, with what can be done about it."""
    cause = problem.strerror or str(problem)
    way_out = WAYS_OUT.get(problem.errno or 0, "fix that, then try again")
    return HocketError(fact, cause, way_out, file)


def shorten(file: Path | str) -> str:
    """Returns the path relative to the current folder if it lies inside it, otherwise unchanged."""
    path = Path(file)
    if not path.is_absolute():
        return str(file)
    try:
        return str(path.relative_to(Path.cwd()))
    except (ValueError, OSError):
        return str(file)
