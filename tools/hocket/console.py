"""What the command line says about its own work: to standard error, short, and live on a terminal.

Standard output belongs to the sketch's Serial and to the tables.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.status import Status


def on_terminal() -> bool:
    return sys.stderr.isatty()


def say(text: str) -> None:
    """One line about what happens now."""
    print(f"hocket: {text}", file=sys.stderr, flush=True)


_LINE_EVERY_S = 20.0  # of a step that lasts, where lines stay


class _Wanted:
    """Whether steps are told at all."""

    progress = True


@contextmanager
def without_progress() -> Iterator[None]:
    """Tells no steps: for one of many builds, of which nobody wants to know what it does now."""
    before, _Wanted.progress = _Wanted.progress, False
    try:
        yield
    finally:
        _Wanted.progress = before


class Progress:
    """A step that takes a while. update() says how far it is; stop() ends the display early."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._status: Status | None = None
        self._said_at = time.monotonic()
        if not _Wanted.progress:
            return
        if on_terminal():
            from rich.console import Console

            self._status = Console(stderr=True).status(text)
            self._status.start()
        else:
            say(text)

    def update(self, detail: str) -> None:
        """Shows the detail after the text; where that is no terminal, now and then, as a line."""
        if self._status is not None:
            from rich.text import Text

            self._status.update(Text(f"{self.text} {detail}"))
        elif _Wanted.progress and not on_terminal() and self._due():
            say(f"{self.text} {detail}")

    def _due(self) -> bool:
        now = time.monotonic()
        due = now - self._said_at >= _LINE_EVERY_S
        self._said_at = now if due else self._said_at
        return due

    def stop(self) -> None:
        if self._status is not None:
            self._status.stop()
            self._status = None


@contextmanager
def progress(text: str) -> Iterator[Progress]:
    """Shows a spinner with the text on a terminal, otherwise one plain line."""
    shown = Progress(text)
    try:
        yield shown
    finally:
        shown.stop()
