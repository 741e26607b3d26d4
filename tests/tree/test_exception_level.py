"""The level the kernel runs at is named in its own folder alone: ports/aarch64/el1, ports/aarch64/el3."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hocket.paths import ROOT

LAYER = ("ports/aarch64/el1", "ports/aarch64/el3")
ABOVE = {"hypervisor.S"}  # runs at EL2 in QEMU, above any kernel: it plays the pins' interrupts
FOLDERS = (
    "ports/aarch64",
    "arduino/cores",
    "arduino/surroundings",
    "boards",
    "bench/kernel/aarch64",
)
# Registers and instructions that other levels have under other names. The GIC's (icc_…_el1), mpidr_el1 and
# the identification registers have one name for all levels.
OF_A_LEVEL = re.compile(
    r"\b(?:(?:elr|spsr|esr|far|tpidr|vbar|mair|tcr|ttbr[01]|cpacr|cptr|sctlr|hcr|scr|cntkctl|cnthctl|mdscr)"
    r"_el[123]|cntvoff_el2|vmalle1|vmalle1is|alle[123])\b"
)


def code(text: str) -> str:
    return re.sub(r"//[^\n]*", "", text)


def test_no_other_file_names_a_register_of_a_level() -> None:
    files = [
        file
        for folder in FOLDERS
        for file in sorted((ROOT / folder).rglob("*"))
        if file.suffix in {".h", ".cpp", ".S", ".inc"}
        and file.name not in ABOVE
        and not str(file.relative_to(ROOT)).startswith(LAYER)
    ]
    assert len(files) > 50
    wrong = {
        str(file.relative_to(ROOT)): found
        for file in files
        if (found := OF_A_LEVEL.findall(code(file.read_text())))
    }
    assert wrong == {}


@pytest.mark.parametrize("folder", LAYER)
@pytest.mark.parametrize("name", ["exception_level.h", "exception_level.inc"])
def test_the_layer_does(folder: str, name: str) -> None:
    assert OF_A_LEVEL.search(code(Path(ROOT / folder / name).read_text()))
