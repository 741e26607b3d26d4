"""Alarms above a Linux: runs bench/two-level/aarch64/alarms.cpp with a Debian beside it; what it says."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tests.targets import build_target

from hocket.linux.beside import Beside, prepare
from hocket.linux.machine import MIB

PATIENCE = 1200  # seconds of this computer: a guard, not a measurement


@dataclass(frozen=True)
class Alarms:
    """late: by core and what Linux did, how many alarms came so many instructions after their instants.
    masked: how many of all came while Linux masked its own interrupts."""

    late: dict[tuple[int, str], Counter[int]]
    alarms: int
    masked: int
    restarts: int
    console: str


def run(word: str, sketch: Path, cores: int, milliseconds: int, folder: Path) -> Alarms:
    """Linux with the job in the sketch's folder, for so long or until it has switched itself off."""
    console = folder / "console"
    neighbour = prepare(Beside(word), sketch, cores, folder, console)
    words = [str(option) for option in neighbour.options]
    loads = [words[at + 1].split(":", 1) for at, option in enumerate(words) if option == "--load"]
    command = [
        "qemu-system-aarch64",
        "-M",
        "virt,secure=on,gic-version=3,acpi=off,dtb-randomness=off",
    ]
    command += ["-cpu", "cortex-a53,cntfrq=1000000000", "-smp", str(cores)]
    command += ["-m", str(neighbour.linux.memory // MIB), "-icount", "shift=0,sleep=off"]
    command += ["-nodefaults", "-display", "none", "-monitor", "none", "-nic", "none"]
    command += ["-rtc", "base=2026-01-01T00:00:00,clock=vm"]
    command += ["-chardev", f"file,id=beside,path={console}", "-serial", "chardev:beside"]
    for number, (address, file) in enumerate(loads):
        command += ["-device", f"loader,addr={address},force-raw=on,file={file}"]
        (folder / f"program-{number}").symlink_to(Path(file).resolve())
    places = ":".join(address for address, _ in loads)
    asked = f"arg=hocket,arg=world={folder},arg=for={milliseconds},arg=beside={places}"
    command += ["-semihosting-config", f"enable=on,target=native,{asked}"]
    done = subprocess.run(
        [*command, "-bios", str(_flash(folder))],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    text = done.stdout + done.stderr
    assert done.returncode == 0 and text.endswith("end\n"), text
    return _read(text, console.read_text(errors="replace"))


def _flash(folder: Path) -> Path:
    target = "bench_two_level"
    image = build_target("virt", target) / "bench" / "two-level" / "aarch64" / f"{target}.elf"
    flash = folder / "flash"
    subprocess.run(["llvm-objcopy-19", "-O", "binary", image, flash], check=True)
    return flash


def _read(text: str, console: str) -> Alarms:
    late: dict[tuple[int, str], Counter[int]] = {}
    for core, state, instructions, count in re.findall(
        r"^core (\d+) (\w+) (\d+) (\d+)$", text, re.M
    ):
        late.setdefault((int(core), state), Counter())[int(instructions)] = int(count)
    found = re.search(r"^alarms (\d+) masked (\d+)\nrestarts (\d+)$", text, re.M)
    assert found is not None, text
    alarms, masked, restarts = map(int, found.groups())
    return Alarms(late, alarms, masked, restarts, console)
