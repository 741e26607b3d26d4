"""What tests of bare AArch64 images share: building one, and running it in QEMU."""

from __future__ import annotations

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


Virt = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def virt() -> Virt:
    """virt(image, cores=…, machine=…, icount=…, word=…, serial=…): runs the image until it ends by itself.

    serial: QEMU's options for the UART, which is connected to nothing otherwise.
    """

    def run(
        image: Path,
        cores: int = 1,
        machine: str = "gic-version=3",
        icount: bool = True,
        word: str = "image",
        serial: tuple[str, ...] = ("-serial", "none"),
    ) -> subprocess.CompletedProcess[str]:
        command = ["qemu-system-aarch64", "-M", f"virt,{machine}", "-smp", str(cores)]
        command += ["-cpu", "cortex-a53,cntfrq=1000000000", "-m", "128M", "-nodefaults"]
        command += ["-display", "none", "-monitor", "none", *serial]
        command += ["-semihosting-config", f"enable=on,target=native,arg={word}"]
        if icount:
            command += ["-icount", "shift=0,sleep=off"]
        command += ["-kernel", str(image)]
        return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)

    return run
