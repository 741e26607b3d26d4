"""`hocket clean`: removes what was built."""

from __future__ import annotations

import shutil
from pathlib import Path

from hocket.builder.lock import locked
from hocket.errors import HocketError, shorten
from hocket.paths import BUILD, SKETCHES


def clean_command(everything: bool) -> int:
    """Sketches' programs; with `everything` all of the build folder. Nothing of the user's lies there."""
    folder = BUILD if everything else SKETCHES
    if not folder.is_dir():
        print(f"{shorten(folder)}: nothing was built")
        return 0
    size = _size(folder)
    try:
        if everything:
            shutil.rmtree(folder)
        else:
            for sketch in folder.iterdir():
                with locked(sketch):  # another hocket may be building in it, or wait to
                    _empty(sketch)
    except OSError as problem:
        raise HocketError(
            "not everything could be removed",
            problem.strerror or str(problem),
            "run hocket as its owner",
            problem.filename or folder,
        ) from problem
    print(f"removed {size / 1e6:.0f} MB from {shorten(folder)}")
    return 0


def _empty(folder: Path) -> None:
    """Leaves the folder with its lock."""
    for file in folder.iterdir():
        if file.is_dir() and not file.is_symlink():
            shutil.rmtree(file)
        elif file.name != ".lock":
            file.unlink()


def _size(folder: Path) -> int:
    return sum(file.lstat().st_size for file in folder.rglob("*") if not file.is_dir())
