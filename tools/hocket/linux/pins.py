"""The pins of a machine in QEMU, from outside: edges at exact instants, and the machine's responses.

A plugin of QEMU (simulation/qemu/pins.cpp) drives and observes the machine's PL061. This does not affect the
system in the machine, Linux or Hocket. Instants are ns of the machine's clock, which counts instructions.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hocket.builder.board import bring_up_to_date
from hocket.emulator import EMULATOR
from hocket.errors import EXIT_DEFECT, HocketError
from hocket.trace.wavefile import read_signals

LINES = 8

_VERSION = "7.2"  # the plugin calls internal functions of this version


@dataclass(frozen=True)
class Edge:
    """The input `line` becomes `level` at this instant, in ns since the start."""

    at: int
    line: int
    level: int


@dataclass(frozen=True)
class Pins:
    """Edges for one run, ordered by their instants. start: the output line whose first rise is the origin of
    time. None: the machine's start. folder: for the run's files, a separate one for each run."""

    folder: Path
    edges: Sequence[Edge] = ()
    start: int | None = None

    def options(self) -> tuple[str, ...]:
        """Returns the options for QEMU. Raises HocketError for a version that the plugin does not support."""
        _check_version()
        lines = "".join(f"{edge.at} {edge.line} {edge.level}\n" for edge in self.edges)
        (self.folder / "edges").write_text(lines, encoding="ascii")
        words = [str(_plugin()), f"edges={self.folder}/edges", f"trace={self.folder}/pins.vcd"]
        if self.start is not None:
            words.append(f"start={self.start}")
        return ("-plugin", ",".join(words))

    def input(self, line: int) -> list[tuple[int, int]]:
        """Returns, after the run, the changes of an input (instant and level). Raises HocketError if one came
        late."""
        changes = self._changes(f"in{line}")
        asked = [(edge.at, edge.level) for edge in self.edges if edge.line == line]
        if changes:
            # Only the start is unknown, so the distances between the edges are compared.
            begin = changes[0][0] - asked[0][0]
            came = [(at - begin, level) for at, level in changes]
            if came != asked[: len(came)]:
                raise HocketError(
                    f"edges at the input {line} did not come at the instants that were asked for",
                    "the emulator was late with a timer",
                    "this is a defect of Hocket: please report it",
                    exit_code=EXIT_DEFECT,
                )
        return changes

    def output(self, line: int) -> list[tuple[int, int]]:
        """Returns, after the run, the changes of an output."""
        return self._changes(f"out{line}")

    def started(self) -> bool:
        """Returns, after the run, whether the edges have begun."""
        return self.start is None or any(level for _, level in self.output(self.start))

    def _changes(self, name: str) -> list[tuple[int, int]]:
        found = read_signals(self.folder / "pins.vcd", (name,))[name]
        return [(at, int(level)) for at, level in found[1:]]  # the first is the value at 0


def _plugin() -> Path:
    folder = bring_up_to_date("sim", "the pins of a machine in QEMU", "hocket_qemu_pins")
    return folder / "simulation" / "qemu" / "libhocket_qemu_pins.so"


def _check_version() -> None:
    try:
        done = subprocess.run([EMULATOR, "--version"], capture_output=True, text=True, check=False)
    except FileNotFoundError as problem:
        raise HocketError(
            f"{EMULATOR} is not there", "its pins are read", "run: hocket doctor"
        ) from problem
    match = re.search(r"version (\d+\.\d+)", done.stdout)
    if match is None or match[1] != _VERSION:
        raise HocketError(
            f"pins cannot be connected to QEMU {match[1] if match else '(no version)'}",
            f"Hocket reads them with functions of QEMU version {_VERSION}",
            "use Debian 12's package qemu-system-arm",
        )
