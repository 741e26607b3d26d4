"""Reads from the console of a Linux system that it is up, how its job ended, and whether it stopped.

init.sh writes the lines that begin with `hocket-linux:`. The kernel writes those of a panic.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hocket.errors import EXIT_FAULT, HocketError

_UP = re.compile(r"(?m)^hocket-linux: up (\S+) cores (\d+) uptime ([\d.]+)$")
_ENDED = re.compile(r"(?m)^hocket-linux: job ended with status (\d+) uptime ([\d.]+)$")
_PANIC = re.compile(r"(?m)^(?:\[ *[\d.]+\] )?Kernel panic - not syncing: (.*)$")
_MOST_LINES = 12
_MOST_AT_BEGIN, _MOST_AT_END = 1024 * 1024, 4 * 1024 * 1024  # bytes of a console that are read


@dataclass(frozen=True)
class Seen:
    """text: the whole console. The other fields describe the last start. up: seconds of its clock. None: it
    was not up. ended: exit status of the job. None: it did not end, or there was none. panic: the kernel's
    message."""

    text: str
    up: float | None = None
    cores: int = 0
    ended: int | None = None
    panic: str = ""

    def last_lines(self) -> str:
        """Returns the end of the console, or the lines before a panic, for an error. One line each."""
        panic = _last(_PANIC.finditer(self.text))
        end = panic.end() if panic else len(self.text)  # registers and addresses follow a panic
        up = _last(_UP.finditer(self.text, 0, end))
        begin = up.start() if panic and up else 0  # leaves out earlier starts
        lines = [line for line in self.text[begin:end].splitlines() if line.strip()]
        return "".join(f"\n    {line}" for line in lines[-_MOST_LINES:])

    def job_text(self) -> str:
        """Returns the output between the start of the job and its end."""
        begin = max((match.end() + 1 for match in _UP.finditer(self.text)), default=0)
        match = _last(_ENDED.finditer(self.text, begin))
        return self.text[begin : match.start() if match else None]


def read_console(raw: bytes) -> Seen:
    """Reads a console. It is untrusted output: only these lines are interpreted."""
    text = raw.decode("utf-8", errors="replace").replace("\r", "")
    up = _last(_UP.finditer(text))
    begin = up.end() if up else 0  # only the last start counts
    ended = _last(_ENDED.finditer(text, begin))
    panic = _last(_PANIC.finditer(text, begin))
    return Seen(
        text,
        float(up[3]) if up else None,
        int(up[2]) if up else 0,
        int(ended[1]) if ended else None,
        panic[1].strip() if panic else "",
    )


def console_of(file: Path) -> Seen:
    """Reads a console file, which need not exist. Of a long one only the begin and the end are read, where
    these lines are."""
    if not file.is_file():
        return read_console(b"")
    with file.open("rb") as opened:
        begin = opened.read(_MOST_AT_BEGIN)
        left_out = file.stat().st_size - _MOST_AT_END - _MOST_AT_BEGIN
        if left_out <= 0:
            return read_console(begin + opened.read(_MOST_AT_END))
        opened.seek(left_out, os.SEEK_CUR)
        end = opened.read(_MOST_AT_END).partition(b"\n")[2]  # from the beginning of a line
    return read_console(begin + b"\n[...]\n" + end)


def check_started(seen: Seen) -> None:
    """Raises HocketError if the system never came up, with the kernel's message and the last lines of the
    console."""
    if seen.up is not None:
        return
    if seen.panic:
        raise HocketError(
            f"the Linux beside stopped while it started: {seen.panic}",
            f"the end of its console:{seen.last_lines()}",
            "fix what it names, or build it again: hocket linux build --refresh",
            exit_code=EXIT_FAULT,
        )
    said = (
        f"the end of its console:{seen.last_lines()}" if seen.text.strip() else "it wrote nothing"
    )
    raise HocketError(
        "the Linux beside did not start",
        said,
        "give it more time (--for), or build it again: hocket linux build --refresh",
        exit_code=EXIT_FAULT,
    )


def _last(matches: Iterator[re.Match[str]]) -> re.Match[str] | None:
    last = None
    for match in matches:
        last = match
    return last
