"""What the tests of the translator share: a tab's translation, and where a compiler sees each line of it."""

from __future__ import annotations

import re
from pathlib import Path

from hocket.sketch.annotations import find_loops
from hocket.sketch.tokens import Lines, tokens_of
from hocket.sketch.translate import translate_tabs

FILE = Path("/sketches/demo/demo.ino")


def translated(text: str) -> str:
    """The translation of one tab, without the preamble and the first #line."""
    loops = find_loops(tokens_of(text), Lines(text), FILE, macros=False)
    output = translate_tabs([(FILE, text)], loops)
    marker = f'#line 1 "{FILE}"\n'
    assert output.count(marker) >= 1
    return output[output.index(marker) + len(marker) :]


def lines_by_place(output: str) -> dict[tuple[str, int], list[str]]:
    """What a compiler would call each line of the translation: (file, line) → texts."""
    places: dict[tuple[str, int], list[str]] = {}
    file, line = "", 0
    for text in output.split("\n"):
        directive = re.fullmatch(r'#line (\d+) "(.*)"', text)
        if directive:
            file, line = directive.group(2), int(directive.group(1))
            continue
        places.setdefault((file, line), []).append(text)
        line += 1
    return places
