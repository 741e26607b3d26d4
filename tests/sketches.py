"""Sketches in tests: their texts, and runs of the board's program itself with its report.

What `hocket run` adds to that is tested in tests/system/test_run_command.py.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hocket.builder import Image
from hocket.commands.run import board_program
from hocket.faults import add_places
from hocket.paths import BUILD
from hocket.report import make_report, read_facts

PATIENCE = 300  # seconds of this computer for one run: a guard, not a measurement

Report = dict[str, Any]


def kept(tests: str, name: str, text: str) -> Path:
    """The folder of a sketch with this text, in build/<tests>/; an unchanged one is not compiled again."""
    folder = BUILD / tests / name
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.ino"
    if not file.is_file() or file.read_text() != text:
        file.write_text(text)
    return folder


@dataclass(frozen=True)
class Outcome:
    """A run: the program's exit status, what Serial and the program said, and the report."""

    status: int
    said: str
    errors: str
    report: Report

    @property
    def faults(self) -> dict[int, dict[str, Any]]:
        """By the loop's number. Each loop faults once."""
        found = {fault["loop"]: fault for fault in self.report["faults"]}
        assert len(found) == len(self.report["faults"]), self.report["faults"]
        return found

    def loop(self, number: int) -> Report:
        (found,) = (loop for loop in self.report["loops"] if loop["id"] == number)
        return dict(found)

    def broken_bounds(self, numbers: Iterable[int]) -> list[str]:
        """The promises to these loops that the run did not keep."""
        found = []
        for number in numbers:
            loop = self.loop(number)
            if loop["deadline_misses"] != 0:
                found.append(f"loop {number}: {loop['deadline_misses']} deadlines missed")
            if loop["max_response_us"] > loop["response_bound_us"]:
                found.append(f"loop {number}: {loop['max_response_us']} us, beyond its bound")
        return found


Run = Callable[..., Outcome]


def start(
    image: Image,
    seconds: float,
    facts: Path,
    cores: int = 1,
    seed: int = 1,
    options: tuple[str, ...] = (),
    patience: float = PATIENCE,
) -> Outcome:
    """Runs a built sketch; `facts` is where its program leaves what the report is made of."""
    facts.unlink(missing_ok=True)
    command = [*map(str, board_program(image)), "--cores", str(cores)]
    command += ["--for", str(round(seconds * 1e9)), "--seed", str(seed), "--facts", str(facts)]
    done = subprocess.run([*command, *options], capture_output=True, timeout=patience, check=False)
    errors = done.stderr.decode(errors="replace")
    assert facts.is_file(), f"status {done.returncode}: {errors}"
    read = read_facts(facts)
    add_places(read.get("faults") or [], image.sketch_elf, image.sketch.folder)
    report = make_report(read, image.sketch.name, image.board.name, image.board.clock)
    return Outcome(done.returncode, done.stdout.decode(errors="replace"), errors, report)
