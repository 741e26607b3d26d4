"""`hocket platformio`: installing, a project's flags, what its SCons script has told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hocket.errors import HocketError
from hocket.platformio.flags import checked, found_from, words_of
from hocket.platformio.install import install_command, runner_command, uninstall_command
from hocket.platformio.project import OPTIONS, read_project, sketch_of


@pytest.fixture
def core(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PLATFORMIO_CORE_DIR", str(tmp_path))
    monkeypatch.delenv("PLATFORMIO_PLATFORMS_DIR", raising=False)
    return tmp_path


def test_install_makes_a_folder_and_uninstall_removes_it(core: Path) -> None:
    for _ in range(2):
        assert install_command() == 0
    folder = core / "platforms" / "hocket"
    assert json.loads((folder / "platform.json").read_text())["name"] == "hocket"
    assert {file.stem for file in (folder / "boards").iterdir()} == {
        *("sim", "uno", "virt"),
        *("nano", "nanoatmega328", "nanoatmega328new"),
        *("mega", "megaatmega2560"),
    }
    assert Path(json.loads((folder / "place.json").read_text())["hocket"]).is_file()
    assert uninstall_command() == 0
    assert not folder.exists()
    with pytest.raises(HocketError, match="not installed there"):
        uninstall_command()


def test_a_folder_of_somebody_elses_is_left_alone(core: Path) -> None:
    folder = core / "platforms" / "hocket"
    folder.mkdir(parents=True)
    (folder / "mine").write_text("")
    for command in (install_command, uninstall_command):
        with pytest.raises(HocketError, match="was not made by Hocket"):
            command()
    assert (folder / "mine").is_file()


def test_the_runner_of_tests_is_put_into_a_project(tmp_path: Path) -> None:
    with pytest.raises(HocketError, match=r"not a project of PlatformIO"):
        runner_command(tmp_path)
    (tmp_path / "platformio.ini").write_text("")
    assert runner_command(tmp_path) == 0
    assert runner_command(tmp_path) == 0
    runner = tmp_path / "test" / "test_custom_runner.py"
    runner.write_text(runner.read_text() + "# mine\n")
    with pytest.raises(HocketError, match="a test runner already"):
        runner_command(tmp_path)
    assert runner.read_text().endswith("# mine\n")


def test_flags_of_a_project() -> None:
    assert checked(["-DA", "-D", "B=2", "-I", "a", "-Wall", "-UC"]) == [
        *("-DA", "-DB=2", "-Ia", "-Wall", "-UC")
    ]
    for words in (["-O0"], ["-Wl,-x"], ["file.c"], ["-std=c++11"], ["-D"]):
        with pytest.raises(HocketError, match=r"build_flags"):
            checked(words)


def test_a_folder_of_headers_is_the_projects(tmp_path: Path) -> None:
    """Relative ones: from the project's folder, and not from where the compiler is started."""
    folder = tmp_path / "my own"
    words = words_of(['-Ithird -I "a b" -I/usr/include', "-I ../beside -DI=1"])
    assert found_from(folder, checked(words)) == [
        *(f"-I{folder}/third", f"-I{folder}/a b", "-I/usr/include"),
        *(f"-I{folder}/../beside", "-DI=1"),
    ]


@pytest.mark.parametrize("line", ["-DA='", '-DB="b', "-DC=c\\", "'"])
def test_an_open_quote_is_told(line: str) -> None:
    with pytest.raises(HocketError, match="build_flags cannot be read") as told:
        words_of(["-Wall", line])
    assert told.value.cause


@given(st.lists(st.text(max_size=12), max_size=3))
def test_lines_are_words_or_told(lines: list[str]) -> None:
    try:
        found_from(Path("/project"), checked(words_of(lines)))
    except HocketError as told:
        assert told.file == "platformio.ini"


@given(st.lists(st.text(max_size=6), max_size=6))
def test_no_other_flag_ever_comes_through(words: list[str]) -> None:
    try:
        flags = checked(words)
    except HocketError:
        return
    assert all(flag.startswith(("-D", "-U", "-I", "-W")) for flag in flags)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"name": 1}', "null", "\0"])
def test_what_is_no_build_folder_is_told(tmp_path: Path, text: str) -> None:
    with pytest.raises(HocketError, match="not a build folder of PlatformIO"):
        read_project(tmp_path)
    (tmp_path / OPTIONS).write_text(text)
    with pytest.raises(HocketError, match="not a build folder of PlatformIO"):
        read_project(tmp_path)


def test_main_is_the_first_tab(tmp_path: Path) -> None:
    source, build = tmp_path / "src", tmp_path / "build"
    for folder in (source / "deep", build):
        folder.mkdir(parents=True)
    for name in ("alpha.ino", "main.ino", "other.cpp", "deep/far.c"):
        (source / name).write_text("")
    told = {
        "name": "duo",
        "folder": str(tmp_path),
        "source": str(source),
        "include": "",
        "libraries": [],
        "flags": [],
    }
    (build / OPTIONS).write_text(json.dumps(told | {"cores": 1, "tested": False}))
    sketch = sketch_of(read_project(build))
    assert [tab.name for tab in sketch.tabs] == ["main.ino", "alpha.ino"]
    assert {path.name for path in sketch.sources} == {"other.cpp", "far.c"}
    assert sketch.name == "duo"
