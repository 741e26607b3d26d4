"""Runs a stock Linux alone in QEMU, with a job and files, for comparisons with Hocket.

Time is counted in instructions, 1 ns each, as on the board `virt`. A run is repeatable to the byte:
everything is in memory, the clock is fixed, no device waits for this computer, and the seed of Linux's random
numbers is the same in each run.
"""

from __future__ import annotations

import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from hocket.errors import EXIT_DEFECT, EXIT_FAULT, HocketError
from hocket.linux.build import Linux
from hocket.linux.console import Seen, check_started, read_console
from hocket.linux.machine import MIB, check_root
from hocket.linux.overlay import Overlay

# A safety limit in seconds of this computer. A busy guest takes ten of them for one second of its own.
PATIENCE = 1800


@dataclass(frozen=True)
class Guest:
    """cores: 1 to 8. arguments: words for the kernel's command line. options: words for QEMU."""

    linux: Linux
    cores: int = 1
    arguments: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


def run(guest: Guest, overlay: Overlay, patience: float = PATIENCE) -> Seen:
    """Starts the guest, runs the overlay's job, and turns it off. Returns the console. Raises HocketError if
    it did not start, stopped before its job had ended, took longer than `patience` (seconds), or if the
    overlay is too big."""
    archive = overlay.archive()
    root_size = guest.linux.root.stat().st_size + len(archive)
    unpacked = guest.linux.unpacked + overlay.unpacked()
    check_root(guest.linux.memory, root_size, unpacked, "give it fewer files")
    with tempfile.TemporaryDirectory(prefix="hocket-linux-") as name:
        folder = Path(name)
        root = folder / "root.cpio"
        root.write_bytes(guest.linux.root.read_bytes() + archive)
        console = folder / "console"
        _emulate(command(guest, root, console), patience)
        seen = read_console(console.read_bytes() if console.is_file() else b"")
    check_started(seen)
    if overlay.has_job() and seen.ended is None:
        raise HocketError(
            "the Linux stopped before its job had ended",
            f"{seen.panic or 'it was turned off'}; the end of its console:{seen.last_lines()}",
            "correct the job",
            exit_code=EXIT_FAULT,
        )
    return seen


def machine(guest: Guest) -> list[str]:
    """Returns QEMU's options for the machine. Its tree has a seed for random numbers, the same in each
    run: without a seed, Debian's kernel makes random numbers in each system call, which takes 10,000
    instructions."""
    return [
        *(
            "-M",
            "virt,gic-version=3,dtb-randomness=on",
            "-seed",
            "1",
            "-cpu",
            "cortex-a53,cntfrq=1000000000",
        ),
        *("-smp", str(guest.cores), "-m", str(guest.linux.memory // MIB)),
    ]


def command(guest: Guest, root: Path, console: Path) -> list[str]:
    """Returns QEMU's command line."""
    arguments = ["console=ttyAMA0", "quiet", "panic=-1", "hocket.end=off", *guest.arguments]
    return [
        *("qemu-system-aarch64", *machine(guest), "-icount", "shift=0,sleep=off"),
        *("-rtc", "base=2026-01-01T00:00:00,clock=vm", "-nodefaults", "-nic", "none"),
        *("-display", "none", "-monitor", "none", "-no-reboot", "-serial", f"file:{console}"),
        *("-kernel", str(guest.linux.kernel), "-initrd", str(root)),
        *("-append", " ".join(arguments), *guest.options),
    ]


def _emulate(words: list[str], patience: float) -> None:
    try:
        done = subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=patience,
            check=False,
        )
    except FileNotFoundError as problem:
        raise HocketError(
            "qemu-system-aarch64 is not there", "Linux runs in it", "run: hocket doctor"
        ) from problem
    except subprocess.TimeoutExpired as problem:
        raise HocketError(
            f"the Linux ran for more than {patience:g} s of this computer",
            "its job did not end, or it hangs",
            "give it a shorter job",
            exit_code=EXIT_FAULT,
        ) from problem
    if done.returncode != 0:
        raise HocketError(
            "QEMU could not run the Linux",
            done.stderr.strip() or f"it ended with status {done.returncode}",
            "this is a defect of Hocket, or QEMU is another than Debian 12's: please report it",
            exit_code=EXIT_DEFECT,
        )
