"""Tests that a document names are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted((ROOT / "docs").rglob("*.md"))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda file: file.stem)
def test_tests_that_are_named_are_there(document: Path) -> None:
    for file, name in re.findall(
        r"`(tests/[\w/.]+\.py)(?:::(\w+))?`", document.read_text(encoding="utf-8")
    ):
        text = (ROOT / file).read_text(encoding="utf-8")
        assert not name or f"def {name}(" in text, f"{file}::{name}"
