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

PAGE = 0x1000
BOOT_STACK = 0x4000
THREAD_STACKS = 0xFFFF_FFC0_0000_0000
KERNEL_OFFSET = 0xFFFF_FF80_0000_0000
# Exception classes of ESR_EL1 (DDI 0487, D17.2.37), from EL1 itself.
CODE, DATA, UNKNOWN, BREAKPOINT, CALL = 0x21, 0x25, 0x00, 0x3C, 0x15
WRITE = 1 << 6  # ISS.WnR of a data abort

# name: exception class, whether a write, and the address: a number, or a symbol of the image
DEFECTS: dict[str, tuple[int, bool, int | str | None]] = {
    "write-text": (DATA, True, "hocket_test_text"),
    "write-constant": (DATA, True, "hocket_test_constant"),
    "execute-data": (CODE, False, "hocket_test_code"),
    "execute-constant": (CODE, False, "hocket_test_constant"),
    "execute-stack": (CODE, False, None),
    "execute-device": (CODE, False, KERNEL_OFFSET + 0x0800_0000),
    "read-null": (DATA, False, 0),
    "call-null": (CODE, False, 0),
    "read-physical": (DATA, False, 0x4000_0000),
    "read-above-memory": (DATA, False, KERNEL_OFFSET + 0x6000_0000),
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


@pytest.mark.parametrize("cores", [1, 2])
@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_is_reported_as_one(
    bare_image: Callable[[str], Path], virt: Virt, name: str, cores: int
) -> None:
    image = bare_image("contract_defects")
    done = virt(image, cores, word=name)
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
        assert address == (_symbols(image)[where] if isinstance(where, str) else where)
    if name == "boot-stack":
        top = _symbols(image)["hocket_boot_stacks_end"] - (cores - 1) * BOOT_STACK
        assert top - BOOT_STACK <= address < top - BOOT_STACK + PAGE, "not in the guard"
    if name in ("thread-stack", "stack-in-vector"):
        assert THREAD_STACKS <= address < THREAD_STACKS + PAGE, "not in the guard"


def test_an_image_without_a_defect_survives(bare_image: Callable[[str], Path], virt: Virt) -> None:
    done = virt(bare_image("contract_defects"), word="none")
    assert (done.returncode, done.stdout + done.stderr) == (0, "SURVIVED\n")
