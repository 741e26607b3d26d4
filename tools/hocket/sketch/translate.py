"""Turns a sketch's .ino files into one C++ text whose lines still point into the sketch.

The files are joined as the Arduino IDE joins them. `void loop(1, 70, 100) {` becomes `HOCKET_LOOP(1, 70, 100)
{`, and prototypes are inserted. Nothing else changes. `#line` keeps the sketch's own files and lines in
compiler messages, `__FILE__`, debug information and fault reports.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hocket.errors import HocketError
from hocket.sketch.annotations import MACROS, Loop, check_ids, find_loops
from hocket.sketch.folder import Sketch, read_source
from hocket.sketch.near_entry import near_entry
from hocket.sketch.own_main import OwnMain, own_main
from hocket.sketch.prototypes import Prototype, TooManyConditionsError, prototypes_of
from hocket.sketch.scopes import walk
from hocket.sketch.tokens import Kind, Lines, directive_name, tokens_of

PREAMBLE = "#include <Arduino.h>\n"
# The names that only Hocket has. A sketch that uses none of them does not include Hocket's header, so that it
# may define names such as Channel itself, as on every other board.
HOCKET_PREAMBLE = "#include <Hocket.h>\n"
_HOCKET_WORDS = (
    *("channelWrite", "channelRead", "ringbufInit", "ringbufWrite", "ringbufRead"),
    *("spinlockInit", "spinlockLock", "spinlockUnlock", "SpinlockGuard"),
    *("fifoPut", "fifoGet", "fifoGetRecord", "fifoAvailable", "fifoRoom", "fifoLost"),
    *("fifoIsOpen", "fifoState"),
    *("attachInterruptVcpu", "interruptsVcpu", "HOCKET_LOOP", "HOCKET_PERIODIC"),
)
_MACRO_OF = {kind: macro for macro, kind in MACROS.items()}


@dataclass(frozen=True)
class Translation:
    """The input of the compiler. text: None for a sketch that is C++ already. main: the sketch's own
    main()."""

    text: str | None
    loops: tuple[Loop, ...]
    main: OwnMain | None = None


def preamble_of(text: str) -> str:
    """Returns the generated lines before the sketch's own text."""
    both = PREAMBLE + HOCKET_PREAMBLE
    return both if text.startswith(both) else PREAMBLE


def translate(sketch: Sketch) -> Translation:
    """Translates a sketch and checks its loops. Raises HocketError with the place for what can never work."""
    tabs = [(path, read_source(path)) for path in sketch.tabs]
    others = [(path, read_source(path)) for path in (*sketch.sources, *sketch.headers)]
    loops = [loop for path, text in tabs for loop in _loops(text, path, macros=False)]
    for path, text in others:
        if any(macro in text for macro in MACROS):
            loops += _loops(text, path, macros=True)
    loops += [
        loop
        for path, text in tabs
        if any(macro in text for macro in MACROS)
        for loop in _loops(text, path, macros=True)
    ]
    check_ids(loops)
    if any(_includes(text, "epos.h") and _mentions(text, "main") for _, text in (*tabs, *others)):
        main = None  # an EPOS program includes epos.h; its main() becomes a loop
    elif (main := own_main((*tabs, *others), loops)) is None:
        _check_entry_points(sketch, tabs, others, loops)
    if not tabs:
        return Translation(None, tuple(loops), main)
    return Translation(translate_tabs(tabs, loops), tuple(loops), main)


@dataclass(frozen=True)
class Joined:
    """Tabs as one C++ text, and what it was made from.

    tabs       with their texts; each ends with a newline
    starts     where each begins in `text`, the joined tabs
    edits      start and end in `text`, and the replacement in the translation; in order
    preamble   the text before all of it
    """

    tabs: tuple[tuple[Path, str], ...]
    starts: tuple[int, ...]
    text: str
    edits: tuple[tuple[int, int, str], ...]
    preamble: str

    @property
    def translation(self) -> str:
        return self.preamble + _edited(self.text, self.edits) + _tail(self.text)


def translate_tabs(tabs: list[tuple[Path, str]], loops: list[Loop]) -> str:
    """Returns the C++ text of the joined tabs. loops: the annotated loops found in them."""
    return join_tabs(tabs, loops).translation


def join_tabs(tabs: list[tuple[Path, str]], loops: list[Loop]) -> Joined:
    """Joins the tabs and records the places of all changes."""
    by_file: dict[Path, list[Loop]] = {}
    for loop in loops:
        if not loop.from_macro:
            by_file.setdefault(loop.file, []).append(loop)
    joined_pieces: list[str] = []
    masked_pieces: list[str] = []
    base = 0
    starts: list[int] = []
    edits: list[tuple[int, int, str]] = []  # start, end, replacement
    hidden: set[int] = set()
    for path, text in tabs:
        starts.append(base)
        ended = text if text.endswith("\n") or not text else text + "\n"
        cover = list(ended)
        for loop in by_file.get(path, []):
            head = ended[loop.start : loop.open]
            edits.append((base + loop.start, base + loop.open, replaced_head(head, loop.kind)))
            hidden.add(base + loop.start)
            for at in range(loop.open + 1, loop.close):
                cover[at] = "\n" if ended[at] == "\n" else " "
        joined_pieces.append(ended)
        masked_pieces += cover
        base += len(ended)
    joined, masked = "".join(joined_pieces), "".join(masked_pieces)
    lines = Lines(joined)
    place = _Places(tabs, starts, lines)
    try:
        prototypes = prototypes_of(masked, frozenset(hidden))
    except TooManyConditionsError as problem:
        raise HocketError(
            "too many preprocessor conditions stand around functions without a declaration",
            "each declaration that Hocket adds repeats the #if and #elif that lead to its function",
            "declare this function above the first one, or move it out of its #if",
            *place.of(problem.offset),
        ) from None
    for prototype in prototypes:
        edits.append((prototype.position, prototype.position, place.inserted(prototype)))
    firsts = [
        (start, start, f'#line 1 "{_quoted(path)}"\n')
        for start, (path, _) in zip(starts, tabs, strict=True)
    ]
    preamble = PREAMBLE + HOCKET_PREAMBLE if loops or _uses_hocket(joined) else PREAMBLE
    ordered = sorted(firsts + edits, key=lambda edit: edit[:2])
    return Joined(tuple(tabs), tuple(starts), joined, tuple(ordered), preamble)


def _tail(text: str) -> str:
    """Returns the text for macros that a sketch may define anywhere, as with the stock core."""
    directives = (token.text for token in tokens_of(text) if token.kind is Kind.DIRECTIVE)
    if not any(re.match(r"\s*#\s*define\s+SERIAL_RX_BUFFER_SIZE\b", text) for text in directives):
        return ""
    return "#ifdef SERIAL_RX_BUFFER_SIZE\nHOCKET_SERIAL_BUFFER(SERIAL_RX_BUFFER_SIZE)\n#endif\n"


def _uses_hocket(text: str) -> bool:
    return any(token.is_word(*_HOCKET_WORDS) for token in tokens_of(text))


def replaced_head(head: str, kind: str) -> str:
    """Returns the macro that replaces `void loop`, on the same line, padded to the old width if it is
    shorter."""
    *above, last = head.split("\n")
    return "\n" * len(above) + _MACRO_OF[kind].ljust(len(last))


class _Places:
    """Files and lines of the joined text, and the text of an insertion that preserves them."""

    def __init__(self, tabs: list[tuple[Path, str]], starts: list[int], lines: Lines) -> None:
        self.tabs, self.starts, self.lines = tabs, starts, lines

    def of(self, offset: int) -> tuple[Path, int]:
        tab = bisect_right(self.starts, offset) - 1
        first_line = self.lines.line(self.starts[tab])
        return self.tabs[tab][0], self.lines.line(offset) - first_line + 1

    def inserted(self, prototype: Prototype) -> str:
        defined_in, defined_at = self.of(prototype.definition)
        here, line = self.of(prototype.position)
        column = self.lines.column(prototype.position)
        return (
            ("\n" if column else "")
            + f'#line {defined_at} "{_quoted(defined_in)}"\n{prototype.text}\n'
            + f'#line {line} "{_quoted(here)}"\n'
            + " " * column
        )


def _edited(text: str, edits: Sequence[tuple[int, int, str]]) -> str:
    """Applies sorted edits. At one offset insertions come first, then the replacement of text."""
    pieces = []
    at = 0
    for start, end, replacement in edits:
        pieces += [text[at:start], replacement]
        at = end
    return "".join([*pieces, text[at:]])


def _quoted(path: Path) -> str:
    return re.sub(r'(["\\])', r"\\\1", str(path))


def _loops(text: str, path: Path, macros: bool) -> list[Loop]:
    return find_loops(tokens_of(text), Lines(text), path, macros)


def _check_entry_points(
    sketch: Sketch,
    tabs: list[tuple[Path, str]],
    others: list[tuple[Path, str]],
    loops: list[Loop],
) -> None:
    """Checks that a sketch has a setup() and at least one loop, in any of its files."""
    everything = [*tabs, *others]
    main = everything[0][0]
    if _is_a_librarys(everything):
        return
    if not any(_mentions(text, "setup") for _, text in everything):
        fact = "this sketch has no setup()"
        raise near_entry(fact, everything, ("setup",)) or HocketError(
            fact,
            "setup() runs once, before all loops",
            "add: void setup() {}",
            main,
        )
    if not loops and not any(_mentions(text, "loop") for _, text in everything):
        fact = "this sketch has no loop"
        raise near_entry(fact, everything, ("loop", "periodic")) or HocketError(
            fact,
            "there is neither a loop() nor a loop(id, C, T)",
            "add: void loop() { … } or void loop(1, 20, 100) { … }",
            main,
        )


def _is_a_librarys(files: list[tuple[Path, str]]) -> bool:
    """Returns whether the sketch consists of includes only. Then the library has everything, including
    main()."""
    tokens = [token for _, text in files for token in tokens_of(text)]
    said = [token for token in tokens if token.kind is not Kind.COMMENT]
    return any(directive_name(token.text) == "include" for token in said) and all(
        token.kind is Kind.DIRECTIVE for token in said
    )


def _includes(text: str, header: str) -> bool:
    wanted = re.compile(rf'#\s*include\s*[<"]{re.escape(header)}[>"]')
    return header in text and any(
        place.token.kind is Kind.DIRECTIVE and wanted.match(place.token.text)
        for place in walk(tokens_of(text))
        if not place.dead
    )


def _mentions(text: str, name: str) -> bool:
    """Returns whether there is a function of this name at namespace scope, or a macro that may define one."""
    if name not in text:
        return False
    tokens = tokens_of(text)
    for place in walk(tokens):
        token = place.token
        if place.dead:
            continue
        if token.kind is Kind.DIRECTIVE and re.search(rf"\b{name}\b", token.text):
            return True
        if place.at_namespace_scope and token.is_word(name):
            behind = range(place.index + 1, len(tokens))
            following = next(
                (tokens[i] for i in behind if tokens[i].kind is not Kind.COMMENT), None
            )
            if following is not None and following.is_mark("("):
                return True
    return False
