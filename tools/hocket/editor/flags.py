"""The commands with which clangd compiles the sources of a sketch: those of `hocket build`, for the board of
its hocket.toml."""

from __future__ import annotations

from pathlib import Path

from hocket.boards import DEFAULT_BOARD, find_board
from hocket.builder import permissive
from hocket.builder.board import prepare_board
from hocket.builder.found_libraries import needed_libraries
from hocket.builder.units import commands_of
from hocket.project_file import project_file
from hocket.sketch.folder import Sketch


def commands(sketch: Sketch, translated: Path, chosen: str | None = None) -> dict[Path, list[str]]:
    """Returns the command for each source and for the translation, which need not exist. Raises HocketError
    if the board has no compiler.

    chosen: the board. None: the board of hocket.toml, else sim.
    """
    own = project_file(sketch.folder)
    board = find_board(chosen or str(own.settings.get("board", DEFAULT_BOARD)))
    toolchain = prepare_board(board)
    libraries = needed_libraries(sketch, board, toolchain, own.libraries)
    found = {path: list(words) for path, words in commands_of(sketch, board, toolchain, libraries)}
    includes = [f"-I{path}" for library in libraries for path in library.includes]
    flags = [
        toolchain.cxx,
        *toolchain.for_sketch,
        *permissive.FLAGS,
        f"-I{sketch.folder}",
        *includes,
    ]
    found[translated] = [*flags, "-x", "c++", "-c", str(translated)]
    for header in sketch.headers:
        found[header] = [*flags, "-x", "c++-header", "-c", str(header)]
    return found
