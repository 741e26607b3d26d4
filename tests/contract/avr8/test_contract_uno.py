"""The contract suite on the ATmega328P in simavr: everywhere on its circular clock."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.campaign import long_form, one_in

Runner = Callable[..., subprocess.CompletedProcess[str]]

# Tests in each image.
IMAGES = {"contract_port": 24, "contract_tick": 8}
for _kind in ("kernel", "checked"):
    IMAGES |= {f"contract_{_kind}_1": 16, f"contract_{_kind}_2": 8}
# How often the counter has come round when the run begins (32.768 ms each): at boot; just before the
# kernel's 32-bit instants change their sign, and before they wrap to 0; before the 48 bits do.
TURNS = [0, 0x7FFF, 0xFFFF, 0xFFFF_FFFF]
# Cycles; 8 are a tick. What the kernel's own clock may have to wait for
# (arduino/cores/avr8/kernel_costs.h), and what handlers of devices may.
LONGEST_SECTION = 7_200
LONGEST_MASKED = 200


@one_in(5)
@pytest.mark.parametrize(
    "turns", [TURNS[0], pytest.param(TURNS[1], marks=long_form), TURNS[2], TURNS[3]], ids=hex
)
@pytest.mark.parametrize("image", IMAGES)
def test_suite(avr_contract: Runner, image: str, turns: int) -> None:
    done = avr_contract(image, turns)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{IMAGES[image]} passed, 0 failed" in done.stdout.splitlines()


def said(done: subprocess.CompletedProcess[str], what: str) -> int:
    found = re.search(rf"^{what}: (\d+) cycles$", done.stdout, re.M)
    assert found is not None
    return int(found[1])


@one_in(2)
@pytest.mark.parametrize("image", ["contract_kernel_1", "contract_kernel_2"])
def test_masked_no_longer_than_declared(avr_contract: Runner, image: str) -> None:
    """Seen from outside, to the cycle."""
    done = avr_contract(image)
    assert 0 < said(done, "longest section") <= LONGEST_SECTION
    assert 0 < said(done, "longest masked") <= LONGEST_MASKED


@long_form
def test_is_the_same_in_every_run(avr_contract: Runner) -> None:
    first, second = (avr_contract("contract_kernel_2") for _ in range(2))
    assert first.stdout == second.stdout


def test_a_bad_image_is_refused(avr_contract: Runner, tmp_path: Path) -> None:
    """Cut anywhere, or not an image at all: said, with status 2, or run as far as it goes."""
    program, image = avr_contract("contract_port").args[:2]
    whole = Path(image).read_bytes()

    def told(data: bytes) -> tuple[int, str]:
        file = tmp_path / "bad.elf"
        file.write_bytes(data)
        done = subprocess.run(
            [program, file], capture_output=True, text=True, timeout=60, check=False
        )
        return done.returncode, done.stderr.removeprefix(f"{file}: ")

    assert told(b"") == (2, "it is cut short\n")
    assert told(b"\x7fELF" + bytes(60)) == (2, "it is no linked AVR program\n")
    for length in range(0, len(whole) * 9 // 10, len(whole) // 40):
        assert told(whole[:length])[0] == 2, length
    outside = subprocess.run([program, tmp_path], capture_output=True, text=True, check=False)
    assert (outside.returncode, outside.stderr) == (2, f"{tmp_path}: it cannot be read\n")
