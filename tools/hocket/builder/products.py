"""Notices what was built and is no longer what it was: cut off by a full disk or a power failure, or removed.

ninja looks at times alone: a library that was cut off is newer than its sources, so it would be used as
it is. After each build the sizes and times of all products are written down, with those of ninja's own log.
Where that log is the same and a product is not, nobody has built it: it goes, and is built again. Where the
log is another one, somebody has used ninja by hand, and knows.
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
    """Writes down what there is. anew: after a build; else only where nothing is written down yet."""
    if not anew and (folder / _RECORD).is_file():
        return
    write_whole(folder / _RECORD, json.dumps(_state(folder)))


def remove_damaged(folder: Path) -> list[Path]:
    """Removes the products that nobody has built as they are, and returns them."""
    try:
        known: State = json.loads((folder / _RECORD).read_text(encoding="utf-8"))
        log = known[_LOG]
    except (OSError, ValueError, KeyError, TypeError):
        return []  # nothing is known of them
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
