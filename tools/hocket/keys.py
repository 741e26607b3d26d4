"""The keys of the terminal, for commands that forward them as they are typed."""

from __future__ import annotations

import contextlib
import os
import sys
import termios
import tty
from collections.abc import Iterator


def standard_input() -> int | None:
    """Returns the descriptor of standard input, or None if it is closed (`<&-`)."""
    try:
        return sys.stdin.fileno() if sys.stdin is not None else None
    except (OSError, ValueError):
        return None


@contextlib.contextmanager
def unbuffered_keys() -> Iterator[None]:
    """While the context is active, each key is delivered at once and not echoed: the board answers. Ctrl-C
    still interrupts the command."""
    keys = standard_input()
    if keys is None or not os.isatty(keys):
        yield
        return
    before = termios.tcgetattr(keys)
    tty.setcbreak(keys, termios.TCSADRAIN)  # keeps what was typed before
    try:
        yield
    finally:
        termios.tcsetattr(keys, termios.TCSADRAIN, before)
