"""What the tests of the Linux beside share: the Debian itself, made once (and kept in build/linux)."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.beside.above import Above, neighbour_program

from hocket.linux.build import Linux, Wish, build


@pytest.fixture(scope="session")
def linux() -> Linux:
    return build(Wish())


@pytest.fixture(scope="session")
def linux_rt() -> Linux:
    return build(Wish("linux-rt"))


@pytest.fixture(scope="session")
def neighbour() -> Path:
    return neighbour_program()


@pytest.fixture
def above(neighbour: Path, tmp_path: Path) -> Above:
    return Above(neighbour, tmp_path)
