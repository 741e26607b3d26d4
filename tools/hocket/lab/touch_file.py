"""A file of touches, as far as the command line looks into it: what run they were made in."""

from __future__ import annotations

import json
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from hocket.errors import HocketError

Message = dict[str, Any]
VERSION = 1  # of a file of touches


class ToCome:
    """Touches that a run which repeats another has still to make, in their order."""

    def __init__(self, touches: Sequence[Message]) -> None:
        self._left = dict(enumerate(touches))
        self._places: dict[str, deque[int]] = defaultdict(deque)
        for place, touch in self._left.items():
            self._places[_key(touch)].append(place)

    def made(self, touch: Message) -> None:
        """It is one of them no more; nothing happens where it was none."""
        if places := self._places.get(_key(touch)):
            del self._left[places.popleft()]

    def __iter__(self) -> Iterator[Message]:
        return iter(self._left.values())


def _key(touch: Message) -> str:
    return json.dumps(touch, sort_keys=True)


def check_touches(file: Path, board: str, cores: int | None, seed: int) -> None:
    """HocketError when the file is none, or its touches were made in another run than this one: they would
    come at instants that mean nothing here."""
    try:
        with file.open("rb") as opened:  # what follows is for the program to judge
            heading = json.loads(opened.readline(100_000))
    except OSError as problem:
        raise HocketError(
            f"--touches {file} cannot be read",
            problem.strerror or str(problem),
            "name a file that `hocket lab --touches` has written",
        ) from problem
    except (ValueError, RecursionError):
        heading = None
    if not isinstance(heading, dict) or heading.get("is") != "touches":
        raise HocketError(
            "this is no file of touches",
            "its first line lacks the heading",
            "name a file that `hocket lab --touches` has written",
            file,
            1,
        )
    if heading.get("version", VERSION) != VERSION:
        raise HocketError(
            f"these touches are of version {str(heading['version'])[:40]}",
            f"this Hocket knows version {VERSION}",
            "use the Hocket that they were made with, or make them again",
            file,
            1,
        )
    for name, here in (("board", board), ("cores", cores or heading.get("cores")), ("seed", seed)):
        if heading.get(name, here) != here:
            there = str(heading[name])
            raise HocketError(
                f"these touches were made with --{name} {there[:40]}, not {here}",
                "at the same instants another run is somewhere else",
                f"add --{name} {there[:40]}",
                file,
            )
