"""The command line for boards of HOCKET_BOARDS, without a build of each board's libraries.

    python -m tests.own_boards uno run SKETCH --board mine …

The board's build is configured, and sketches are compiled and linked as it says, but with the libraries of
the other board, which has the same processor. (The long form of tests/system/test_own_board.py builds them.)
"""

from __future__ import annotations

import dataclasses
import os
import sys
from pathlib import Path
from typing import Any

from hocket.boards import Board, find_board
from hocket.builder import policies
from hocket.builder.board import _run, configuration, prepare_board, read_toolchain
from hocket.cli.main import main
from hocket.paths import BUILD, ROOT


def environment() -> dict[str, str]:
    """Returns the environment in which this module starts."""
    return os.environ | {"PYTHONPATH": f"{ROOT}:{ROOT / 'tools'}"}


def with_libraries_of(like: str, board: Board) -> Any:
    """Returns the board's toolchain with the libraries of the other board."""
    if board.name == like:
        return prepare_board(board)
    prepare_board(find_board(like))
    folder = BUILD / board.name
    if not (folder / "build.ninja").is_file():
        folder.mkdir(parents=True, exist_ok=True)
    _run(configuration(board.name, folder), None)

    def shared(text: str) -> str:
        return text.replace(f"{folder}/", f"{BUILD / like}/")

    toolchain = read_toolchain(folder / "sketch-build.json")
    return dataclasses.replace(
        toolchain,
        link=tuple(map(shared, toolchain.link)),
        inputs=tuple(Path(shared(str(path))) for path in toolchain.inputs),
        join=tuple(tuple(map(shared, command)) for command in toolchain.join),
        join_beside=tuple(tuple(map(shared, command)) for command in toolchain.join_beside),
        around={
            name: dataclasses.replace(kernel, library=Path(shared(str(kernel.library))))
            for name, kernel in toolchain.around.items()
        },
        plain={shared(old): shared(new) for old, new in toolchain.plain.items()},
        standard_streams=tuple(map(shared, toolchain.standard_streams)),
        gcc=toolchain.gcc
        and dataclasses.replace(
            toolchain.gcc,
            instead_of=shared(toolchain.gcc.instead_of),
            library=shared(toolchain.gcc.library),
            library_apart=shared(toolchain.gcc.library_apart),
        ),
    )


if __name__ == "__main__":
    like = sys.argv.pop(1)
    setattr(policies, "prepare_board", lambda board: with_libraries_of(like, board))  # noqa: B010
    main()
