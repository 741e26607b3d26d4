"""What loops in a domain of their own share holds nothing of a processor (docs/porting/protection.md)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hocket.paths import ROOT

MODEL = ("arduino/cores/protected", "arduino/surroundings")
PROCESSORS = ("aarch64", "avr8", "cortex_m")
# A processor's folders and names; instructions (an `asm` that is empty, or only sets a mark in a section, is
# the compiler's or the linker's business); exception levels.
OF_A_PROCESSOR = re.compile(
    rf"\b(?:{'|'.join(PROCESSORS)})\b|\bEL[0-3]\b|__(?:aarch64|arm|AVR)__|__builtin_(?:arm|avr)_"
    r'|\basm[^("]*\(\s*"(?!"|[.])[^"]'
)


def code(text: str) -> str:
    """Without comments, but with the level that a comment names: what is said of all must hold for all."""
    return re.sub(r"//(?! .*\bEL[0-3]\b)[^\n]*", "", text)


def found_in(text: str) -> list[str]:
    return OF_A_PROCESSOR.findall(code(text))


def test_the_protection_model_names_no_processor() -> None:
    files = [
        file
        for folder in MODEL
        for file in sorted((ROOT / folder).rglob("*"))
        if file.suffix in {".h", ".cpp", ".S", ".inc", ".cmake"} or file.name == "CMakeLists.txt"
    ]
    assert len(files) > 80
    wrong = {
        str(file.relative_to(ROOT)): found
        for file in files
        if (found := found_in(file.read_text(encoding="utf-8")))
    }
    assert wrong == {}


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ('#include "ports/aarch64/port.h"', True),
        ('asm volatile("wfe");', True),
        ('asm("mrs %0, daif" : "=r"(state));', True),
        ("// entered at EL0", True),
        ("// entered at user level", False),
        ('asm volatile("" : "+m"(raw));', False),
        ('asm volatile(\n      ".pushsection marks");', False),
    ],
)
def test_what_is_a_processors_is_found(text: str, wrong: bool) -> None:
    assert bool(found_in(text)) == wrong


def test_each_processor_with_protection_has_the_same_files() -> None:
    """What docs/porting/protection.md lists; the processors are those of the boards."""
    page = (ROOT / "docs/porting/protection.md").read_text(encoding="utf-8")
    needed, _, _ = page.partition("More is needed")
    listed = set(re.findall(r"^\| `([\w./]+)` \|", needed, re.MULTILINE))
    assert len(listed) == 6
    for board in sorted((ROOT / "boards").glob("*/board.toml")):
        text = board.read_text(encoding="utf-8")
        if 'protection = "domains"' not in text:
            continue
        (processor,) = re.findall(r'^processor = "(\w+)"', text, re.MULTILINE)
        folder = ROOT / "arduino/cores" / processor
        assert {name for name in listed if (folder / name).is_file()} == listed


def test_a_processors_own_folder_is_small() -> None:
    lines = sum(
        len(Path(file).read_text(encoding="utf-8").splitlines())
        for file in (ROOT / "arduino/cores/aarch64").rglob("*")
        if file.is_file()
    )
    assert lines <= 1_200
