"""Handles Ctrl-C while the program is being imported: one message and the exit status, from the first instant
on.

./hocket starts Python with SIGINT blocked, so a SIGINT during Python's own start is pending until `listen`.
From then until the command's own work it ends the program at once. During that work it raises
KeyboardInterrupt.
"""

from __future__ import annotations

import os
import signal
from types import FrameType

_SAID = b"hocket: interrupted\n"
_STATUS = 130  # EXIT_INTERRUPTED, without an import


def listen() -> None:
    """Installs the handler, unless SIGINT is ignored, as in a shell's background."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, _end)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def work_begins() -> None:
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def work_is_over() -> None:
    """Ignores SIGINT, so that the command prints its final message completely."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _end(_number: int, _frame: FrameType | None) -> None:
    try:
        os.write(2, _SAID)
    finally:
        os._exit(_STATUS)
