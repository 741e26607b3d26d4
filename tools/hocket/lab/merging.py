"""Frames for a page that reads slowly: several become one, which has the newest of what lasts and so much of
what passes as a page can use.

Between a board and a page nothing grows without bound: MOST items of each list, and MOST_SERIAL characters of
a port's text. What is left out of them is counted as `lost`.
What was touched is kept apart, and whole: a file of touches that lacks one repeats another run (lab.py).
"""

from __future__ import annotations

from typing import Any

Frame = dict[str, Any]

MOST = 4000
MOST_SERIAL = 65_536

_PASSING = ("spans", "releases", "changes", "touched")


def merged(before: Frame, after: Frame) -> Frame:
    """One frame in place of two that follow each other. Neither is changed."""
    frame = {**before, **after}
    frame["lost"] = before.get("lost", 0) + after.get("lost", 0)
    for name in _PASSING:
        items = [*before.get(name, ()), *after.get(name, ())]
        frame[name] = items[-MOST:]
        frame["lost"] += len(items) - len(frame[name])
    frame["pins"] = _latest(before, after, "pins", lambda pin: pin[0])
    frame["loops"] = _latest(before, after, "loops", lambda loop: loop["id"])
    frame["parts"] = {**before.get("parts", {}), **after.get("parts", {})}
    frame["serial"], lost = _serial([*before.get("serial", ()), *after.get("serial", ())])
    frame["lost"] += lost
    return {name: value for name, value in frame.items() if value != [] or name == "running"}


def _latest(before: Frame, after: Frame, name: str, key: Any) -> list[Any]:
    return list(
        {key(item): item for item in (*before.get(name, ()), *after.get(name, ()))}.values()
    )


def _serial(pieces: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], int]:
    """The pieces with what belongs together joined, each port's last MOST_SERIAL characters; how many are
    left out."""
    joined: dict[int, dict[str, Any]] = {}
    lost = 0
    for piece in pieces:
        known = joined.setdefault(piece["port"], {"port": piece["port"], "text": "", "at": 0})
        known["text"] += piece["text"]
        known["at"] = piece["at"]
    for piece in joined.values():
        lost += max(0, len(piece["text"]) - MOST_SERIAL)
        piece["text"] = piece["text"][-MOST_SERIAL:]
    return list(joined.values()), lost


class State:
    """All that a page needs to know which comes later than the others: the last hello, and what has
    lasted since."""

    def __init__(self) -> None:
        self.hello: Frame | None = None
        self.frame: Frame | None = None
        self.end: Frame | None = None

    def take(self, message: Frame) -> None:
        kind = message.get("is")
        if kind == "hello":
            self.hello, self.frame, self.end = message, None, None
        elif kind == "frame":
            self.frame = message if self.frame is None else merged(self.frame, message)
            self.frame = {**self.frame, "lost": 0}  # what a page did not see which was not there
        elif kind == "end":
            self.end = message

    def messages(self) -> list[Frame]:
        return [each for each in (self.hello, self.frame, self.end) if each is not None]
