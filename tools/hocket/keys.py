"""The keys of the terminal, for commands that pass them on as they are typed."""

from __future__ import annotations

import contextlib
import os
import sys
import termios
import tty
from collections.abc import Iterator


@contextlib.contextmanager
def unbuffered_keys() -> Iterator[None]:
    """Each key at once and not shown here: the board answers. Ctrl-C stays with this computer."""
    keys = sys.stdin.fileno()
    if not os.isatty(keys):
        yield
        return
    before = termios.tcgetattr(keys)
    tty.setcbreak(keys, termios.TCSADRAIN)  # what was typed before is kept
    try:
        yield
    finally:
        termios.tcsetattr(keys, termios.TCSADRAIN, before)
