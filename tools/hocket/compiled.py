"""The sources of a configured build and how each is compiled, from compile_commands.json. CMake lists its
units of several sources instead of the sources themselves, and adds precompiled headers."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import dataclass
from pathlib import Path

# A unit of a target with the property UNITY_BUILD, named by a number or its group, and the sources that it
# includes.
_PIECE = re.compile(r"/CMakeFiles/[^/]+\.dir/Unity/unity_[^/]+_cxx\.cxx$")
_INCLUDED = re.compile(r'^#include "(.+)"$', re.MULTILINE)


# The flags of a precompiled header (target_precompile_headers).
_PRECOMPILED = re.compile(
    r"(?<= )-Winvalid-pch -Xclang -include-pch -Xclang \S+\.pch -Xclang -include -Xclang \S+\.hxx "
)


@dataclass(frozen=True)
class Compiled:
    """object: relative to the build's folder. command: without precompiled headers, which only the compiler
    itself can read. A source includes what it needs."""

    source: str
    object: str
    command: tuple[str, ...]


def compiled(build: Path) -> list[Compiled]:
    """Returns all sources of a configured build, in its order."""
    found = []
    for entry in json.loads((build / "compile_commands.json").read_text()):
        command = tuple(shlex.split(_PRECOMPILED.sub("", entry["command"])))
        made = command[command.index("-o") + 1]
        found += [Compiled(source, made, command) for source in _sources(entry["file"])]
    return found


def _sources(file: str) -> list[str]:
    return _INCLUDED.findall(Path(file).read_text()) if _PIECE.search(file) else [file]
