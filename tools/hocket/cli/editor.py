"""The command `hocket clangd`."""

from __future__ import annotations

import shutil
from typing import Annotated

import typer

from hocket.errors import HocketError
from hocket.packages import require

_CLANGD = ("clangd-19", "clangd")
# The background index is off: it needs a database of compile commands on disk, which a sketch does not have.
_OPTIONS = ("--header-insertion=never", "--clang-tidy=false", "--background-index=false")


def clangd(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="-- WORD", help="Further words for clangd, such as -- --log=error."),
    ] = None,
) -> int:
    """Run a language server for an editor: clangd, which is shown the translated sketch."""
    from hocket.editor.server import serve

    program = next(filter(None, map(shutil.which, _CLANGD)), None)
    if program is None:
        require("edit", "hocket clangd")
        raise HocketError("there is no clangd", next_step="install clangd-19")
    return serve([program, *_OPTIONS, *(words or [])])
