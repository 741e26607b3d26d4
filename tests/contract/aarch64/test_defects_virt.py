"""What the kernel does wrong ends in the report of a defect: no write to code, no code in data, no
stack that runs into another. The defects are made on purpose by an image for that (defects.cpp)."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection
from tests.campaign import one_in

PAGE = 0x1000
BOOT_STACK = 0x4000
ABOVE_PHYSICAL = 0x40_0000_0000  # where the stacks of threads begin
# The images, with the kernel's offset and where its memory begins: at EL1, and at EL3.
IMAGES = {
    "contract_defects": (0xFFFF_FF80_0000_0000, 0x4000_0000),
    "contract_beside_defects": (0x80_0000_0000, 0x0E00_0000),
}
# Exception classes of ESR_EL1 (DDI 0487, D17.2.37), from EL1 itself.
CODE, DATA, UNKNOWN, BREAKPOINT, CALL = 0x21, 0x25, 0x00, 0x3C, 0x15
WRITE = 1 << 6  # ISS.WnR of a data abort

# name: exception class, whether a write, and the address: a number (a negative one: in the kernel's half), or
# a symbol of the image
DEFECTS: dict[str, tuple[int, bool, int | str | None]] = {
    "write-text": (DATA, True, "hocket_test_text"),
    "write-constant": (DATA, True, "hocket_test_constant"),
    "execute-data": (CODE, False, "hocket_test_code"),
    "execute-constant": (CODE, False, "hocket_test_constant"),
    "execute-stack": (CODE, False, None),
    "execute-device": (CODE, False, -0x0800_0000),
    "read-null": (DATA, False, 0),
    "call-null": (CODE, False, 0),
    "read-physical": (DATA, False, None),
    "read-above-memory": (DATA, False, -0x1_0000_0000),
    "boot-stack": (DATA, True, None),
    "thread-stack": (DATA, True, None),
    "stack-in-vector": (DATA, True, None),
    "stack-pointer": (DATA, False, 16),
    "undefined": (UNKNOWN, False, None),
    "breakpoint": (BREAKPOINT, False, None),
    "call-of-itself": (CALL, False, None),
}

Virt = Callable[..., subprocess.CompletedProcess[str]]


def _symbols(image: Path) -> dict[str, int]:
    with image.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        return {symbol.name: symbol["st_value"] for symbol in table.iter_symbols()}


def _run(virt: Virt, image: Path, cores: int, word: str) -> subprocess.CompletedProcess[str]:
    return virt(image, cores, word=word, beside={} if "beside" in image.name else None)


@one_in(5)
@pytest.mark.parametrize("cores", [1, 2])
@pytest.mark.parametrize("name", DEFECTS)
@pytest.mark.parametrize("target", IMAGES)
def test_a_defect_is_reported_as_one(
    bare_image: Callable[[str], Path], virt: Virt, target: str, name: str, cores: int
) -> None:
    image = bare_image(target)
    offset, memory = IMAGES[target]
    done = _run(virt, image, cores, name)
    text = done.stdout + done.stderr
    assert done.returncode == 70, text
    found = re.search(r"syndrome (0x\w+), address (0x\w+), stack (0x\w+)", text)
    assert "FAIL: defect of the kernel: exception" in text and found is not None, text
    syndrome, address, _ = (int(number, 16) for number in found.groups())
    kind, write, where = DEFECTS[name]
    assert syndrome >> 26 == kind, hex(syndrome)
    if kind == DATA:
        assert bool(syndrome & WRITE) == write
    if where is not None:
        number = _symbols(image)[where] if isinstance(where, str) else where
        assert address == (offset - number if number < 0 else number)
    if name == "read-physical":
        assert address == memory
    if name == "boot-stack":
        top = _symbols(image)["hocket_boot_stacks_end"] - (cores - 1) * BOOT_STACK
        assert top - BOOT_STACK <= address < top - BOOT_STACK + PAGE, "not in the guard"
    if name in ("thread-stack", "stack-in-vector"):
        first = offset + ABOVE_PHYSICAL
        assert first <= address < first + PAGE, "not in the guard"


@pytest.mark.parametrize("target", IMAGES)
def test_an_image_without_a_defect_survives(
    bare_image: Callable[[str], Path], virt: Virt, target: str
) -> None:
    done = _run(virt, bare_image(target), 1, "none")
    assert (done.returncode, done.stdout + done.stderr) == (0, "SURVIVED\n")
