"""No option of any command writes a result over a file of the user's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import get_type_hints

import pytest
from tests.campaign import in_turn
from tests.commands import Done

from hocket.cli.app import app
from hocket.coverage.asking import wished
from hocket.errors import HocketError
from hocket.own_files import check_not_own
from hocket.whole_files import write_result

Hocket = Callable[..., Done]

# Parameters that are a path and that no command writes to as a file.
READ = {
    *("scenario", "input", "allow_path", "libraries", "sources", "source", "scripts", "script"),
    *("file", "log", "port", "folder", "card", "commands", "project"),
}
RECIPES = "arduino "  # arduino-cli calls them with files of its own folder
# The parameters that are written, each with a command line up to the file's name.
WRITTEN = {
    ("run", "json"): "run demo --json",
    ("run", "trace"): "run demo --trace",
    ("run", "vcd"): "run demo --vcd",
    ("run", "html"): "run demo --html",
    ("run", "console"): "run demo --board virt --beside linux --console",
    ("check", "json"): "check demo --json",
    ("wcet", "json"): "wcet demo --json",
    ("lab", "touches"): "lab demo --no-open --touches",
    ("test", "junit"): "test demo --junit",
    ("compare", "json"): "compare demo --json",
    ("compare", "html"): "compare demo --html",
    ("sweep", "json"): "sweep demo --json",
    ("sweep", "csv"): "sweep demo --csv",
    ("sweep", "html"): "sweep demo --html",
    ("tune", "html"): "tune demo --html",
    ("report", "html"): "report r.json --html",
    ("trace", "output"): "trace t.hklog -o",
    ("build", "output"): "build demo -o",
    ("compile", "output"): "compile demo -o",
    ("try", "json"): "try demo --json",
    ("platformio compiledb", "output"): "platformio compiledb . --board uno --output",
}
FOLDERS = {("run", "coverage_to"), ("test", "coverage_to")}
INPUTS = {("run", "touches")}


def hints_of(function: Callable[..., object]) -> Iterator[tuple[str, object]]:
    return ((name, hint) for name, hint in get_type_hints(function).items() if name != "return")


def _paths() -> Iterator[tuple[str, str]]:
    """Yields each parameter that is a path, with its command."""
    groups = [
        ("", app),
        *((f"{group.name} ", group.typer_instance) for group in app.registered_groups),
    ]
    for prefix, group in groups:
        assert group is not None
        for command in group.registered_commands:
            assert command.callback is not None
            name = command.name or command.callback.__name__
            for parameter, hint in hints_of(command.callback):
                if "Path" in str(hint):
                    yield prefix + name, parameter


def test_every_option_with_a_path_is_known_here() -> None:
    """A new option is either read, or in WRITTEN: then the test below tries it."""
    written = {each for each in _paths() if each[1] not in READ and RECIPES not in each[0]}
    assert written == {*WRITTEN, *FOLDERS, *INPUTS}


@in_turn(2)
@pytest.mark.parametrize("option", WRITTEN, ids=" ".join)
def test_no_option_writes_over_a_file_of_the_users_own(
    hocket: Hocket, tmp_path: Path, option: tuple[str, str]
) -> None:
    (tmp_path / "demo").mkdir()
    (tmp_path / "demo" / "demo.ino").write_text("void setup() {}\nvoid loop() {}\n")
    (tmp_path / "demo" / "hocket.toml").write_text("seed = 1\n")
    (tmp_path / "r.json").write_text("{}")
    (tmp_path / "t.hklog").write_text("")
    done = hocket(*WRITTEN[option].split(), "demo/hocket.toml")
    assert (tmp_path / "demo" / "hocket.toml").read_text() == "seed = 1\n"
    assert done.returncode == 2
    assert "would overwrite a file" in done.stderr


def test_tabs_links_and_new_files(tmp_path: Path) -> None:
    tab = tmp_path / "tab.H"
    with pytest.raises(HocketError, match="has the ending of another kind of file") as refused:
        check_not_own("--json tab.H", tab)  # it would be compiled with the sketch from then on
    assert refused.value.cause == "a file that ends in .H is a source of a sketch"
    with pytest.raises(HocketError, match="has the ending of another kind of file"):
        write_result(tab, "new")
    assert not tab.exists()
    tab.write_text("old")
    (tmp_path / "link.json").symlink_to(tab)
    for name in ("tab.H", "link.json"):
        with pytest.raises(HocketError, match="would overwrite"):
            write_result(tmp_path / name, "new")
    assert tab.read_text() == "old"


def test_coverage_writes_over_no_other_page(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("mine")
    with pytest.raises(HocketError) as refused:
        wished(True, tmp_path, None)
    assert "index.html is there" in refused.value.cause
    (tmp_path / "lcov.info").write_text("")
    assert wished(True, tmp_path, None) is not None


@pytest.mark.parametrize(
    "words",
    [
        "trace t.hklog -o t.hklog",
        "run demo --input keys.txt --json keys.txt",
        "run demo --json demo/card.img",
        "sweep demo --csv demo/card.img",
        "sweep demo --csv same --html same",
    ],
)
def test_no_command_writes_over_its_input(hocket: Hocket, tmp_path: Path, words: str) -> None:
    (tmp_path / "demo").mkdir()
    (tmp_path / "demo" / "demo.ino").write_text("void setup() {}\nvoid loop() {}\n")
    (tmp_path / "demo" / "scenario.yaml").write_text(
        "parts:\n  card: {type: sd_card, select: 10, image: card.img}\n"
    )
    for name in ("t.hklog", "keys.txt", "demo/card.img"):
        (tmp_path / name).write_text("old")
    done = hocket(*words.split())
    assert done.returncode == 2
    assert "would overwrite a file" in done.stderr
    assert all(
        (tmp_path / n).read_text() == "old" for n in ("t.hklog", "keys.txt", "demo/card.img")
    )
