"""Sketches in tests: their texts, and runs of the board's program itself with its report.

What `hocket run` adds to that is tested in tests/system/test_run_command.py.
"""

from __future__ import annotations

import contextlib
import hashlib
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.bounds.recompute import mismatches

from hocket.builder import Image
from hocket.costs import add_exceeded
from hocket.faults import add_places
from hocket.paths import BUILD
from hocket.report import make_report, read_facts
from hocket.running.programs import board_program

PATIENCE = 300  # seconds of this computer for one run: a guard, not a measurement

Report = dict[str, Any]


def kept(name: str, text: str, **headers: str) -> Path:
    """The folder of a sketch with this text and these headers (`campaign="…"` is campaign.h).

    Its place follows from what is in it: another test, at the same time or later, that has the same sketch
    builds nothing, and no test changes what another one runs.
    """
    files = {f"{name}.ino": text} | {f"{header}.h": content for header, content in headers.items()}
    together = "\0".join(part for item in sorted(files.items()) for part in item)
    folder = BUILD / "test-sketches" / hashlib.sha256(together.encode()).hexdigest()[:12] / name
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(dir=folder.parent))
        for file, content in files.items():
            (fresh / file).write_text(content, encoding="utf-8")
        with contextlib.suppress(OSError):  # somebody else was faster
            fresh.rename(folder)
        shutil.rmtree(fresh, ignore_errors=True)
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
    exceeds: bool | None = False,
) -> Outcome:
    """Runs a built sketch; `facts` is where its program leaves what the report is made of.

    exceeds: the run exceeds a declared cost on purpose; no other may (docs/reference/report.md). None: the
    caller judges that.
    """
    facts.unlink(missing_ok=True)
    command = [*map(str, board_program(image, cores)), "--cores", str(cores)]
    command += ["--for", str(round(seconds * 1e9)), "--seed", str(seed), "--facts", str(facts)]
    done = subprocess.run([*command, *options], capture_output=True, timeout=patience, check=False)
    errors = done.stderr.decode(errors="replace")
    assert facts.is_file(), f"status {done.returncode}: {errors}"
    read = read_facts(facts)
    add_places(read.get("faults") or [], image.sketch_elf, image.sketch.folder)
    add_exceeded(read, image.sketch_elf, image.sketch.folder)
    report = make_report(read, image.sketch.name, image.board.name, image.board.clock)
    assert not (wrong := mismatches(report)), wrong
    exceeded = (report["overheads"] or {}).get("exceeded") or []
    assert exceeds is None or bool(exceeded) == exceeds, (exceeded, report["notices"])
    return Outcome(done.returncode, done.stdout.decode(errors="replace"), errors, report)
