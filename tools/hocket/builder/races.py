"""Globals that loops share in a way that loses or breaks values, on every board.

Three kinds are looked for, each with its own warning:

- two loops change a number, and one of the changes reads it first (`count++`): an update is lost;
- loops use one `String` or container, and one of them changes it: its memory moves under the reader;
- a loop assigns a whole struct that another loop reads: it reads half of the old and half of the new one.

Only what is plain is looked at: variables at namespace scope, the bodies of loops and of handlers, and the
functions that these call by name. A plain store of a flag by two loops is no race, nor are elements of an
array whose constant indices differ. A body that takes a lock counts as guarded. noInterrupts() guards
against handlers; against other loops it does so on the Uno alone, where it stops them as well. What is
half moved of one number is a matter of the Uno (torn_values.py).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from hocket.boards import Board
from hocket.builder.torn_values import (
    HANDLER,
    LOOPS,
    NUMBERS,
    ONE_BYTE,
    VECTORS,
    apart,
    declared,
    signature,
    statements,
)
from hocket.sketch.folder import Sketch, read_source
from hocket.sketch.tokens import Kind, Lines, Token

_LOCKS = {
    *("spinlockLock", "SpinlockGuard", "p", "lock", "try_lock", "tryLock", "lock_guard"),
    *("unique_lock", "scoped_lock", "beginTransaction"),
}
_MASKS = {
    *("noInterrupts", "cli", "ATOMIC_BLOCK", "detachInterrupt", "EIMSK", "PCICR"),
    *("PCMSK0", "PCMSK1", "PCMSK2", "TIMSK0", "TIMSK1", "TIMSK2"),
}
_OTHER_WORDS = {"static", "volatile", "signed", "unsigned", "inline", "constinit"}
_NO_VARIABLE = {
    *("const", "constexpr", "PROGMEM", "typedef", "extern", "using", "template", "thread_local"),
    *("class", "struct", "union", "enum", "friend", "operator", "return", "__flash"),
}
_CONTAINERS = {"string", "vector", "map", "deque", "list", "queue", "set", "unordered_map"}
_CHANGES = {
    *("concat", "remove", "replace", "trim", "toUpperCase", "toLowerCase", "setCharAt", "reserve"),
    *("push_back", "pop_back", "push_front", "pop_front", "push", "pop", "insert", "erase"),
    *("clear", "resize", "assign", "append", "emplace", "emplace_back"),
}
_NOT_TYPES = {
    "return",
    "else",
    "case",
    "goto",
    "new",
    "delete",
    "throw",
    "sizeof",
    "and",
    "or",
    "not",
}
_ASSIGNS = re.compile(r"(?:([-+*/%&|^]|<<|>>)?=(?!=))|(\+\+|--)")


@dataclass(frozen=True)
class Race:
    """A variable's declaration, and what is wrong, as the compiler would say it."""

    name: str
    path: Path
    line: int
    said: str

    @property
    def warning(self) -> str:
        return f"{self.path}:{self.line}: warning: {self.said}"


@dataclass(frozen=True)
class _Use:
    """index: as written where it is a constant, `?` where it is not, "" where there is none. member: a field
    or a method, or "".

    change: "" reads, "=" stores, "+" reads and stores.
    """

    name: str
    index: str = ""
    member: str = ""
    change: str = ""


@dataclass
class _Body:
    name: str
    root: str | None  # `loop 1`, `the handler f()`; None: an ordinary function
    uses: list[_Use]
    calls: set[str]
    locked: bool
    masked: bool
    attached: frozenset[str] = frozenset()


@dataclass(frozen=True)
class _Global:
    name: str
    kind: str  # "number", "container", "struct"
    path: Path
    line: int


@dataclass
class _Seen:
    """How a loop or a handler uses a variable. Each use: whether a lock, and whether a mask, guards it."""

    uses: dict[tuple[_Use, bool, bool], None] = field(default_factory=dict)  # each once, in order


def races(sketch: Sketch, board: Board) -> list[Race]:
    """The races of a sketch's own files, in the order of the variables' declarations."""
    variables: list[_Global] = []
    bodies: list[_Body] = []
    structs: set[str] = set()
    texts = [(path, read_source(path)) for path in (*sketch.tabs, *sketch.sources)]
    for header in sketch.headers:
        structs |= _structs(read_source(header))
    for _, text in texts:
        structs |= _structs(text)
    for path, text in texts:
        lines = Lines(text)
        for statement, body in statements(text):
            if body is None:
                variables += _variables(statement, structs, path, lines)
            else:
                bodies += _bodies(statement, body, text)
    seen = _seen(bodies)
    one_processor = board.byte_at_a_time  # there noInterrupts() stops the other loops as well
    read = {use.name for body in bodies for use in body.uses if not use.change}
    found = (
        _race(each, seen.get(each.name, {}), one_processor)
        for each in variables
        if each.name in read  # else it only keeps the compiler from leaving something out
    )
    return [race for race in found if race is not None]


def _race(variable: _Global, users: dict[str, _Seen], masks_stop_loops: bool) -> Race | None:
    for one, mine in sorted(users.items()):
        if one.startswith(HANDLER):
            continue  # nothing of a loop comes between while it runs, or the loop guards itself
        for use, locked, masked in mine.uses:
            for other, theirs in sorted(users.items()):
                guarded = locked or (masked and (masks_stop_loops or other.startswith(HANDLER)))
                if other == one or guarded:
                    continue
                for their, *_ in theirs.uses:
                    if said := _said(variable, (one, use), (other, their)):
                        return Race(variable.name, variable.path, variable.line, said)
    return None


def _said(variable: _Global, one: tuple[str, _Use], other: tuple[str, _Use]) -> str:
    """What is wrong with an unguarded use beside another one; empty: nothing."""
    (mine, use), (theirs, their) = one, other
    if "?" in (use.index, their.index):
        return ""  # each loop may have an element of its own
    if use.index and their.index and use.index != their.index:
        return ""
    if variable.kind == "container":
        if not (_changes(use) or _changes(their)):
            return ""
        both = " and ".join(sorted((mine, theirs)))
        return (
            f"{both} use `{variable.name}` without a lock, and it is changed meanwhile: its memory may move "
            "while it is read. Let one loop own it, and pass the other loop numbers or a struct with a char "
            "array by a Channel or a Ringbuf"
        )
    same_member = use.member == their.member or not use.member or not their.member
    if use.change == "+" and their.change and same_member:
        place = f"{variable.name}.{use.member}" if use.member else variable.name
        both = " and ".join(sorted((mine, theirs)))
        return (
            f"{both} change `{place}` without a lock: of two changes at one time, one is lost. Hold a "
            "Spinlock around each change, or let one loop change it and pass it the other's values by a "
            "Ringbuf"
        )
    if variable.kind == "struct" and not use.member and use.change == "=" and not their.change:
        return (
            f"{mine} writes `{variable.name}` while {theirs} may read it: what is read may be half old and "
            "half new. Give it a Channel, or hold a Spinlock around each use"
        )
    return ""


def _changes(use: _Use) -> bool:
    return bool(use.change) or use.member in _CHANGES


# --- What a file declares ---


def _structs(text: str) -> set[str]:
    """Names of structs with several members and without methods."""
    found = set()
    for match in re.finditer(r"\bstruct\s+(\w+)\s*\{([^{}()]*)\}", text):
        if len(re.findall("[;,]", match[2])) >= 2:
            found.add(match[1])
    return found


def _variables(
    statement: Sequence[Token], structs: set[str], path: Path, lines: Lines
) -> Iterator[_Global]:
    words: list[str] = []
    for token in statement:
        if token.kind is not Kind.WORD:
            break
        words.append(token.text)
    if _NO_VARIABLE & set(words) - ({"struct"} if words[:1] == ["struct"] else set()):
        return
    if words and words[-1] in ("std",) and len(statement) > len(words) + 1:
        yield from _of_std(statement, len(words), path, lines)
        return
    names = [word for word in words[:-1] if word not in _OTHER_WORDS]
    names = names[1:] if names[:1] == ["struct"] else names
    is_number = bool(set(words[:-1]) & (set(NUMBERS) | ONE_BYTE))
    if is_number:
        kind = "number"
    elif names == ["String"]:
        kind = "container"
    elif len(names) == 1 and names[0] in structs:
        kind = "struct"
    else:
        return
    yield from _names(statement, len(words) - 1, kind, path, lines)


def _of_std(statement: Sequence[Token], at: int, path: Path, lines: Lines) -> Iterator[_Global]:
    """`std::vector<int> name`."""
    if not (statement[at].is_mark("::") and statement[at + 1].text in _CONTAINERS):
        return
    at += 2
    depth = 0
    while at < len(statement):
        token = statement[at]
        depth += token.is_mark("<") - token.is_mark(">")
        if depth == 0 and token.kind is Kind.WORD:
            yield from _names(statement, at, "container", path, lines)
            return
        at += 1


def _names(
    statement: Sequence[Token], first: int, kind: str, path: Path, lines: Lines
) -> Iterator[_Global]:
    behind = statement[first + 1] if len(statement) > first + 1 else None
    if behind is not None and behind.is_mark("("):
        return  # a function, or a constructor with arguments that cannot be told from it
    for token in declared(statement[first:]):
        yield _Global(token.text, kind, path, lines.line(token.start))


# --- What a body does ---


def _bodies(head: list[Token], body: list[Token], text: str) -> Iterator[_Body]:
    named = signature(head)
    if named is None:
        return
    name, between = named
    arguments = [token.text for token in between]
    root = None
    if name in LOOPS:
        root = f"loop {arguments[0]}" if arguments else "loop()"
    elif name in VECTORS and arguments:
        root = f"{HANDLER}of {arguments[0]}"
    rest, attached, lambdas = apart(body)
    parameters = {
        token.text
        for token, behind in pairwise((*between, head[-1]))
        if token.kind is Kind.WORD and behind.text in (",", ")", "=", "[") and root is None
    }
    yield _body(name, root, rest, text, parameters, attached)
    for each in lambdas:
        yield _body("", f"{HANDLER}in {name}()", each, text, set(), frozenset())


def _body(
    name: str,
    root: str | None,
    body: list[Token],
    text: str,
    parameters: set[str],
    attached: frozenset[str],
) -> _Body:
    words = {token.text for token in body if token.kind is Kind.WORD}
    hidden = parameters | set(_locals(body))
    uses, calls = [], set()
    own = set[int]()  # where a change reads its own variable
    for at, token in enumerate(body):
        if token.kind is not Kind.WORD or token.text in hidden or _is_member(body, at):
            continue
        if at in own:
            continue
        if at + 1 < len(body) and body[at + 1].is_mark("("):
            calls.add(token.text)
        uses.append(_use(body, at, text))
        if uses[-1].change == "+":
            own |= set(_same(body, at))
    return _Body(name, root, uses, calls, bool(words & _LOCKS), bool(words & _MASKS), attached)


def _is_member(body: list[Token], at: int) -> bool:
    return at > 0 and body[at - 1].text in (".", "->", "::")


def _locals(body: list[Token]) -> Iterator[str]:
    """Names that a body declares itself: a type's word stands before each."""
    for at in range(1, len(body)):
        token, before = body[at], body[at - 1]
        if token.kind is not Kind.WORD:
            continue
        if before.kind is Kind.WORD and before.text not in _NOT_TYPES:
            yield token.text
        elif before.text in ("*", "&", ">", "&&") and at > 1:
            first = at - 2
            while first > 0 and body[first].text in ("*", "&", "const"):
                first -= 1
            starts = first == 0 or body[first - 1].text in (
                ";",
                "{",
                "}",
                "(",
                "const",
                "static",
                "::",
            )
            if starts and body[first].kind is Kind.WORD and body[first].text not in _NOT_TYPES:
                yield token.text


def _use(body: list[Token], at: int, text: str) -> _Use:
    name, end, index, member = body[at].text, at + 1, "", ""
    if end < len(body) and body[end].is_mark("["):
        last = _bracket(body, end)
        inside = body[end + 1 : last]
        constant = len(inside) == 1 and (inside[0].kind is Kind.NUMBER or inside[0].text.isupper())
        index = inside[0].text if constant else "?"
        end = last + 1
    if end + 1 < len(body) and body[end].text in (".", "->") and body[end + 1].kind is Kind.WORD:
        member, end = body[end + 1].text, end + 2
        while end + 1 < len(body) and body[end].text in (".", "->"):
            end += 2
        if end < len(body) and body[end].is_mark("["):
            end = _bracket(body, end) + 1
    return _Use(name, index, member, _change(body, at, end, text))


def _bracket(body: list[Token], at: int) -> int:
    depth = 0
    for place in range(at, len(body)):
        depth += body[place].is_mark("[") - body[place].is_mark("]")
        if depth == 0:
            return place
    return len(body) - 1


def _change(body: list[Token], at: int, end: int, text: str) -> str:
    start = body[at].start
    if text[max(0, start - 2) : start] in ("++", "--"):
        return "+"
    if end >= len(body):
        return ""
    found = _ASSIGNS.match(text, body[end].start)
    if found is None:
        return ""
    if found[1] or found[2]:
        return "+"
    return "+" if any(_same(body, at)) else "="


def _same(body: list[Token], at: int) -> Iterator[int]:
    """Where the statement names the same variable again."""
    for place in range(at + 1, len(body)):
        if body[place].text in (";", "{", "}"):
            break
        if body[place].is_word(body[at].text):
            yield place


# --- Who reaches what ---


def _seen(bodies: Sequence[_Body]) -> dict[str, dict[str, _Seen]]:
    """Of each name, how each loop and handler uses it, also by the functions that it calls."""
    attached = {name for body in bodies for name in body.attached}
    by_name: dict[str, list[_Body]] = defaultdict(list)
    for body in bodies:
        by_name[body.name].append(body)
    found: dict[str, dict[str, _Seen]] = defaultdict(lambda: defaultdict(_Seen))
    for body in bodies:
        root = body.root
        if root is None and body.name in attached:
            root = f"{HANDLER}{body.name}()"
        if root is None:
            continue
        reached, waiting = set[tuple[int, bool, bool]](), [(body, False, False)]
        while waiting:
            now, locked, masked = waiting.pop()
            locked, masked = locked or now.locked, masked or now.masked
            if (id(now), locked, masked) in reached:
                continue
            reached.add((id(now), locked, masked))
            for use in now.uses:
                found[use.name][root].uses[use, locked, masked] = None
            for name in now.calls:
                waiting += [(each, locked, masked) for each in by_name[name] if each.root is None]
    return found
