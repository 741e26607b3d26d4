"""`--watch`: runs something again after each change of a file.

Files are checked four times a second. That needs no support of the system, works on network and shared
folders, and costs little for the few files of a sketch. Only inputs of sketches and scenarios count, so that
a report or a wave file that a run writes beside them does not start another run.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from hocket.console import say
from hocket.errors import EXIT_INTERRUPTED, HocketError
from hocket.sketch.folder import COMPILED, HEADERS, INO

_INPUTS = (*INO, *COMPILED, *HEADERS, ".yaml", ".yml")
_SKIPPED = ("build", "node_modules", "__pycache__")
_PAUSE = 0.25  # seconds

State = dict[Path, tuple[int, int]]  # modification time and size of each file


def watch(
    places: Callable[[], Iterable[Path]],
    once: Callable[[], int],
    pause: Callable[[], None] = lambda: time.sleep(_PAUSE),
) -> int:
    """Calls `once`, and again after each change of a file at or below the places, until Ctrl-C.

    Errors that `once` raises are printed. Returns the status of an interrupted `once`. Ctrl-C between two
    calls raises KeyboardInterrupt.
    """
    while True:
        before = state_of(places())
        try:
            if once() == EXIT_INTERRUPTED:
                return EXIT_INTERRUPTED
        except HocketError as error:
            if error.exit_code == EXIT_INTERRUPTED:
                raise
            sys.stdout.flush()
            print(error, file=sys.stderr)
        say("waiting for a change (Ctrl-C ends)")
        for line in _changed(before, places, pause):
            say(line)


def _changed(
    before: State, places: Callable[[], Iterable[Path]], pause: Callable[[], None]
) -> Iterator[str]:
    """Waits for a change, and then until nothing changes any more, because an editor may save several
    files."""
    now = state_of(places())
    while now == before:
        pause()
        now = state_of(places())
    while True:
        pause()
        later = state_of(places())
        if later == now:
            break
        now = later
    files = sorted(path for path in {*before, *now} if before.get(path) != now.get(path))
    yield f"changed: {', '.join(file.name for file in files) or 'and changed back'}"


def state_of(places: Iterable[Path]) -> State:
    """Returns the state of all files that a run is made from. A file that disappears meanwhile is left
    out."""
    found: State = {}
    for place in places:
        for file in _files(place):
            try:
                about = file.stat()
            except OSError:
                continue
            found[file] = (about.st_mtime_ns, about.st_size)
    return found


def _files(place: Path) -> Iterator[Path]:
    if not place.is_dir():
        yield place
        return
    for folder, names, files in os.walk(place):
        names[:] = [n for n in names if n not in _SKIPPED and not n.startswith(".")]
        yield from (Path(folder, file) for file in files if Path(file).suffix in _INPUTS)
