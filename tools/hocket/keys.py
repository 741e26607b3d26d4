"""The keys of the terminal, for commands that pass them on as they are typed."""

from __future__ import annotations

import contextlib
import os
import sys
import termios
import tty
from collections.abc import Iterator


def standard_input() -> int | None:
    """Its descriptor; None: it is closed, or was before we began (`<&-`)."""
    try:
        return sys.stdin.fileno() if sys.stdin is not None else None
    except (OSError, ValueError):
        return None


@contextlib.contextmanager
def unbuffered_keys() -> Iterator[None]:
    """Each key at once and not shown here: the board answers. Ctrl-C stays with this computer."""
    keys = standard_input()
    if keys is None or not os.isatty(keys):
        yield
        return
    before = termios.tcgetattr(keys)
    tty.setcbreak(keys, termios.TCSADRAIN)  # what was typed before is kept
    try:
        yield
    finally:
        termios.tcsetattr(keys, termios.TCSADRAIN, before)
