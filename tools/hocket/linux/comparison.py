"""The Linux side of experiments: their C programs on a stock and on a real-time Debian, seen from outside.

Each Debian is alone in QEMU on one core, 1 ns for each instruction, as loops are on the board `virt`. The
programs are made by the compiler and with the options that sketches have, so that the same work is the same
instructions; what they share is in bench/linux and bench/libraries. Their pins are lines of the machine's
PL061, which is driven and watched from outside.
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

# As `--beside` calls them, and as tables do.
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
    """Shell commands; programs are there as `./NAME`.

    watched  output lines whose intervals are wanted
    edges    what comes at input lines, since the first rise of the output line `start`
    """

    commands: str
    watched: Sequence[int] = ()
    edges: Sequence[Edge] = ()
    start: int | None = None


@dataclass(frozen=True)
class Outcome:
    """text: what the job wrote. high: by output line, when it was high."""

    text: str
    high: dict[int, list[Interval]] = field(default_factory=dict)


def programs(folder: Path) -> dict[str, bytes]:
    """Each C file of the folder as a program for Linux, by its name without `.c`. HocketError: it does not
    compile."""
    return {file.stem: program_like_sketches(file, INCLUDED) for file in sorted(folder.glob("*.c"))}


@dataclass(frozen=True)
class Machine:
    """A Linux with the programs of an experiment. Each run starts it anew."""

    linux: Linux
    made: dict[str, bytes]

    def run(self, job: Job) -> Outcome:
        """HocketError: a command failed, Linux did not come to its end."""
        files = {name: (content, True) for name, content in self.made.items()}
        files[JOB] = (f"#!/bin/sh\nset -e\n{job.commands}\n".encode(), True)
        with tempfile.TemporaryDirectory(prefix="hocket-linux-") as name:
            pins = Pins(Path(name), job.edges, job.start) if job.watched or job.edges else None
            options = pins.options() if pins else ()
            # Programs may map registers, which Linux keeps for its drivers otherwise.
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
    """What is measured on each of KERNELS, by their labels, with the programs of this folder."""
    made = programs(folder)
    machines = [Machine(build(usual(word, MEMORY)), made) for word in KERNELS]
    say(f"running on {' and '.join(KERNELS.values())}")
    with ThreadPoolExecutor(2) as pool:
        return dict(zip(KERNELS.values(), pool.map(measure, machines), strict=True))


def intervals(changes: Sequence[tuple[int, int]]) -> list[Interval]:
    """Of a line's changes, instant and level: each rise with the fall after it."""
    found, rise = [], None
    for at, level in changes:
        if level and rise is None:
            rise = at
        elif not level and rise is not None:
            found.append((rise, at))
            rise = None
    return found
