"""Makes and removes a folder of Hocket's inside another program's folder.

HOCKET.txt in it marks it as Hocket's, so that it may be removed. The mark is the first file to be written and
the last to be removed, so that an interrupted command can be repeated.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from hocket.errors import HocketError
from hocket.whole_files import write_whole

MARK = "HOCKET.txt"


def begin(folder: Path, text: str) -> None:
    """Makes the folder with only the mark in it. Raises HocketError if a folder without the mark exists."""
    _check_ours(folder)
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / MARK, text)
    _empty(folder)


def uninstall(folder: Path, what: str, next_step: str) -> None:
    """Removes the folder. Raises HocketError if it does not exist or lacks the mark. next_step: how to name
    its place."""
    if not folder.is_dir():
        raise HocketError("Hocket is not installed there", f"there is no {folder}", next_step)
    _check_ours(folder)
    try:
        _empty(folder)
        (folder / MARK).unlink(missing_ok=True)
        folder.rmdir()
    except OSError as problem:
        raise HocketError(
            f"{what} cannot be removed", problem.strerror or str(problem), "", folder
        ) from problem
    print(f"removed {folder}")


def _empty(folder: Path) -> None:
    for file in folder.iterdir():
        if file.is_dir() and not file.is_symlink():
            shutil.rmtree(file)
        elif file.name != MARK:
            file.unlink()


def _check_ours(folder: Path) -> None:
    """Raises HocketError for a folder that has content but no mark."""
    if not os.path.lexists(folder) or (folder / MARK).is_file():
        return
    if folder.is_dir() and not any(folder.iterdir()):
        return
    raise HocketError(
        f"{folder} was not made by Hocket",
        f"it has no {MARK}",
        "move it away, if it is no longer needed",
    )
