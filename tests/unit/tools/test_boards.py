"""A board's description: the build and the command line read the same file, and refuse the same mistakes."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from hocket.boards import (
    BOARDS,
    BOARDS_FOLDER,
    NAMES,
    boards_with,
    find_board,
    known_keys,
    read_board,
)
from hocket.builder.policies import check_policy
from hocket.errors import HocketError
from hocket.paths import ROOT

MISTAKES = {
    "coloured = true": "the key coloured is unknown",
    "most_core = 4": "the key most_core is unknown",
    "[more]": "the key more is unknown",
}


@pytest.fixture
def boards(tmp_path: Path) -> Path:
    return Path(shutil.copytree(BOARDS_FOLDER, tmp_path / "boards"))


def read_by_cmake(boards: Path, name: str) -> subprocess.CompletedProcess[str]:
    keys = " ".join(known_keys(boards))
    script = boards.parent / "read.cmake"
    script.write_text(
        f"""\
cmake_minimum_required(VERSION 3.22)
set(PROJECT_SOURCE_DIR {boards.parent})
include({boards}/read.cmake)
read_board({name})
foreach(key {keys})
  message("${{key}} [${{board_${{key}}}}]")
endforeach()
"""
    )
    return subprocess.run(["cmake", "-P", str(script)], capture_output=True, text=True, check=False)


def test_every_board_is_known() -> None:
    assert {file.parent.name for file in BOARDS_FOLDER.glob("*/board.toml")} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_cmake_reads_what_toml_says(boards: Path, name: str) -> None:
    described = tomllib.loads((boards / name / "board.toml").read_text())
    done = read_by_cmake(boards, name)
    assert done.returncode == 0, done.stderr
    read = dict(re.findall(r"^(\w+) \[(.*)\]$", done.stderr, re.MULTILINE))
    for key in known_keys(boards):
        value = described.get(key, "")
        if isinstance(value, int) and not isinstance(value, bool):
            assert int(read[key], 0) == value
        else:
            assert read[key].lower() == str(value).lower()


@pytest.mark.parametrize("line", MISTAKES)
def test_both_refuse_a_mistake_with_file_and_line(boards: Path, line: str) -> None:
    file = boards / "virt" / "board.toml"
    file.write_text(f"# A comment.\n\n{line}\n{file.read_text()}")
    with pytest.raises(HocketError, match=MISTAKES[line]) as raised:
        read_board(boards, "virt")
    assert raised.value.file == str(file)
    assert raised.value.line == 3
    done = read_by_cmake(boards, "virt")
    assert done.returncode != 0
    said = " ".join(done.stderr.split())
    assert "boards/virt/board.toml:3: " in said
    assert (MISTAKES[line] if "=" in line else "is no `key = value`") in said


def test_a_value_of_another_kind_is_refused(boards: Path) -> None:
    file = boards / "uno" / "board.toml"
    file.write_text(file.read_text().replace("most_cores = 1", 'most_cores = "1"'))
    with pytest.raises(HocketError, match="the key most_cores is no int"):
        read_board(boards, "uno")


def test_what_a_board_can_do_is_asked_by_key() -> None:
    assert boards_with("watched") == ("sim", "uno")
    assert boards_with("settable_budgets") == ("sim",)
    assert boards_with("debugger") == ("sim", "virt", "uno")
    assert {board.launcher for board in BOARDS} == {"itself", "qemu", "uno-simulator"}


# Files that a further board needs no change of: its description says all of it.
BY_KEY = (
    "builder/clock_registers.py",
    "builder/libraries.py",
    "builder/torn_values.py",
    "commands/debug.py",
    "commands/flash.py",
    "debugger/program.py",
    "debugger/session.py",
    "report.py",
    "running/programs.py",
    "running/request.py",
    "scenario/settings.py",
)


@pytest.mark.parametrize("name", BY_KEY)
def test_no_board_is_asked_for_its_name(name: str) -> None:
    """Nothing is compared with a board's name, nor looked up by it."""
    tree = ast.parse((ROOT / "tools" / "hocket" / name).read_text(encoding="utf-8"))
    places = (ast.Compare, ast.Dict, ast.Set, ast.Tuple)
    found = [part for node in ast.walk(tree) if isinstance(node, places) for part in ast.walk(node)]
    assert not [part for part in found if isinstance(part, ast.Constant) and part.value in NAMES]


@pytest.mark.parametrize(
    ("policy", "next_step"),
    [
        ("EDF", "did you mean --policy edf?"),
        ("rm", "rate monotonic is vcpu: use --policy vcpu"),
        ("RMS", "rate monotonic is vcpu: use --policy vcpu"),
        ("vcpu,edf", "repeat --policy: hocket compare --policy vcpu --policy edf"),
        ("fastest", "use --policy vcpu, "),
    ],
)
def test_a_policy_that_was_meant(policy: str, next_step: str) -> None:
    with pytest.raises(HocketError) as raised:
        check_policy(policy, find_board("sim"))
    assert raised.value.next_step.startswith(next_step)


def test_a_board_that_was_meant() -> None:
    for name, next_step in (("Uno", "did you mean --board uno?"), ("mega", "use --board sim")):
        with pytest.raises(HocketError) as raised:
            find_board(name)
        assert raised.value.next_step.startswith(next_step)
