"""`hocket self-test --changed` in a small project: a change that breaks a test selects it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.campaign import in_turn

from hocket.paths import ROOT

FILES = {
    "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["tools"]\ntestpaths = ["tests"]\n',
    ".gitignore": "build/\n__pycache__/\n",
    "tests/conftest.py": "",
    "tools/hocket/shop.py": "RATE = 3\nUNIT = 'apples'\n\n\n"
    "def price(count):\n    return count * RATE\n\n\n"
    "def label(count):\n    return f'{count} {UNIT}'\n\n\n"
    "def unused():\n    return 1\n",
    "data/list.txt": "one\n",
    "data/other.txt": "two\n",
    "program.h": "enum { kStatus = 0 };\n",
    "program.cpp": '#include "program.h"\nint main() { return kStatus; }\n',
    "apart.h": "",
    "tests/test_price.py": "from hocket.shop import price\n\n\ndef test_it():\n    assert price(2) == 6\n",
    # In a process that a process of the test has started.
    "tests/test_label.py": "import subprocess, sys\n\n\ndef test_it():\n"
    "    call = [sys.executable, '-c', 'import hocket.shop; print(hocket.shop.label(3))']\n"
    "    words = ['sh', '-c', '\"$@\"', 'sh', *call]\n"
    "    said = subprocess.run(words, env={**__import__('os').environ, 'PYTHONPATH': 'tools'},\n"
    "                          capture_output=True, text=True).stdout\n"
    "    assert said == '3 apples\\n'\n",
    # By a program that knows nothing of this.
    "tests/test_data.py": "import subprocess\n\n\ndef test_it():\n"
    "    assert subprocess.run(['cat', 'data/list.txt'], capture_output=True).stdout == b'one\\n'\n",
    "tests/test_names.py": "import os\n\n\ndef test_it():\n    assert len(os.listdir('data')) == 2\n",
    "tests/test_absent.py": "from pathlib import Path\n\n\ndef test_it():\n"
    "    assert not Path('data', 'wish.txt').exists()\n",
    "tests/test_program.py": "import subprocess\n\n\ndef test_it():\n"
    "    subprocess.run(['ninja', '-C', 'build/any'], check=True)\n"
    "    assert subprocess.run(['build/any/program']).returncode == 0\n",
}
NINJA = """\
rule cxx
  command = clang++-19 -MD -MF $out.d -I {root} -c $in -o $out
  depfile = $out.d
  deps = gcc
rule link
  command = clang++-19 $in -o $out
rule again
  command = true
  generator = 1
build build.ninja: again
build program.o: cxx {root}/program.cpp
build program: link program.o
"""
TESTS = sorted(name for name in FILES if "/test_" in name)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project, with all of its tests recorded."""
    project = tmp_path_factory.mktemp("recorded") / "project"
    for folder in ("tools/hocket", "boards"):
        apart = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, project / folder, ignore=apart)
    shutil.copy(ROOT / "tools" / "packages.txt", project / "tools")
    for name, text in FILES.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text)
    (project / "build" / "any").mkdir(parents=True)
    (project / "build" / "any" / "build.ninja").write_text(NINJA.format(root=project))
    for words in (["init", "-q"], ["add", "-A"]):
        subprocess.run(["git", *words], cwd=project, check=True)
    done = perform(project)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(TESTS)} test files passed" in done.stdout
    return project


def perform(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {
        "PYTHONPATH": str(project / "tools"),
        "PYTHONPYCACHEPREFIX": str(project / "build" / "pycache"),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # none is used here
    }
    return subprocess.run(
        [sys.executable, "-m", "hocket.recorded.perform", *arguments],
        cwd=project,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def selected(project: Path) -> set[str]:
    said = perform(project, "--list").stdout
    return {Path(test).stem for test in TESTS if test in said}


def replaced(name: str, old: str, new: str) -> Callable[[Path], None]:
    def edit(project: Path) -> None:
        text = (project / name).read_text()
        assert old in text
        (project / name).write_text(text.replace(old, new))

    return edit


SHOP = "tools/hocket/shop.py"
BROKEN = {
    "a function": (replaced(SHOP, "count * RATE", "count + RATE"), {"test_price"}),
    "a constant": (replaced(SHOP, "RATE = 3", "RATE = 4"), {"test_price"}),
    "a function of another process": (replaced(SHOP, "{count} {", "{count}{"), {"test_label"}),
    "a constant of another process": (replaced(SHOP, "'apples'", "'pears'"), {"test_label"}),
    "a file": (replaced("data/list.txt", "one", "1"), {"test_data"}),
    "a new file": (
        lambda project: (project / "data/wish.txt").write_text(""),
        {"test_names", "test_absent"},
    ),
    "a file that is gone": (lambda project: (project / "data/other.txt").unlink(), {"test_names"}),
    "a header": (replaced("program.h", "= 0", "= 1"), {"test_program"}),
    "a test": (replaced("tests/test_data.py", "'cat'", "'false'"), {"test_data"}),
}


@in_turn(2)
@pytest.mark.parametrize("what", BROKEN)
def test_what_breaks_a_test_selects_it(what: str, recorded: Path, tmp_path: Path) -> None:
    project = tmp_path / "project"
    shutil.copytree(recorded, project, symlinks=True)
    in_place = recorded.with_name("kept")
    recorded.rename(in_place)  # records and builds have the project's path in them
    try:
        project.rename(recorded)
        edit, expected = BROKEN[what]
        edit(recorded)
        done = perform(recorded)
        assert done.returncode == 1
        ran = re.findall(r"^  (?:ok|FAILED) .* s  tests/(\w+)\.py$", done.stdout, re.MULTILINE)
        assert set(ran) == expected, done.stdout
        assert set(re.findall(r"^FAILED tests/(\w+)\.py$", done.stdout, re.MULTILINE)) == expected
    finally:
        shutil.rmtree(recorded)
        in_place.rename(recorded)


@in_turn(2)
@pytest.mark.parametrize(
    "edit",
    [
        replaced(SHOP, "return 1", "return 2"),
        replaced(SHOP, "def unused", "def new():\n    pass\n\n\ndef unused"),
        replaced(SHOP, "def price", "# A remark.\ndef price"),
        lambda project: (project / "apart.h").write_text("// changed\n"),
    ],
    ids=["a function that is not called", "a new function", "a remark", "a file that is not read"],
)
def test_what_no_test_touches_selects_none(edit: Callable[[Path], None], recorded: Path) -> None:
    kept = {name: (recorded / name).read_text() for name in (SHOP, "apart.h")}
    try:
        edit(recorded)
        assert selected(recorded) == set()
    finally:
        for name, text in kept.items():
            (recorded / name).write_text(text)


def test_a_test_without_a_record_is_selected(recorded: Path) -> None:
    new = recorded / "tests" / "test_new.py"
    new.write_text("def test_it():\n    pass\n")
    try:
        assert "not known: tests/test_new.py" in perform(recorded, "--list").stdout
        (recorded / "build" / "touched" / "tests+test_price.py.json").write_text("{")
        assert "test_price" in selected(recorded)
        new.write_text("def test_it():\n    assert False\n")
        assert perform(recorded).returncode == 1
        # What has failed is not known to pass, though nothing changes any more.
        assert "not known: tests/test_new.py" in perform(recorded, "--list").stdout
        assert selected(recorded) == set()
    finally:
        new.unlink()
