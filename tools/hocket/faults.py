"""Adds the sketch's own line to the faults of a run, from the program's debug information."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from hocket.durations import format_microseconds
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


def add_longest_masked(facts: dict[str, Any], program: Path, sketch_folder: Path) -> None:
    """Adds to the overheads where interrupts were masked for longest, where the board's program knows it, and
    which declared costs the run has exceeded: each of these with a notice."""
    overheads = facts.get("overheads")
    if not overheads:
        return
    if seen := facts.get("longest_masked"):
        who = "no loop" if seen["loop"] is None else f"loop {seen['loop']}"
        if seen["interrupt"]:
            who = f"the handler of {seen['interrupt']}"
        place = _first_place(program, seen["codes"], sketch_folder)
        who += f" ({place})" if place else ""
        overheads["longest_masked_seen_in"] = who
    longest, reckoned = (overheads.get(f"longest_masked{of}_us") for of in ("_seen", ""))
    if longest is None or reckoned is None:
        return
    if any(
        loop.get("budget_us") for loop in facts.get("loops") or []
    ):  # else nothing is guaranteed
        overheads["exceeded"] = ["longest_masked_us"] if longest > reckoned else []
    if longest > reckoned:
        where = f" in {overheads['longest_masked_seen_in']}" if seen else ""
        facts.setdefault("notices", []).append(
            f"Interrupts were masked for {format_microseconds(longest)}{where}, longer than the "
            f"{format_microseconds(reckoned)} that the guarantees reckon with: loops may have been late."
        )


def _place(program: Path, address: int, sketch_folder: Path) -> str | None:
    """Where the address is: the innermost frame that lies in the sketch, else the innermost one."""
    return _first_place(program, [address], sketch_folder)


def first_line(program: Path, address: int) -> tuple[str, int] | None:
    """File and line of the source that an address is of; None: nothing says so."""
    tool = shutil.which(SYMBOLIZER)
    if tool is None:
        return None
    command = [tool, "--no-inlines", f"--obj={program}", f"{address:#x}"]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    match = re.search(r"^(/.*):(\d+):\d+$", done.stdout, re.MULTILINE)
    return (match[1], int(match[2])) if match else None


def _first_place(program: Path, addresses: list[int], sketch_folder: Path) -> str | None:
    """As _place(), for the first of the addresses that lies in the sketch, else the first one."""
    tool = shutil.which(SYMBOLIZER)
    if tool is None or not addresses:
        return None
    command = [tool, "--inlines", "--demangle", f"--obj={program}"]
    command += [f"{address:#x}" for address in addresses]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    lines = [line for line in done.stdout.splitlines() if line.strip()]
    frames = list(zip(lines[0::2], lines[1::2], strict=False))
    frames = [(name, at) for name, at in frames if not (at.startswith("??") or at.endswith(":0:0"))]
    if done.returncode != 0 or not frames:
        return None
    own = [frame for frame in frames if frame[1].startswith(f"{sketch_folder}/")]
    function, at = (own or frames)[0]
    return f"{_shown(at, sketch_folder)}, in {_plain(function)}"


def _shown(at: str, sketch_folder: Path) -> str:
    """FILE:LINE without the column: relative to the sketch's parent or to the project."""
    file, line, *_ = at.rsplit(":", 2)
    for base in (sketch_folder.parent, ROOT):
        if file.startswith(f"{base}/"):
            return f"{file[len(str(base)) + 1 :]}:{line}"
    return f"{Path(file).name}:{line}"


def _plain(function: str) -> str:
    """`loop 3` for the function that the translator made of `void loop(3, …)`; of a template's function the
    names alone, as what it is made for can be longer than all else that is said."""
    head = function.partition("(")[0]
    if head.startswith("hocket_loop_"):
        return f"loop {head.removeprefix('hocket_loop_')}"
    if "<" not in function:
        return function
    short = function.replace("(anonymous namespace)", "…")
    while (shorter := re.sub(r"<[^<>]*>", "", short)) != short:
        short = shorter
    return re.sub(r"^.* (?=\S+$)", "", short.partition("(")[0]) + "()"
