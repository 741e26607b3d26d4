"""Handles code that Arduino's compiler accepts (gcc with `-fpermissive`) and clang does not.

For some cases clang has flags (FLAGS). The others are corrected in a copy of the source, at the place that
the compiler's message gives:
- a conversion that needs a cast gets it
- a pointer that is compared with a number is converted to a number
- a case whose variable is jumped over gets braces
- a call of Wire.requestFrom() with numbers of two types gets numbers of one type

Each correction produces a warning that says what to write. A source with any other error is left unchanged,
so that its messages are those of the original.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from hocket.sketch.tokens import Kind, Token, tokens_of

# Clang's default errors that become warnings here, as with gcc's -fpermissive.
FLAGS = (
    *("-Wno-error=c++11-narrowing", "-Wno-error=c++11-narrowing-const-reference"),
    *("-Wno-error=register", "-Wno-error=reserved-user-defined-literal"),
    *("-Wno-error=address-of-temporary", "-Wno-error=implicit-int"),
    *("-Wno-error=implicit-function-declaration", "-Wno-error=int-conversion"),
    "-Wno-error=incompatible-function-pointer-types",
)
# With these flags the messages contain the operands, and all errors are reported.
ASKED = (
    *("-fsyntax-only", "-fdiagnostics-print-source-range-info", "-fno-caret-diagnostics"),
    *("-ferror-limit=0", "-w"),
)
# A correction may reveal a further error. This is the maximum number of compilations of a source.
_ROUNDS = 4

_MESSAGE = re.compile(
    r"^(?P<file>[^\n]+?):(?P<line>\d+):(?P<column>\d+):(?P<ranges>(?:\{[\d:-]+\})*:?)"
    r" (?P<kind>(?:fatal )?error|note): (?P<text>.*)$",
    re.MULTILINE,
)
_RANGE = re.compile(r"\{(\d+):(\d+)-(\d+):(\d+)\}")
_TYPE = r"'(?P<{}>[^']+)'(?: \(aka '[^']+'\))?"
_FROM, _TO = _TYPE.format("source"), _TYPE.format("target")
_CONVERSIONS = [
    re.compile(rf"^cannot initialize .* of type {_TO} with an [lr]value of type {_FROM}"),
    re.compile(rf"^assigning to {_TO} from incompatible type {_FROM}"),
    re.compile(rf"^assigning to {_TO} from {_FROM} discards qualifiers"),
    re.compile(rf"^incompatible pointer to integer conversion \w+ to {_TO} from {_FROM}"),
    re.compile(rf"^incompatible integer to pointer conversion \w+ to {_TO} from {_FROM}"),
]
_ARGUMENT = re.compile(
    r"^candidate .*not viable: (?:no known conversion from|cannot convert argument of incomplete type) "
    rf"{_FROM} to {_TO} for (?P<number>\d+)\w\w argument"
)
_COMPARISON = re.compile(
    rf"^comparison between pointer and integer \({_TYPE.format('left')} and {_TYPE.format('right')}\)"
)
_QUALIFICATION = "extra qualification on member"
_JUMP = "cannot jump from switch statement to this case label"
_BYPASS = "jump bypasses variable initialization"
# Arduino's Wire for AVR declares (uint8_t, uint8_t) and (int, int). With one argument of each type gcc takes
# the latter.
_AMBIGUOUS = "call to member function 'requestFrom' is ambiguous"
_NUMBER = re.compile(
    r"(?:const |volatile )*(?:(?:un)?signed |long |short )*(?:bool|char|short|int|long|float|double|"
    r"u?int\d+_t|size_t|byte|word|boolean)"
)


@dataclass(frozen=True)
class _Message:
    file: str
    line: int
    column: int
    ranges: list[tuple[int, int, int, int]]
    error: bool
    text: str


@dataclass(frozen=True)
class _Mend:
    """Insertions (offset in the text, inserted text), and the warning at the first of them."""

    insertions: tuple[tuple[int, str], ...]
    warning: str


@dataclass(frozen=True)
class Mended:
    """A corrected source, and its warnings in clang's format."""

    text: str
    warnings: list[str]


def mend(text: str, file: Path, errors_of: Callable[[str], str]) -> Mended | None:
    """Returns the text with all its errors corrected, or None if an error cannot be corrected. errors_of:
    compiles a text with ASKED and returns the compiler's messages."""
    mended, warnings = text, list[str]()
    for _ in range(_ROUNDS):
        messages = list(_messages(errors_of(mended)))
        if not any(message.error for message in messages):
            return Mended(mended, warnings)
        mends = _mends(_Source(mended, file), messages)
        if mends is None:
            return None
        warnings += [mend.warning for mend in mends]
        insertions = [place for mend in mends for place in mend.insertions]
        for offset, inserted in sorted(dict.fromkeys(insertions), reverse=True):
            mended = mended[:offset] + inserted + mended[offset:]
    return None


def _messages(said: str) -> Iterator[_Message]:
    for found in _MESSAGE.finditer(said):
        ranges = [
            (int(a), int(b), int(c), int(d)) for a, b, c, d in _RANGE.findall(found["ranges"])
        ]
        yield _Message(
            found["file"],
            int(found["line"]),
            int(found["column"]),
            ranges,
            found["kind"] != "note",
            found["text"],
        )


class _Source:
    """A text with named lines (`#line`), and its tokens."""

    def __init__(self, text: str, file: Path) -> None:
        self.text = text
        self.tokens = [token for token in tokens_of(text) if token.kind is not Kind.COMMENT]
        self._begins: dict[tuple[str, int], int] = {}  # offsets by file and line number
        self._lines: list[int] = []  # the offsets of all lines
        self._starts: list[int] = [token.start for token in self.tokens]
        name, number, offset = str(file), 1, 0
        for line in text.splitlines(keepends=True):
            self._lines.append(offset)
            directive = re.match(r'#line (\d+) "(.*)"', line)
            if directive:
                number, name = int(directive[1]) - 1, re.sub(r"\\(.)", r"\1", directive[2])
            else:
                self._begins[name, number] = offset
            offset += len(line)
            number += 1

    def offset(self, file: str, line: int, column: int) -> int | None:
        """Returns the offset of a line and a column (in bytes, from 1), or None for a line of another
        file."""
        begin = self._begins.get((file, line))
        return None if begin is None else self._behind(begin, column)

    def _behind(self, begin: int, column: int) -> int:
        end = self.text.find("\n", begin)
        data = self.text[begin : end if end >= 0 else len(self.text)].encode(
            errors="surrogateescape"
        )
        return begin + len(data[: column - 1].decode(errors="surrogateescape"))

    def piece(self, message: _Message, number: int) -> tuple[int, int] | None:
        """Returns the beginning and the end of an operand of a message. The compiler counts the lines of
        operands from the first line of the text, regardless of `#line`."""
        if (message.file, message.line) not in self._begins or number >= len(message.ranges):
            return None
        first, column, last, end = message.ranges[number]
        if last > len(self._lines):
            return None
        return self._behind(self._lines[first - 1], column), self._behind(
            self._lines[last - 1], end
        )

    def token_at(self, offset: int) -> int:
        return max(0, bisect_right(self._starts, offset) - 1)


def _mends(source: _Source, messages: list[_Message]) -> list[_Mend] | None:
    """Returns one correction for each error, or None if an error has no correction."""
    mends: dict[tuple[tuple[int, str], ...], _Mend] = {}
    for at, message in enumerate(messages):
        if not message.error:
            continue
        notes = []
        for note in messages[at + 1 :]:
            if note.error:
                break
            notes.append(note)
        found = list(_mends_of(source, message, notes))
        if not found:
            return None
        for mend in found:
            mends.setdefault(mend.insertions, mend)
    return list(mends.values())


def _mends_of(source: _Source, message: _Message, notes: list[_Message]) -> Iterator[_Mend]:
    for pattern in _CONVERSIONS:
        found = pattern.match(message.text)
        if found:
            piece = source.piece(message, len(message.ranges) - 1)
            yield from _cast(source, message, piece, found["source"], found["target"])
            return
    compared = _COMPARISON.match(message.text)
    if compared:
        yield from _comparison(source, message, compared)
    elif message.text.startswith(_QUALIFICATION):
        piece = _qualification(source, message)
        if piece is not None:
            name = source.text[piece[0] : piece[1]]
            what = f"within the class its own name is too much: write the member without {name}"
            yield _Mend(((piece[0], "/*"), (piece[1], "*/")), _warning(message, what))
    elif message.text == _JUMP:
        for note in notes:
            if note.text == _BYPASS:
                yield from _braces(source, note)
    elif message.text == _AMBIGUOUS:
        yield from _of_one_type(source, message)
    elif message.text.startswith("no matching ") and len(notes) == 1:
        found = _ARGUMENT.match(notes[0].text)
        if found:
            piece = _argument(source, message, int(found["number"]))
            yield from _cast(source, message, piece, found["source"], found["target"])


def _cast(
    source: _Source, message: _Message, piece: tuple[int, int] | None, from_: str, to: str
) -> Iterator[_Mend]:
    if piece is None or not _permitted(from_, to):
        return
    begin, end = piece
    narrows = _pointer(from_) and not _pointer(to)
    cast = f"({to})(__INTPTR_TYPE__)(" if narrows else f"({to})("
    written = source.text[begin:end].partition("\n")[0]
    what = (
        f"a value of type '{from_}' becomes '{to}' here without a cast, which C++ does not allow: "
    )
    what += f"write ({to}){written}"
    if narrows:
        what = f"an address ('{from_}') becomes a number ('{to}') here, which is hardly meant"
        what += ": for one character write 'a' instead of \"a\"" if _text(from_) else ""
    yield _Mend(((begin, cast), (end, ")")), _warning(message, what))


def _of_one_type(source: _Source, message: _Message) -> Iterator[_Mend]:
    pieces = [piece for number in (1, 2, 3) if (piece := _argument(source, message, number))]
    written = ", ".join(f"int({source.text[begin:end]})" for begin, end in pieces)
    what = (
        "the arguments are of different types, and there is a requestFrom() for each: "
        f"write requestFrom({' '.join(written.split())})"
    )
    casts = tuple(place for begin, end in pieces for place in ((begin, "int("), (end, ")")))
    yield _Mend(casts, _warning(message, what))


def _pointer(type_: str) -> bool:
    return "*" in type_ or type_.endswith("]")


def _text(type_: str) -> bool:
    return re.fullmatch(r"(?:const )?char ?(?:\*|\[\d*\])", type_) is not None


def _permitted(from_: str, to: str) -> bool:
    """Returns whether gcc converts between these types with -fpermissive: void pointers, numbers and
    pointers, constant to not constant, functions with other parameters, a number to an enumerator."""
    if _pointer(from_) and _pointer(to):
        bare = [re.sub(r"\bconst\b|\s|\[\d*\]|\*", "", type_) for type_ in (from_, to)]
        return "void" in bare or bare[0] == bare[1] or ("(" in from_ and "(" in to)
    if _pointer(from_):
        return _NUMBER.fullmatch(to) is not None
    return _NUMBER.fullmatch(from_) is not None


def _comparison(source: _Source, message: _Message, found: re.Match[str]) -> Iterator[_Mend]:
    pointer = 0 if _pointer(found["left"]) else 1
    piece = source.piece(message, pointer)
    if piece is None:
        return
    name = source.text[piece[0] : piece[1]]
    types = (found["left"], found["right"])
    what = (
        f"an address ('{types[pointer]}') is compared with a number ('{types[1 - pointer]}'), which is "
        "hardly meant"
    )
    if _text(types[pointer]):
        what += (
            f": for its first character write {name}[0], for a whole text strcmp({name}, …) == 0"
        )
    yield _Mend(((piece[0], "(__INTPTR_TYPE__)("), (piece[1], ")")), _warning(message, what))


def _warning(message: _Message, text: str) -> str:
    return f"{message.file}:{message.line}:{message.column}: warning: {text}"


def _argument(source: _Source, message: _Message, number: int) -> tuple[int, int] | None:
    """Returns the place of the number-th argument (from 1) of the call at the message's place."""
    offset = source.offset(message.file, message.line, message.column)
    if offset is None:
        return None
    at = source.token_at(offset)
    tokens = source.tokens
    while at < len(tokens) and not tokens[at].is_mark("("):
        at += 1
    arguments: list[list[Token]] = [[]]
    depth = 0
    for token in tokens[at:]:
        depth -= token.kind is Kind.MARK and token.text in ")]}"
        if depth == 0 and token.is_mark(")"):
            break
        if depth == 1 and token.is_mark(","):
            arguments.append([])
        elif depth > 0:
            arguments[-1].append(token)
        depth += token.kind is Kind.MARK and token.text in "([{"
    if number > len(arguments) or not arguments[number - 1]:
        return None
    words = arguments[number - 1]
    return words[0].start, words[-1].end


def _qualification(source: _Source, message: _Message) -> tuple[int, int] | None:
    """Returns the place of `Class::` before the name at the message's place."""
    offset = source.offset(message.file, message.line, message.column)
    if offset is None:
        return None
    at = first = source.token_at(offset)
    while first > 1 and source.tokens[first - 1].is_mark("::"):
        first -= 2
    return (source.tokens[first].start, source.tokens[at - 1].end) if first < at else None


def _braces(source: _Source, note: _Message) -> Iterator[_Mend]:
    """Adds braces around the code between the labels before this variable and the next labels of its
    switch."""
    offset = source.offset(note.file, note.line, note.column)
    if offset is None:
        return
    tokens = source.tokens
    begin = _behind_label(tokens, source.token_at(offset))
    end = _next_label(tokens, source.token_at(offset))
    if begin is None or end is None:
        return
    what = (
        "the switch may jump over this variable's first value: its case is compiled with braces around it; "
        "write them, case …: { … }"
    )
    yield _Mend(((tokens[begin].end, "{"), (tokens[end].start, "}")), _warning(note, what))


def _behind_label(tokens: list[Token], at: int) -> int | None:
    """Returns the index of the colon of the nearest label before a token, in the same switch."""
    depth = 0
    for index in range(at, -1, -1):
        token = tokens[index]
        if token.kind is Kind.DIRECTIVE:
            return None  # the label could be in another branch of the condition
        depth += token.kind is Kind.MARK and token.text in ")]}"
        if token.kind is Kind.MARK and token.text in "([{":
            depth -= 1
            if depth < 0:
                return None
        if depth == 0 and token.is_word("case", "default"):
            return _colon(tokens, index)
    return None


def _colon(tokens: list[Token], label: int) -> int | None:
    conditions = 0
    for index in range(label, len(tokens)):
        conditions += tokens[index].is_mark("?")
        if tokens[index].is_mark(":"):
            if conditions == 0:
                return index
            conditions -= 1
    return None


def _next_label(tokens: list[Token], at: int) -> int | None:
    """Returns the index of the next label after a token, in the same switch."""
    depth = 0
    for index in range(at, len(tokens)):
        token = tokens[index]
        if token.kind is Kind.DIRECTIVE:
            return None
        if depth == 0 and token.is_word("case", "default"):
            return index
        depth += token.kind is Kind.MARK and token.text in "([{"
        if token.kind is Kind.MARK and token.text in ")]}":
            depth -= 1
            if depth < 0:
                return None
    return None
