"""`hocket build`: the sketch's program or image."""

from __future__ import annotations

import shutil
from pathlib import Path

from hocket.boards import find_board
from hocket.builder import build_sketch
from hocket.errors import HocketError, shorten
from hocket.sketch.folder import find_sketch


def build_command(sketch: str, board: str, output: Path | None) -> int:
    chosen = find_board(board)
    image = build_sketch(find_sketch(sketch), chosen)
    place = image.program
    if output is not None:
        place = output / image.program.name if output.is_dir() else output
        try:
            shutil.copy2(image.program, place)
        except OSError as problem:
            raise HocketError(
                "the program cannot be copied", problem.strerror or str(problem), file=place
            ) from problem
    print(shorten(place))
    return 0
