"""Walks over a sketch's tokens and determines whether each stands at namespace scope.

Braces of namespaces and of `extern "C"` keep namespace scope. All others leave it. Both branches of an `#if`
may open the same brace: each branch starts from the state before the `#if`, and the state after the first
branch that can be compiled applies after the `#endif`.

A walk takes time in proportion to the number of tokens, however deep braces and `#if`s are nested: the
surroundings of a token are a linked list that tokens share.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hocket.sketch.tokens import Kind, Token, directive_name, directive_rest


@dataclass(frozen=True, slots=True, eq=False)
class _Brace:
    """An open brace. all_keep: it and all braces around it keep namespace scope. parentheses: how many were
    open before it."""

    outer: _Brace | None
    all_keep: bool
    parentheses: int


@dataclass(slots=True)
class _State:
    brace: _Brace | None = None  # the innermost open brace
    parentheses: int = 0
    statement: int | None = None  # index of the first token of the current statement

    def copy(self) -> _State:
        return _State(self.brace, self.parentheses, self.statement)

    def at_namespace_scope(self) -> bool:
        return self.parentheses == 0 and (self.brace is None or self.brace.all_keep)


@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    """One branch of a conditional. Two tokens stand in the same branch if they refer to the same object."""

    outer: Branch | None  # the branch that the conditional stands in
    earlier: Branch | None  # the branch before this one, of the same conditional
    directive: str  # the directive that begins it
    number: int  # of the conditional
    branch: int
    depth: int  # conditionals around a token in it
    dead: bool  # this branch, or one around it, is never compiled


@dataclass
class _Conditional:
    before: _State
    branch: Branch
    after: _State | None = None
    taken: bool = False  # an `#if 1` came before: later branches are dead
    dead: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a token."""

    index: int
    token: Token
    at_namespace_scope: bool  # outside every function, class, initialiser and parenthesis
    at_file_scope: bool  # also outside every namespace and `extern "C"` block
    starts_statement: bool
    statement: int  # index of the first token of the statement
    branch: Branch | None  # the innermost conditional around it

    @property
    def dead(self) -> bool:
        """Whether the token is inside `#if 0`."""
        return self.branch is not None and self.branch.dead

    @property
    def depth(self) -> int:
        """The number of conditionals around the token."""
        return 0 if self.branch is None else self.branch.depth

    @property
    def branches(self) -> tuple[tuple[int, int], ...]:
        """The conditionals around the token, outermost first: (number, branch)."""
        found = []
        around = self.branch
        while around is not None:
            found.append((around.number, around.branch))
            around = around.outer
        return tuple(reversed(found))

    def conditions(self, within: Branch | None = None) -> tuple[str, ...]:
        """Returns the directives that lead from a branch around the token (None: from outside of all) to its
        own, outermost first."""
        found = []
        around = self.branch
        while around is not None and around is not within:
            each: Branch | None = around
            while each is not None:
                found.append(each.directive)
                each = each.earlier
            around = around.outer
        return tuple(reversed(found))


def walk(tokens: list[Token]) -> Iterator[Place]:
    """Yields every token except comments, with its place. Directives are included."""
    heads = _Heads(tokens)
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
            state.brace is None and state.parentheses == 0,
            starts,
            index if state.statement is None else state.statement,
            open_conditionals[-1].branch if open_conditionals else None,
        )
        if token.kind is Kind.DIRECTIVE:
            state, count = _directive(token, state, open_conditionals, count)
        elif token.kind is Kind.MARK:
            _mark(heads, token.text, index, state)


def _directive(
    token: Token, state: _State, conditionals: list[_Conditional], count: int
) -> tuple[_State, int]:
    name = directive_name(token.text)
    if name in ("if", "ifdef", "ifndef"):
        condition = directive_rest(token.text)
        dead = name == "if" and condition in ("0", "false")
        taken = name == "if" and condition in ("1", "true")
        outer = conditionals[-1].branch if conditionals else None
        branch = Branch(
            outer, None, token.text, count, 0,
            1 if outer is None else outer.depth + 1,
            dead or (outer is not None and outer.dead),
        )  # fmt: skip
        conditionals.append(_Conditional(state.copy(), branch, taken=taken, dead=dead))
        return state, count + 1
    if not conditionals:
        return state, count
    current = conditionals[-1]
    if name in ("elif", "elifdef", "elifndef", "else"):
        if not current.dead and current.after is None:
            current.after = state.copy()
        condition = directive_rest(token.text)
        current.dead = current.taken or (name == "elif" and condition in ("0", "false"))
        last = current.branch
        current.branch = Branch(
            last.outer, last, token.text, last.number, last.branch + 1, last.depth,
            current.dead or (last.outer is not None and last.outer.dead),
        )  # fmt: skip
        return current.before.copy(), count
    if name == "endif":
        conditionals.pop()
        if current.after is not None:
            return current.after, count
        return (current.before if current.dead else state), count
    return state, count


def _mark(heads: _Heads, text: str, index: int, state: _State) -> None:
    if text in "([":
        state.parentheses += 1
    elif text in ")]":
        state.parentheses = max(0, state.parentheses - 1)
    elif text == "{":
        keeps = state.parentheses == 0 and heads.keeps_namespace_scope(state.statement, index)
        outer = state.brace
        state.brace = _Brace(outer, keeps and (outer is None or outer.all_keep), state.parentheses)
        state.parentheses = 0
        if keeps:
            state.statement = None
    elif text == "}":
        state.parentheses = 0 if state.brace is None else state.brace.parentheses
        state.brace = None if state.brace is None else state.brace.outer
        if state.at_namespace_scope() and not heads.continues(state.statement, index):
            state.statement = None
    elif text == ";" and state.at_namespace_scope():
        state.statement = None


class _Heads:
    """The beginnings of statements. Looks at few tokens of each, because a statement may be as long as the
    text."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._code: list[int] = []  # indices of tokens that are neither comment nor directive
        self._rank: list[int] = []  # for each token: how many of those precede it
        for index, token in enumerate(tokens):
            self._rank.append(len(self._code))
            if token.kind not in (Kind.COMMENT, Kind.DIRECTIVE):
                self._code.append(index)
        # For each token: the index of the next { or (, which may be the token itself.
        self._openings = [len(tokens)] * len(tokens)
        opening = len(tokens)
        for index in range(len(tokens) - 1, -1, -1):
            if tokens[index].is_mark("{") or tokens[index].is_mark("("):
                opening = index
            self._openings[index] = opening

    def keeps_namespace_scope(self, start: int | None, brace: int) -> bool:
        first, end = self._rank[brace if start is None else start], self._rank[brace]
        head = [self._tokens[index] for index in self._code[first : min(end, first + 4)]]
        if head and head[0].is_word("inline"):
            head = head[1:]
        if not head:
            return False
        if head[0].is_word("namespace"):
            return True
        return len(head) == 2 and head[0].is_word("extern") and head[1].kind is Kind.STRING

    def continues(self, start: int | None, brace: int) -> bool:
        """Returns whether the statement continues after this closing brace (`struct S {…} s;`, `int a[] =
        {…};`)."""
        if start is not None and self._tokens[start].is_word(
            "typedef", "struct", "class", "enum", "union"
        ):
            # In `struct S f() {…}`, or with an attribute, a ( comes first: then the token after the brace
            # decides.
            opening = self._openings[start]
            if opening < brace and self._tokens[opening].text == "{":
                return True
        for index in range(brace + 1, len(self._tokens)):
            token = self._tokens[index]
            if token.kind is not Kind.COMMENT:
                return token.is_mark(";") or token.is_mark(",") or token.is_mark("=")
        return False
