"""Walks over a sketch's tokens and knows, at each, whether it stands at namespace scope.

Braces of namespaces and of `extern "C"` keep namespace scope; all others leave it. Both branches of an
`#if` may open the same brace: each branch starts from the state before it, and the state after the
first branch that can be compiled is the one that counts after `#endif`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from hocket.sketch.tokens import Kind, Token, directive_name, directive_rest


@dataclass
class _State:
    # Open braces: does it keep namespace scope, and how many parentheses were open before it.
    braces: list[tuple[bool, int]] = field(default_factory=list)
    parentheses: int = 0
    statement: int | None = None  # index of the first token of the statement that is open

    def copy(self) -> _State:
        return _State(list(self.braces), self.parentheses, self.statement)

    def at_namespace_scope(self) -> bool:
        return self.parentheses == 0 and all(keeps for keeps, _ in self.braces)


@dataclass
class _Conditional:
    number: int
    before: _State
    directives: list[str]
    branch: int = 0
    after: _State | None = None
    taken: bool = False  # an `#if 1` came before: later branches are dead
    dead: bool = False


@dataclass(frozen=True)
class Place:
    """Where a token stands."""

    index: int
    token: Token
    at_namespace_scope: bool  # outside every function, class, initialiser and parenthesis
    at_file_scope: bool  # besides: outside every namespace and `extern "C"` block
    starts_statement: bool
    statement: int  # index of the first token of the statement
    branches: tuple[tuple[int, int], ...]  # conditionals around it: (number, branch)
    conditions: tuple[str, ...]  # the directives that lead to this branch, outermost first
    dead: bool  # inside `#if 0`


def walk(tokens: list[Token]) -> Iterator[Place]:
    """Every token but comments, with its place. Directives are reported too."""
    state = _State()
    open_conditionals: list[_Conditional] = []
    count = 0
    for index, token in enumerate(tokens):
        if token.kind is Kind.COMMENT:
            continue
        starts = state.statement is None
        if token.kind is not Kind.DIRECTIVE and starts:
            state.statement = index
        yield Place(
            index,
            token,
            state.at_namespace_scope(),
            not state.braces and state.parentheses == 0,
            starts,
            index if state.statement is None else state.statement,
            tuple((c.number, c.branch) for c in open_conditionals),
            tuple(text for c in open_conditionals for text in c.directives),
            any(c.dead for c in open_conditionals),
        )
        if token.kind is Kind.DIRECTIVE:
            state, count = _directive(token, state, open_conditionals, count)
        elif token.kind is Kind.MARK:
            _mark(tokens, index, state)


def _directive(
    token: Token, state: _State, conditionals: list[_Conditional], count: int
) -> tuple[_State, int]:
    name = directive_name(token.text)
    if name in ("if", "ifdef", "ifndef"):
        condition = directive_rest(token.text)
        opened = _Conditional(count, state.copy(), [token.text])
        opened.dead = name == "if" and condition in ("0", "false")
        opened.taken = name == "if" and condition in ("1", "true")
        conditionals.append(opened)
        return state, count + 1
    if not conditionals:
        return state, count
    current = conditionals[-1]
    if name in ("elif", "elifdef", "elifndef", "else"):
        if not current.dead and current.after is None:
            current.after = state.copy()
        condition = directive_rest(token.text)
        current.dead = current.taken or (name == "elif" and condition in ("0", "false"))
        current.branch += 1
        current.directives.append(token.text)
        return current.before.copy(), count
    if name == "endif":
        conditionals.pop()
        if current.after is not None:
            return current.after, count
        return (current.before if current.dead else state), count
    return state, count


def _mark(tokens: list[Token], index: int, state: _State) -> None:
    text = tokens[index].text
    if text in "([":
        state.parentheses += 1
    elif text in ")]":
        state.parentheses = max(0, state.parentheses - 1)
    elif text == "{":
        keeps = state.parentheses == 0 and _keeps_namespace_scope(tokens, state.statement, index)
        state.braces.append((keeps, state.parentheses))
        state.parentheses = 0
        if keeps:
            state.statement = None
    elif text == "}":
        state.parentheses = state.braces.pop()[1] if state.braces else 0
        if state.at_namespace_scope() and not _continues(tokens, state.statement, index):
            state.statement = None
    elif text == ";" and state.at_namespace_scope():
        state.statement = None


def _keeps_namespace_scope(tokens: list[Token], start: int | None, brace: int) -> bool:
    head = [t for t in tokens[start if start is not None else brace : brace] if _is_code(t)]
    if head and head[0].is_word("inline"):
        head = head[1:]
    if not head:
        return False
    if head[0].is_word("namespace"):
        return True
    return len(head) == 2 and head[0].is_word("extern") and head[1].kind is Kind.STRING


def _is_code(token: Token) -> bool:
    return token.kind not in (Kind.COMMENT, Kind.DIRECTIVE)


def _continues(tokens: list[Token], start: int | None, brace: int) -> bool:
    """Does the statement go on after this closing brace (`struct S {…} s;`, `int a[] = {…};`)?"""
    if start is not None and tokens[start].is_word("typedef", "struct", "class", "enum", "union"):
        for token in tokens[start:brace]:
            if token.is_mark("{"):
                return True
            if token.is_mark("("):  # `struct S f() {…}`, or an attribute: then `;` decides
                break
    for token in tokens[brace + 1 :]:
        if token.kind is Kind.COMMENT:
            continue
        return token.is_mark(";") or token.is_mark(",") or token.is_mark("=")
    return False
