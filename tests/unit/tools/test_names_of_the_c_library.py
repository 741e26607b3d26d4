"""Which names the C library has is kept, for as long as it is the same one."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from hocket.builder import own_names

COMPILER = shutil.which("clang++-19") or "clang++-19"


@pytest.fixture(autouse=True)
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(own_names, "BUILD", tmp_path)
    own_names._of_the_library.cache_clear()
    yield tmp_path
    own_names._of_the_library.cache_clear()


def names() -> frozenset[str]:
    own_names._of_the_library.cache_clear()  # a process of its own each time
    return own_names._of_the_library(COMPILER)


def test_they_are_read_once(build: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = names()
    assert {"read", "index", "y1", "select"} <= found
    monkeypatch.setattr(own_names, "defined", lambda *_: frozenset())
    assert names() == found


@pytest.mark.parametrize("content", ["", "{}", "[]", "nothing", '{"of": [], "names": 3}', "\xff"])
def test_a_damaged_list_is_made_anew(build: Path, content: str) -> None:
    found = names()
    (build / "names-of-the-c-library.json").write_text(content, encoding="latin-1")
    assert names() == found


def test_another_library_is_read(build: Path) -> None:
    found = names()
    kept = build / "names-of-the-c-library.json"
    known = json.loads(kept.read_text())
    library = next(file for file in known["of"] if "libc.so" in file)
    known["of"][library][1] += 1
    known["names"] = ["read"]
    kept.write_text(json.dumps(known))
    assert names() == found


def test_where_nothing_can_be_kept(monkeypatch: pytest.MonkeyPatch, build: Path) -> None:
    monkeypatch.setattr(own_names, "BUILD", build / "none")
    assert "read" in names()
