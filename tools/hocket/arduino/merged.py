"""The text that Arduino's builder makes of a sketch's tabs: one after the other, each behind a `#line 1`.

An editor's text may be newer than the file, so it is this text that is built.
"""

from __future__ import annotations

import re
from pathlib import Path

_TAB = re.compile(r'^#line 1 "((?:[^"\\]|\\.)*)"\n', re.MULTILINE)


def tabs_in(merged: str) -> dict[Path, str]:
    """The tabs by their files. What the builder writes before the first is its own."""
    pieces = _TAB.split(merged)
    names, texts = pieces[1::2], pieces[2::2]
    tabs: dict[Path, str] = {}
    for name, text in zip(names, texts, strict=True):
        file = Path(re.sub(r"\\(.)", r"\1", name)).resolve()
        tabs[file] = tabs.get(file, "") + text
    return tabs
