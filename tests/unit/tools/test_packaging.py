"""The wheel: what it says that it needs, and that it carries all that boards are built from."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
import zipfile
from pathlib import Path

import pytest
from tests.campaign import one_in
from tests.commands import ROOT

from hocket.boards import BOARDS
from hocket.builder import prepare_board
from hocket.builder.board import bring_up_to_date

CARRIED = "hocket/project/"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_it_needs_what_the_checkout_installs() -> None:
    listed = (ROOT / "tools" / "requirements.txt").read_text().partition("# What those need")[0]
    assert PROJECT["project"]["dependencies"] == re.findall(r"^[\w.-]+==[^\s#]+", listed, re.M)


def test_it_is_small_and_holds_nothing_that_was_built(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert wheel.stat().st_size < 2_800_000
    built = re.compile(
        r"__pycache__|(?<!/src)/build/|\.o$"
    )  # the lab's sources have a folder build
    assert [n for n in names if built.search(n)] == []
    assert not any(n.startswith(f"{CARRIED}tests") for n in names)


@one_in(5)
@pytest.mark.parametrize("board", [board.name for board in BOARDS])
def test_it_carries_what_a_board_is_built_from(wheel: Path, board: str) -> None:
    """By what the build of the checkout has read, of the targets that a sketch is linked with."""
    prepare_board(next(each for each in BOARDS if each.name == board))
    folder = bring_up_to_date(board, f"the board {board}")
    carried = {n.removeprefix(CARRIED) for n in zipfile.ZipFile(wheel).namelist()}
    read = {entry["file"] for entry in json.loads((folder / "compile_commands.json").read_text())}
    done = subprocess.run(
        ["ninja", "-C", folder, "-t", "deps"], capture_output=True, text=True, check=True
    )
    read |= set(re.findall(r"^    (.*)$", done.stdout, re.M))
    rules = (folder / "build.ninja").read_text()
    read |= set(re.findall(rf"{ROOT}/[\w./-]+", rules))
    ours = {str(Path(f).relative_to(ROOT)) for f in read if f.startswith(f"{ROOT}/")}
    needed = {
        f for f in ours if not f.startswith(("build/", ".venv/", "tests/")) and (ROOT / f).is_file()
    }
    assert len(needed) > 40  # (of files that are compiled in one piece the piece alone is seen)
    # The paths that only the project's own measurements and tests read are no part of a board.
    assert sorted(f for f in needed - carried if not f.startswith("tools/hocket/")) == []
