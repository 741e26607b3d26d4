"""Handles a sketch with a main() of its own, as AVR programs have it: `int main() { init(); ... for (;;) {}
}`.

Hocket starts sketches through setup() and loop(). So main() gets another name, and an additional source calls
it from the loop() that Hocket calls. The sketch's own setup() and loop(), which such a main() may call, get
other names for the linker.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from hocket.errors import HocketError
from hocket.sketch.annotations import Loop
from hocket.sketch.scopes import walk
from hocket.sketch.tokens import Kind, Lines, tokens_of

_MAY_BE = re.compile(r"\bmain\s*\(")


@dataclass(frozen=True)
class OwnMain:
    """A sketch's main(). arguments: whether it takes argc and argv."""

    file: Path
    line: int
    arguments: bool

    @property
    def _parameters(self) -> str:
        return "int, char**" if self.arguments else "void"

    @property
    def before(self) -> str:
        """The text that is inserted before each of the sketch's sources."""
        return f"""\
#ifdef __cplusplus
extern "C" {{
#endif
void setup(void) __asm__("hocket_own_setup");
void loop(void) __asm__("hocket_own_loop");
static inline void init(void) {{}}
static inline void initVariant(void) {{}}
#ifdef __cplusplus
}}
#endif
int hocket_own_main({self._parameters}) __asm__("hocket_own_main");
#define main hocket_own_main
"""

    @property
    def beside(self) -> str:
        """The C source that calls main(). On an Arduino the processor stops when main() returns."""
        given = "0, 0" if self.arguments else ""
        return f"""\
int hocket_own_main({self._parameters});
void delay(unsigned long);
void setup(void) {{}}
void loop(void) {{
  hocket_own_main({given});
  for (;;) delay(1000);
}}
"""


def own_main(texts: Iterable[tuple[Path, str]], loops: Sequence[Loop]) -> OwnMain | None:
    """Returns the main() that one of the texts defines, or None. Raises HocketError if the sketch also has
    loops."""
    for path, text in texts:
        found = _defined(path, text)
        if found is None:
            continue
        if loops:
            raise HocketError(
                "a sketch with loops cannot have a main() of its own",
                "the system starts the loops, after setup()",
                "move what main() does into setup(), or into a loop",
                path,
                found.line,
            )
        return found
    return None


def _defined(path: Path, text: str) -> OwnMain | None:
    if not _MAY_BE.search(text):
        return None
    places = [
        p for p in walk(tokens_of(text)) if p.token.kind not in (Kind.COMMENT, Kind.DIRECTIVE)
    ]
    for at, place in enumerate(places):
        if not (place.token.is_word("main") and place.at_file_scope and not place.dead):
            continue
        if at == 0 or not places[at - 1].token.is_word("int"):
            continue
        after = [p.token for p in places[at + 1 : at + 12]]
        if not after or not after[0].is_mark("("):
            continue
        close = next((n for n, token in enumerate(after) if token.is_mark(")")), None)
        if close is None or close + 1 >= len(after) or not after[close + 1].is_mark("{"):
            continue
        parameters = [token for token in after[1:close] if not token.is_word("void")]
        return OwnMain(path, Lines(text).line(place.token.start), bool(parameters))
    return None
