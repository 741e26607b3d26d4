"""The world as a program, and how the tests of it play kernels to it (plays.py)."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from tests.unit.simulation.peer.played import FOLDER, SECOND, Done, Play

from hocket.boards import find_board
from hocket.builder import prepare_world
from hocket.running.programs import of_board


@pytest.fixture(scope="session")
def world() -> Path:
    return prepare_world()


@pytest.fixture
def play(world: Path, tmp_path: Path) -> Play:
    """play(name, …): the world serves the kernel of that name; nothing of it may be left behind."""

    def run(name: str, *options: str | Path, board: str = "virt", duration: int = SECOND) -> Done:
        pipes = tmp_path / "pipes"
        pipes.mkdir(exist_ok=True)
        facts = tmp_path / "facts.json"
        facts.unlink(missing_ok=True)
        described = of_board(find_board(board))
        command = [world, *described, "--client", FOLDER / "plays.py", "--facts", facts]
        done = subprocess.run(
            [str(word) for word in [*command, "--for", duration, *options]],
            env=os.environ | {"HOCKET_PLAY": name, "TMPDIR": str(pipes)},
            capture_output=True,
            timeout=120,
            check=False,
        )
        assert list(pipes.iterdir()) == []
        found = json.loads(facts.read_text()) if facts.is_file() else None
        said = done.stderr.decode().splitlines()
        assert all(line.startswith("hocket: ") for line in said)
        return Done(done.returncode, done.stdout, said, found)

    return run
