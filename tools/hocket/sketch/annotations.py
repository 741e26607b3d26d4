"""Finds the annotated loops of a sketch and checks what can be checked without a compiler.

    void loop(1, 70, 100) { … }                 in an .ino: id, budget C, period T, options
    void periodic(2, 2ms, 10ms, 5ms) { … }      with a deadline D
    HOCKET_LOOP(1, 70, 100) { … }               in a .cpp: the macros themselves

Annotations are recognised at namespace scope only, and only if the parentheses do not hold C++ parameters: a
method or an overload named `loop` is left alone. Arguments may be expressions. Then the compiler's
static_assert checks them (arduino/runtime/loops.h).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from hocket.errors import HocketError, shorten
from hocket.sketch.scopes import Place, walk
from hocket.sketch.spans import Span, read_span, unknown_unit
from hocket.sketch.tokens import Kind, Lines, Token

MACROS = {"HOCKET_LOOP": "loop", "HOCKET_PERIODIC": "periodic"}
HIGHEST_ID = 255
MOST_BEHIND_DIRECTIVE = (
    1000  # tokens read at most to find out that an #if stands inside parentheses
)
_LONGEST_YEARS = 100  # kLongestPeriodNs of arduino/runtime/loops.h
_LONGEST = _LONGEST_YEARS * 365 * 86_400 * 10**9

_USES = (".", "->", "::", "=", "return", "else")  # a call follows these
_Wrong = Callable[[str, str, str], HocketError]

_TYPE_WORDS = {
    *("void", "bool", "char", "short", "int", "long", "float", "double", "signed", "unsigned"),
    *("const", "volatile", "auto", "struct", "class", "enum", "typename", "register", "wchar_t"),
    *("boolean", "byte", "word", "String", "size_t"),
    *("int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t"),
}


@dataclass(frozen=True)
class Loop:
    """One annotated loop. `start` … `open` is `void loop(` or the macro's name and parenthesis."""

    kind: str  # "loop" or "periodic"
    file: Path
    line: int
    start: int
    open: int  # offset of the opening parenthesis
    close: int  # offset of the closing one
    from_macro: bool
    arguments: tuple[tuple[Token, ...], ...]
    branches: tuple[tuple[int, int], ...]
    id: int | None = None  # None: a name whose value only the compiler knows


def find_loops(tokens: list[Token], lines: Lines, file: Path, macros: bool) -> list[Loop]:
    """Returns the annotated loops of one file, each checked by itself.

    macros: look for HOCKET_LOOP and HOCKET_PERIODIC (a C++ file) instead of `void loop(`. Raises HocketError
    at the first annotation that can never work.
    """
    loops = []
    code = [t for t in tokens if t.kind is not Kind.COMMENT]
    index_in_code = {t.start: i for i, t in enumerate(code)}
    for place in walk(tokens):
        if place.dead or not place.at_namespace_scope or place.token.kind is not Kind.WORD:
            continue
        at = index_in_code[place.token.start]
        statement = index_in_code[tokens[place.statement].start]
        loop = _annotation_at(code, at, place, statement, lines, file, macros)
        if loop is not None:
            loops.append(_checked(loop, code, index_in_code[loop.close]))
    return loops


def check_ids(loops: list[Loop]) -> None:
    """Refuses two loops with the same id, and names both places."""
    seen: dict[int, _Branches] = {}
    for loop in loops:
        if loop.id is None:
            continue
        other = seen.setdefault(loop.id, _Branches()).beside(loop)
        if other is not None:
            raise HocketError(
                f"loop {loop.id} is declared twice",
                f"the other one is at {shorten(other.file)}:{other.line}",
                "give each loop an id of its own, from 1 to 255",
                loop.file,
                loop.line,
            )


class _Branches:
    """The loops of one id that stand in different branches of `#if`s, as a tree. Each conditional has a
    unique number, so two loops exclude each other only if their paths part at a common conditional."""

    def __init__(self) -> None:
        self._number: int | None = None  # of the conditional that contains all of them
        self._inside: dict[int, _Branches] = {}  # by branch of this conditional
        self._first: Loop | None = None

    def beside(self, loop: Loop) -> Loop | None:
        """Returns a loop that can be compiled together with this one. If there is none, adds this loop and
        returns None."""
        at = self
        if at._first is not None and at._first.file != loop.file:
            return at._first
        for number, branch in loop.branches:
            if at._first is not None and at._number != number:
                return at._first
            at._number, at._first = number, at._first or loop
            at = at._inside.setdefault(branch, _Branches())
        if at._first is not None:
            return at._first
        at._first = loop
        return None


def _is_declaration(code: list[Token], at: int, first: int) -> bool:
    """Returns whether the tokens before `at` are macro calls that are declarations by themselves, such as
    HOCKET_ON_FAULT(StopSketch). They need no semicolon. first: the start of the statement."""
    while first < at:
        if not code[first].text.startswith("HOCKET_") or not code[first + 1].is_mark("("):
            return False
        _, closing = _arguments(code, first + 1)
        if closing is None or closing >= at:
            return False
        first = closing + 1
    return first == at


def _annotation_at(
    code: list[Token],
    at: int,
    place: Place,
    statement: int,
    lines: Lines,
    file: Path,
    macros: bool,
) -> Loop | None:
    name = at if macros else at + 1
    if macros:
        if code[at].text not in MACROS:
            return None
        kind = MACROS[code[at].text]
    elif code[at].text in ("loop", "periodic"):
        _check_void(code, at, lines, file)
        return None
    else:
        if not code[at].is_word("void") or not _word_at(code, name, "loop", "periodic"):
            return None
        kind = code[name].text
    opening = name + 1
    if opening >= len(code) or not code[opening].is_mark("("):
        return None
    line = lines.line(code[at].start)
    arguments, closing = _arguments(code, opening)
    if not macros and not _is_annotation(arguments):
        return None
    if closing is None:
        if written := _with_commas(code, opening):
            raise HocketError(
                f"`;` between the numbers of this {kind}",
                "its numbers are separated by commas",
                f"write void {kind}({written}) {{ … }}",
                file,
                line,
            )
        raise HocketError(
            f"the parenthesis of this {kind} is never closed",
            next_step=f"write void {kind}(id, C, T) {{ … }}",
            file=file,
            line=line,
        )
    if any(t.kind is Kind.DIRECTIVE for argument in arguments for t in argument):
        raise HocketError(
            f"a preprocessor line stands inside the parenthesis of this {kind}",
            next_step="put the #if around the whole loop, or use a constant",
            file=file,
            line=line,
        )
    if not macros and statement != at and not _is_declaration(code, at, statement):
        raise HocketError(
            f"`{code[statement].text}` before an annotated {kind}",
            f"a {kind} with a budget is declared by `void {kind}(…)` alone",
            f"remove what stands between the line's start and `void {kind}`",
            file,
            line,
        )
    start, end = code[at].start, code[closing].start
    return Loop(
        kind, file, line, start, code[opening].start, end, macros, arguments, place.branches
    )


def _check_void(code: list[Token], at: int, lines: Lines, file: Path) -> None:
    """Raises HocketError if a loop with its numbers and its body is declared without `void`."""
    kind, opening = code[at].text, at + 1
    before = code[at - 1] if at else None
    if before is not None and (before.is_word("void") or before.text in _USES):
        return
    if opening >= len(code) or not code[opening].is_mark("("):
        return
    arguments, closing = _arguments(code, opening)
    if len(arguments) < 3 or closing is None or not _starts_with_number(arguments[0]):
        return
    body = code[closing + 1] if closing + 1 < len(code) else None
    if body is None or not body.is_mark("{"):
        return
    numbers = ", ".join(_text(argument) for argument in arguments)
    raise HocketError(
        f"`void` is missing before {kind}({numbers})",
        f"a {kind} is declared as a function that returns nothing",
        f"write void {kind}({numbers}) {{ … }}",
        file,
        lines.line(code[at].start),
    )


def _with_commas(code: list[Token], opening: int) -> str:
    """Returns `1, 10, 100` for arguments written as `(1; 10; 100)`. Empty: the error is another one."""
    words: list[str] = []
    for token in code[opening + 1 : opening + 1 + MOST_BEHIND_DIRECTIVE]:
        if token.is_mark(")"):
            written = re.split("[;,]", "".join(words))
            return ", ".join(written) if ";" in words and len(written) > 2 else ""
        if token.kind is Kind.DIRECTIVE or (token.kind is Kind.MARK and token.text in "({}"):
            return ""
        words.append(token.text)
    return ""


def _word_at(code: list[Token], index: int, *words: str) -> bool:
    return index < len(code) and code[index].is_word(*words)


def _arguments(code: list[Token], opening: int) -> tuple[tuple[tuple[Token, ...], ...], int | None]:
    """Returns the arguments between parentheses, and the index of the closing one (None: there is none).

    Brackets are counted as in walk(), so that the arguments end where walk() is at namespace scope again, and
    no token belongs to two annotations. The two differ only after a preprocessor line, hence
    MOST_BEHIND_DIRECTIVE.
    """
    arguments: list[tuple[Token, ...]] = []
    current: list[Token] = []
    depth, braces = 0, list[int]()  # braces: the depth before each open brace
    end = len(code)
    for index in range(opening + 1, len(code)):
        token = code[index]
        if token.kind is Kind.DIRECTIVE:
            end = min(end, index + MOST_BEHIND_DIRECTIVE)
        if index == end:
            break
        if token.kind is Kind.MARK:
            outside = depth == 0 and not braces
            if outside and token.text == ")":
                if current or arguments:
                    arguments.append(tuple(current))
                return tuple(arguments), index
            if outside and token.text == ",":
                arguments.append(tuple(current))
                current = []
                continue
            if outside and token.text in "]};":
                break
            if token.text in "([":
                depth += 1
            elif token.text in ")]":
                depth = max(0, depth - 1)
            elif token.text == "{":
                braces.append(depth)
                depth = 0
            elif token.text == "}":
                depth = braces.pop() if braces else 0
        current.append(token)
    if current:
        arguments.append(tuple(current))
    return tuple(arguments), None


def _is_annotation(arguments: tuple[tuple[Token, ...], ...]) -> bool:
    """Returns whether these are a loop's numbers and not the parameters of a function."""
    if not arguments:
        return False
    first = arguments[0]
    if not first and len(arguments) > 1:
        return True  # `loop(, 70, 100)`: the id is missing
    if _starts_with_number(first):
        return True
    if any(_is_parameter(argument) for argument in arguments):
        return False
    return len(arguments) >= 3 or any(
        t.kind is Kind.NUMBER for argument in arguments for t in argument
    )


def _starts_with_number(argument: tuple[Token, ...]) -> bool:
    first = next((token for token in argument if not token.is_one_of("+-(")), None)
    return first is not None and first.kind is Kind.NUMBER


def _is_parameter(argument: tuple[Token, ...]) -> bool:
    if not argument or argument[0].is_mark("..."):
        return True
    if argument[-1].kind is Kind.MARK and argument[-1].text in ("&", "*", "&&", "..."):
        return True
    for token, following in pairwise(argument):
        if token.kind is Kind.WORD and following.kind is Kind.WORD:
            return True
        if token.is_mark("=") or token.is_mark("["):
            return True
    return argument[0].kind is Kind.WORD and argument[0].text in _TYPE_WORDS


def _checked(loop: Loop, code: list[Token], closing: int) -> Loop:
    """Returns the loop with its id. Raises HocketError for an annotation that can never work."""
    wanted = "id, C, T" if loop.kind == "loop" else "id, C, T, D"
    head = f"void {loop.kind}" if not loop.from_macro else f"HOCKET_{loop.kind.upper()}"

    def wrong(fact: str, cause: str, next_step: str) -> HocketError:
        return HocketError(fact, cause, next_step, loop.file, loop.line)

    if len(loop.arguments) < 3 or not all(loop.arguments):
        raise wrong(
            f"this {loop.kind} lacks {_missing(loop)}",
            "a loop states its id, its budget C and its period T",
            f"write {head}({wanted}) {{ … }}, for instance {head}(1, 20, 100) {{ … }}",
        )
    _check_units(loop)
    number = _checked_id(loop, wrong)
    name = f"{loop.kind} {_text(loop.arguments[0])}"
    budget, period = read_span(loop.arguments[1]), read_span(loop.arguments[2])
    deadline = read_span(loop.arguments[3]) if len(loop.arguments) > 3 else None
    if loop.kind == "loop" and deadline is not None:
        raise wrong(
            f"{name} has a fourth number",
            "a loop has a budget and a period; only periodic has a deadline",
            f"write {head}({wanted}), or void periodic(id, C, T, D) for one call in each period",
        )
    if any(read_span(argument) is not None for argument in loop.arguments[4:]):
        raise wrong(
            f"{name} has a fifth number",
            "a periodic has a budget, a period and a deadline; what follows them are options by name",
            f"write {head}({wanted})",
        )
    spans = (("budget C", budget), ("period T", period), ("deadline D", deadline))
    for what, span in spans:
        if span is not None and span.nanoseconds <= 0:
            raise wrong(
                f"the {what} of {name} is {span.text}",
                f"a {what.split()[0]} is more than 0",
                f"write {head}({wanted}) with times above 0",
            )
    _check_order(name, budget, period, deadline, wrong)
    if period is not None and period.nanoseconds > _LONGEST:
        raise wrong(
            f"the period T of {name} is {period}",
            f"a period is at most {_LONGEST_YEARS} years",
            "write a shorter period; to wait for long inside a loop, call delay()",
        )
    _check_body(name, code, closing, wrong)
    return replace(loop, id=number)


def _missing(loop: Loop) -> str:
    names = ("its id", "its budget C", "its period T")
    given = [bool(a) for a in loop.arguments[:3]] + [False] * (3 - len(loop.arguments[:3]))
    if all(given):
        return "an argument between two commas"
    return " and ".join(name for name, there in zip(names, given, strict=True) if not there)


def _text(argument: tuple[Token, ...]) -> str:
    return "".join(token.text for token in argument)


def _check_units(loop: Loop) -> None:
    for argument in loop.arguments[1:]:
        problem = unknown_unit(argument)
        if problem is not None:
            fact, next_step = problem
            raise HocketError(
                fact,
                "times are whole numbers with the units us, ms or s; a bare number is milliseconds",
                next_step,
                loop.file,
                loop.line,
            )


def _checked_id(loop: Loop, wrong: _Wrong) -> int | None:
    argument = loop.arguments[0]
    text = _text(argument)
    if len(argument) == 1 and argument[0].kind is Kind.WORD:
        return None
    span = read_span(argument)
    if span is None or span.unit not in ("", None):
        raise wrong(
            f"`{text}` is not a loop's id",
            "the id names the loop in the report: a number, or a constant's name",
            f"write a number from 1 to {HIGHEST_ID}",
        )
    number = span.nanoseconds // 1_000_000
    if number == 0:
        raise wrong(
            "a loop's id is 0", "0 is the plain loop()", f"use an id from 1 to {HIGHEST_ID}"
        )
    if not 1 <= number <= HIGHEST_ID:
        raise wrong(
            f"loop id {number} is out of range",
            f"ids go from 1 to {HIGHEST_ID}",
            f"use an id from 1 to {HIGHEST_ID}",
        )
    if len(argument) > 1:
        raise wrong(
            f"`{text}` is not a loop's id", "the id names the loop", f"write {number} alone"
        )
    return number


def _check_order(
    name: str, budget: Span | None, period: Span | None, deadline: Span | None, wrong: _Wrong
) -> None:
    if budget and period and budget.nanoseconds > period.nanoseconds:
        raise wrong(
            f"{name} asks for {budget} in every {period}",
            "a budget C cannot be longer than its period T",
            f"lower C to {period} or less, or raise T (the order is id, C, T)",
        )
    if deadline and period and deadline.nanoseconds > period.nanoseconds:
        raise wrong(
            f"the deadline of {name}, {deadline}, is later than its period of {period}",
            "each call must be done before the next one is released",
            f"lower D to {period} or less, or raise T (the order is id, C, T, D)",
        )
    if budget and deadline and budget.nanoseconds > deadline.nanoseconds:
        raise wrong(
            f"the budget of {name}, {budget}, is longer than its deadline of {deadline}",
            "the budget must be usable before the deadline",
            "lower C or raise D (the order is id, C, T, D)",
        )


def _check_body(name: str, code: list[Token], closing: int, wrong: _Wrong) -> None:
    behind = range(closing + 1, len(code))
    after = (code[i] for i in behind if code[i].kind is not Kind.DIRECTIVE)
    following = next(after, None)
    if following is None or not following.is_mark("{"):
        raise wrong(
            f"{name} has no body",
            f"after the parenthesis comes `{following.text}`"
            if following
            else "the file ends there",
            "write its body: { … }",
        )
