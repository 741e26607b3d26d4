"""What the tests of the command line share: a folder for sketches, one runner."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.commands import Done, run_entry

Hocket = Callable[..., Done]


@pytest.fixture
def hocket(tmp_path: Path) -> Hocket:
    """Runs the real command in a folder of its own and returns its status and output."""

    def run(*arguments: str | Path, cwd: Path = tmp_path) -> Done:
        return run_entry(*arguments, cwd=cwd)

    return run


@pytest.fixture
def sketch(tmp_path: Path) -> Callable[..., Path]:
    """Makes a sketch folder: sketch("name", **{"name.ino": text, …})."""

    def make(name: str, files: dict[str, str | bytes]) -> Path:
        folder = tmp_path / name
        for file, content in files.items():
            path = folder / file
            path.parent.mkdir(parents=True, exist_ok=True)
            data = content.encode() if isinstance(content, str) else content
            path.write_bytes(data)
        return folder

    return make
