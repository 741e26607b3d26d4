"""The places that a sketch, its hocket.toml and its scenario may name: those in its folder, and those that
the user also allows on the command line (`--allow-path DIR`) or, for editors, in HOCKET_ALLOW_PATH.

Downloaded sketches read and write nowhere else. A name is resolved through links before it is checked. Later
only the resolved path is opened, and no link may be on it by then: see `Place`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from hocket.errors import HocketError

OPTION = "--allow-path"
# Folders separated by colons, as in PATH. All processes of a command inherit it.
VARIABLE = "HOCKET_ALLOW_PATH"


@dataclass(frozen=True)
class Place:
    """A permitted folder, and a path below it without links and without `..`."""

    folder: Path
    below: str

    @property
    def path(self) -> Path:
        return self.folder / self.below

    def __str__(self) -> str:
        """Returns the form in a flat scenario (hocket.running.kept)."""
        return f"{self.folder}\0{self.below}"


def allow(folders: Iterable[Path]) -> None:
    """Allows folders for this command and the processes it starts. Raises HocketError for a folder that does
    not exist."""
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
    """Returns the allowed folders. Empty and relative names allow nothing."""
    names = os.environ.get(VARIABLE, "").split(os.pathsep)
    return tuple(Path(name) for name in names if name.startswith("/"))


def place_of(path: Path, roots: Iterable[Path]) -> Place | None:
    """Returns the resolved place of a path if it is below one of the roots or of the allowed folders, else
    None."""
    end = _end(path)
    for root in (*roots, *allowed()):
        folder = _end(root)
        if end is not None and folder is not None and end != folder and end.is_relative_to(folder):
            return Place(folder, str(end.relative_to(folder)))
    return None


def holds(path: Path, roots: Iterable[Path]) -> bool:
    """Returns whether a folder is below a root or an allowed folder, or is one itself."""
    end = _end(path)
    every = (_end(root) for root in (*roots, *allowed()))
    return end is not None and any(root is not None and end.is_relative_to(root) for root in every)


def _end(path: Path) -> Path | None:
    """Returns the resolved path. None: links form a cycle, or the name is invalid."""
    try:
        return Path(os.path.realpath(path))
    except (OSError, ValueError):
        return None


def outside(what: str, path: Path, roots: Iterable[Path]) -> tuple[str, str, str]:
    """Returns fact, cause and next step of the error for a path outside of the roots."""
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
    """Raises HocketError if a path of a sketch in this folder leads out of it. file, line: where the path is
    named."""
    if not holds(path, (folder,)):
        raise HocketError(*outside(what, path, (folder,)), file=file, line=line)
