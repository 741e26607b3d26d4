"""A board's build folder follows what is installed: a library that came later is found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hocket.builder import board
from hocket.errors import HocketError

# The program `late` is there when the library is, as simulation/avr is with libsimavr.
LISTS = """
cmake_minimum_required(VERSION 3.20)
project(late NONE)
find_file(LIBRARY library.txt PATHS ${CMAKE_SOURCE_DIR} NO_DEFAULT_PATH)
add_custom_target(always)
if(LIBRARY)
  add_custom_target(late)
endif()
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    preset = {"name": "small", "generator": "Ninja", "binaryDir": "${sourceDir}/build/small"}
    builds = {"name": "small", "configurePreset": "small"}
    presets = {"version": 3, "configurePresets": [preset], "buildPresets": [builds]}
    (tmp_path / "CMakePresets.json").write_text(json.dumps(presets))
    (tmp_path / "CMakeLists.txt").write_text(LISTS)
    monkeypatch.setattr(board, "ROOT", tmp_path)
    monkeypatch.setattr(board, "BUILD", tmp_path / "build")
    return tmp_path


def test_a_library_that_comes_after_the_first_build_is_found(project: Path) -> None:
    assert board.bring_up_to_date("small", "it", "always") == project / "build" / "small"
    with pytest.raises(HocketError, match="late"):
        board.bring_up_to_date("small", "it", "late")
    (project / "library.txt").write_text("")
    board.bring_up_to_date("small", "it", "late")


def test_a_project_that_was_moved_is_built_anew(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As CMake would not: it stops at the other folder's name."""
    board.bring_up_to_date("small", "it", "always")
    left = project / "build" / "small" / "objects" / "left"
    left.parent.mkdir()
    left.touch()
    board.bring_up_to_date("small", "it", "always")
    assert left.exists()
    moved = project.rename(project.with_name("moved"))
    monkeypatch.setattr(board, "ROOT", moved)
    monkeypatch.setattr(board, "BUILD", moved / "build")
    board.bring_up_to_date("small", "it", "always")
    assert not (moved / "build" / "small" / "objects").exists()
