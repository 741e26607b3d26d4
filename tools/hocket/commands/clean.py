"""`hocket clean`: removes what was built."""

from __future__ import annotations

import contextlib
import errno
from pathlib import Path

from hocket.builder.lock import LOCK, locked
from hocket.errors import HocketError, shorten
from hocket.paths import BUILD, SKETCHES


def clean_command(everything: bool) -> int:
    """Removes the sketches' programs, or with `everything` the whole build folder. No user files lie
    there."""
    folder = BUILD if everything else SKETCHES
    if not folder.is_dir():
        print(f"{shorten(folder)}: nothing was built")
        return 0
    size = _size(folder)
    try:
        _remove(folder)
    except OSError as problem:
        raise HocketError(
            "not everything could be removed",
            problem.strerror or str(problem),
            "run hocket as its owner",
            problem.filename or folder,
        ) from problem
    print(f"removed {size / 1e6:.0f} MB from {shorten(folder)}")
    return 0


def _remove(folder: Path) -> None:
    """Removes a folder. A folder with a lock is removed while no build runs in it. Files that other commands
    create meanwhile stay, and so does the folder."""
    found = _entries(folder)
    if folder / LOCK not in found:
        _remove_all(found)
    else:
        with locked(folder):
            _remove_all([each for each in _entries(folder) if each.name != LOCK])
            (folder / LOCK).unlink(missing_ok=True)  # a waiting command sees that the lock is gone
    try:
        folder.rmdir()
    except FileNotFoundError:
        return
    except OSError as problem:
        if problem.errno != errno.ENOTEMPTY and not folder.is_symlink():
            raise


def _remove_all(files: list[Path]) -> None:
    for file in files:
        if file.is_dir() and not file.is_symlink():
            _remove(file)
        else:
            file.unlink(missing_ok=True)


def _entries(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except FileNotFoundError:  # another `clean` has removed it
        return []


def _size(folder: Path) -> int:
    size = 0
    for file in folder.rglob("*"):
        with contextlib.suppress(FileNotFoundError):
            size += 0 if file.is_dir() else file.lstat().st_size
    return size
