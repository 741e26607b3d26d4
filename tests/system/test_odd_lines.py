"""Any command line ends with a status that is documented, and without a traceback; what is refused has a
sentence with a next step. Nothing here builds: no sketch that is named is one."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.campaign import rounds
from tests.commands import run_hocket

ROOT = Path(__file__).resolve().parents[2]
STATUSES = re.compile(r"^\| (\d+) \| ", re.M)

# Of each command the words that take a value, and those that take none.
VALUED = {
    "run": (
        *("--board", "--cores", "--for", "--json", "--trace", "--vcd", "--scenario", "--seed"),
        *("--expect-text", "--fail-text", "--serial-limit", "--policy", "--beside", "--memory"),
        *("--console", "--set"),
    ),
    "check": ("--board", "--cores", "--json", "--policy", "--beside"),
    "build": ("--board", "--cores", "-o", "--policy"),
    "compile": ("--board", "-o"),
    "debug": ("--board", "--cores", "--for", "--server", "-x", "--seed", "--policy"),
    "flash": ("--board", "--card", "--port"),
    "upload": ("--board", "--port"),
    "sweep": ("--seeds", "--vary", "--jobs", "--json", "--csv", "--seed", "--for", "--cores"),
    "tune": ("--seeds", "--step", "--loop", "--jobs", "--for"),
    "try": ("--board", "--libraries", "--jobs", "--json"),
    "test": ("--board", "--jobs", "--junit", "--seed"),
    "bench": ("--board", "--seed"),
    "new": ("--loops",),
    "trace": ("-o",),
    "report": (),
    "monitor": ("--port", "--baud"),
}
NO_NAME = ("monitor",)

# `1e400s` and its like are what somebody's script may pass on; the file and the folders are in ODD_FOLDER.
VALUES = st.one_of(
    st.sampled_from(
        [
            *("", " ", "-", "--", "-1", "0", "1", "two", "1.5", "9" * 30, "1e400s", "0s", "10s"),
            *("nowhere/x.json", "/dev/null", "/", ".", "..", "file.txt", "folder", "file.txt/x"),
            *("sim", "virt", "uno", "rpi3", "zx81", "vcpu", "linux", "512M", "äöü", "a'b", 'a"b'),
            *("loop 1 C = 5 ms", "loop", "= 5", "a.b = c", "%s%n", "*", "$HOME", "a\nb", "x" * 300),
        ]
    ),
    st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=12),
)


@pytest.fixture(scope="module")
def odd_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("odd")
    (folder / "file.txt").write_text("no sketch\n")
    (folder / "folder").mkdir()
    return folder


@st.composite
def command_lines(draw: st.DrawFn) -> list[str]:
    command = draw(st.sampled_from(sorted(VALUED)))
    words = [command]
    if command not in NO_NAME and draw(st.integers(0, 9)):
        name = draw(VALUES)
        # A word that stands by itself would be an option, or all experiments and tests.
        words.append(name if name and not name.startswith("-") else f"odd{name}")
    elif command in ("bench", "test"):
        words.append("odd")
    for option in draw(st.lists(st.sampled_from([*VALUED[command], "--odd"]), max_size=3)):
        words += [option, draw(VALUES)] if draw(st.booleans()) else [f"{option}={draw(VALUES)}"]
    return words


def documented() -> set[int]:
    text = (ROOT / "docs" / "reference" / "command-line.md").read_text(encoding="utf-8")
    return {int(status) for status in STATUSES.findall(text.partition("## Exit status")[2])}


@settings(
    max_examples=rounds(12, 2_000, "HOCKET_ODD_LINES"),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@example(["run", "--", "-x"])
@example(["run", "file.txt"])
@example(["check", "folder", "--json", ""])
@example(["report", "folder"])
@example(["trace", "file.txt", "-o", "/"])
@example(["bench", "odd", "--seed", "-1"])
@example(["new", "a\nb"])
@example(["new", "x" * 300])
@given(command_lines())
def test_any_line_is_answered(odd_folder: Path, words: list[str]) -> None:
    home = odd_folder / "home"
    done = run_hocket(*words, cwd=odd_folder, environment={"HOME": str(home)}, patience=100)
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode in documented() - {70}, done.stderr
    table = words[:1] == ["try"] and " builds\n" in done.stdout  # what does not build is told there
    if done.returncode == 2 and not table:
        assert re.search(r"^hocket: .", done.stderr, re.M), (words, done.stderr)
        assert re.search(r"^  next:  \S", done.stderr, re.M), (words, done.stderr)
    made = {file.name for file in odd_folder.iterdir()} - {"file.txt", "folder"}
    for name in made:  # first of all: the next line is to find the folder as it was
        shutil.rmtree(odd_folder / name, ignore_errors=True)
        (odd_folder / name).unlink(missing_ok=True)
    assert not made or words[0] == "new", (words, made)


def test_the_statuses_of_the_document_are_those_of_the_tool() -> None:
    from hocket import errors

    known = {value for name, value in vars(errors).items() if name.startswith("EXIT_")}
    assert documented() == known


def test_a_defect_is_told_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    from hocket.cli import main as cli

    def spoilt(*_: object, **__: object) -> int:
        raise ZeroDivisionError("on purpose")

    monkeypatch.setattr(cli, "command", lambda: spoilt)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 70
