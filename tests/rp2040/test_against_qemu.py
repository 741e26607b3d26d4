"""Exceptions as QEMU's microbit (Cortex-M0) takes them, and verdicts of the MPU as mps2-an385 (Cortex-M3)
gives them: the same random program prints the same on both."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.campaign import long_form
from tests.rp2040.bare_programs import RP2040, Target, compiled, run_here, run_in_qemu

MICROBIT = Target(0, 0x20000000, ("-DSEMIHOSTING",))
WINDOW = "-DWINDOW=0x20020000"
OWN_REGIONS = Target(
    0x20000000, 0x20004000, (WINDOW, "-DCODE_AREA=0x20000000", "-DDATA_AREA=0x20004000")
)
MPS2 = Target(0, 0x20004000, (WINDOW, "-DCODE_AREA=0", "-DDATA_AREA=0x20004000", "-DSEMIHOSTING"))
LONG = [pytest.param(seed, marks=long_form) for seed in range(100, 120)]


def both(name: str, machine: str, here: Target, there: Target, to: Path, *further: str) -> str:
    mine = run_here(compiled(name, here, to / "here.elf", *further))
    assert mine.returncode == 0, mine.stderr
    theirs = run_in_qemu(compiled(name, there, to / "there.elf", *further), machine)
    assert mine.stdout.strip() == theirs.strip(), f"{name} {further}"
    return mine.stdout


@pytest.mark.parametrize("seed", [31337, 4711, *LONG])
def test_exceptions(seed: int, tmp_path: Path) -> None:
    said = both("exceptions", "microbit", RP2040, MICROBIT, tmp_path, f"-DSEED={seed}")
    _sum, deepest, *counts = (int(word, 16) for word in said.split())
    assert deepest >= 4
    # HardFault, SVCall, PendSV, SysTick and each line were taken.
    assert all(counts[number] > 20 for number in (3, 11, 14, 15, *range(16, 24))), counts


@pytest.mark.parametrize("seed", [12345, *LONG])
def test_verdicts_of_the_mpu(seed: int, tmp_path: Path) -> None:
    said = both("protection", "mps2-an385", OWN_REGIONS, MPS2, tmp_path, f"-DSEED={seed}")
    _sum, nothing, read, _, read_write, _, read_execute, _, everything = (
        int(word, 16) for word in said.split()
    )
    assert min(nothing, read, read_write, read_execute, everything) > 100
    assert nothing + read + read_write + read_execute + everything == 400 * 24 * 2
