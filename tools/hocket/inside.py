"""Which places a sketch, its hocket.toml and its scenario may name: those in its folder, and what the user
allows besides on the command line (`--allow-path DIR`), or, for editors, in HOCKET_ALLOW_PATH.
What people download reads and writes nowhere else.

A name is followed to its end, through links, before it is judged. What is opened later is that end, and no
link may stand on the way to it by then: see `Place`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from hocket.errors import HocketError

OPTION = "--allow-path"
# Folders with colons between them, as PATH has them: all processes of a command have it.
VARIABLE = "HOCKET_ALLOW_PATH"


@dataclass(frozen=True)
class Place:
    """A folder that may be used, and what is below it: no link, and nothing that leads up."""

    folder: Path
    below: str

    @property
    def path(self) -> Path:
        return self.folder / self.below

    def __str__(self) -> str:
        """As it stands in a flat scenario (hocket.running.kept)."""
        return f"{self.folder}\0{self.below}"


def allow(folders: Iterable[Path]) -> None:
    """For this command, and all that it starts. HocketError for one that is not there."""
    for folder in folders:
        if not folder.is_dir() or os.pathsep in str(folder.resolve()):
            raise HocketError(
                f"{OPTION} {folder} cannot be used",
                "its name has a colon" if folder.is_dir() else "there is no such folder",
                "name a folder below which the sketch may use files, or leave the option out",
            )
        known = allowed()
        if folder.resolve() not in known:
            os.environ[VARIABLE] = os.pathsep.join(map(str, (*known, folder.resolve())))


def allowed() -> tuple[Path, ...]:
    """An empty name, and one that is not absolute, allow nothing."""
    names = os.environ.get(VARIABLE, "").split(os.pathsep)
    return tuple(Path(name) for name in names if name.startswith("/"))


def place_of(path: Path, roots: Iterable[Path]) -> Place | None:
    """Where a path ends, if that is below one of the roots or of the folders that are allowed."""
    end = _end(path)
    for root in (*roots, *allowed()):
        folder = _end(root)
        if end is not None and folder is not None and end != folder and end.is_relative_to(folder):
            return Place(folder, str(end.relative_to(folder)))
    return None


def holds(path: Path, roots: Iterable[Path]) -> bool:
    """The same of a folder, which may be a root itself."""
    end = _end(path)
    every = (_end(root) for root in (*roots, *allowed()))
    return end is not None and any(root is not None and end.is_relative_to(root) for root in every)


def _end(path: Path) -> Path | None:
    """None: links that lead in a circle, or a name that no system has."""
    try:
        return Path(os.path.realpath(path))
    except (OSError, ValueError):
        return None


def outside(what: str, path: Path, roots: Iterable[Path]) -> tuple[str, str, str]:
    """Fact, cause and next step of what names a place outside of them."""
    end = _end(path)
    where = end.parent if end is not None else path.parent
    folders = " or ".join(dict.fromkeys(str(_end(root) or root) for root in roots))
    return (
        f"{what} leads out of the sketch's folder",
        f"{path} is {end}; what a sketch names lies in {folders}",
        f"name a place in that folder, or allow this one: {OPTION} {where}",
    )


def check(
    what: str, path: Path, folder: Path, file: Path | None = None, line: int | None = None
) -> None:
    """HocketError when a path of a sketch in this folder leads out of it. file, line: what names it."""
    if not holds(path, (folder,)):
        raise HocketError(*outside(what, path, (folder,)), file=file, line=line)
