"""The options of `--coverage`."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from hocket.boards import first_with
from hocket.errors import HocketError
from hocket.own_files import check_not_own

FOLDER = Path("coverage")
FILES = ("index.html", "lcov.info")  # written to the folder
BOARD = first_with("settable_budgets")
# The file in which the program of a run marks its blocks. It is set for that program only.
VISITS = "HOCKET_VISITS"
# Set by `hocket test` for each run: write only the lines, to this file.
LINES_TO = "HOCKET_COVERAGE_LINES"


@dataclass(frozen=True)
class Coverage:
    """folder: for index.html and lcov.info. least: the percentage of lines below which coverage fails.
    lines_to: write only the lines, to this file."""

    folder: Path = FOLDER
    least: float | None = None
    lines_to: Path | None = None


def wished(
    coverage: bool, folder: Path | None, least: float | None, board: str | None = None
) -> Coverage | None:
    """Returns the combination of the options. None: no coverage is requested. Raises HocketError."""
    lines_to = os.environ.get(LINES_TO)
    if lines_to:
        return Coverage(lines_to=Path(lines_to))
    if not coverage and folder is None and least is None:
        return None
    if least is not None and not 0 <= least <= 100:
        raise HocketError(
            f"--coverage-min {least:g} is out of range", next_step="use a percentage, 0 to 100"
        )
    if board is not None:
        check_boards([board])
    asked = Coverage(folder or FOLDER, least)
    if asked.folder.exists() and not asked.folder.is_dir():
        raise HocketError(
            f"the coverage cannot be written to {asked.folder}",
            "that is a file",
            "name a folder: --coverage-to FOLDER",
        )
    _check_files(asked.folder)
    return asked


def _check_files(folder: Path) -> None:
    """Raises HocketError if the coverage would overwrite a file that no coverage has written."""
    page, lines = (folder / name for name in FILES)
    for file in (page, lines):
        check_not_own(f"--coverage-to {folder}", file)
    if page.exists() and not lines.exists():
        raise HocketError(
            f"--coverage-to {folder} would overwrite a file",
            f"{page.name} is there, without the {lines.name} that coverage writes with it",
            "name another folder",
        )


def check_boards(boards: Collection[str]) -> list[str]:
    """Returns the boards in use without coverage. Raises HocketError if that is all of them."""
    unknown = sorted(set(boards) - {BOARD})
    if unknown and BOARD not in boards:
        raise HocketError(
            f"--coverage is not for the board {' or '.join(unknown)}",
            f"the lines that ran are known on {BOARD}, whose time counts the blocks of the program",
            f"leave --coverage out, or use --board {BOARD}",
        )
    return unknown
