"""A folder of ours in another program's: what is made there, and how it goes again.

HOCKET.txt in it says that it is ours and may be removed. It is the first file to come and the last to go, so
that whatever an interruption leaves can be made or removed once more.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from hocket.errors import HocketError
from hocket.whole_files import write_whole

MARK = "HOCKET.txt"


def begin(folder: Path, text: str) -> None:
    """Makes the folder with nothing in it but the mark. HocketError: there is one that is somebody else's."""
    _check_ours(folder)
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / MARK, text)
    _empty(folder)


def uninstall(folder: Path, what: str, next_step: str) -> None:
    """Removes it. HocketError: it is not there, or not ours; next_step: how to say where it is."""
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
    """One without anything in it is nobody's."""
    if not os.path.lexists(folder) or (folder / MARK).is_file():
        return
    if folder.is_dir() and not any(folder.iterdir()):
        return
    raise HocketError(
        f"{folder} was not made by Hocket",
        f"it has no {MARK}",
        "move it away, if it is no longer needed",
    )
