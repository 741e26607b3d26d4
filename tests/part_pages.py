"""Where docs/reference/parts.md describes a type of part: in a section of its own, or in a row of a table."""

from __future__ import annotations

import re
from pathlib import Path

_PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "parts.md"


def description_of(part: str) -> str:
    """The section of a type of part; of one that shares its section, without the rows of the others."""
    text = _PAGE.read_text(encoding="utf-8")
    sections = re.split(r"\n(?=## )", text)
    own = [section for section in sections if section.startswith(f"## {part}\n")]
    rows = [s for s in sections if re.search(rf"^\| `{part}` \|", s, re.MULTILINE)]
    (section,) = own or rows
    if own:
        return section
    return "\n".join(
        line for line in section.splitlines()
        if not line.startswith("|") or line.startswith(f"| `{part}` |")
    )  # fmt: skip


def packets() -> str:
    return _PAGE.read_text(encoding="utf-8").split("\n### Packets\n")[1]
