"""What `hocket self-test --changed` chooses of C++: ninja knows. (Python tests: recorded/.)"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from hocket import changes
from hocket.errors import HocketError
from hocket.suite import SHORTCUTS, STEPS


def test_an_unknown_commit_is_an_error() -> None:
    with pytest.raises(HocketError, match="what has changed since 'nowhere-else'"):
        changes.changed_files("nowhere-else")


NINJA = """\
rule cc
  command = clang++-19 -MD -MF $out.d -c $in -o $out
  depfile = $out.d
  deps = gcc
rule CXX_EXECUTABLE_LINKER__any
  command = clang++-19 $in -o $out
build one.o: cc {root}/one.cpp
build two.o: cc {root}/two.cpp
build tests/one: CXX_EXECUTABLE_LINKER__any one.o
build tests/two: CXX_EXECUTABLE_LINKER__any two.o
build product: CXX_EXECUTABLE_LINKER__any one.o
build tests/on_demand_fuzz: CXX_EXECUTABLE_LINKER__any one.o
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tree with a build of two test programs, one of which includes a header."""
    root, build = tmp_path / "tree", tmp_path / "build"
    (build / "host").mkdir(parents=True)
    root.mkdir()
    (root / "part.h").write_text("")
    (root / "one.cpp").write_text('#include "part.h"\nint main() {}\n')
    (root / "two.cpp").write_text("int main() {}\n")
    (build / "host" / "build.ninja").write_text(NINJA.format(root=root))
    entries = [
        {"file": f"{root}/{n}.cpp", "command": f"c++ -o {n}.o -c {root}/{n}.cpp"}
        for n in ("one", "two")
    ]
    (build / "host" / "tests").mkdir()
    listed = (
        f'add_test(one "{build}/host/tests/one" 1)\ninclude("{build}/tests/two[1]_include.cmake")\n'
    )
    (build / "host" / "tests" / "CTestTestfile.cmake").write_text(listed)
    (build / "host" / "compile_commands.json").write_text(json.dumps(entries))
    monkeypatch.setattr(changes, "ROOT", root)
    monkeypatch.setattr(changes, "BUILD", build)
    return root


def test_programs_of_a_change(project: Path) -> None:
    assert changes.stale_tests("host", ["part.h"]) == ["one", "two"]  # nothing is known of them yet
    subprocess.run(["ninja", "-C", str(project.parent / "build" / "host")], check=True)
    assert changes.stale_tests("host", ["part.h"]) == ["one"]
    assert changes.stale_tests("host", ["two.cpp"]) == ["two"]
    assert changes.stale_tests("host", ["README.md"]) == []
    assert changes.stale_sources("host", ["part.h"]) == [str(project / "one.cpp")]


@pytest.mark.parametrize("piece_name", ["unity_0_cxx.cxx", "unity_one.cpp_cxx.cxx"])
def test_sources_in_one_piece_are_those_it_includes(piece_name: str, project: Path) -> None:
    build = project.parent / "build" / "host"
    piece = build / "CMakeFiles" / "all.dir" / "Unity" / piece_name
    piece.parent.mkdir(parents=True)
    piece.write_text("".join(f'/* one */\n#include "{project}/{n}.cpp"\n' for n in ("one", "two")))
    command = {"file": str(piece), "command": f"c++ -o one.o -c {piece}"}
    (build / "compile_commands.json").write_text(json.dumps([command]))
    both = [str(project / "one.cpp"), str(project / "two.cpp")]
    assert changes.stale_sources("host", ["part.h"]) == both
    subprocess.run(["ninja", "-C", str(build)], check=True)
    assert changes.stale_sources("host", ["part.h"]) == both
    assert changes.stale_sources("host", ["two.cpp"]) == both[1:]
    assert changes.stale_sources("host", ["README.md"]) == []


def test_a_source_is_known_by_any_of_its_objects(project: Path) -> None:
    build = project.parent / "build" / "host"
    subprocess.run(["ninja", "-C", str(build)], check=True)
    listed = json.loads((build / "compile_commands.json").read_text())
    (two,) = (entry for entry in listed if entry["file"].endswith("two.cpp"))
    again = two | {"command": two["command"].replace("two.o", "another/two.o")}
    (build / "compile_commands.json").write_text(json.dumps([*listed, again]))
    assert changes.stale_sources("host", ["part.h"]) == [str(project / "one.cpp")]


def test_every_step_says_what_can_change_it() -> None:
    """The whole tree's change is every step's; a change of nothing is none's that has a pattern."""
    files = ["kernel/base/time.h", "pyproject.toml", "arduino/hocket/Alarm.h"]
    for step in STEPS:
        if isinstance(step.changed, str):
            assert list(step.commands_for(files)), step.name
            assert not list(step.commands_for([]))
    assert {step.name for step in SHORTCUTS}.isdisjoint(step.name for step in STEPS)
