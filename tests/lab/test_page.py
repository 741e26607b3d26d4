"""The page as a program of its own: its types, its reckoning, what it is built into."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.commands import ROOT

from hocket.errors import HocketError
from hocket.lab import page

TESTS = Path("tests") / "lab" / "page"


@pytest.fixture(scope="module")
def work() -> Path:
    """The sources with all their npm packages, and the tests at their side."""
    sources = page.install(development=True)
    place = sources.parents[1] / TESTS
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(ROOT / TESTS, place)
    return sources


def run(folder: Path, *command: str | Path) -> str:
    done = subprocess.run(
        list(map(str, command)), cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_types_are_strict_and_right(work: Path) -> None:
    assert '"strict": true' in (work / "tsconfig.json").read_text()
    run(work, "node", "node_modules/typescript/bin/tsc", "--noEmit")


def test_what_the_page_reckons(work: Path, tmp_path: Path) -> None:
    files = sorted((work.parents[1] / TESTS).glob("*.test.ts"))
    run(work, "node", "tests.mjs", tmp_path, *files)
    made = sorted(tmp_path.rglob("*.test.mjs"))
    assert len(made) == len(files) > 4
    said = run(tmp_path, "node", "--test", "--test-reporter=tap", *made)
    assert re.search(r"\bfail 0\b", said)
    assert int(re.findall(r"\bpass (\d+)", said)[-1]) >= len(files)


def test_nothing_comes_from_elsewhere(tmp_path: Path) -> None:
    """No address of another place is fetched: those that are there name XML's languages, or licences."""
    page.build(tmp_path / "page")
    names = {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    for file in sorted((tmp_path / "page").iterdir()):
        text = file.read_text(encoding="utf-8")
        code = re.sub(r"/\*[\s\S]*?\*/", "", text)
        found = set(re.findall(r"https?://[\w./-]+", code))
        allowed = names | {
            a for a in found if a.startswith(("http://www.w3.org/", "https://lit.dev/"))
        }
        assert found <= allowed, f"{file.name}: {found - allowed}"
        assert not re.search(r"\b(?:eval|new Function)\(", code)
        assert 'style="' not in code, file.name
    assert {f.name for f in (tmp_path / "page").iterdir()} >= {"index.html", "lab.js", "lab.css"}


def test_no_registry_stands_in_the_lock() -> None:
    lock = (page.SOURCES / "package-lock.json").read_text()
    assert "resolved" not in lock
    assert not re.search(r"https?://(?!.*(?:funding|opencollective|github\.com/sponsors))", lock)


def test_versions_are_exact() -> None:
    described = (page.SOURCES / "package.json").read_text()
    versions = re.findall(r'"(?:@?[\w/-]+)": "([^"]*\d+\.\d+[^"]*)"', described)
    assert len(versions) >= 6
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in versions)


class Fakes:
    """Programs in place of node and npm, which write down how they were called."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.calls = folder / "calls"
        self.calls.touch()
        self.folder = folder / "bin"
        self.folder.mkdir()
        self.make("npm", "mkdir -p node_modules")
        self.make("node", 'mkdir -p "$2" && echo page >"$2/index.html"')
        monkeypatch.setenv("PATH", f"{self.folder}:/usr/bin:/bin")
        sources = folder / "sources ü"
        sources.mkdir()
        for name in ("package.json", "package-lock.json", "build.mjs"):
            (sources / name).write_text(name)
        monkeypatch.setattr(page, "SOURCES", sources)
        monkeypatch.setattr(page, "PLACE", folder / "built" / "page")
        monkeypatch.setattr(page, "WORK", folder / "built" / "work")

    def make(self, name: str, does: str) -> None:
        file = self.folder / name
        file.write_text(f'#!/bin/sh\necho "{name} $1" >>"{self.calls}"\n{does}\n')
        file.chmod(0o755)

    def called(self) -> list[str]:
        calls = self.calls.read_text().splitlines()
        self.calls.write_text("")
        return calls


@pytest.fixture
def fakes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fakes:
    return Fakes(tmp_path, monkeypatch)


def test_it_is_built_once_and_again_when_a_source_has_changed(fakes: Fakes) -> None:
    assert (page.built() / "index.html").read_text() == "page\n"
    assert fakes.called() == ["npm ci", "node build.mjs"]
    page.built()
    assert fakes.called() == []
    (page.SOURCES / "build.mjs").write_text("another")
    page.built()
    assert fakes.called() == ["node build.mjs"]
    (page.SOURCES / "package-lock.json").write_text("another")
    page.built()
    assert fakes.called() == ["npm ci", "node build.mjs"]
    (page.SOURCES / "more.ts").write_text("new")
    page.built()
    assert fakes.called() == ["node build.mjs"]
    assert {f.name for f in page.SOURCES.iterdir()} == {
        "build.mjs", "more.ts", "package.json", "package-lock.json",
    }  # fmt: skip


def test_a_build_that_fails_is_told_and_tried_again(
    fakes: Fakes, capsys: pytest.CaptureFixture[str]
) -> None:
    fakes.make("npm", "echo network is down >&2; exit 1")
    with pytest.raises(HocketError) as error:
        page.built()
    assert error.value.fact == "the packages of the lab's page cannot be installed"
    assert "check the network" in error.value.next_step
    assert "network is down" in capsys.readouterr().err
    fakes.make("npm", "mkdir -p node_modules")
    fakes.make("node", "exit 3")
    with pytest.raises(HocketError):
        page.built()
    fakes.make("node", 'mkdir -p "$2" && echo page >"$2/index.html"')
    fakes.called()
    page.built()
    assert fakes.called() == ["node build.mjs"]


def test_without_node_the_packages_are_named(fakes: Fakes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(HocketError) as error:
        page.built()
    assert "nodejs" in error.value.next_step
    assert "npm" in error.value.next_step
