"""docs/reference/protection.md names each word of a sketch that the kernel reads."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CORE = ROOT / "arduino/cores/protected"
DOCUMENT = (ROOT / "docs/reference/protection.md").read_text(encoding="utf-8")


def code(path: str) -> str:
    return (CORE / path).read_text(encoding="utf-8")


def test_each_field_of_each_structure_is_named() -> None:
    descriptions = re.findall(
        r"struct Description<(?:sys::)?(\w+)> \{(.*?)\n\};",
        code("kernel/legal_values.h"),
        re.DOTALL,
    )
    assert len(descriptions) >= 7
    for structure, fields in descriptions:
        if structure == "LoopDescriptor":  # of the image
            continue
        assert f"`{structure}`" in DOCUMENT, structure
        if structure in ("PinCall", "FifoState"):  # written only
            continue
        for field in re.findall(r"HOCKET_FIELD_\(\w+, ([\w.]+)", fields):
            assert f"`{field}`" in DOCUMENT, f"{structure}.{field}"


def test_each_word_of_the_lock_record_is_named() -> None:
    (record,) = re.findall(
        r"struct LockRecord \{(.*?)\n\};", code("sketch/lock_record.h"), re.DOTALL
    )
    words = re.findall(r"^  (?:Lock|uint\d+_t) (\w+)[;\[]", record, re.MULTILINE)
    assert {"outer", "outer_count", "longest", "held", "raised", "since"} == set(words)
    for word in words:
        assert f"`{word}`" in DOCUMENT, word


def test_the_numbers_of_calls_are_those_of_the_document() -> None:
    numbers = [int(number) for number in re.findall(r"X\((\d+), \w+, \d\)", code("system_calls.h"))]
    assert f"| number of the call | 0 to {max(numbers)} |" in DOCUMENT
