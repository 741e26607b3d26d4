"""No board for real hardware is compiled with a header of the computer that compiles: neither its sketches
nor what they are linked with. What the compiler itself says where it looks is read; a sketch that asks for a
header that only the computer has is told so (tests/uno/test_avr_language.py)."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from tests.campaign import one_in

from hocket.boards import find_board
from hocket.builder import prepare_board
from hocket.builder.board import bring_up_to_date
from hocket.paths import BUILD, ROOT

BOARDS = ("uno", "virt", "rpi3")
# Of the computer that compiles; a target's own folders are below others (/usr/lib/avr, …).
HOST = re.compile(r"/usr(/local)?/include(/|$)|/usr/lib/gcc/x86_64|/usr/include/x86_64")


def searched(command: list[str]) -> list[str]:
    """The folders in which a compiler with these flags looks for headers."""
    done = subprocess.run(
        [*command, "-x", "c++", "-E", "-v", "-"],
        input="",
        capture_output=True,
        text=True,
        check=True,
    )
    _, _, listed = done.stderr.partition("search starts here:")
    folders, _, _ = listed.partition("End of search list.")
    return [line.strip() for line in folders.splitlines() if line.startswith(" ")]


def commands(preset: str) -> Iterator[tuple[str, list[str]]]:
    """Which sources a build compiles, and with what: each kind of command once."""
    listed = json.loads((BUILD / preset / "compile_commands.json").read_text())
    seen = set()
    for entry in listed:
        words = shlex.split(entry["command"])
        kept = words[: words.index("-o")]
        if tuple(kept) not in seen:
            seen.add(tuple(kept))
            yield entry["file"], kept


@cache
def configured(preset: str) -> None:
    """compile_commands.json is there and new."""
    if preset in BOARDS:
        prepare_board(find_board(preset))
    else:
        bring_up_to_date(preset, preset, "contract_microbit")


@pytest.mark.parametrize("board", BOARDS)
def test_sketches(board: str) -> None:
    toolchain = prepare_board(find_board(board))
    folders = searched([toolchain.cxx, *toolchain.compile])
    assert any(str(ROOT / "arduino") in folder for folder in folders)
    assert not [folder for folder in folders if HOST.match(str(Path(folder).resolve()))]


@one_in(4)
@pytest.mark.parametrize("preset", [*BOARDS, "cortex_m"])
def test_what_they_are_linked_with(preset: str) -> None:
    configured(preset)
    looked = 0
    for file, command in commands(preset):
        strange = [f for f in searched(command) if HOST.match(str(Path(f).resolve()))]
        assert not strange, f"{file}: {strange}"
        looked += 1
    assert looked > 0


def test_the_computers_own_headers_would_be_seen() -> None:
    """On the simulated board they belong there: sketches are programs of this computer."""
    toolchain = prepare_board(find_board("sim"))
    assert [f for f in searched([toolchain.cxx, *toolchain.compile]) if HOST.match(f)]
