"""Finds global multi-byte numbers that loops and interrupt handlers share, on a board whose processor moves
one byte at a time.

An Uno reads an `int` in two steps. If a loop is preempted between them, it gets half of the old value and
half of the new one. The search covers variables at namespace scope with a C type, the bodies of loops and
handlers, and the functions that these call by name. If a body masks interrupts or takes a lock, its uses
count as safe. The uses of a handler are safe, because it runs with interrupts masked. In a sketch without
loops the plain loop() and its handlers are examined.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hocket.boards import Board
from hocket.sketch.folder import Sketch, read_source
from hocket.sketch.tokens import Kind, Lines, Token, tokens_of

NUMBERS = {
    "short": 2, "int": 2, "unsigned": 2, "word": 2, "int16_t": 2, "uint16_t": 2, "size_t": 2,
    "long": 4, "int32_t": 4, "uint32_t": 4, "float": 4, "double": 4, "int64_t": 8, "uint64_t": 8,
}  # fmt: skip
ONE_BYTE = {"char", "bool", "byte", "boolean", "int8_t", "uint8_t"}
_CONSTANT = {
    "const",
    "constexpr",
    "PROGMEM",
    "typedef",
    "extern",
    "using",
    "class",
    "struct",
    "enum",
}
_SAFE = {
    "noInterrupts", "cli", "ATOMIC_BLOCK", "spinlockLock", "SpinlockGuard", "Spinlock", "p",
    "lock", "beginTransaction",
    # Registers and calls that mask a single interrupt.
    "detachInterrupt", "EIMSK", "PCICR", "PCMSK0", "PCMSK1", "PCMSK2", "TIMSK0", "TIMSK1", "TIMSK2",
}  # fmt: skip
VECTORS = {"ISR", "SIGNAL", "INTERRUPT"}
LOOPS = {"loop", "periodic", "HOCKET_LOOP", "HOCKET_PERIODIC"}
# Calls that take a handler: attachInterrupt(), Timer1.attachInterrupt(), Wire.onReceive().
_ATTACHES = re.compile(
    r"\w*[aA]ttach\w*(?:Interrupt|PCINT|PinChange)\w*|enableInterrupt|onReceive|onRequest"
)
_WRITES = re.compile(r"(?:[-+*/%&|^]|<<|>>)?=(?!=)|\+\+|--")


@dataclass
class _Function:
    name: str
    loop: str | None  # `loop 1`, `loop()`, `the handler f()`; None: an ordinary function
    words: set[str]
    written: set[str]
    safe: bool
    handler: bool = False
    attached: frozenset[str] = frozenset()  # names in the arguments of calls that attach handlers


@dataclass(frozen=True)
class _Global:
    name: str
    bytes: int
    path: Path
    line: int


def torn_values(sketch: Sketch, board: Board) -> list[str]:
    """Returns a warning, in the compilers' format, for each such variable."""
    if not board.byte_at_a_time:
        return []
    globals_: list[_Global] = []
    functions: list[_Function] = []
    for path in (*sketch.tabs, *sketch.sources):
        text = read_source(path)
        lines = Lines(text)
        for statement, body in statements(text):
            if body is not None:
                functions += _function(statement, body, text)
            else:
                globals_ += _variables(statement, path, lines)
    users = _users(_with_handlers(functions))
    return [
        f"{each.path}:{each.line}: warning: {' and '.join(sorted(users[each.name]))} use `{each.name}`, "
        f"whose {each.bytes} bytes the {board.short_name} moves one by one: what is read may be half old and "
        "half new. "
        + (_BESIDE_HANDLER if any(map(_is_handler, users[each.name])) else _BESIDE_LOOP)
        for each in globals_
        if each.name in users
    ]


HANDLER = "the handler "
_BESIDE_HANDLER = "Put noInterrupts() and interrupts() around each use outside of the handler"
_BESIDE_LOOP = (
    "Give it a Channel, or put noInterrupts() and interrupts(), or a Spinlock, around each use"
)


def _is_handler(user: str) -> bool:
    return user.startswith(HANDLER)


def _with_handlers(functions: list[_Function]) -> list[_Function]:
    """Returns the functions, with those marked as handlers that are attached to an interrupt by name."""
    attached = {name for function in functions for name in function.attached}
    return [
        replace(each, loop=f"{HANDLER}{each.name}()", handler=True, safe=True)
        if each.loop is None and each.name in attached
        else each
        for each in functions
    ]


def statements(text: str) -> Iterator[tuple[list[Token], list[Token] | None]]:
    """Yields the statements at namespace scope. For a function, yields its head and its body."""
    tokens = [t for t in tokens_of(text) if t.kind not in (Kind.COMMENT, Kind.DIRECTIVE)]
    statement: list[Token] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.is_mark(";"):
            yield statement, None
            statement = []
        elif token.is_mark("{"):
            before = statement[-1] if statement else None
            if before is not None and before.is_mark(")"):
                end = closing(tokens, at)
                yield statement, tokens[at + 1 : end]
                statement, at = [], end
            elif any(
                each.is_word("namespace") or each.kind is Kind.STRING for each in statement[:2]
            ):
                statement = []
            else:  # a class, or an initial value
                at = closing(tokens, at)
        elif not token.is_mark("}"):
            statement.append(token)
        at += 1


def closing(tokens: list[Token], at: int) -> int:
    depth = 0
    for index in range(at, len(tokens)):
        depth += tokens[index].is_mark("{") - tokens[index].is_mark("}")
        if depth == 0:
            return index
    return len(tokens)


def _variables(statement: list[Token], path: Path, lines: Lines) -> Iterator[_Global]:
    words = []
    for token in statement:
        if token.kind is not Kind.WORD:
            break
        words.append(token.text)
    if len(words) < 2 or _CONSTANT & set(words) or ONE_BYTE & set(words[:-1]):
        return
    sizes = [NUMBERS[word] for word in words[:-1] if word in NUMBERS]
    behind = statement[len(words)] if len(statement) > len(words) else None
    if not sizes or (behind is not None and behind.is_mark("(")):
        return
    size = 8 if words.count("long") > 1 else max(sizes)
    for token in declared(statement[len(words) - 1 :]):
        yield _Global(token.text, size, path, lines.line(token.start))


def declared(tokens: Sequence[Token]) -> Iterator[Token]:
    """Returns the names of a declaration, of which the first name begins these tokens: `a = 1, b[2]`."""
    depth, expected = 0, True
    for token in tokens:
        depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
        if depth == 0 and token.is_mark(","):
            expected = True
        elif expected and token.kind is Kind.WORD:
            yield token
            expected = False


def signature(head: Sequence[Token]) -> tuple[str, list[Token]] | None:
    """Returns the name of a function and the tokens between its parentheses. None: it is no function."""
    opens = next((at for at, token in enumerate(head) if token.is_mark("(")), 0)
    return (head[opens - 1].text, list(head[opens + 1 : -1])) if opens else None


def _function(head: list[Token], body: list[Token], text: str) -> Iterator[_Function]:
    named = signature(head)
    if named is None:
        return
    name, arguments = named[0], [token.text for token in named[1]]
    loop, handler = None, name in VECTORS
    if name in LOOPS:
        loop = f"loop {arguments[0]}" if arguments else "loop()"
    elif name == "main":
        loop = "main()"
    elif handler and arguments:
        loop = f"{HANDLER}of {arguments[0]}"
        handler = "ISR_NOBLOCK" not in arguments
    rest, attached, lambdas = apart(body)
    yield _of_body(name, loop, rest, text, handler, attached)
    for each in lambdas:
        yield _of_body("", f"{HANDLER}in {name}()", each, text, True, frozenset())


def _of_body(
    name: str,
    loop: str | None,
    body: list[Token],
    text: str,
    handler: bool,
    attached: frozenset[str],
) -> _Function:
    words = {token.text for token in body if token.kind is Kind.WORD}
    written = set()
    for at, token in enumerate(body):
        if token.kind is Kind.WORD and _is_written(body, at, text):
            written.add(token.text)
    safe = handler or bool(words & _SAFE)
    return _Function(name, loop, words, written, safe, handler, attached)


def apart(body: list[Token]) -> tuple[list[Token], frozenset[str], list[list[Token]]]:
    """Returns a body without the lambdas that it attaches as handlers, the names that it attaches, and the
    lambdas."""
    rest, attached, lambdas = list[Token](), set[str](), list[list[Token]]()
    at, depth = 0, 0  # depth of parentheses within such a call
    while at < len(body):
        token = body[at]
        if depth == 0 and token.kind is Kind.WORD and _ATTACHES.fullmatch(token.text):
            if at + 1 < len(body) and body[at + 1].is_mark("("):
                depth, at = 1, at + 1
        elif depth > 0:
            depth += token.is_mark("(") - token.is_mark(")")
            if token.kind is Kind.WORD:
                attached.add(token.text)
            if token.is_mark("{"):
                end = closing(body, at)
                lambdas.append(body[at + 1 : end])
                at = end
        rest.append(body[at])
        at += 1
    return rest, frozenset(attached), lambdas


def _is_written(body: list[Token], at: int, text: str) -> bool:
    token = body[at]
    if text[max(0, token.start - 2) : token.start] in ("++", "--"):
        return True
    end = at + 1
    if end < len(body) and body[end].is_mark("["):
        depth = 0
        while end < len(body):
            depth += body[end].is_mark("[") - body[end].is_mark("]")
            end += 1
            if depth == 0:
                break
    return (
        end < len(body) and _WRITES.match(text[body[end].start : body[end].start + 3]) is not None
    )


def _users(functions: list[_Function]) -> dict[str, set[str]]:
    """Returns the names that several loops use, if one loop writes and one does not guard its use, with these
    loops."""
    by_name = defaultdict(list)
    for function in functions:
        by_name[function.name].append(function)
    users: dict[str, set[str]] = defaultdict(set)
    written, unguarded = set[str](), set[str]()
    for loop in (function for function in functions if function.loop is not None):
        reached, waiting = set[tuple[int, bool]](), [(loop, False)]
        while waiting:
            function, guarded = waiting.pop()
            if (id(function), guarded) in reached:
                continue
            reached.add((id(function), guarded))
            safe = guarded or function.safe
            written |= function.written
            if not safe:
                unguarded |= function.words
            for word in function.words:
                users[word].add(loop.loop or "")
                waiting += [(each, safe) for each in by_name.get(word, []) if each.loop is None]
    return {
        name: loops
        for name, loops in users.items()
        if len(loops) > 1 and name in written and name in unguarded
    }
