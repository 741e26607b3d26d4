"""Messages of the command line about its own work: on standard error, short, and live on a terminal.

Standard output is reserved for the sketch's Serial and for tables.
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
    """Prints one line about the current step."""
    print(f"hocket: {text}", file=sys.stderr, flush=True)


_LINE_EVERY_S = 20.0  # of a long step, if the output is not a terminal


class _Wanted:
    """Whether steps are shown."""

    progress = True


@contextmanager
def without_progress() -> Iterator[None]:
    """Shows no steps while the context is active: for one of many builds."""
    before, _Wanted.progress = _Wanted.progress, False
    try:
        yield
    finally:
        _Wanted.progress = before


class Progress:
    """A step that takes a while. update() shows its progress. stop() ends the display early."""

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
        """Shows the detail after the text. If the output is not a terminal, prints it as a line from time to
        time."""
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
