"""Which part of the tools imports which: commands stand on the rest, the command line on them."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from hocket.paths import ROOT

TOOLS = ROOT / "tools/hocket"
FILES = sorted(str(path.relative_to(TOOLS)) for path in TOOLS.rglob("*.py"))
# A part → who may import it, by the beginning of a path. Whoever builds a board or reads a scenario can be
# taken out and used without a command.
ONLY_FROM = {
    "hocket.cli": ("cli/", "__main__"),
    "hocket.commands": ("cli/", "commands/"),
    "hocket.arduino": ("arduino/", "platformio/", "cli/arduino", "__main__"),
    "hocket.platformio": ("platformio/", "cli/platformio"),
    "hocket.lab": ("lab/", "commands/", "running/"),
    "hocket.attempts": ("attempts/", "commands/"),
    "hocket.trials": ("trials/", "commands/"),
    "hocket.debugger": ("debugger/", "commands/"),
    "hocket.editor": ("editor/", "cli/editor"),
    "hocket.suite": ("commands/",),
}
# These know of nothing but of themselves and of what is named.
ONLY_KNOWS = {
    "builder/": (
        *("avr_chips", "boards", "builder", "confinement", "console", "errors", "faults", "inside"),
        *("intel_hex",),
        *("packages", "paths", "project_file", "sketch", "stand_ins", "whole_files"),
    ),
    "sketch/": ("sketch", "errors", "inside"),
    "expect/": ("expect", "scenario", "trace", "errors"),
    "scenario/": ("scenario", "expect", "boards", "durations", "errors", "inside"),
    "trace/": ("trace", "errors", "whole_files"),
    "errors.py": ("started",),
    "inside.py": ("errors",),
    "confinement.py": ("boards", "paths"),
}
# What a run must show is a section of a scenario, and is told in a scenario's units.
TOGETHER = {"scenario": "expect"}


def imported(name: str) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse((TOOLS / name).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            alone = node.module == "hocket"
            found |= {f"hocket.{each.name}" for each in node.names} if alone else {node.module}
        elif isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
    return {module for module in found if module.startswith("hocket.")}


def is_part(module: str, part: str) -> bool:
    """hocket.cli stands for hocket.cli.lab as well."""
    return module == part or module.startswith(f"{part}.")


@pytest.mark.parametrize("name", FILES)
def test_nobody_imports_what_stands_above(name: str) -> None:
    wrong = [
        f"{name} imports {module}, which is for {', '.join(users)}"
        for module in sorted(imported(name))
        for part, users in ONLY_FROM.items()
        if is_part(module, part) and not name.startswith(users)
    ]
    assert not wrong


@pytest.mark.parametrize("name", [f for f in FILES if f.startswith(tuple(ONLY_KNOWS))])
def test_the_lower_parts_know_little(name: str) -> None:
    known = next(known for part, known in ONLY_KNOWS.items() if name.startswith(part))
    wrong = [module for module in imported(name) if module.split(".")[1] not in known]
    assert not wrong


def test_no_part_stands_on_what_stands_on_it() -> None:
    below: dict[str, set[str]] = {}
    for name in FILES:
        part = _part(Path(name).parts[0].removesuffix(".py"))
        found = {_part(module.split(".")[1]) for module in imported(name)}
        below.setdefault(part, set()).update(found - {part})
    with pytest.raises(CycleError) as found_cycle:
        TopologicalSorter({**below, "boards": {"builder"}}).prepare()
    assert "builder" in found_cycle.value.args[1]  # it would be seen
    TopologicalSorter(below).prepare()


def _part(name: str) -> str:
    return TOGETHER.get(name, name)


def test_the_tables_name_what_there_is() -> None:
    for part in ONLY_FROM:
        stem = TOOLS / part.removeprefix("hocket.")
        assert stem.is_dir() or Path(f"{stem}.py").is_file(), part
    for part in ONLY_KNOWS:
        assert (TOOLS / part).exists(), part


def test_no_two_files_of_tests_have_one_name() -> None:
    """pytest takes a file for the module of its name."""
    names = [file.name for file in (ROOT / "tests").rglob("test_*.py")]
    assert sorted(name for name in set(names) if names.count(name) > 1) == []
