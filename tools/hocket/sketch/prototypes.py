"""Adds prototypes for the functions that a sketch defines without declaring them, as the Arduino IDE does.

tree-sitter parses the sketch without the bodies of its functions: two branches of an `#if` in a body may open
the same brace, which tree-sitter would count twice. Each prototype goes before the first function definition,
or before a variable whose initialiser names a function (`Timer timer(500, blink);`), if that comes first. If
it names a type that the sketch defines or includes only later, or stands in an `#if` whose macro is defined
only later, it goes right after that. A prototype never lands inside another declaration: it goes to the start
of a statement at file scope (`safe points`).

No prototypes are added where C++ needs or allows none: for methods, members of namespaces, operators,
constructors, functions with a deduced type (`auto`), and functions that are already declared.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest

import tree_sitter_cpp
from tree_sitter import Language, Node, Parser

from hocket.sketch.scopes import Branch, Place, walk
from hocket.sketch.tokens import Kind, Token, directive_name, tokens_of

# Names that every sketch knows from the start. Prototypes with these names need not wait for a declaration.
_KNOWN = {
    *("boolean", "byte", "word", "String", "size_t", "ptrdiff_t", "uintptr_t", "intptr_t"),
    *(f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)),
}
_NO_LINE_END = re.compile(r"[^\n]")
_NAME = re.compile(r"[A-Za-z_]\w*")
_WIDE = re.compile(r"[^\x00-\x7f]")
_CONTAINERS = {
    *("translation_unit", "preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif"),
    *("preproc_elifdef", "linkage_specification", "declaration_list", "template_declaration"),
    "ERROR",
}


# The most characters of conditions that are written around prototypes. Each function in an `#elif` needs all
# the directives before it, so n functions take n² lines. Real sketches need some thousand characters.
MOST_CONDITIONS = 256 * 1024


class TooManyConditionsError(Exception):
    """The function at this offset would exceed MOST_CONDITIONS."""

    def __init__(self, offset: int) -> None:
        super().__init__()
        self.offset = offset


@dataclass(frozen=True)
class Prototype:
    """A declaration to insert: its text, the place of its function, and the earliest place for it."""

    text: str
    definition: int  # offset of the function's definition
    position: int  # offset where the prototype goes


def prototypes_of(text: str, skip: frozenset[int]) -> list[Prototype]:
    """Returns the prototypes of the functions defined in `text`, ordered by position.

    skip: offsets of definitions that get none (annotated loops). Raises TooManyConditionsError.
    """
    tokens = tokens_of(text)
    if tokens and _never_ends(tokens[-1]):  # the parser would read it again for each #
        text = text[: tokens.pop().start]
    view = _View(tokens)
    source = _Source(_without_bodies(text, view.everywhere))
    root = Parser(Language(tree_sitter_cpp.language())).parse(source.data).root_node
    nodes = sorted(_definitions(root), key=lambda definition: definition.node.start_byte)
    found = [_read(node, source) for node in nodes]
    functions = [f for f in found if f is not None and f.start not in skip]
    if not functions:
        return []
    declared = _declared(root, source)
    unknown = {function.name for function in functions} - {name for name, _ in declared}
    begin = source.index(nodes[0].node.start_byte)
    first = view.safe_point_before(view.first_named(unknown, begin))
    result: dict[tuple[str, int], Prototype] = {}
    for function in functions:
        if (function.name, function.parameters) in declared:
            continue
        placed = view.place(function, first)
        if placed is not None:
            result.setdefault((placed.text, placed.position), placed)
    return sorted(result.values(), key=lambda p: p.position)


def _without_bodies(text: str, places: Sequence[Place]) -> str:
    """Returns the text with spaces in place of what stands between braces behind a `)` at namespace scope. A
    body whose braces stand in different branches of a conditional is kept."""
    pieces: list[str] = []
    kept = 0
    opened: Place | None = None
    for before, place in zip_longest(places, places[1:]):
        if opened is not None and (place is None or place.at_namespace_scope):
            if before.token.is_mark("}") and before.branch is opened.branch:
                body = text[opened.token.end : before.token.start]
                pieces += [text[kept : opened.token.end], _NO_LINE_END.sub(" ", body)]
                kept = before.token.start
            opened = None
        behind = place is not None and place.at_namespace_scope and before.token.is_mark(")")
        if place is not None and behind and place.token.is_mark("{"):
            opened = place
    return "".join([*pieces, text[kept:]])


def _never_ends(token: Token) -> bool:
    """Returns whether the token is a comment without an end, or a directive that contains one."""
    if token.kind is Kind.DIRECTIVE:
        return _never_ends(tokens_of(";" + token.text[1:].replace("\\\n", " "))[-1])
    text = token.text
    ends = len(text) >= len("/**/") and text.endswith("*/")
    return token.kind is Kind.COMMENT and text.startswith("/*") and not ends


class _Source:
    """The text and its bytes: tree-sitter counts bytes, everything else here counts characters."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.data = text.encode("utf-8", "surrogatepass")
        # The byte offset of each character with more than one byte, and the number of extra bytes up to and
        # including that character.
        self._wide: list[int] = []
        self._beyond = [0]
        for found in _WIDE.finditer(text):
            self._wide.append(found.start() + self._beyond[-1])
            further = len(found[0].encode("utf-8", "surrogatepass")) - 1
            self._beyond.append(self._beyond[-1] + further)

    def index(self, byte: int) -> int:
        return byte - self._beyond[bisect_left(self._wide, byte)]

    def of(self, node: Node) -> str:
        return self.text[self.index(node.start_byte) : self.index(node.end_byte)]


@dataclass(frozen=True)
class _Function:
    name: str
    parameters: int
    head: str
    start: int
    extern_c: bool
    needs: frozenset[str]  # names that must be declared before the prototype


@dataclass(frozen=True, slots=True)
class _Definition:
    """A function definition, the outermost template around it (else itself), and whether it has C linkage.

    A tree-sitter node finds its parent by a search from the root, so its surroundings are recorded on the way
    down.
    """

    node: Node
    whole: Node
    extern_c: bool


def _definitions(root: Node) -> Iterator[_Definition]:
    """Yields the function definitions at file scope, including those in conditionals and `extern "C"`
    blocks."""
    stack: list[tuple[Node, Node | None, bool]] = [(root, None, False)]
    while stack:
        current, template, extern_c = stack.pop()
        if current.type == "function_definition":
            yield _Definition(current, template or current, extern_c)
        elif current.type in _CONTAINERS:
            if current.type == "template_declaration":
                template = template or current
            extern_c = extern_c or current.type == "linkage_specification"
            stack.extend((child, template, extern_c) for child in reversed(current.children))


def _read(definition: _Definition, source: _Source) -> _Function | None:
    node = definition.node
    body, kind = node.child_by_field_name("body"), node.child_by_field_name("type")
    if body is None or body.type != "compound_statement" or kind is None:
        return None
    if kind.child_by_field_name("body") is not None:  # struct S { … } f() { … }
        return None
    declarator = _function_declarator(node)
    if declarator is None:
        return None
    name = declarator.child_by_field_name("declarator")
    parameters = declarator.child_by_field_name("parameters")
    if name is None or name.type != "identifier" or parameters is None:
        return None
    if any(child.has_error for child in node.children if child.start_byte < body.start_byte):
        return None
    deduced = kind.type == "placeholder_type_specifier" or source.of(kind) == "auto"
    if deduced and not any(c.type == "trailing_return_type" for c in declarator.children):
        return None
    node = definition.whole
    head = _head(node, body, source)
    name_text = source.of(name)
    if head is None or name_text == "main":
        return None
    needs = frozenset(_needed_names(node, body, source))
    return _Function(
        name_text,
        _named(parameters),
        head,
        source.index(node.start_byte),
        definition.extern_c,
        needs,
    )


def _function_declarator(node: Node) -> Node | None:
    current: Node | None = node
    while current is not None:
        if current.type == "function_declarator":
            return current
        if current.type == "reference_declarator":
            inner = [c for c in current.children if c.is_named and c.type.endswith("declarator")]
            current = inner[0] if inner else None
        else:
            current = current.child_by_field_name("declarator")
    return None


def _named(node: Node) -> int:
    """Returns the number of named children. (The tree's own list counts from the first child for each.)"""
    return sum(child.is_named for child in node.children)


def _head(node: Node, body: Node, source: _Source) -> str | None:
    """Returns the definition's text up to its body, as one line without comments and default arguments."""
    start, end = source.index(node.start_byte), source.index(body.start_byte)
    cut = deque(
        sorted(
            (source.index(equals.start_byte), source.index(parameter.end_byte))
            for parameter, _ in _within(node, body.start_byte)
            if parameter.type.startswith("optional_")
            for equals in parameter.children
            if equals.type == "="
        )
    )
    pieces: list[str] = []
    last_end = start
    for token in tokens_of(source.text[start:end]):
        at = start + token.start
        if token.kind is Kind.DIRECTIVE:
            return None
        while cut and cut[0][1] <= at:
            cut.popleft()
        if token.kind is Kind.COMMENT or (cut and cut[0][0] <= at):
            continue
        if pieces and at > last_end:
            pieces.append(" ")
        pieces.append(token.text)
        last_end = start + token.end
    return "".join(pieces)


def _needed_names(node: Node, body: Node, source: _Source) -> Iterator[str]:
    """Yields types, namespaces and constants that the definition's head names (not its parameters' names)."""
    for inner, parent in _within(node, body.start_byte):
        names_type = inner.type in ("type_identifier", "namespace_identifier")
        names_constant = (
            inner.type == "identifier"
            and parent is not None
            and parent.type in ("array_declarator", "template_argument_list")
            and parent.child_by_field_name("declarator") != inner
        )
        if names_type or names_constant:
            text = source.of(inner)
            if text not in _KNOWN:
                yield text


def _within(node: Node, end_byte: int) -> Iterator[tuple[Node, Node | None]]:
    """Yields a node and its descendants that begin before `end_byte`, each with its parent."""
    stack: list[tuple[Node, Node | None]] = [(node, None)]
    while stack:
        current, parent = stack.pop()
        if current.start_byte < end_byte:
            yield current, parent
            stack.extend((child, current) for child in current.children)


def _declared(root: Node, source: _Source) -> set[tuple[str, int]]:
    """Returns the names and parameter counts of the functions that the sketch declares itself."""
    declared = set()
    stack = [root]
    while stack:
        node = stack.pop()
        if node.type == "declaration":
            declarator = _function_declarator(node)
            if declarator is not None:
                name = declarator.child_by_field_name("declarator")
                parameters = declarator.child_by_field_name("parameters")
                if name is not None and parameters is not None:
                    declared.add((source.of(name), _named(parameters)))
        elif node.type in _CONTAINERS:
            stack.extend(node.children)
    return declared


class _View:
    """The sketch as the lexer sees it: safe points, conditionals, and the places of names and includes.

    One walk records all of this, so that the place of a prototype is found by binary search.
    """

    def __init__(self, tokens: list[Token]) -> None:
        self.everywhere = list(walk(tokens))
        self.starts = [p.token.start for p in self.everywhere]
        self.conditions = 0  # characters written around prototypes
        # Starts of statements at file scope, by the branch of the innermost conditional around them.
        self.safe: dict[Branch | None, list[int]] = defaultdict(list)
        self.includes: list[int] = []
        self.defined: dict[str, list[int]] = defaultdict(
            list
        )  # where a word is (part of) a type's name
        self.macros: dict[str, int] = {}  # where each was last defined or undefined
        # By branch: the last such place of the macros in the conditions that lead to it, -1: none.
        self.decided: dict[Branch | None, int] = {None: -1}
        for place in self.everywhere:
            self._note(place, tokens[place.statement])

    def _decide(self, branch: Branch) -> None:
        """Called at the first token in the branch, or the directive that ends it."""
        words = _NAME.findall(branch.directive)[1:]
        around = branch.earlier or branch.outer
        places = [self.macros.get(word, -1) for word in words]
        self.decided[branch] = max(self.decided[around], *places, -1)

    def _note(self, place: Place, head: Token) -> None:
        token = place.token
        if place.branch is not None and place.branch not in self.decided:
            self._decide(place.branch)
        if place.at_file_scope and place.starts_statement and not _is_branch(token):
            self.safe[place.branch].append(token.start)
        if token.kind is Kind.DIRECTIVE:
            name = directive_name(token.text)
            if name in ("include", "import"):
                self.includes.append(token.start)
            elif name in ("define", "undef"):
                for defined in tokens_of(token.text[1:])[1:2]:
                    self.macros[defined.text] = token.start
                    if name == "define":
                        self.defined[defined.text].append(token.start)
        elif (
            place.at_file_scope
            and token.kind is Kind.WORD
            and head.is_word("struct", "class", "enum", "union", "typedef", "using", "template")
        ):
            self.defined[token.text].append(token.start)

    def first_named(self, names: set[str], before: int) -> int:
        """Returns the first offset where one of these names stands without a call, or else `before`."""
        for place, following in pairwise(self.everywhere):
            if place.token.start >= before:
                break
            named = place.token.kind is Kind.WORD and place.token.text in names
            if named and not place.dead and not following.token.is_mark("("):
                return place.token.start
        return before

    def safe_point_before(self, offset: int) -> int | None:
        """Returns the last start of a statement at or before `offset` that is inside no #if."""
        outside = self.safe[None]
        at = bisect_right(outside, offset)
        return outside[at - 1] if at else None

    def place(self, function: _Function, first: int | None) -> Prototype | None:
        at = bisect_left(self.starts, function.start)
        if at == len(self.starts) or self.everywhere[at].dead:
            return None
        here = self.everywhere[at]
        text = ('extern "C" ' if function.extern_c else "") + function.head + ";"
        needed = self._needed_offset(function, function.start if first is None else first)
        branch, decided = here.branch, self.decided[here.branch]
        if first is not None and decided >= first:
            needed = max(decided, needed or 0)
            while branch is not None and self.decided[branch.outer] == decided:
                branch = branch.outer
        if needed is None:
            if first is None:
                return None
            if here.branch is not None:
                text = self._wrapped(text, here)
            return Prototype(text, function.start, first)
        inside = self._first_safe_after(needed, function.start, branch)
        if inside is not None:
            return Prototype(self._wrapped(text, here, branch), function.start, inside)
        inside = self._first_safe_after(needed, function.start, here.branch)
        return None if inside is None else Prototype(text, function.start, inside)

    def _wrapped(self, text: str, here: Place, within: Branch | None = None) -> str:
        """Returns the text with the conditions that lead from a branch to the function's own."""
        conditions = here.conditions(within)
        self.conditions += sum(map(len, conditions))
        if self.conditions > MOST_CONDITIONS:
            raise TooManyConditionsError(here.token.start)
        depth = here.depth - (0 if within is None else within.depth)
        return "\n".join([*conditions, text, *["#endif"] * depth])

    def _first_safe_after(self, offset: int, limit: int, branch: Branch | None) -> int | None:
        """Returns the first start of a statement after `offset` in this branch."""
        starts = self.safe[branch]
        at = bisect_right(starts, offset)
        return starts[at] if at < len(starts) and starts[at] <= limit else None

    def _needed_offset(self, function: _Function, first: int) -> int | None:
        """Returns the offset after which the prototype's names are declared. None: before the first
        function."""
        if not function.needs:
            return None
        places = [self.includes, *(self.defined.get(word, []) for word in function.needs)]
        found = [each[at - 1] for each in places if (at := bisect_left(each, function.start))]
        last = max(found, default=-1)
        return last if last >= first else None


def _is_branch(token: Token) -> bool:
    if token.kind is not Kind.DIRECTIVE:
        return False
    return directive_name(token.text).startswith("el") or directive_name(token.text) == "endif"
