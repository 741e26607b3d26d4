"""The source lines of a linked program's instructions, from its debug information."""

from __future__ import annotations

import re
from pathlib import Path

from hocket.builder.avr_code import DUMPS
from hocket.builder.compile import run

# A file, by its name in the debug information, and a line.
Line = tuple[str, int]

_FOLDER = re.compile(r'include_directories\[ *(\d+)\] = "(.*)"')
_FILE = re.compile(r"file_names\[ *(\d+)\]:")
_NAME = re.compile(r' *name: "(.*)"')
_IN = re.compile(r" *dir_index: (\d+)")
_ROW = re.compile(r"0x([0-9a-f]{16}) +(\d+) +\d+ +(\d+) .*?(end_sequence)?$")


def read_lines(program: Path) -> tuple[list[int], list[Line | None]]:
    """Returns the addresses at which another line begins, in order, and these lines. None: no line is
    known."""
    rows: list[tuple[int, int, Line | None]] = []
    folders: dict[int, str] = {}
    files: dict[int, str] = {}
    number, name = 0, ""
    sequence: list[tuple[int, int, Line | None]] = []
    for text in run([DUMPS, "--debug-line", str(program)]).stdout.splitlines():
        if row := _ROW.match(text):
            address, line, ended = int(row[1], 16), int(row[2]), row[4] is not None
            # Line 0: generated code, which belongs to no line. It is counted to the one before.
            if ended:
                sequence.append((address, 0, None))
                rows += sequence if sequence[0][0] != 0 else []  # 0: dropped by the linker
                sequence = []
            elif line:
                sequence.append((address, 1, (files.get(int(row[3]), "?"), line)))
        elif text.startswith("debug_line["):
            folders, files = {}, {}
        elif folder := _FOLDER.match(text):
            folders[int(folder[1])] = folder[2]
        elif file := _FILE.match(text):
            number = int(file[1])
        elif named := _NAME.match(text):
            name = named[1]
        elif place := _IN.match(text):
            inside = folders.get(int(place[1]), "")
            files[number] = str(Path(inside) / name)
    rows.sort(key=lambda each: each[:2])
    return [each[0] for each in rows], [each[2] for each in rows]
