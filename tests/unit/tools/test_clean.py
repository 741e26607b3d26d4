"""`hocket clean`: what was built goes, and nothing else."""

from __future__ import annotations

import fcntl
import threading
from io import TextIOWrapper
from pathlib import Path

import pytest

from hocket.builder import lock
from hocket.builder.lock import LOCK, locked
from hocket.commands import clean


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "build"
    for file in ("sketches/blink-1/blink", "sketches/blink-1/deep/unit.o", "sim/libhocket.a"):
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_bytes(b"x" * 1_000_000)
    monkeypatch.setattr(clean, "BUILD", folder)
    monkeypatch.setattr(clean, "SKETCHES", folder / "sketches")
    return folder


def test_sketches_programs_go(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert clean.clean_command(everything=False) == 0
    assert "removed 2 MB" in capsys.readouterr().out
    left = sorted(str(f.relative_to(built)) for f in built.rglob("*") if f.is_file())
    assert left == ["sim/libhocket.a"]


def test_all_of_it_goes(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert clean.clean_command(everything=True) == 0
    assert not built.exists()
    assert clean.clean_command(everything=True) == 0
    assert "nothing was built" in capsys.readouterr().out


@pytest.mark.parametrize("everything", [False, True])
def test_what_is_being_built_is_waited_for(
    built: Path, monkeypatch: pytest.MonkeyPatch, everything: bool
) -> None:
    """And all other folders' locks are free then: who builds there may need one of them."""
    waiting = threading.Event()
    wait = lock._wait_for

    def told(handle: TextIOWrapper) -> None:
        waiting.set()
        wait(handle)

    monkeypatch.setattr(lock, "_wait_for", told)
    with locked(built / "precompiled"):
        pass
    cleaning = threading.Thread(target=clean.clean_command, args=[everything])
    sketch = built / "sketches" / "blink-1"
    with locked(sketch):
        cleaning.start()
        assert waiting.wait(60)
        assert (sketch / "blink").is_file()
        with locked(built / "precompiled"):
            (sketch / "made").write_text("")
    cleaning.join(60)
    assert not sketch.exists()


def test_who_has_waited_for_it_begins_in_a_folder_that_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `clean` leaves it to who waits: the lock that comes free has no name any more."""
    folder = tmp_path / "sketch"
    waiting = threading.Event()
    wait = lock._wait_for

    def told(handle: TextIOWrapper) -> None:
        waiting.set()
        wait(handle)

    monkeypatch.setattr(lock, "_wait_for", told)
    found: list[bool] = []

    def build() -> None:
        with locked(folder), (folder / LOCK).open("w") as other:
            try:
                fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                found.append(True)

    building = threading.Thread(target=build)
    with locked(folder):
        building.start()
        assert waiting.wait(60)
        (folder / LOCK).unlink()
        folder.rmdir()
    building.join(60)
    assert found == [True]


def test_what_others_begin_meanwhile_stays(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    remove_all = clean._remove_all

    def begun(files: list[Path]) -> None:
        remove_all(files)
        (built / "new").mkdir(exist_ok=True)
        (built / "new" / "object").write_text("")

    monkeypatch.setattr(clean, "_remove_all", begun)
    assert clean.clean_command(everything=True) == 0
    assert (built / "new" / "object").is_file()


def test_a_build_folder_that_is_a_link_is_emptied(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = tmp_path / "link"
    link.symlink_to(built)
    monkeypatch.setattr(clean, "BUILD", link)
    assert clean.clean_command(everything=True) == 0
    assert link.is_dir()
    assert not any(link.iterdir())
