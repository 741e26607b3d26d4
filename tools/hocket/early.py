"""Ctrl-C while the program is being loaded: one sentence and the status, from the first instant on.

./hocket starts Python with SIGINT blocked, so one that comes while Python itself begins waits for `listen`.
From there to the command's own work it ends the program at once; in that work it is a KeyboardInterrupt.
"""

from __future__ import annotations

import os
import signal
from types import FrameType

_SAID = b"hocket: interrupted\n"
_STATUS = 130  # EXIT_INTERRUPTED: nothing is loaded for it


def listen() -> None:
    """Not where SIGINT is ignored, as in a shell's background."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, _end)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def work_begins() -> None:
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def work_is_over() -> None:
    """What the command has to say it says to its end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _end(_number: int, _frame: FrameType | None) -> None:
    try:
        os.write(2, _SAID)
    finally:
        os._exit(_STATUS)
