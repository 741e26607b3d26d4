"""The paths of the project's files and of the files that are built.

In a checkout everything is in its tree. An installed tool (`pipx install`) contains the files that it builds
from (project/, see pyproject.toml) and writes nothing beside them. Its builds are in the user's cache, and
its results in the folder in which it was started. The same applies to a checkout that the user may read but
not write.
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
    """Returns the user's cache (XDG Base Directory Specification), with a separate folder for each
    installation."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    home = Path(base) if base.startswith("/") else Path.home() / ".cache"
    return home / "hocket" / hashlib.sha256(str(ROOT).encode()).hexdigest()[:12]


def _may_write() -> bool:
    """Returns whether the user may write to the checkout. It may belong to another user."""
    place = ROOT / "build" if (ROOT / "build").is_dir() else ROOT
    return os.access(place, os.W_OK | os.X_OK)


ELSEWHERE = INSTALLED or not _may_write()
BUILD = _cache() if ELSEWHERE else ROOT / "build"
SKETCHES = BUILD / "sketches"
LIBRARIES = ROOT / "arduino" / "libraries"
STAND_INS = ROOT / "arduino" / "stand_ins"
RESULTS = Path.cwd() / "results" if ELSEWHERE else ROOT / "results"
