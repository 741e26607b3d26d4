"""Finds the sketches below a folder: a sketchbook, a library with its examples, a folder of libraries."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from hocket.errors import HocketError
from hocket.sketch.folder import INO

_SKIPPED = ("build", "node_modules", "__pycache__")


@dataclass(frozen=True)
class Found:
    """A sketch. name: its path below the folder that the user named."""

    name: str
    path: Path


def find_sketches(names: Iterable[str]) -> list[Found]:
    """Returns all sketches of files and folders, each once. Raises HocketError for a name that does not exist
    or has none."""
    found: dict[Path, Found] = {}
    for name in names:
        top = Path(name)
        if not name or not top.exists():
            raise HocketError(
                f"there is no file or folder {name or 'without a name'}",
                next_step="name a folder with sketches",
            )
        top = top.resolve()
        sketches = [top] if top.is_file() else list(_below(top))
        if not sketches:
            raise HocketError(
                f"there is no sketch in {name}",
                "neither the folder nor one below it holds an .ino file",
                "name a sketchbook, a library with examples, or a folder of libraries",
            )
        for path in sketches:
            inside = path.relative_to(top).as_posix()
            found.setdefault(path, Found(path.name if inside == "." else inside, path))
    return list(found.values())


def _below(top: Path) -> Iterator[Path]:
    """Yields folders that are sketches. Folders inside a sketch belong to it, except the examples of a
    library."""
    for folder, names, files in os.walk(top):
        sketch = any(Path(file).suffix.lower() in INO and file[0] != "." for file in files)
        if sketch:
            yield Path(folder)
        names[:] = sorted(
            name
            for name in names
            if name not in _SKIPPED and name[0] != "." and (not sketch or name == "examples")
        )
