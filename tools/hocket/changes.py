"""Finds the checks that a change can affect, for `hocket self-test --changed`.

For C++, ninja knows the files that every object was made from. For Python, there is a record of the files
that each test reads (hocket.recorded).
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

from hocket.compiled import compiled
from hocket.errors import HocketError
from hocket.paths import BUILD, ROOT


def changed_files(base: str) -> list[str]:
    """Returns the files that differ from a commit, and new files. Raises HocketError if there is no such
    commit."""
    asked = [
        ["git", "diff", "--name-only", base, "--"],
        ["git", "ls-files", "--others", "--exclude-standard"],
    ]
    names: set[str] = set()
    for command in asked:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise HocketError(
                f"what has changed since {base!r} is not known",
                done.stderr.strip().splitlines()[0] if done.stderr.strip() else "git failed",
                "name a commit, a branch or a tag: hocket self-test --changed main",
            )
        names.update(done.stdout.splitlines())
    return sorted(names)


def stale_objects(preset: str, changed: Iterable[str]) -> Callable[[str], bool]:
    """Returns a function that says whether an object of a configured preset is made from one of these files.
    An object that was never made may be."""
    stale = _stale(preset, changed)
    return lambda name: stale.get(name, True)


def _stale(preset: str, changed: Iterable[str]) -> dict[str, bool]:
    """Returns whether each built object is made from one of these files."""
    wanted = {str(ROOT / name) for name in changed}
    stale: dict[str, bool] = {}
    target = ""
    for line in _ninja(preset, "deps").splitlines():
        if not line.startswith(" "):
            target = line.partition(":")[0]
            stale[target] = False
        elif line.strip() in wanted:
            stale[target] = True
    return stale


def stale_tests(preset: str, changed: Iterable[str]) -> list[str]:
    """Returns the test programs of a configured preset that contain one of these files."""
    stale = stale_objects(preset, changed)
    rules = (line.split(": ") for line in _ninja(preset, "targets", "all").splitlines())
    programs = [Path(name) for name, *rule in rules if rule and "EXECUTABLE_LINKER" in rule[0]]
    chosen = []
    for program in filter(lambda name: _has_tests(BUILD / preset / name), programs):
        inputs = _ninja(preset, "inputs", str(program)).split()
        if any(stale(name) for name in inputs if name.endswith(".o")):
            chosen.append(program.name)
    return sorted(chosen)


def _has_tests(program: Path) -> bool:
    """Returns whether ctest knows the program. Programs that are only built on demand, and by-products of a
    link, have no tests."""
    listed = program.parent / "CTestTestfile.cmake"
    tests = listed.read_text() if listed.is_file() else ""
    return f'/{program.name}"' in tests or f"/{program.name}[1]_include" in tests


def stale_sources(preset: str, changed: Iterable[str]) -> list[str]:
    """Returns the sources of a configured preset that are compiled from one of these files. A changed source
    affects no other, even if several are compiled as one unit. A source without an object may be affected."""
    listed = compiled(BUILD / preset)
    paths = {str(ROOT / name): name for name in changed}
    themselves = {one.source for one in listed} & paths.keys()
    stale = _stale(preset, (name for path, name in paths.items() if path not in themselves))
    made: dict[str, list[bool]] = {one.source: [] for one in listed}
    for one in listed:
        if one.object in stale:
            made[one.source].append(stale[one.object])
    return sorted(themselves | {source for source, each in made.items() if any(each) or not each})


def _ninja(preset: str, tool: str, *arguments: str) -> str:
    command = ["ninja", "-C", str(BUILD / preset), "-t", tool, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout
