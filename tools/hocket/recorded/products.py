"""Finds the project's files from which the build products are made that a recorded test has touched.

- A preset's folder has ninja's graph: a product's sources, and the headers that the compiler has listed.
- A sketch's folder has the stamps of builder/compile.py.
- A program contains all simulated parts (simulation/parts), and a run uses those of its scenario. Only the
  sources of these, with their includes, count.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from hocket.paths import BUILD, ROOT

PARTS = "simulation/parts/"
_MAKES = re.compile(r"\bmake_(\w+)\(Workbench")
_INCLUDED = re.compile(r'^#include "(simulation/[^"]+)"', re.MULTILINE)


def sources_of(products: Iterable[str], parts: Iterable[str]) -> set[str]:
    """Returns paths relative to the project, of the named products and of the types of parts that ran."""
    found: set[str] = set()
    folders: set[Path] = set()
    for product in products:
        place = ROOT / product
        folder = _sketch_folder(place)
        if folder is not None:
            folders.add(folder)
        else:
            found |= _of_preset(place)
    for folder in folders:
        found |= _of_sketch(folder)
    used = used_parts(parts)
    return {name for name in found if not name.startswith(PARTS) or name in used}


def used_parts(types: Iterable[str]) -> set[str]:
    """Returns the files of simulation/parts that are reached from other folders and from these types of
    parts. A header also reaches the source of the same name."""
    names = sorted(str(file.relative_to(ROOT)) for file in (ROOT / "simulation").rglob("*.*"))
    names = [name for name in names if name.endswith((".h", ".cpp"))]
    text = {name: (ROOT / name).read_text() for name in names}
    wanted = set(types)
    reached = [name for name in names if not name.startswith(PARTS)]
    for name in names:
        if not name.startswith(PARTS) or not name.endswith(".cpp"):
            continue
        if name == f"{PARTS}registry.cpp" or wanted.intersection(_MAKES.findall(text[name])):
            reached.append(name)
    seen = set(reached)
    while reached:
        name = reached.pop()
        further = _INCLUDED.findall(text[name])
        if name.endswith(".h"):
            further.append(f"{name[:-2]}.cpp")
        for each in further:
            if each in text and each not in seen:
                seen.add(each)
                reached.append(each)
    return {name for name in seen if name.startswith(PARTS)}


def _sketch_folder(place: Path) -> Path | None:
    for base in ("sketches", "precompiled"):
        try:
            inside = place.relative_to(BUILD / base)
        except ValueError:
            continue
        return BUILD / base / inside.parts[0] if inside.parts else None
    return None


def _of_sketch(folder: Path, seen: frozenset[Path] = frozenset()) -> set[str]:
    found: set[str] = set()
    for stamp in folder.rglob("*.stamp"):
        try:
            files = json.loads(stamp.read_text())["files"]
        except (OSError, ValueError, KeyError):
            continue
        for name in files:
            file = Path(name)
            if not file.is_relative_to(ROOT):
                continue
            if not file.is_relative_to(BUILD):
                found.add(str(file.relative_to(ROOT)))
            elif (other := _sketch_folder(file)) is None:
                found |= _of_preset(file)
            elif other != folder and other not in seen:
                found |= _of_sketch(other, seen | {folder})
    return found


def _of_preset(place: Path) -> frozenset[str]:
    """Returns the inputs of a product. Empty if ninja did not make it."""
    folder = next((each for each in place.parents if (each / "build.ninja").is_file()), None)
    if folder is None or not folder.is_relative_to(BUILD):
        return frozenset()
    return _made_from(folder, str(place.relative_to(folder)), _times(folder))


def _times(folder: Path) -> tuple[int, ...]:
    """Returns the times of ninja's files, which change with each build."""
    files = (folder / name for name in ("build.ninja", ".ninja_deps", ".ninja_log"))
    return tuple(file.stat().st_mtime_ns if file.is_file() else 0 for file in files)


@cache
def _made_from(folder: Path, name: str, times: tuple[int, ...]) -> frozenset[str]:
    inputs = set(_ninja(folder, "inputs", name).splitlines())
    inputs.update(_ninja(folder, "inputs", "build.ninja").splitlines())
    listed = _deps(folder, times)
    for each in list(inputs):
        inputs.update(listed.get(each, ()))
    files = (Path(each) for each in inputs if each.startswith(f"{ROOT}/"))
    return frozenset(
        str(file.relative_to(ROOT)) for file in files if not file.is_relative_to(BUILD)
    )


@cache
def _deps(folder: Path, times: tuple[int, ...]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    target = ""
    for line in _ninja(folder, "deps").splitlines():
        if not line.startswith(" "):
            target = line.partition(":")[0]
        elif line.strip():
            found.setdefault(target, []).append(line.strip())
    return found


def _ninja(folder: Path, tool: str, *arguments: str) -> str:
    command = ["ninja", "-C", str(folder), "-t", tool, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout
