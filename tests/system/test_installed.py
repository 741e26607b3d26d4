"""The tool as it is installed: from its wheel, as pipx does it, and as the Debian package has it.

It runs anywhere, builds into the user's cache alone, and the Python processes that it starts are of the same
installation. Neither way has a folder of the checkout in its path.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest
from tests.campaign import long_form
from tests.commands import ROOT, run_entry
from tests.every_command import COMMANDS

from hocket.errors import HocketError

# What the wheel depends on is in the environment of these tests, which has no hocket.
DEPENDENCIES = Path(sysconfig.get_path("purelib"))

# In the place of the command line: what a task of a campaign sees, and a module that it starts.
PROBE = """\
import json, subprocess, sys
from hocket.at_once import Crew
from hocket.own_python import python_module

def task(number, folder):
    import hocket
    return {"from": hocket.__file__, "loaded before": "hocket.apart" in sys.modules}

def main():
    ((_, seen),) = Crew(do=task, jobs=1, loaded=()).results([1])
    done = subprocess.run(python_module("gcovr", "--version"), capture_output=True, text=True)
    print(json.dumps({**seen, "gcovr": done.stdout[:5]}))

if __name__ == "__main__":
    main()
"""


@dataclass(frozen=True)
class Installed:
    place: Path  # as site-packages
    script: Path  # the command `hocket`
    work: Path  # where the user is
    home: Path

    def run(
        self, *words: str, script: Path | None = None, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        own = {"HOME": str(self.home), "PYTHONDONTWRITEBYTECODE": "1"}
        without = {k: v for k, v in os.environ.items() if k not in ("XDG_CACHE_HOME", "PYTHONPATH")}
        return subprocess.run(
            [str(script or self.script), *words],
            cwd=self.work,
            env=without | own | environment,
            capture_output=True,
            text=True,
            timeout=1800,
            check=False,
        )

    def probe(self) -> subprocess.CompletedProcess[str]:
        (self.place / "probe.py").write_text(PROBE)
        other, text = self.script.with_name("probe"), self.script.read_text()
        changed = re.sub(r"-m hocket\b", "-m probe", text).replace("hocket.__main__", "probe")
        assert changed != text
        other.write_text(changed)
        other.chmod(0o755)
        return self.run(script=other)

    def files(self) -> dict[str, int]:
        """What is installed, and when each was changed."""
        return {str(f): f.stat().st_mtime_ns for f in self.place.rglob("*") if f.is_file()}


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """As pipx does it: an environment of its own. (The long form has one with all dependencies in it.)"""
    folder = tmp_path_factory.mktemp("installed")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    python = str(folder / "venv" / "bin" / "python")
    pip = [sys.executable, "-m", "pip", "--python", python]
    subprocess.run([*pip, "install", "--quiet", "--no-deps", wheel], check=True, cwd=folder)
    (place,) = folder.glob("venv/lib/python*/site-packages")
    (place / "dependencies.pth").write_text(f"{DEPENDENCIES}\n")
    return made(folder, place, folder / "venv" / "bin" / "hocket")


@pytest.fixture(scope="module")
def packaged(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """As the Debian package has it: its launcher, with another folder and an interpreter without the
    dependencies."""
    folder = tmp_path_factory.mktemp("packaged")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
    place = folder / "library"
    subprocess.run([*pip, "--target", place, wheel], check=True, cwd=folder)
    for dependency in DEPENDENCIES.iterdir():
        if not (place / dependency.name).exists():
            (place / dependency.name).symlink_to(dependency)
    text = package_builder().LAUNCHER
    for old, new in (
        ("/usr/lib/hocket", place),
        ("/usr/bin/python3", Path(sys.base_prefix) / "bin" / "python3"),
    ):
        assert old in text
        text = text.replace(old, str(new))
    script = folder / "hocket"
    script.write_text(text)
    script.chmod(0o755)
    return made(folder, place, script)


def package_builder() -> ModuleType:
    file = ROOT / "packaging" / "debian" / "build.py"
    found = importlib.util.spec_from_file_location("package_builder", file)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def made(folder: Path, place: Path, script: Path) -> Installed:
    for name in ("work", "home"):
        (folder / name).mkdir()
    return Installed(place, script, folder / "work", folder / "home")


@pytest.fixture(params=["installed", "packaged"])
def either(request: pytest.FixtureRequest) -> Installed:
    way: Installed = request.getfixturevalue(request.param)
    return way


@pytest.fixture(autouse=True)
def modules_of_the_user(request: pytest.FixtureRequest) -> Iterator[None]:
    """Files of the user's folder that have names of modules: they are none of Python's or Hocket's."""
    if "either" not in request.fixturenames:
        yield
        return
    work = request.getfixturevalue("either").work
    for name in ("random", "rich", "gcovr", "hocket"):
        (work / f"{name}.py").write_text("raise SystemExit('this module is mine')\n")
    yield
    for file in work.glob("*.py"):
        file.unlink()


def test_a_test_is_run_by_the_same_hocket(either: Installed) -> None:
    """The compiler is missing, and it is the `hocket run` of the test that says so."""
    (either.work / "tested").mkdir()
    (either.work / "tested" / "tested.ino").write_text(
        "void setup() {}\nvoid loop(1, 1, 10) { delay(10); }\n"
    )
    (either.work / "tested" / "scenario.yaml").write_text("expect: [{serial: x}]\n")
    done = either.run("test", "tested", PATH="/nonexistent")
    assert "packages that are not installed" in done.stdout, done.stdout + done.stderr


def test_processes_of_a_campaign_have_loaded_the_same_hocket(either: Installed) -> None:
    done = either.probe()
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout) == {
        "from": str(either.place / "hocket" / "__init__.py"),
        "loaded before": True,
        "gcovr": "gcovr",
    }


def test_a_checkout_takes_no_module_of_the_users_folder(tmp_path: Path) -> None:
    (tmp_path / "random.py").write_text("raise SystemExit('this module is mine')\n")
    done = run_entry("boards", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_building_the_package_names_what_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    builder = package_builder()
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(HocketError) as caught:
        builder.check_tools()
    assert caught.value.cause == "not installed: python3-pip, dpkg"
    assert caught.value.next_step.count("apt-get update && apt-get install") == 1


@pytest.mark.long_form
def test_every_command_in_its_short_form(either: Installed) -> None:
    for line, status in COMMANDS:
        done = either.run(*line.split())
        assert done.returncode == status, (line, done.stdout, done.stderr)
        assert "Traceback" not in done.stderr, line


def test_small_commands_build_nothing(installed: Installed) -> None:
    before = installed.files()
    for words in (["--help"], ["boards"], ["new", "small"], ["bench", "--list"]):
        done = installed.run(*words, PATH="/nonexistent")  # no compiler is there
        assert (done.returncode, done.stderr) == (0, ""), words
    assert installed.files() == before
    assert (installed.work / "small" / "small.ino").is_file()
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
    assert "apt-get update && apt-get install" in done.stderr
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
    assert {f.name for f in (installed.work / "hello").iterdir()} == {"hello.ino", "scenario.yaml"}


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
