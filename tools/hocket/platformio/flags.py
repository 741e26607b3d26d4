"""`build_flags` of a project: flags that are added when a sketch and its libraries are compiled."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from hocket.boards import Board
from hocket.builder import Toolchain
from hocket.builder.policies import policy_of, prepare_policy
from hocket.errors import HocketError
from hocket.sketch.folder import Sketch

_TAKEN = ("-D", "-U", "-I", "-W")
_APART = ("-D", "-U", "-I")  # their value may be the next word


def with_flags(sketch: Sketch, board: Board, lines: Sequence[str], folder: Path) -> Toolchain:
    """Returns the toolchain for the sketch on this board, with these flags of the project in the folder."""
    flags = found_from(folder, checked(words_of(lines)))
    toolchain = prepare_policy(board, policy_of(sketch, board, None))
    return replace(toolchain, compile=(*toolchain.compile, *flags)) if flags else toolchain


def words_of(lines: Sequence[str]) -> list[str]:
    """Returns the words of the lines as a shell would split them."""
    words: list[str] = []
    for line in lines:
        try:
            words += shlex.split(line)
        except ValueError as problem:
            raise HocketError(
                f"build_flags cannot be read: {line}",
                "a quote has no end" if "quotation" in str(problem) else "nothing is behind a \\",
                "write both quotes, or \\ before one that is meant",
                "platformio.ini",
            ) from problem
    return words


def found_from(folder: Path, flags: Sequence[str]) -> list[str]:
    """Returns the flags with absolute header folders, because the compiler is started in another folder."""
    return [
        f"-I{folder / flag[2:]}" if flag.startswith("-I") and flag != "-I" else flag
        for flag in flags
    ]


def checked(words: Sequence[str]) -> list[str]:
    """Returns the flags. Raises HocketError for one that conflicts with the board's compiled libraries."""
    flags: list[str] = []
    waiting = ""
    for word in words:
        if waiting:
            flags.append(waiting + word)
            waiting = ""
        elif word in _APART:
            waiting = word
        elif word.startswith(_TAKEN) and not word.startswith(("-Wl,", "-Wa,", "-Wp,")):
            flags.append(word)
        else:
            raise HocketError(
                f"build_flags has {word}",
                "the board says how its sketches are optimized and linked",
                f"leave it out; {', '.join(_TAKEN)} are taken",
                "platformio.ini",
            )
    if waiting:
        raise HocketError(
            f"build_flags ends in {waiting}", "its value is missing", "", "platformio.ini"
        )
    return flags
