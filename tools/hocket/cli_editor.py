"""The command `hocket clangd`: see cli.py."""

from __future__ import annotations

import shutil
from typing import Annotated

import typer

from hocket.errors import HocketError
from hocket.packages import require

_CLANGD = ("clangd-19", "clangd")


def clangd(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[-- WORD...]", help="Further words for clangd, such as -- --log=error."
        ),
    ] = None,
) -> int:
    """Be a language server for sketches, for an editor: clangd behind the sketch's translator."""
    from hocket.editor.server import serve

    program = next(filter(None, map(shutil.which, _CLANGD)), None)
    if program is None:
        require("edit", "hocket clangd")
        raise HocketError("there is no clangd", next_step="install clangd-19")
    return serve([program, "--header-insertion=never", "--clang-tidy=false", *(words or [])])
