"""Counts the instructions that a program executes, with valgrind's tool callgrind.

The count is exact: the same program with the same input gives the same number in every run. (The start-up
code of the C library depends on the processor, so whole programs differ by a few thousand instructions
between kinds of processors. Counted pieces do not.)
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hocket.errors import EXIT_DEFECT, HocketError


@dataclass(frozen=True)
class Count:
    """One count: the program's name for it (empty for the end of the program), and the number of
    instructions."""

    label: str
    instructions: int


def count(command: Sequence[str | Path], *, pieces: bool = False) -> tuple[list[Count], str]:
    """Runs a program under callgrind. Returns its counts in order and its output.

    pieces: count only the pieces that the program marks (its client requests switch collection on and off).
    """
    for needed, package in (("valgrind", "valgrind"), ("llvm-strip-19", "llvm-19")):
        if shutil.which(needed) is None:
            raise HocketError(
                f"{needed} is not installed",
                "instructions are counted with it",
                f"run: apt install {package}",
            )
    with tempfile.TemporaryDirectory(prefix="hocket-count-") as name:
        # Older versions of valgrind cannot read newer debug information, which is not needed for counting.
        program, out = Path(name) / "program", Path(name) / "counts"
        subprocess.run(["llvm-strip-19", "--strip-debug", "-o", program, command[0]], check=True)
        options = ["--tool=callgrind", f"--callgrind-out-file={out}", "--combine-dumps=yes"]
        options += ["--collect-atstart=no"] if pieces else []
        done = subprocess.run(
            ["valgrind", *options, program, *map(str, command[1:])],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0 or not out.is_file():
            last = "\n    ".join(done.stderr.splitlines()[-10:])
            raise HocketError(
                f"{Path(command[0]).name} failed under valgrind (status {done.returncode})",
                f"its last lines:\n    {last}",
                "run it without valgrind",
                exit_code=EXIT_DEFECT,
            )
        return list(_counts(out)), done.stdout


def _counts(file: Path) -> Iterator[Count]:
    label = ""
    for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
        if asked := re.fullmatch(r"desc: Trigger: (?:Client Request: )?(.*)", line):
            label = asked.group(1)
        elif total := re.fullmatch(r"summary: (\d+)", line):
            yield Count(label, int(total.group(1)))
