"""The boards that Hocket supports, from `boards/NAME/board.toml`.

The build reads the same files (boards/read.cmake). boards/keys.txt lists all their keys.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from hocket.errors import EXIT_DEFECT, HocketError, near_name
from hocket.packages import require
from hocket.paths import ROOT

BOARDS_FOLDER = ROOT / "boards"
NAMES = ("sim", "virt", "uno", "rpi3")  # in the order of listings
# Scheduling policies (docs/reference/scheduling.md), and the policy of a sketch that declares none.
DEFAULT_POLICY = "vcpu"
POLICIES = (DEFAULT_POLICY, "edf", "hybrid-edf", "mlq", "bitmap", "lottery")
KINDS = {"text": str, "number": int, "flag": bool}


@dataclass(frozen=True)
class Board:
    """The part of a board's description that the command line uses. boards/keys.txt explains the fields."""

    name: str
    what: str
    clock: str
    most_cores: int
    launcher: str
    debugger: str = ""
    watched: bool = False
    settable_budgets: bool = False
    architecture: str = ""
    byte_at_a_time: bool = False
    timer_one_is_clock: bool = False
    own_main: bool = False
    interrupt_numbers: bool = False
    hypervisor: bool = False
    packages: str = ""
    card: bool = False
    programmed: bool = False
    policies: bool = False


def read_board(folder: Path, name: str) -> Board:
    """Reads a description. Raises HocketError, with file and line, at an unknown key or a value of the wrong
    type."""
    file = folder / name / "board.toml"
    try:
        text = file.read_text()
        described = tomllib.loads(text)
    except (OSError, ValueError) as problem:
        raise HocketError(
            f"the description of the board {name} cannot be read", str(problem), "", file,
            exit_code=EXIT_DEFECT,
        ) from problem  # fmt: skip
    kinds = known_keys(folder)
    for key, value in described.items():
        if type(value) is not kinds.get(key):
            wrong = f"is no {kinds[key].__name__}" if key in kinds else "is unknown"
            raise HocketError(
                f"the description of the board {name} is wrong: the key {key} {wrong}", "",
                "boards/keys.txt has all keys", file, _line_of(key, text), EXIT_DEFECT,
            )  # fmt: skip
    used = {key: value for key, value in described.items() if key in Board.__dataclass_fields__}
    try:
        return Board(name=name, **used)
    except TypeError as problem:
        raise HocketError(
            f"the description of the board {name} lacks a key", str(problem), "", file,
            exit_code=EXIT_DEFECT,
        ) from problem  # fmt: skip


def _line_of(key: str, text: str) -> int | None:
    lines = enumerate(text.splitlines(), 1)
    return next((number for number, line in lines if re.match(rf"\W*{key}\b", line)), None)


def known_keys(folder: Path) -> dict[str, type]:
    """Returns the keys of boards/keys.txt and the types of their values."""
    lines = (folder / "keys.txt").read_text().splitlines()
    rows = [line.split(maxsplit=2) for line in lines if line and not line.startswith("#")]
    return {row[0]: KINDS[row[1]] for row in rows}


BOARDS = tuple(read_board(BOARDS_FOLDER, name) for name in NAMES)


def boards_with(key: str) -> tuple[str, ...]:
    """Returns the names of the boards for which this flag is set, or this text is not empty."""
    return tuple(board.name for board in BOARDS if getattr(board, key))


def architecture_of(name: str) -> str:
    return next((board.architecture for board in BOARDS if board.name == name), "")


def find_board(name: str) -> Board:
    """Returns the board of this name. Raises HocketError if there is none or its packages are missing."""
    for board in BOARDS:
        if board.name == name:
            if board.packages:
                require(board.packages, f"the board {name}")
            return board
    near = near_name(name, [board.name for board in BOARDS])
    raise HocketError(
        f"there is no board {name!r}",
        f"the boards are {', '.join(board.name for board in BOARDS)}",
        f"did you mean --board {near}?" if near else f"use --board {board_names()}",
    )


def policy_written(name: str) -> str:
    """Returns a policy's name with - for _, which sketches use and the command line also accepts."""
    usual = name.replace("_", "-")
    return usual if usual in POLICIES else name


def listed(names: Iterable[str]) -> str:
    """Returns a list in words: `a`, `a or b`, `a, b or c`."""
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


def board_names() -> str:
    return listed(board.name for board in BOARDS)
