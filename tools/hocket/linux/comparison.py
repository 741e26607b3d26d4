"""The Linux side of experiments: C programs on a stock and on a real-time Debian, observed from outside.

Each Debian runs alone in QEMU on one core, 1 ns for each instruction, as loops do on the board `virt`. The
programs are compiled with the compiler and the options of sketches, so that the same work takes the same
instructions. Common files are in bench/linux and bench/libraries. The pins are lines of the machine's PL061,
which is driven and observed from outside.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from hocket.console import say
from hocket.errors import EXIT_FAULT, HocketError
from hocket.linux.build import Linux, build, usual
from hocket.linux.guest import Guest
from hocket.linux.guest import run as run_guest
from hocket.linux.overlay import JOB, Overlay
from hocket.linux.pins import Edge, Pins
from hocket.linux.programs import program_like_sketches
from hocket.paths import ROOT

# Names for `--beside`, and labels in tables.
KERNELS = {"linux": "Linux", "linux-rt": "PREEMPT_RT"}
MEMORY = "512M"
SHARED = ROOT / "bench" / "linux"
INCLUDED = (SHARED, ROOT / "bench" / "libraries" / "Workload")
CONDITIONS = (
    "Linux: a Debian alone in the same emulator, one core, 1 ns per instruction; stock, and with real-time "
    "preemption (PREEMPT_RT). The same work as the sketches', compiled in the same way"
)

Interval = tuple[int, int]  # rise and fall, in ns of the machine
Measured = TypeVar("Measured")


@dataclass(frozen=True)
class Job:
    """Shell commands. Programs are available as `./NAME`.

    watched  output lines whose intervals are recorded
    edges    edges at input lines, in time since the first rise of the output line `start`
    """

    commands: str
    watched: Sequence[int] = ()
    edges: Sequence[Edge] = ()
    start: int | None = None


@dataclass(frozen=True)
class Outcome:
    """text: the job's output. high: for each output line, when it was high."""

    text: str
    high: dict[int, list[Interval]] = field(default_factory=dict)


def programs(folder: Path) -> dict[str, bytes]:
    """Returns each C file of the folder as a program for Linux, by its name without `.c`. Raises HocketError
    if one does not compile."""
    return {file.stem: program_like_sketches(file, INCLUDED) for file in sorted(folder.glob("*.c"))}


@dataclass(frozen=True)
class Machine:
    """A Linux system with the programs of an experiment. Each run starts it again."""

    linux: Linux
    made: dict[str, bytes]

    def run(self, job: Job) -> Outcome:
        """Runs a job. Raises HocketError if a command failed or Linux did not end normally."""
        files = {name: (content, True) for name, content in self.made.items()}
        files[JOB] = (f"#!/bin/sh\nset -e\n{job.commands}\n".encode(), True)
        with tempfile.TemporaryDirectory(prefix="hocket-linux-") as name:
            pins = Pins(Path(name), job.edges, job.start) if job.watched or job.edges else None
            options = pins.options() if pins else ()
            # Allows programs to map registers, which Linux otherwise reserves for its drivers.
            guest = Guest(self.linux, arguments=("iomem=relaxed",), options=options)
            seen = run_guest(guest, Overlay(files))
            if seen.ended != 0:
                raise HocketError(
                    f"a program of the experiment failed on {KERNELS[self.linux.word]}",
                    f"its job ended with status {seen.ended}; the end of what it wrote:{seen.last_lines()}",
                    "this is a defect of Hocket, or the kernel is another than Debian 12's: please report it",
                    exit_code=EXIT_FAULT,
                )
            high = {line: intervals(pins.output(line)) for line in job.watched} if pins else {}
        return Outcome(seen.job_text(), high)


def on_each(folder: Path, measure: Callable[[Machine], Measured]) -> dict[str, Measured]:
    """Returns the measurements on each of KERNELS, by their labels, with the programs of this folder."""
    made = programs(folder)
    machines = [Machine(build(usual(word, MEMORY)), made) for word in KERNELS]
    say(f"running on {' and '.join(KERNELS.values())}")
    with ThreadPoolExecutor(2) as pool:
        return dict(zip(KERNELS.values(), pool.map(measure, machines), strict=True))


def intervals(changes: Sequence[tuple[int, int]]) -> list[Interval]:
    """Returns the intervals between each rise and the next fall, from a line's changes (instant and
    level)."""
    found, rise = [], None
    for at, level in changes:
        if level and rise is None:
            rise = at
        elif not level and rise is not None:
            found.append((rise, at))
            rise = None
    return found
