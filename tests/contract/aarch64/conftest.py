"""What tests of bare AArch64 images share: building one, and running it in QEMU."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.targets import build_target


@pytest.fixture(scope="session")
def bare_image() -> Callable[[str], Path]:
    """bare_image(target): the image of this CMake target, built with the preset `virt`."""

    def build(target: str) -> Path:
        return build_target("virt", target) / "tests" / "contract" / "aarch64" / f"{target}.elf"

    return build


def _flash(image: Path) -> Path:
    """The image as it lies in the flash that the machine begins in."""
    flash = image.with_suffix(".bin")
    if not flash.exists() or flash.stat().st_mtime < image.stat().st_mtime:
        made = flash.with_suffix(f".{os.getpid()}")
        subprocess.run(["llvm-objcopy-19", "-O", "binary", image, made], check=True)
        made.replace(flash)
    return flash


Virt = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def virt() -> Virt:
    """virt(image, cores=…, machine=…, icount=…, word=…, serial=…, beside=…): runs the image until its end.

    serial: QEMU's options for the UART, which is connected to nothing otherwise. beside: the image is for
    EL3, and these are programs of the other world, by their addresses (none: it is alone).
    """

    def run(
        image: Path,
        cores: int = 1,
        machine: str = "gic-version=3",
        icount: bool = True,
        word: str = "image",
        serial: tuple[str, ...] = ("-serial", "none"),
        beside: dict[int, Path] | None = None,
    ) -> subprocess.CompletedProcess[str]:
        if beside is not None:
            machine += ",secure=on,acpi=off,dtb-randomness=off"
        command = ["qemu-system-aarch64", "-M", f"virt,{machine}", "-smp", str(cores)]
        command += ["-cpu", "cortex-a53,cntfrq=1000000000", "-m", "128M", "-nodefaults"]
        command += ["-display", "none", "-monitor", "none", *serial]
        command += ["-semihosting-config", f"enable=on,target=native,arg={word}"]
        if icount:
            command += ["-icount", "shift=0,sleep=off"]
        command += ["-kernel", str(image)] if beside is None else ["-bios", str(_flash(image))]
        for address, program in (beside or {}).items():
            command += ["-device", f"loader,file={program},addr={address:#x},force-raw=on"]
        return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)

    return run
