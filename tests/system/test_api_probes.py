"""Names that Arduino users call are there on every board, as the table tests/probes.py has them."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from tests.probes import PROBES, source_of

from hocket.boards import find_board
from hocket.builder import permissive
from hocket.builder.board import prepare_board
from hocket.builder.libraries import libraries_for, library_of

_LIBRARIES = ("EEPROM", "SPI", "Servo", "SoftwareSerial", "Wire")
_ERROR = re.compile(r"^(\S+?):(\d+):\d+: (?:fatal )?error: (.*)$", re.MULTILINE)


def test_there_are_enough() -> None:
    assert sum(map(len, PROBES.values())) >= 60


@pytest.mark.parametrize("group", PROBES)
@pytest.mark.parametrize("board", ["uno", "sim", "virt", "rpi3"])
def test_every_name_is_there(tmp_path: Path, board: str, group: str) -> None:
    toolchain = prepare_board(find_board(board))
    libraries = [library_of(f) for f in libraries_for(board) if f.name in _LIBRARIES]
    includes = [f"-I{path}" for library in libraries for path in library.includes]
    text, owners = source_of(group, board)
    source = tmp_path / f"{group}.cpp"
    source.write_text(text)
    flags = [
        *toolchain.compile,
        *permissive.FLAGS,
        *includes,
        "-w",
        "-ferror-limit=0",
        "-fsyntax-only",
    ]
    done = subprocess.run(
        [toolchain.cxx, *flags, str(source)], capture_output=True, text=True, check=False
    )
    refused = {
        (owners.get(int(line), "?") if file == str(source) else file): said
        for file, line, said in reversed(_ERROR.findall(done.stderr))
    }
    assert refused == {}
    assert done.returncode == 0, done.stderr
