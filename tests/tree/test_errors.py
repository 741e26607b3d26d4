"""Each error that a user may meet says what can be done now."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NEXT_STEP = 2  # place among the words of HocketError


def without_a_next_step() -> Iterator[str]:
    for file in sorted((ROOT / "tools" / "hocket").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or getattr(node.func, "id", "") != "HocketError":
                continue
            named = any(word.arg == "next_step" for word in node.keywords)
            starred = any(
                isinstance(word, ast.Starred) for word in node.args
            )  # cause and next step
            if not named and not starred and len(node.args) <= NEXT_STEP:
                yield f"{file.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)[:100]}"


def test_errors_have_a_next_step() -> None:
    assert list(without_a_next_step()) == []
