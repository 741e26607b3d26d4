"""Tells whether a scenario has a `for` of its own, before the sketch and the scenario are read."""

from __future__ import annotations

from pathlib import Path

from hocket.errors import HocketError


def has_time(sketch: str | Path, chosen: Path | None) -> bool:
    """chosen: None: the sketch's own scenario. Returns False for a scenario that cannot be read: the command
    reports that."""
    from hocket.running.scenarios import own_scenario
    from hocket.scenario.document import read
    from hocket.sketch.folder import find_sketch

    try:
        file = chosen or own_scenario(find_sketch(str(sketch)))
        value = read(file).value if file is not None else None
    except (HocketError, OSError):
        return False
    return isinstance(value, dict) and "for" in value
