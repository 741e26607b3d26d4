"""Where things are: the project's files, and where what is made from them goes.

In a checkout everything is in its tree. A tool that was installed (`pipx install`) carries the files that
it builds from with it (project/, see pyproject.toml) and writes nothing beside them: what it builds is
in the user's cache, results are in the folder that it was started in. So it is in a checkout that the user
may read, but not write.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

_HERE = Path(__file__).resolve().parent
_CARRIED = _HERE / "project"

INSTALLED = _CARRIED.is_dir()
ROOT = _CARRIED if INSTALLED else _HERE.parents[1]


def _cache() -> Path:
    """The user's cache (XDG Base Directory Specification), apart for each installation."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    home = Path(base) if base.startswith("/") else Path.home() / ".cache"
    return home / "hocket" / hashlib.sha256(str(ROOT).encode()).hexdigest()[:12]


def _may_write() -> bool:
    """A checkout may be somebody else's: read by many, written by one."""
    place = ROOT / "build" if (ROOT / "build").is_dir() else ROOT
    return os.access(place, os.W_OK | os.X_OK)


ELSEWHERE = INSTALLED or not _may_write()
BUILD = _cache() if ELSEWHERE else ROOT / "build"
SKETCHES = BUILD / "sketches"
LIBRARIES = ROOT / "arduino" / "libraries"
STAND_INS = ROOT / "arduino" / "stand_ins"
RESULTS = Path.cwd() / "results" if ELSEWHERE else ROOT / "results"
