"""The sources of a configured build and how each is compiled: compile_commands.json, where CMake names the
pieces that it has made of several sources instead of these, and headers that it has precompiled.
"""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import dataclass
from pathlib import Path

# A piece of a target with the property UNITY_BUILD, numbered or named by its group, and what it includes.
_PIECE = re.compile(r"/CMakeFiles/[^/]+\.dir/Unity/unity_[^/]+_cxx\.cxx$")
_INCLUDED = re.compile(r'^#include "(.+)"$', re.MULTILINE)


# A precompiled header's flags (target_precompile_headers).
_PRECOMPILED = re.compile(
    r"(?<= )-Winvalid-pch -Xclang -include-pch -Xclang \S+\.pch -Xclang -include -Xclang \S+\.hxx "
)


@dataclass(frozen=True)
class Compiled:
    """object: relative to the build's folder. command: without precompiled headers, of which a source
    includes what it needs; other tools than the compiler cannot read them."""

    source: str
    object: str
    command: tuple[str, ...]


def compiled(build: Path) -> list[Compiled]:
    """All of a configured build's folder, in its order."""
    found = []
    for entry in json.loads((build / "compile_commands.json").read_text()):
        command = tuple(shlex.split(_PRECOMPILED.sub("", entry["command"])))
        made = command[command.index("-o") + 1]
        found += [Compiled(source, made, command) for source in _sources(entry["file"])]
    return found


def _sources(file: str) -> list[str]:
    return _INCLUDED.findall(Path(file).read_text()) if _PIECE.search(file) else [file]
