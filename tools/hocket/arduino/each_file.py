"""The commands that Arduino's builder calls for each file, of which a library may have fifty. The imports of
the other commands take longer than these commands, so __main__.py tries this module first. It imports small
modules only."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from hocket.paths import BUILD
from hocket.stand_ins import stand_in_flags

# Arduino's builder finds the missing header in the source line of the message, which must have gcc's plain
# form.
_AS_GCC_SAYS_IT = ("-fno-diagnostics-show-line-numbers", "-fno-color-diagnostics")


def answered(words: Sequence[str]) -> int | None:
    """Runs one of these commands, in the form of the recipes of arduino/ide, and returns its exit status.
    None: another command."""
    match words:
        case ["arduino", "compile", source, product, "--", *options]:
            write_note(Path(source), Path(product), options)
            return 0
        case ["arduino", "prototypes", _]:
            return 0
        case ["arduino", "preprocess", "--board", board, source, output, "--", *options]:
            if (BUILD / board / "sketch-build.json").is_file():
                preprocess(board, Path(source), Path(output), options)
    return None


def write_note(source: Path, product: Path, words: Sequence[str]) -> None:
    """Writes the note about a source. words: the compiler's options, of which the header folders (`-I`) are
    kept."""
    folders = [word.removeprefix("-I") for word in words if word.startswith("-I")]
    product.write_text(json.dumps({"source": str(source), "folders": folders}), encoding="utf-8")


def preprocess(board: str, source: Path, output: Path, words: Sequence[str]) -> NoReturn:
    """Replaces this process by the compiler, which resolves the source's includes and macros. The board must
    be prepared."""
    built = json.loads((BUILD / board / "sketch-build.json").read_text(encoding="utf-8"))
    command = [built["cxx"], *built["compile"], *_AS_GCC_SAYS_IT, *words]
    folders = [Path(word[2:]) for word in words if word.startswith("-I")]
    command += stand_in_flags(folders, board)
    command += ["-w", "-x", "c++", "-E", "-CC", str(source), "-o", str(output)]
    os.execvp(command[0], command)
