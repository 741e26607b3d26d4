"""Adds the sketch's own line to the faults of a run, from the program's debug information."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from hocket.paths import ROOT

SYMBOLIZER = "llvm-symbolizer-19"


def add_places(faults: list[dict[str, Any]], program: Path, sketch_folder: Path) -> None:
    """Appends `(FILE:LINE, in FUNCTION)` to the text of each fault whose `code` is in the program."""
    for fault in faults:
        code = fault.get("code")
        place = _place(program, code, sketch_folder) if isinstance(code, int) and code else None
        if place is not None:
            text = fault.get("text") or fault.get("kind") or "fault"
            fault["text"] = f"{text} ({place})"


def _place(program: Path, address: int, sketch_folder: Path) -> str | None:
    """Returns the place of an address: the innermost frame in the sketch, else the innermost one."""
    return first_place(program, [address], sketch_folder)


def first_line(program: Path, address: int) -> tuple[str, int] | None:
    """Returns the source file and line of an address, or None if they are unknown."""
    tool = shutil.which(SYMBOLIZER)
    if tool is None:
        return None
    command = [tool, "--no-inlines", f"--obj={program}", f"{address:#x}"]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    match = re.search(r"^(/.*):(\d+):\d+$", done.stdout, re.MULTILINE)
    return (match[1], int(match[2])) if match else None


def first_place(program: Path, addresses: list[int], sketch_folder: Path) -> str | None:
    """As _place(), for the first of the addresses that lies in the sketch, else the first one."""
    frames = _frames(program, addresses)
    own = [frame for frame in frames if frame[1].startswith(f"{sketch_folder}/")]
    return _told((own or frames)[0], sketch_folder) if frames else None


def place_and_owner(
    program: Path, addresses: list[int], sketch_folder: Path
) -> tuple[str | None, str | None]:
    """Returns the first place in the sketch, else in a library, else in Hocket, and its owner: "sketch",
    "library" or "hocket". Returns (None, None) if no place is known."""
    frames = _frames(program, addresses)
    owners = [_owner(at, sketch_folder) for _, at in frames]
    for owner in ("sketch", "library", "hocket"):
        if owner in owners:
            return _told(frames[owners.index(owner)], sketch_folder), owner
    return None, None


def _owner(at: str, sketch_folder: Path) -> str:
    """Returns the owner of a place. Files of Hocket and of its compilers are Hocket's. Other files outside of
    the sketch are those of a library."""
    if at.startswith(f"{sketch_folder}/"):
        return "library" if at.startswith(f"{sketch_folder}/libraries/") else "sketch"
    of_hocket = at.startswith(f"{ROOT}/") and not at.startswith(f"{ROOT}/build/")
    return "hocket" if of_hocket or at.startswith(("/usr/lib/", "/usr/include/")) else "library"


def _told(frame: tuple[str, str], sketch_folder: Path) -> str:
    return f"{_shown(frame[1], sketch_folder)}, in {_plain(frame[0])}"


def _frames(program: Path, addresses: list[int]) -> list[tuple[str, str]]:
    """Returns functions with FILE:LINE:COLUMN, as far as they are known, innermost first for each address."""
    tool = shutil.which(SYMBOLIZER)
    if tool is None or not addresses:
        return []
    command = [tool, "--inlines", "--demangle", f"--obj={program}"]
    command += [f"{address:#x}" for address in addresses]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    lines = [line for line in done.stdout.splitlines() if line.strip()]
    frames = list(zip(lines[0::2], lines[1::2], strict=False))
    known = [(name, at) for name, at in frames if not (at.startswith("??") or at.endswith(":0:0"))]
    return known if done.returncode == 0 else []


def _shown(at: str, sketch_folder: Path) -> str:
    """Returns FILE:LINE without the column, relative to the sketch's parent or to the project."""
    file, line, *_ = at.rsplit(":", 2)
    for base in (sketch_folder.parent, ROOT):
        if file.startswith(f"{base}/"):
            return f"{file[len(str(base)) + 1 :]}:{line}"
    return f"{Path(file).name}:{line}"


def _plain(function: str) -> str:
    """Returns `loop 3` for the function that the translator made of `void loop(3, …)`. A template's arguments
    are left out, because they can be longer than the rest of the message."""
    head = function.partition("(")[0]
    if head.startswith("hocket_loop_"):
        return f"loop {head.removeprefix('hocket_loop_')}"
    if "<" not in function:
        return function
    short = function.replace("(anonymous namespace)", "…")
    while (shorter := re.sub(r"<[^<>]*>", "", short)) != short:
        short = shorter
    return re.sub(r"^.* (?=\S+$)", "", short.partition("(")[0]) + "()"
