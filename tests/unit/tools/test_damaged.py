"""What was built and is cut off, by a full disk or a power failure, is noticed and built again."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from tests.campaign import long_form, one_in

from hocket.builder import board, products
from hocket.builder.board import bring_up_to_date

PROJECT = """\
cmake_minimum_required(VERSION 3.25)
project(small C)
add_library(part STATIC part.c)
add_executable(whole whole.c)
target_link_libraries(whole part)
"""
PRESETS = {
    "version": 6,
    "configurePresets": [{"name": "small", "generator": "Ninja", "binaryDir": "${sourceDir}/out"}],
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A build's folder of a small project, built once."""
    (tmp_path / "CMakeLists.txt").write_text(PROJECT)
    (tmp_path / "CMakePresets.json").write_text(json.dumps(PRESETS))
    (tmp_path / "part.c").write_text("int part(void) { return 7; }\n")
    (tmp_path / "whole.c").write_text("int part(void);\nint main(void) { return part(); }\n")
    monkeypatch.setattr(board, "ROOT", tmp_path)
    monkeypatch.setattr(board, "BUILD", tmp_path / "build")
    return bring_up_to_date("small", "the small project")


def status(folder: Path) -> int:
    return subprocess.run([folder / "whole"], check=False).returncode


@one_in(4)
@pytest.mark.parametrize("product", ["libpart.a", "whole", "CMakeFiles/part.dir/part.c.o"])
@pytest.mark.parametrize("left", [0, 100])
def test_a_product_that_is_cut_off(
    folder: Path, product: str, left: int, capsys: pytest.CaptureFixture[str]
) -> None:
    os.truncate(folder / product, left)
    bring_up_to_date("small", "the small project")
    assert f"the small project is damaged ({Path(product).name})" in capsys.readouterr().err
    assert status(folder) == 7
    bring_up_to_date("small", "the small project")
    assert "damaged" not in capsys.readouterr().err


def test_a_product_that_is_gone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "libpart.a").unlink()
    bring_up_to_date("small", "the small project")
    assert status(folder) == 7
    assert "damaged" not in capsys.readouterr().err  # somebody has cleaned up


@long_form
def test_who_uses_ninja_by_hand_is_let_alone(folder: Path) -> None:
    source = folder.parent.parent / "part.c"
    source.write_text("int part(void) { return 8; }\n")
    subprocess.run(["ninja", "-C", folder], check=True, capture_output=True)
    assert products.remove_damaged(folder) == []
    assert status(folder) == 8


@one_in(4)
@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"x": 1}', "\0"])
def test_a_record_that_is_cut_off_tells_nothing(folder: Path, text: str) -> None:
    (folder / "products.json").write_text(text)
    assert products.remove_damaged(folder) == []
    bring_up_to_date("small", "the small project")
    assert status(folder) == 7


def test_a_library_that_was_half_written_when_its_command_was_killed(folder: Path) -> None:
    """Its sources have changed, and ninja does not know of it yet: it is not taken for the library."""
    (folder.parent.parent / "part.c").write_text("int part(void) { return 9; }\n")
    (folder / "libpart.a").write_bytes((folder / "libpart.a").read_bytes()[:64])
    bring_up_to_date("small", "the small project")
    assert status(folder) == 9
