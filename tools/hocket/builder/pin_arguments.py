"""Finds the pins that sketches pass to functions of the Arduino language: numbers, and names that stand for
one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from hocket.sketch.tokens import Kind, Lines, Token, directive_rest, tokens_of


class Call(NamedTuple):
    line: int
    function: str
    pin: int


def numbers_named(texts: Iterable[str], known: Mapping[str, int] | None = None) -> dict[str, int]:
    """Returns names that stand for a number: `#define LED 9`, `int led = 9;`, `const byte led{9};`. known:
    names that the board gives."""
    values = dict(known or {})
    for text in texts:
        tokens = code_of(text)
        for at, token in enumerate(tokens):
            if token.kind is Kind.DIRECTIVE:
                words = directive_rest(token.text).split()
                if token.text.lstrip("# \t").startswith("define") and len(words) == 2:
                    _learn(values, words[0], words[1])
            elif (
                0 < at < len(tokens) - 2
                and any(map(token.is_mark, "={"))
                and any(map(tokens[at + 2].is_mark, ";,}"))
            ):
                _learn(values, tokens[at - 1].text, tokens[at + 1].text)
    return values


def _learn(values: dict[str, int], name: str, number: str) -> None:
    value = _value(number, values)
    if value is not None:
        values[name] = value


def _value(text: str, values: Mapping[str, int]) -> int | None:
    if text.isdigit():
        return int(text) if text == "0" or text[0] != "0" else None
    return values.get(text)


def calls_of(text: str, functions: frozenset[str], values: Mapping[str, int]) -> Iterator[Call]:
    """Yields the calls of these functions whose first argument is a number or a name with a known number."""
    if not any(function in text for function in functions):
        return
    lines, tokens = Lines(text), code_of(text)
    for at, token in enumerate(tokens[:-3]):
        called = token.kind is Kind.WORD and token.text in functions and tokens[at + 1].is_mark("(")
        if not called or not (tokens[at + 3].is_mark(",") or tokens[at + 3].is_mark(")")):
            continue
        pin = _value(tokens[at + 2].text, values)
        if pin is not None:
            yield Call(lines.line(token.start), token.text, pin)


def code_of(text: str) -> list[Token]:
    return [token for token in tokens_of(text) if token.kind is not Kind.COMMENT]
