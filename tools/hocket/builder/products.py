"""Detects build products that were truncated by a full disk or a power failure, or removed.

ninja compares times only: a truncated library is newer than its sources, so it would be used as it is. After
each build the sizes and times of all products are recorded, with those of ninja's own log. If the log is
unchanged and a product is not, no build made the product: it is removed and built again. If the log has
changed, ninja was run by hand, and the products are trusted.
"""

from __future__ import annotations

import json
from pathlib import Path

from hocket.whole_files import write_whole

_RECORD = "products.json"
_LOG = ".ninja_log"
_ENDINGS = (".a", ".o", ".pch", ".elf", ".so")

State = dict[str, list[int]]


def remember(folder: Path, anew: bool) -> None:
    """Records the products. anew: after a build. Otherwise they are recorded only if there is no record
    yet."""
    if not anew and (folder / _RECORD).is_file():
        return
    write_whole(folder / _RECORD, json.dumps(_state(folder)))


def remove_damaged(folder: Path) -> list[Path]:
    """Removes the products that no build has made in this state, and returns them."""
    try:
        known: State = json.loads((folder / _RECORD).read_text(encoding="utf-8"))
        log = known[_LOG]
    except (OSError, ValueError, KeyError, TypeError):
        return []  # there is no record
    if _sizes(folder / _LOG) != log:
        return []
    damaged = []
    for name, was in known.items():
        file = folder / name
        if _sizes(file) != was and file.exists():
            file.unlink()
            damaged.append(file)
    return damaged


def _state(folder: Path) -> State:
    files = [folder / _LOG]
    files += [file for file in folder.rglob("*") if _is_product(file)]
    found = ((str(file.relative_to(folder)), _sizes(file)) for file in files)
    return {name: sizes for name, sizes in found if sizes is not None}


def _is_product(file: Path) -> bool:
    if file.suffix in _ENDINGS:
        return True
    return not file.suffix and file.is_file() and bool(file.stat().st_mode & 0o100)


def _sizes(file: Path) -> list[int] | None:
    try:
        about = file.stat()
    except OSError:
        return None
    return [about.st_size, about.st_mtime_ns]
