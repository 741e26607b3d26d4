"""Prototypes for the functions that a sketch defines without declaring them, as the Arduino IDE does.

The sketch is parsed by tree-sitter. Each prototype goes before the first function definition, or, when
it names a type that the sketch defines or includes only later, right after that. A prototype never
lands inside another declaration: it goes to the start of a statement at file scope (`safe points`).

Left out, because C++ needs or allows none: methods, members of namespaces, operators, constructors,
functions whose type is deduced (`auto`), and what has a declaration already.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

import tree_sitter_cpp
from tree_sitter import Language, Node, Parser

from hocket.sketch.scopes import Place, walk
from hocket.sketch.tokens import Kind, Token, directive_name, tokens_of

# Names that every sketch knows from the start: no prototype has to wait for them.
_KNOWN = {
    *("boolean", "byte", "word", "String", "size_t", "ptrdiff_t", "uintptr_t", "intptr_t"),
    *(f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)),
}
_CONTAINERS = {
    *("translation_unit", "preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif"),
    *("preproc_elifdef", "linkage_specification", "declaration_list", "template_declaration"),
    "ERROR",
}


@dataclass(frozen=True)
class Prototype:
    """A declaration to insert: its text, where its function is, and where it may go at the earliest."""

    text: str
    definition: int  # offset of the function's definition
    position: int  # offset where the prototype goes


def prototypes_of(text: str, skip: frozenset[int]) -> list[Prototype]:
    """Prototypes of the functions defined in `text`, ordered by position.

    skip: offsets of definitions that get none (annotated loops).
    """
    source = _Source(text)
    root = Parser(Language(tree_sitter_cpp.language())).parse(source.data).root_node
    nodes = list(_definitions(root))
    found = [_read(node, source) for node in nodes]
    functions = [f for f in found if f is not None and f.start not in skip]
    if not functions:
        return []
    view = _View(tokens_of(text))
    first = view.safe_point_before(min(source.index(node.start_byte) for node in nodes))
    declared = _declared(root, source)
    result: dict[tuple[str, int], Prototype] = {}
    for function in functions:
        if (function.name, function.parameters) in declared:
            continue
        placed = view.place(function, first)
        if placed is not None:
            result.setdefault((placed.text, placed.position), placed)
    return sorted(result.values(), key=lambda p: p.position)


class _Source:
    """The text and its bytes: tree-sitter counts bytes, everything else here counts characters."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.data = text.encode("utf-8", "surrogatepass")
        self._same = len(self.data) == len(text)

    def index(self, byte: int) -> int:
        return byte if self._same else len(self.data[:byte].decode("utf-8", "surrogatepass"))

    def of(self, node: Node) -> str:
        return self.text[self.index(node.start_byte) : self.index(node.end_byte)]


@dataclass(frozen=True)
class _Function:
    name: str
    parameters: int
    head: str
    start: int
    extern_c: bool
    needs: frozenset[str]  # names that must be known before the prototype


def _definitions(node: Node) -> Iterator[Node]:
    """Function definitions at file scope, those in conditionals and `extern "C"` blocks included."""
    stack = [node]
    while stack:
        current = stack.pop()
        if current.type == "function_definition":
            yield current
        elif current.type in _CONTAINERS:
            stack.extend(reversed(current.children))


def _read(node: Node, source: _Source) -> _Function | None:
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
    outer, extern_c = node, False
    while outer.parent is not None and outer.parent.type in _CONTAINERS:
        parent = outer.parent
        if parent.type == "template_declaration":
            node = parent
        extern_c = extern_c or parent.type == "linkage_specification"
        outer = parent
    head = _head(node, body, source)
    name_text = source.of(name)
    if head is None or name_text == "main":
        return None
    count = len(parameters.named_children)
    needs = frozenset(_needed_names(node, body, source))
    return _Function(name_text, count, head, source.index(node.start_byte), extern_c, needs)


def _function_declarator(node: Node) -> Node | None:
    current: Node | None = node
    while current is not None:
        if current.type == "function_declarator":
            return current
        if current.type == "reference_declarator":
            inner = [c for c in current.named_children if c.type.endswith("declarator")]
            current = inner[0] if inner else None
        else:
            current = current.child_by_field_name("declarator")
    return None


def _head(node: Node, body: Node, source: _Source) -> str | None:
    """The definition's text up to its body: one line, without comments and default arguments."""
    start, end = source.index(node.start_byte), source.index(body.start_byte)
    cut = [
        (source.index(equals.start_byte), source.index(parameter.end_byte))
        for parameter in _descendants(node, body.start_byte)
        if parameter.type.startswith("optional_")
        for equals in parameter.children
        if equals.type == "="
    ]
    pieces: list[str] = []
    last_end = start
    for token in tokens_of(source.text[start:end]):
        at = start + token.start
        if token.kind is Kind.DIRECTIVE:
            return None
        if token.kind is Kind.COMMENT or any(a <= at < b for a, b in cut):
            continue
        if pieces and at > last_end:
            pieces.append(" ")
        pieces.append(token.text)
        last_end = start + token.end
    return "".join(pieces)


def _needed_names(node: Node, body: Node, source: _Source) -> Iterator[str]:
    """Types, namespaces and constants that the definition's head names (not its parameters)."""
    for inner in _descendants(node, body.start_byte):
        parent = inner.parent
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


def _descendants(node: Node, end_byte: int) -> Iterator[Node]:
    stack = [node]
    while stack:
        current = stack.pop()
        if current.start_byte < end_byte:
            yield current
            stack.extend(current.children)


def _declared(root: Node, source: _Source) -> set[tuple[str, int]]:
    """Names and parameter counts of the functions that the sketch declares itself."""
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
                    declared.add((source.of(name), len(parameters.named_children)))
        elif node.type in _CONTAINERS:
            stack.extend(node.children)
    return declared


class _View:
    """The sketch as the lexer sees it: safe points, conditionals, where names and includes appear."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.everywhere = list(walk(tokens))
        self.starts = [p.token.start for p in self.everywhere]
        self.places = [
            p for p in self.everywhere if p.at_file_scope or p.token.kind is Kind.DIRECTIVE
        ]
        self.safe = [p for p in self.places if p.at_file_scope and p.starts_statement]

    def safe_point_before(self, offset: int, branches: int = 0) -> Place | None:
        """The last statement start at or before `offset` that is inside at most `branches` #ifs."""
        candidates = [
            p
            for p in self.safe
            if p.token.start <= offset
            and len(p.branches) <= branches
            and not (p.token.kind is Kind.DIRECTIVE and _is_branch(p.token))
        ]
        return candidates[-1] if candidates else None

    def place(self, function: _Function, first: Place | None) -> Prototype | None:
        at = bisect_left(self.starts, function.start)
        if at == len(self.starts) or self.everywhere[at].dead:
            return None
        here = self.everywhere[at]
        text = ('extern "C" ' if function.extern_c else "") + function.head + ";"
        needed = self._needed_offset(function, first.token.start if first else function.start)
        if needed is None:
            if first is None:
                return None
            position = first.token.start
            if len(here.branches) > len(first.branches):
                text = self._wrapped(text, here)
            return Prototype(text, function.start, position)
        inside = self._first_safe_after(needed, function.start, here)
        if inside is None:
            return None
        return Prototype(text, function.start, inside.token.start)

    def _wrapped(self, text: str, here: Place) -> str:
        return "\n".join([*here.conditions, text, *["#endif"] * len(here.branches)])

    def _first_safe_after(self, offset: int, limit: int, here: Place) -> Place | None:
        """The first statement start after `offset` in the function's own branch."""
        for place in self.safe:
            if (
                offset < place.token.start <= limit
                and place.branches == here.branches
                and not (place.token.kind is Kind.DIRECTIVE and _is_branch(place.token))
            ):
                return place
        return None

    def _needed_offset(self, function: _Function, first: int) -> int | None:
        """After which offset the prototype's names are known; None: from the first function on."""
        words = function.needs
        if not words:
            return None
        last: int | None = None
        for place in self.places:
            token = place.token
            if not first <= token.start < function.start:
                continue
            if token.kind is Kind.DIRECTIVE:
                name = directive_name(token.text)
                defines = name == "define" and any(
                    t.text in words for t in tokens_of(token.text[1:])[1:2]
                )
                if name in ("include", "import") or defines:
                    last = token.start
            elif place.at_file_scope and self._defines_type(place, words):
                last = token.start
        return last

    def _defines_type(self, place: Place, words: frozenset[str]) -> bool:
        """Does the statement that this token belongs to define one of these types?"""
        head = self.tokens[place.statement]
        if not head.is_word("struct", "class", "enum", "union", "typedef", "using", "template"):
            return False
        return place.token.kind is Kind.WORD and place.token.text in words


def _is_branch(token: Token) -> bool:
    return directive_name(token.text).startswith("el") or directive_name(token.text) == "endif"
