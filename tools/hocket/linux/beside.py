"""`run --beside`: what the world's program is told of a Linux beside the loops, and what came of that.

The kernel with the sketch is at EL3 of a machine with two security states; Linux has the other one. Where
its parts lie: machine.py. Files of the sketch's folder `linux` are put into /hocket of its root, and
`linux/job` is run.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hocket.errors import HocketError
from hocket.linux import device_tree
from hocket.linux.build import Linux, build, usual
from hocket.linux.console import Seen, console_of
from hocket.linux.kernel import check_word
from hocket.linux.machine import KERNEL, MIB, MOST_CORES, ROOT, TREE, check_root, memory_size
from hocket.linux.module import NAME as MODULE
from hocket.linux.module import hocket_module
from hocket.linux.overlay import Overlay, from_folder

BOARD = "virt"
FOLDER = "linux"  # of a sketch
DEFAULT_MEMORY = "512M"


@dataclass(frozen=True)
class Beside:
    """As asked for. console: where its console goes; None: a file in the sketch's build folder."""

    word: str
    memory: str = DEFAULT_MEMORY
    console: Path | None = None


@dataclass(frozen=True)
class Neighbour:
    """A Linux that is ready to start. options: of the world's program. console: of this run alone. kept: what
    that is to be at the end, where it is another file."""

    linux: Linux
    options: list[str | Path]
    console: Path
    has_job: bool
    kept: Path | None = None

    def keep_console(self) -> None:
        """At the end of the run. Of several runs the one that ends last has the file."""
        if self.kept is None:
            return
        try:
            self.console.replace(self.kept)
        except FileNotFoundError:  # it wrote nothing: nor is another run's there to be taken for it
            self.kept.unlink(missing_ok=True)

    def add_to(self, facts: dict[str, Any]) -> None:
        """Puts into the facts what the kernel does not know, and sentences about what went wrong. Nothing
        where nothing ran."""
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
            return []  # it has switched itself off, and the report says so
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
    """What the options --beside, --memory and --console ask for, of which one is there."""
    if word is None:
        raise HocketError(
            "--memory and --console are of a Linux beside, and none is asked for",
            next_step="add --beside linux, or leave them out",
        )
    return Beside(word, memory or DEFAULT_MEMORY, console)


def check(beside: Beside, board: str, cores: int) -> None:
    """HocketError when this cannot be, before anything is built."""
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
    """Makes what is not there yet; what is of this run alone goes into `folder`, but the console: it may be
    large, and grows beside where it will be. HocketError: as build(), and when the sketch's files are too
    many for the memory."""
    overlay = from_folder(sketch / FOLDER)
    if beside.console is not None:
        return prepare_with(beside, overlay, cores, folder, beside.console)
    own = of_run(usual_console, folder)
    return replace(prepare_with(beside, overlay, cores, folder, own), kept=usual_console)


def of_run(file: Path, folder: Path) -> Path:
    """The same file, for one run alone: no other has a folder of this name."""
    return file.with_name(f"{file.stem}.{folder.name}{file.suffix}")


def prepare_with(
    beside: Beside, overlay: Overlay, cores: int, folder: Path, console: Path
) -> Neighbour:
    """The same with these files; the module for FIFOs is added."""
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
    console.unlink(missing_ok=True)  # what is there afterwards is of this run
    return Neighbour(linux, options, console, overlay.has_job())


def stand_in(folder: Path) -> list[str | Path]:
    """The same options where nothing is to run, and so no Linux need be made."""
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
