"""What is installed into other programs' folders: an interruption leaves nothing that stays in the way."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from hocket.arduino import platform
from hocket.arduino.own_folder import begin, uninstall
from hocket.errors import HocketError
from hocket.platformio import install

Install = Callable[[], int]


@pytest.fixture(params=["arduino", "platformio"])
def both(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[Install, Install, Path]:
    """Its install, its uninstall, and the folder."""
    monkeypatch.setenv("PLATFORMIO_CORE_DIR", str(tmp_path))
    monkeypatch.delenv("PLATFORMIO_PLATFORMS_DIR", raising=False)
    if request.param == "platformio":
        folder = tmp_path / "platforms" / "hocket"
        return install.install_command, install.uninstall_command, folder
    return (
        lambda: platform.install_command(tmp_path),
        lambda: platform.uninstall_command(tmp_path),
        tmp_path / "hardware" / "hocket",
    )


def test_an_interrupted_one_is_made_or_removed_once_more(
    both: tuple[Install, Install, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    make, remove, folder = both

    def interrupted(*_words: object, **_named: object) -> None:
        raise KeyboardInterrupt

    for again in (make, remove):
        with monkeypatch.context() as patched:
            patched.setattr(shutil, "copytree", interrupted)
            patched.setattr(platform, "_make", interrupted)
            with pytest.raises(KeyboardInterrupt):
                make()
        assert again() == 0
    assert not folder.exists()


def test_an_interrupted_removal_is_done_once_more(
    both: tuple[Install, Install, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    make, remove, folder = both
    assert make() == 0
    rmtree = shutil.rmtree

    def interrupted(place: Path) -> None:
        rmtree(place)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(shutil, "rmtree", interrupted)
        with pytest.raises(KeyboardInterrupt):
            remove()
    assert folder.is_dir()
    assert remove() == 0
    assert not folder.exists()


def test_what_was_installed_before_goes(tmp_path: Path) -> None:
    folder = tmp_path / "ours"
    begin(folder, "ours")
    (folder / "old" / "deep").mkdir(parents=True)
    (folder / "link").symlink_to(tmp_path)
    begin(folder, "ours, newer")
    assert [each.name for each in folder.iterdir()] == ["HOCKET.txt"]
    uninstall(folder, "it", "")
    assert not folder.exists()


def test_an_empty_folder_is_taken_and_another_ones_is_not(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    begin(folder, "ours")
    (folder / "HOCKET.txt").unlink()
    (folder / "theirs").write_text("")
    with pytest.raises(HocketError, match="not made by Hocket"):
        begin(folder, "ours")
    (tmp_path / "lost").symlink_to(tmp_path / "nowhere")
    with pytest.raises(HocketError, match="not made by Hocket"):
        begin(tmp_path / "lost", "ours")
