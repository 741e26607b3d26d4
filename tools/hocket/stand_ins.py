"""Replacements for files of well-known libraries, on boards without an Arduino's processor.

A few libraries have one file that names or drives the pins of each supported processor, and does not compile
for any other. The rest of the library is portable. The compiler reads `arduino/stand_ins/LIBRARY/FILE`
instead (clang's `-ivfsoverlay`) if a header folder has both LIBRARY.h and FILE. If it has LIBRARY.h, each
source of the sketch begins with `arduino/stand_ins/LIBRARY/before.h`, if that exists. The library itself is
not changed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from hocket.paths import BUILD, STAND_INS
from hocket.whole_files import write_whole

_KINDS = ("*.h", "*.hpp", "*.c")
_BEFORE = "before.h"


def replaced(includes: Iterable[Path], board: str) -> dict[Path, Path]:
    """Returns the files in these header folders that are replaced on the board, with their replacements."""
    return {
        folder / ours.relative_to(own): ours
        for folder, own in _known(includes, board)
        for ours in sorted(file for kind in _KINDS for file in own.rglob(kind))
        if ours.name != _BEFORE and (folder / ours.relative_to(own)).is_file()
    }


def stand_in_flags(includes: Sequence[Path], board: str) -> list[str]:
    """Returns the compiler's options for a sketch with these header folders."""
    files = replaced(includes, board)
    begins = [own / _BEFORE for _, own in _known(includes, board) if (own / _BEFORE).is_file()]
    overlay = [f"-ivfsoverlay{_written(files, board)}"] if files else []
    return [*overlay, *(f"-include{file}" for file in dict.fromkeys(begins))]


def _known(includes: Iterable[Path], board: str) -> Iterator[tuple[Path, Path]]:
    """Yields header folders of libraries with replacements, and the folders of the replacements."""
    from hocket.boards import architecture_of  # reads the boards' descriptions

    if architecture_of(board):  # such files support its processor
        return
    folders = [folder.absolute() for folder in includes]
    for own in sorted(STAND_INS.iterdir()):
        yield from ((folder, own) for folder in folders if (folder / f"{own.name}.h").is_file())


def _written(files: dict[Path, Path], board: str) -> Path:
    """Writes the YAML file for clang (as JSON, which is YAML). Sketches with the same replacements share
    it."""
    roots = [
        {"name": str(file), "type": "file", "external-contents": str(ours)}
        for file, ours in sorted(files.items())
    ]
    text = json.dumps({"version": 0, "roots": roots}, ensure_ascii=False, indent=1)
    told = BUILD / board / f"stand-ins-{hashlib.sha256(text.encode()).hexdigest()[:8]}.yaml"
    if not told.is_file():
        told.parent.mkdir(parents=True, exist_ok=True)
        write_whole(told, text)  # another build may be writing it
    return told
