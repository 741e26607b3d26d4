"""The text into which Arduino's builder joins a sketch's tabs, each after a `#line 1`. An editor's text may
be newer than the file, so this text is built."""

from __future__ import annotations

import re
from pathlib import Path

_TAB = re.compile(r'^#line 1 "((?:[^"\\]|\\.)*)"\n', re.MULTILINE)


def tabs_in(merged: str) -> dict[Path, str]:
    """Returns the text of each tab by its file. The builder's own text before the first tab is left out."""
    pieces = _TAB.split(merged)
    names, texts = pieces[1::2], pieces[2::2]
    tabs: dict[Path, str] = {}
    for name, text in zip(names, texts, strict=True):
        file = Path(re.sub(r"\\(.)", r"\1", name)).resolve()
        tabs[file] = tabs.get(file, "") + text
    return tabs
