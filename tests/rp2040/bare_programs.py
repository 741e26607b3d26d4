"""Bare programs of these tests: compiled for the RP2040 or a machine of QEMU, and run."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from tests.targets import build_target

BARE = Path(__file__).parent / "bare"
COMPILER = [
    *("clang++-19", "--target=thumbv6m-none-eabi", "-mcpu=cortex-m0plus", "-std=c++20", "-O2"),
    *("-ffreestanding", "-fno-exceptions", "-fno-rtti", "-Wall", "-Wextra", "-Werror"),
    *("-nostdlib", "-static", "-fuse-ld=lld", "-Wl,-u,vectors"),
]


@dataclass(frozen=True)
class Target:
    """The addresses of a program's code and data, and further words for the compiler."""

    code: int
    data: int
    further: tuple[str, ...] = ()


RP2040 = Target(0x20000000, 0x20008000)


def compiled(name: str, target: Target, to: Path, *further: str) -> Path:
    libgcc = sorted(Path("/usr/lib/gcc/arm-none-eabi").glob("*/thumb/v6-m/nofp/libgcc.a"))[-1]
    command = [*COMPILER, f"-Wl,-T,{BARE / 'ram.ld'}"]
    command += [f"-Wl,--defsym=CODE={target.code}", f"-Wl,--defsym=DATA={target.data}"]
    command += [*target.further, *further, str(BARE / f"{name}.cpp"), str(BARE / "start.S")]
    subprocess.run([*command, str(libgcc), "-o", str(to)], check=True, timeout=60)
    return to


def emulator() -> Path:
    return build_target("sim", "rp2040_run") / "simulation" / "rp2040" / "rp2040_run"


def run_here(image: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [str(emulator()), str(image), *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def run_in_qemu(image: Path, machine: str) -> str:
    """The last line that the program says by semihosting."""
    command = ["qemu-system-arm", "-M", machine, "-nodefaults", "-display", "none"]
    command += ["-nic", "none", "-monitor", "none", "-serial", "none", "-semihosting"]
    done = subprocess.run(
        [*command, "-kernel", str(image)], capture_output=True, text=True, timeout=120, check=True
    )
    return done.stderr.splitlines()[-1]
