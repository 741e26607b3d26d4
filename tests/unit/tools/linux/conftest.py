"""What the tests of the Linux beside share: a signed repository of packages, and a cache of their own."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.unit.tools.linux import repository
from tests.unit.tools.linux.repository import Package, Repository


@pytest.fixture(scope="session")
def key() -> Iterator[Path]:
    """The folder of a key that signs; its path is short, as gpg's sockets want it."""
    with tempfile.TemporaryDirectory(prefix="hkt-") as name:
        home = Path(name)
        repository.make_key(home)
        yield home


@pytest.fixture(scope="session")
def usual(key: Path, tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """A repository with all that is asked for; nobody changes it."""
    return repository.make(tmp_path_factory.mktemp("usual") / "r", key, repository.usual())


@pytest.fixture
def offering(key: Path, tmp_path: Path) -> Callable[[list[Package]], Repository]:
    """A repository with these packages."""
    return lambda packages: repository.make(tmp_path / "repository", key, packages)


@pytest.fixture
def own(usual: Repository, tmp_path: Path) -> Repository:
    """A copy of the usual one, to be spoilt."""
    shutil.copytree(usual.folder, tmp_path / "own")
    return Repository(tmp_path / "own", usual.keyring)


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
