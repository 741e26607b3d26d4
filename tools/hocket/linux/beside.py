"""`run --beside`: the options of the world's program for a Linux system beside the loops, and its results.

The kernel with the sketch runs at EL3 of a machine with two security states. Linux has the other state.
machine.py has the addresses of its parts. Files of the sketch's folder `linux` are put into /hocket of its
root, and `linux/job` is run.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hocket.boards import first_with
from hocket.errors import HocketError
from hocket.linux import device_tree
from hocket.linux.build import Linux, build, usual
from hocket.linux.console import Seen, console_of
from hocket.linux.kernel import check_word
from hocket.linux.machine import KERNEL, MIB, MOST_CORES, ROOT, TREE, check_root, memory_size
from hocket.linux.module import NAME as MODULE
from hocket.linux.module import hocket_module
from hocket.linux.overlay import Overlay, from_folder

BOARD = first_with("beside")
FOLDER = "linux"  # of a sketch
DEFAULT_MEMORY = "512M"


@dataclass(frozen=True)
class Beside:
    """The request. console: the file for its console. None: a file in the sketch's build folder."""

    word: str
    memory: str = DEFAULT_MEMORY
    console: Path | None = None


@dataclass(frozen=True)
class Neighbour:
    """A Linux system that is ready to start. options: of the world's program. console: the file of this run.
    kept: the file that replaces it at the end, if different."""

    linux: Linux
    options: list[str | Path]
    console: Path
    has_job: bool
    kept: Path | None = None

    def keep_console(self) -> None:
        """Renames the console file at the end of the run. If several runs end, the last one's file is
        kept."""
        if self.kept is None:
            return
        try:
            self.console.replace(self.kept)
        except FileNotFoundError:  # no output: an older file must not be taken for this run's
            self.kept.unlink(missing_ok=True)

    def add_to(self, facts: dict[str, Any]) -> None:
        """Adds to the facts what the kernel does not know, and notices about errors. Adds nothing if Linux
        did not run."""
        known = facts.get("beside")
        if known is None:
            return
        seen = console_of(self.console)
        facts["beside"] = {
            "kernel": self.linux.word,
            "release": self.linux.release,
            "memory_mib": self.linux.memory // MIB,
            **{name: known[name] for name in ("state", "restarts", "cores_on")},
            "started": seen.up is not None,
            "panic": seen.panic or None,
            "job_status": seen.ended,
            "cores": known["cores"],
        }
        facts["notices"] = [*(facts.get("notices") or []), *self._notices(known, seen)]

    def _notices(self, known: dict[str, Any], seen: Seen) -> list[str]:
        end = (
            f"The end of its console:{seen.last_lines()}"
            if seen.text.strip()
            else "It wrote nothing."
        )
        if known["state"] == "off" and seen.up is not None and not seen.panic:
            return []  # it was switched off normally, and the report says so
        if seen.panic:
            when = "while it started" if seen.up is None else "while it ran"
            return [f"Linux stopped {when}: {seen.panic}. {end}"]
        if seen.up is None:
            return [f"Linux was not up when the run ended: it needs a second or two (--for). {end}"]
        if seen.ended:
            return [f"Linux's job ended with status {seen.ended}: what it wrote is on its console."]
        if self.has_job and seen.ended is None:
            return ["Linux's job had not ended when the run did."]
        return []


def wished(word: str | None, memory: str | None, console: Path | None) -> Beside:
    """Returns the request for the options --beside, --memory and --console, of which at least one is
    given."""
    if word is None:
        raise HocketError(
            "--memory and --console are of a Linux beside, and none is asked for",
            next_step="add --beside linux, or leave them out",
        )
    return Beside(word, memory or DEFAULT_MEMORY, console)


def check(beside: Beside, board: str, cores: int) -> None:
    """Raises HocketError if this cannot run, before anything is built."""
    check_word(beside.word, "--beside ")
    if board != BOARD:
        raise HocketError(
            f"--beside {beside.word}: nothing can be beside the loops on the board {board}",
            "it needs a processor with two security states",
            f"use --board {BOARD}",
        )
    memory_size(beside.memory)
    if cores > MOST_CORES:
        raise HocketError(
            f"--cores {cores} is too many for --beside {beside.word}",
            f"a Linux beside has 1 to {MOST_CORES} cores",
            f"use --cores 1 to --cores {MOST_CORES}",
        )


def prepare(
    beside: Beside, sketch: Path, cores: int, folder: Path, usual_console: Path
) -> Neighbour:
    """Makes what does not exist yet. Temporary files of this run go into `folder`, except the console: it may
    be large, and is written beside its final place. Raises HocketError as build() does, and if the sketch's
    files need too much memory."""
    overlay = from_folder(sketch / FOLDER)
    if beside.console is not None:
        return prepare_with(beside, overlay, cores, folder, beside.console)
    own = of_run(usual_console, folder)
    return replace(prepare_with(beside, overlay, cores, folder, own), kept=usual_console)


def of_run(file: Path, folder: Path) -> Path:
    """Returns a name for this run alone, beside the file: no other run has a folder of this name."""
    return file.with_name(f"{file.stem}.{folder.name}{file.suffix}")


def prepare_with(
    beside: Beside, overlay: Overlay, cores: int, folder: Path, console: Path
) -> Neighbour:
    """As prepare(), with these files. Adds the module for FIFOs."""
    linux = build(usual(beside.word, beside.memory))
    overlay = replace(overlay, modules={MODULE: hocket_module(linux), **overlay.modules})
    files, archive = folder / "overlay.cpio", overlay.archive()
    files.write_bytes(archive)
    root_size = linux.root.stat().st_size
    unpacked = linux.unpacked + overlay.unpacked()
    check_root(linux.memory, root_size + len(archive), unpacked, _way_out(beside))
    tree = folder / "tree.dtb"
    tree.write_bytes(_tree(linux, root_size + len(archive), cores))
    options: list[str | Path] = ["--beside", str(linux.memory // MIB), "--console", console]
    places = ((KERNEL, linux.kernel), (TREE, tree), (ROOT, linux.root), (ROOT + root_size, files))
    for address, file in places:
        options += ["--load", f"{address:#x}:{file}"]
    console.unlink(missing_ok=True)  # a file that exists afterwards is of this run
    return Neighbour(linux, options, console, overlay.has_job())


def stand_in(folder: Path) -> list[str | Path]:
    """Returns options for a run of the analysis only, for which no Linux needs to be built."""
    program = folder / "nothing"
    program.write_bytes(bytes(4096))
    console: list[str | Path] = ["--console", folder / "console"]
    return ["--beside", "512", "--load", f"{KERNEL:#x}:{program}", *console]


def _tree(linux: Linux, root_size: int, cores: int) -> bytes:
    machine = [
        *("-M", "virt,virtualization=on,secure=on,gic-version=3,acpi=off,dtb-randomness=off"),
        *("-cpu", "cortex-a53,cntfrq=1000000000", "-smp", str(cores)),
        *("-m", str(linux.memory // MIB)),
    ]
    arguments = "console=ttyAMA0 quiet panic=-1"
    return device_tree.make(machine, device_tree.Tree(arguments, linux.memory, root_size, cores))


def _way_out(beside: Beside) -> str:
    fewer = f"put fewer files into the sketch's folder {FOLDER}"
    return fewer if beside.memory == "1G" else f"use --memory 1G, or {fewer}"
