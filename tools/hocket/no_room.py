"""Notices of failed memory allocations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hocket.faults import first_place


def add_no_room(facts: dict[str, Any], program: Path, sketch_folder: Path) -> None:
    """Adds a notice if malloc() or realloc() returned a null pointer, with the line in the sketch."""
    found = facts.get("no_room")
    if not found:
        return
    place = first_place(program, found["codes"], sketch_folder)
    times = "" if found["times"] == 1 else f", the first of {found['times']} times"
    facts.setdefault("notices", []).append(
        f"{found['asker']} asked for {found['bytes']} bytes of memory and got none"
        + (f" ({place})" if place else "")
        + f"{times}: the heap has no room for them, and malloc() or realloc() returned a null pointer. A "
        "String that cannot grow keeps its text, and what was to be added is lost. Use fewer or shorter "
        "Strings, reserve() their room in setup(), or print the parts one after another."
    )
