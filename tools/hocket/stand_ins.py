"""Files of well-known libraries in whose place a board without an Arduino's processor gets one of ours.

A few libraries have a file that names the pins of each processor they know, or drives them, and is an error
on any other; nothing else in them minds. The compiler reads `arduino/stand_ins/LIBRARY/FILE` instead (clang's
`-ivfsoverlay`) where a folder of headers has both LIBRARY.h and FILE; where it has LIBRARY.h, each source of
the sketch begins with `arduino/stand_ins/LIBRARY/before.h`, if there is one. The library itself stays as
it is.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from hocket.paths import BUILD, STAND_INS
from hocket.whole_files import write_whole

# Boards with processors that such files know.
_KNOWN = {"uno"}
_KINDS = ("*.h", "*.hpp", "*.c")
_BEFORE = "before.h"


def replaced(includes: Iterable[Path], board: str) -> dict[Path, Path]:
    """The files in these folders of headers in whose place others are read on the board, and those."""
    return {
        folder / ours.relative_to(own): ours
        for folder, own in _known(includes, board)
        for ours in sorted(file for kind in _KINDS for file in own.rglob(kind))
        if ours.name != _BEFORE and (folder / ours.relative_to(own)).is_file()
    }


def stand_in_flags(includes: Sequence[Path], board: str) -> list[str]:
    """The compiler's options for a sketch with these folders of headers."""
    files = replaced(includes, board)
    begins = [own / _BEFORE for _, own in _known(includes, board) if (own / _BEFORE).is_file()]
    overlay = [f"-ivfsoverlay{_written(files, board)}"] if files else []
    return [*overlay, *(f"-include{file}" for file in dict.fromkeys(begins))]


def _known(includes: Iterable[Path], board: str) -> Iterator[tuple[Path, Path]]:
    """Folders that hold a library for which something stands in, and what does."""
    if board in _KNOWN:
        return
    folders = [folder.absolute() for folder in includes]
    for own in sorted(STAND_INS.iterdir()):
        yield from ((folder, own) for folder in folders if (folder / f"{own.name}.h").is_file())


def _written(files: dict[Path, Path], board: str) -> Path:
    """The file that says it to clang in YAML, which JSON is: one for all sketches that need the same."""
    roots = [
        {"name": str(file), "type": "file", "external-contents": str(ours)}
        for file, ours in sorted(files.items())
    ]
    text = json.dumps({"version": 0, "roots": roots}, ensure_ascii=False, indent=1)
    told = BUILD / board / f"stand-ins-{hashlib.sha256(text.encode()).hexdigest()[:8]}.yaml"
    if not told.is_file():
        told.parent.mkdir(parents=True, exist_ok=True)
        write_whole(told, text)  # others may be building the same
    return told
