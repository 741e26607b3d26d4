"""The tool as it is installed from its wheel: it runs anywhere, and builds into the user's cache alone."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.campaign import long_form
from tests.commands import ROOT


@dataclass(frozen=True)
class Installed:
    place: Path  # as site-packages
    work: Path  # where the user is
    home: Path

    def run(self, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        own = {
            "HOME": str(self.home),
            "PYTHONPATH": str(self.place),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        without = {k: v for k, v in os.environ.items() if k not in ("XDG_CACHE_HOME", "PYTHONPATH")}
        return subprocess.run(
            [sys.executable, "-m", "hocket", *words],
            cwd=self.work,
            env=without | own | environment,
            capture_output=True,
            text=True,
            timeout=1800,
            check=False,
        )

    def files(self) -> dict[str, int]:
        """What is installed, and when each was changed."""
        return {str(f): f.stat().st_mtime_ns for f in self.place.rglob("*") if f.is_file()}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip"]
    wheels, place = folder / "wheels", folder / "site"
    making: list[str | Path] = ["wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    making += ["--wheel-dir", wheels, ROOT]
    subprocess.run([*pip, *making], check=True, cwd=folder)
    (wheel,) = wheels.glob("*.whl")
    # What it depends on is in the environment of these tests; the long form has an environment of its own.
    subprocess.run(
        [*pip, "install", "--quiet", "--no-deps", "--target", place, wheel], check=True, cwd=folder
    )
    for name in ("work", "home"):
        (folder / name).mkdir()
    return Installed(place, folder / "work", folder / "home")


def test_small_commands_build_nothing(installed: Installed) -> None:
    before = installed.files()
    for words in (["--help"], ["boards"], ["new", "small"], ["bench", "--list"]):
        done = installed.run(*words, PATH="/nonexistent")  # no compiler is there
        assert (done.returncode, done.stderr) == (0, ""), words
    assert installed.files() == before
    assert sorted(f.name for f in installed.work.rglob("*")) == ["small", "small.ino"]
    assert list(installed.home.rglob("*")) == []


def test_the_page_of_the_lab_comes_with_it(installed: Installed) -> None:
    page = installed.place / "hocket" / "project" / "lab-page"
    assert {f.name for f in page.iterdir()} == {"index.html", "lab.js", "lab.css", "icon.svg"}
    assert list(installed.place.rglob("node_modules")) == []


@long_form
def test_what_is_missing_is_named_with_the_command_that_installs_it(installed: Installed) -> None:
    installed.run("new", "wanting")
    done = installed.run("run", "wanting", PATH="/nonexistent")
    assert done.returncode == 2
    assert "the board sim needs packages that are not installed" in done.stderr
    assert "sudo sh -c 'apt-get update && apt-get install" in done.stderr
    assert "clang-19" in done.stderr


@long_form
def test_a_cache_that_cannot_be_made(installed: Installed) -> None:
    installed.run("new", "homeless")
    done = installed.run("run", "homeless", XDG_CACHE_HOME="/dev/null/cache")
    assert done.returncode == 2
    assert "name another folder in XDG_CACHE_HOME" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_suite_is_in_checkouts_only(installed: Installed) -> None:
    done = installed.run("self-test")
    assert done.returncode == 2
    assert "run ./hocket self-test in a checkout" in done.stderr


@pytest.mark.long_form
@pytest.mark.parametrize("board", ["sim", "uno", "virt", "rpi3"])
def test_a_sketch_runs_on_each_board(installed: Installed, board: str) -> None:
    before = installed.files()
    installed.run("new", "hello")
    done = installed.run(
        "run", "hello", "--board", board, "--for", "2s", "--expect-text", "round 1"
    )
    assert done.returncode == 0, done.stderr
    assert "loop 2: round 1" in done.stdout
    assert installed.files() == before
    assert (installed.home / ".cache" / "hocket").is_dir()
    assert [f.name for f in (installed.work / "hello").iterdir()] == ["hello.ino"]


@pytest.mark.long_form
def test_an_environment_of_its_own(installed: Installed, tmp_path: Path) -> None:
    """As pipx does it: with all dependencies, `hocket` on the PATH."""
    place = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", place], check=True)
    subprocess.run([place / "bin" / "pip", "install", "--quiet", ROOT], check=True, cwd=tmp_path)
    done = subprocess.run(
        [place / "bin" / "hocket", "boards"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert "sim" in done.stdout
