"""Refuses a sketch that includes files from outside its folder and its libraries.

The check uses the compiler's list of the files it has read, so names from macros and nested includes are
covered.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

from hocket.builder.compile import Outcome
from hocket.builder.libraries import Library
from hocket.errors import HocketError
from hocket.inside import holds, outside
from hocket.paths import BUILD, ROOT
from hocket.sketch.folder import Sketch

_SYSTEM = Path("/usr")


def check_includes(
    outcomes: Sequence[Outcome],
    sketch: Sketch,
    libraries: Sequence[Library],
    compiler: str,
    made: Path,
) -> None:
    """Raises HocketError for an include from elsewhere. made: the build folder. The folders that the board's
    flags name are trusted, too."""
    own = (sketch.folder, *(library.folder for library in libraries))
    ours = (ROOT, BUILD, made, _SYSTEM, _folder_of(compiler))
    seen: set[str] = set()
    for outcome in outcomes:
        named = [f for f in named_by(outcome.unit.command) if not any(map(f.is_relative_to, own))]
        trusted = tuple(f"{folder}/" for folder in (*ours, *named))
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


def named_by(command: Sequence[str]) -> list[Path]:
    """Returns the folders that flags of the compiler name: of headers, and of precompiled headers."""
    folders = [Path(word[2:]) for word in command if word.startswith("-I")]
    folders += [Path(to).parent for word, to in pairwise(command) if word == "-include-pch"]
    return folders


@cache
def _folder_of(compiler: str) -> Path:
    """Returns the folder in which the compiler is installed, with its own headers."""
    return Path(os.path.realpath(shutil.which(compiler) or compiler)).parent.parent
