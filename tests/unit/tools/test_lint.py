"""lint-cpp reads sources in units, finds what it finds in each alone, and remembers what was clean."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from tests.campaign import long_form

from hocket import lint

pytestmark = pytest.mark.skipif(shutil.which(lint.TIDY) is None, reason="clang-tidy is optional")

CLEAN = "int {name}(int which) {{ return which + 1; }}\n"
# Only the analyzer's paths show it, and only where it takes the file for one with code.
WRONG = "int wrong(int which) { int* p = nullptr; return which > 3 ? *p : 1; }\n"


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three sources of one target; one of them is compiled for a second one, too."""
    root, build = tmp_path / "tree", tmp_path / "build"
    (build / "any").mkdir(parents=True)
    root.mkdir()
    (root / ".clang-tidy").write_text("Checks: '-*,clang-analyzer-core.*'\nWarningsAsErrors: '*'\n")
    (root / "part.h").write_text("#pragma once\n")
    for name in ("one", "two", "three"):
        (root / f"{name}.cpp").write_text('#include "part.h"\n' + CLEAN.format(name=name))
    entries = [
        {
            "file": str(root / f"{name}.cpp"),
            "command": f"ccache clang++-19 -std=c++20 {flag} -o CMakeFiles/{target}.dir/{name}.o -c x",
        }
        for name, target, flag in (
            ("one", "all", "-O1"),
            ("two", "all", "-O1"),
            ("three", "all", "-O1"),
            ("one", "more", "-DMORE"),
        )
    ]
    (build / "any" / "compile_commands.json").write_text(json.dumps(entries))
    monkeypatch.setattr(lint, "ROOT", root)
    monkeypatch.setattr(lint, "BUILD", build)
    lint._digest.cache_clear()
    return root


def run(tree: Path) -> bool:
    lint._digest.cache_clear()  # a process of its own each time
    return lint.lint("any", f"^{tree}", [f"^{tree}"])


def test_each_source_is_read_once(tree: Path) -> None:
    (unit,) = lint.units("any", re.compile(f"^{tree}"))
    assert unit.name == "all-0"
    assert [Path(source).stem for source in unit.sources] == ["one", "two", "three"]
    assert unit.flags == ("-std=c++20", "-O1")


def test_a_source_is_read_without_the_headers_that_its_target_precompiles(tree: Path) -> None:
    listed = tree.parent / "build" / "any" / "compile_commands.json"
    header = "/build/CMakeFiles/all.dir/cmake_pch.hxx"
    precompiled = f"-Winvalid-pch -Xclang -include-pch -Xclang {header}.pch"
    precompiled += f" -Xclang -include -Xclang {header} -o"
    listed.write_text(listed.read_text().replace("-o", precompiled))
    assert all(unit.flags == ("-std=c++20", "-O1") for unit in lint.units("any", re.compile("two")))
    assert run(tree)


def test_what_the_analyzer_finds_in_one_of_a_unit_counts(
    tree: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(tree)
    (tree / "two.cpp").write_text(WRONG)
    assert not run(tree)
    assert "two.cpp:1:" in (told := capfd.readouterr().out)
    assert "Dereference of null pointer" in told


def test_a_source_whose_names_clash_is_apart(tree: Path) -> None:
    (tree / "two.cpp").write_text(CLEAN.format(name="one"))
    (unit,) = lint.units("any", re.compile(f"^{tree}"))
    made_from: dict[str, str] = {}
    parts = lint.Linter("any", f"^{tree}")._compiled(unit, made_from)
    read = [[Path(source).stem for source in part.sources] for part in parts]
    assert read == [["one", "three"], ["two"]]
    names = {Path(name).name for name in made_from}
    assert names == {"one.cpp", "two.cpp", "three.cpp", "part.h"}


def test_sources_that_cannot_be_read_together_are_read_alone(tree: Path) -> None:
    (tree / "two.cpp").write_text(CLEAN.format(name="one"))
    assert run(tree)
    (tree / "two.cpp").write_text(CLEAN.format(name="one") + WRONG)
    assert not run(tree)


@long_form
def test_a_clean_unit_is_read_again_when_something_has_changed(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    tidy = lint.Linter._tidy

    def watched(self: lint.Linter, unit: lint.Unit) -> tuple[bool, str]:
        read.append(unit.name)
        return tidy(self, unit)

    monkeypatch.setattr(lint.Linter, "_tidy", watched)
    assert run(tree) and read == ["all-0"]
    assert run(tree) and read == ["all-0"]
    (tree / "part.h").write_text("#pragma once\ninline int part() { return 1; }\n")
    assert run(tree) and len(read) == 2
    (tree / ".clang-tidy").write_text("Checks: '-*,clang-analyzer-*'\nWarningsAsErrors: '*'\n")
    assert run(tree) and len(read) == 3
    (tree / "two.cpp").write_text(WRONG)
    assert not run(tree)
    assert not run(tree), "what was found is not forgotten"
