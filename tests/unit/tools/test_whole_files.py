"""A file that is written is whole or as it was, for whoever reads it and however the writing ends."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest

from hocket.paths import ROOT
from hocket.whole_files import keep_current, made_aside, write_whole

TOOLS = ROOT / "tools" / "hocket"
# What is written in the place where it will be read, and why that is right.
IN_PLACE = {
    "builder/compile.py": "a copy that is compiled at once, under the folder's lock",
    "builder/llvm_text.py": "a text that is compiled at once, under the folder's lock",
    "builder/avr_code.py": "an object that has no stamp yet, under the folder's lock",
    "stock_core.py": "a source that is compiled at once, under the folder's lock",
    "linux/module.py": "a makefile that counts once the file `unpacked` is beside it",
}


def test_whoever_reads_it_reads_it_whole(tmp_path: Path) -> None:
    file = tmp_path / "stamp"
    write_whole(file, "old")
    with file.open() as reader:
        write_whole(file, "new and longer")
        assert reader.read() == "old"
    assert file.read_text() == "new and longer"
    assert [each.name for each in tmp_path.iterdir()] == ["stamp"]


def test_an_interruption_leaves_the_old_one_and_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "program"
    write_whole(file, b"old")
    with pytest.raises(KeyboardInterrupt), made_aside(file) as aside:
        aside.write_bytes(b"half")
        raise KeyboardInterrupt
    assert file.read_bytes() == b"old"
    assert [each.name for each in tmp_path.iterdir()] == ["program"]


def test_the_longest_name_can_be_written(tmp_path: Path) -> None:
    file = tmp_path / ("n" * 255)
    write_whole(file, "")
    assert file.is_file()


def test_what_is_current_keeps_its_time(tmp_path: Path) -> None:
    file = tmp_path / "source"
    assert keep_current(file, "wörds\udcff") == file
    assert file.read_bytes() == "wörds".encode() + b"\xff"
    os.utime(file, ns=(1, 1))
    keep_current(file, "wörds\udcff")
    assert file.stat().st_mtime_ns == 1
    keep_current(file, "others")
    assert file.stat().st_mtime_ns != 1


KEPT = ("builder", "debugger", "intel_hex.py", "stand_ins.py", "stock_core.py")
KEPT_OF_LINUX = ("linux/archive.py", "linux/build.py", "linux/module.py", "linux/programs.py")


@pytest.mark.parametrize("part", [*KEPT, *KEPT_OF_LINUX])
def test_what_is_built_is_written_whole(part: str) -> None:
    """Everything that another command may read meanwhile, or after an interruption."""
    place = TOOLS / part
    for file in [place] if place.is_file() else sorted(place.rglob("*.py")):
        name = str(file.relative_to(TOOLS))
        calls = (
            node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Call)
        )
        named = {call.func.attr for call in calls if isinstance(call.func, ast.Attribute)}
        assert name in IN_PLACE or not named & {"write_text", "write_bytes"}, name
