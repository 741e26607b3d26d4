"""Explains why a sketch has no setup() or no loop, if a function in it was probably meant to be one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path

from hocket.errors import HocketError
from hocket.sketch.scopes import walk
from hocket.sketch.tokens import Kind, Lines, tokens_of

_WRITE = {
    "setup": "write void setup() { … }",
    "loop": "write void loop() { … } or void loop(1, 20, 100) { … }",
    "periodic": "write void periodic(1, 5, 100) { … }",
}


def near_entry(
    fact: str, files: Sequence[tuple[Path, str]], wanted: tuple[str, ...]
) -> HocketError | None:
    """Returns an error if a function with a wanted name stands inside other braces, or one with a similar
    name outside."""
    for path, text in files:
        for name, line, inside in _functions(text):
            if inside and name in wanted:
                return HocketError(
                    fact,
                    f"{name} stands inside other braces here: a }} may be missing before it",
                    "close what stands before it with }",
                    path,
                    line,
                )
            if not inside and (near := _meant(name, wanted)):
                return HocketError(
                    fact, f"this function is called {name}, not {near}", _WRITE[near], path, line
                )
    return None


def _functions(text: str) -> Iterator[tuple[str, int, bool]]:
    """Yields name, line and whether it is inside other braces, of each `void NAME(`."""
    tokens = [token for token in tokens_of(text) if token.kind is not Kind.COMMENT]
    lines = Lines(text)
    for place in walk(tokens):
        following = tokens[place.index + 1 : place.index + 3]
        if place.dead or not place.token.is_word("void") or len(following) < 2:
            continue
        name, behind = following
        if name.kind is Kind.WORD and behind.is_mark("("):
            yield name.text, lines.line(name.start), not place.at_namespace_scope


def _meant(name: str, wanted: tuple[str, ...]) -> str:
    """Returns the wanted name that this one resembles: `loop` for `Loop`, `lop` and `loop1`."""
    near = get_close_matches(name.lower().rstrip("0123456789_"), wanted, 1, 0.75)
    return near[0] if near else ""
