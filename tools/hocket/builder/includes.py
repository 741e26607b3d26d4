"""Refuses a sketch that includes files from elsewhere than its folder and its libraries.

The compiler lists what it has read, so names that macros make and headers of headers are seen as well.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from hocket.builder.compile import Outcome
from hocket.builder.libraries import Library
from hocket.errors import HocketError
from hocket.inside import holds, outside
from hocket.paths import BUILD, ROOT
from hocket.sketch.folder import Sketch

_SYSTEM = Path("/usr")


def check_includes(
    outcomes: Sequence[Outcome], sketch: Sketch, libraries: Sequence[Library], compiler: str
) -> None:
    own = (sketch.folder, *(library.folder for library in libraries))
    trusted = tuple(f"{folder}/" for folder in (ROOT, BUILD, _SYSTEM, _folder_of(compiler)))
    seen: set[str] = set()
    for outcome in outcomes:
        for name in outcome.inputs:
            if name in seen or os.path.normpath(name).startswith(trusted):
                continue
            seen.add(name)
            if not holds(Path(name), own):
                fact, cause, step = outside("a file that is included", Path(name), own)
                source = outcome.unit.source
                raise HocketError(
                    fact, cause, step, source if source in sketch.sources else sketch.folder
                )


@cache
def _folder_of(compiler: str) -> Path:
    """Where it is installed, with its own headers."""
    return Path(os.path.realpath(shutil.which(compiler) or compiler)).parent.parent
