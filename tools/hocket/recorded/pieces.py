"""The pieces of a Python file that can change separately: each function, and each statement outside of
functions.

A function matters to the tests that call it. A statement outside (a constant, a class's fields, a function's
defaults) is executed on import, which happens in nearly every test. It matters to the tests that call a
function which mentions a name that the statement binds, or a name bound by another statement that mentions
it, and so on. Names are compared over all files, so more tests than necessary may be selected.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

AT_LOAD = "<module>"
_OUTSIDE = "="  # prefix of a statement outside of functions, before what it binds

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Piece:
    """binds: names bound by a statement outside of functions. Empty if it binds none."""

    digest: str
    mentions: frozenset[str]
    is_function: bool = False
    imports: bool = False
    binds: frozenset[str] = frozenset()


def pieces_of(source: str) -> dict[str, Piece]:
    """Returns the pieces by name: a function's qualified name, or `=` and what a statement binds. Raises
    SyntaxError."""
    found: dict[str, list[Piece]] = {}
    _collect(ast.parse(source).body, "", found)
    return {name: _joined(pieces) for name, pieces in found.items()}


def changed(before: Mapping[str, Piece], after: Mapping[str, Piece]) -> set[str]:
    """Returns the pieces that differ, are new, or are gone."""
    names = before.keys() | after.keys()
    return {
        name
        for name in names
        if name not in before or name not in after or before[name].digest != after[name].digest
    }


def touched_by(
    files: Mapping[str, Mapping[str, Piece]], differing: Mapping[str, Iterable[str]]
) -> set[tuple[str, str]]:
    """Returns the functions (file, name) to which these pieces of files matter. (file, AT_LOAD): all
    importers of the file."""
    found: set[tuple[str, str]] = set()
    called: set[str] = set()  # functions that may be called on import
    reached: set[str] = set()  # names of statements outside of functions
    for file, names in differing.items():
        for name in names:
            piece = files.get(file, {}).get(name)
            if not name.startswith(_OUTSIDE):
                found.add((file, name))
                called.add(name.rpartition(".")[2])
            elif name == _OUTSIDE or (piece is not None and not piece.binds):
                found.add((file, AT_LOAD))
            else:
                reached.update(name[1:].split(","))
    outside = [
        (file, piece)
        for file, pieces in files.items()
        for piece in pieces.values()
        if not piece.is_function
    ]
    more = True
    while more:
        more = False
        for file, piece in outside:
            if piece.mentions & reached or (not piece.imports and piece.mentions & called):
                if not piece.binds:
                    found.add((file, AT_LOAD))
                elif not piece.binds <= reached:
                    reached |= piece.binds
                    more = True
    found |= {
        (file, name)
        for file, pieces in files.items()
        for name, piece in pieces.items()
        if piece.is_function and piece.mentions & reached
    }
    return found


def _collect(body: Sequence[ast.stmt], prefix: str, found: dict[str, list[Piece]]) -> None:
    for statement in body:
        if isinstance(statement, _FUNCTIONS):
            name = prefix + statement.name
            arguments = statement.args
            defaults = [*arguments.defaults, *filter(None, arguments.kw_defaults)]
            head: list[ast.AST] = [*defaults, *statement.decorator_list]
            # The command line reads annotations at run time.
            all_of_it = _mentions([*statement.body, arguments]) | _class_of(prefix)
            piece = Piece(_digest(statement.body), all_of_it, is_function=True)
            found.setdefault(name, []).append(piece)
            _add_outside(found, statement, [arguments, *head], head, [statement.name], prefix)
        elif isinstance(statement, ast.ClassDef):
            apart = (*_FUNCTIONS, ast.ClassDef)
            fields = [each for each in statement.body if not isinstance(each, apart)]
            head = [*statement.bases, *statement.keywords, *statement.decorator_list]
            values = [each.value if isinstance(each, ast.AnnAssign) else each for each in fields]
            mentioned = [*head, *(each for each in values if each is not None)]
            _add_outside(found, statement, [*head, *fields], mentioned, [statement.name], prefix)
            inner = [each for each in statement.body if isinstance(each, apart)]
            _collect(inner, f"{prefix}{statement.name}.", found)
        else:
            _add_outside(found, statement, [statement], [statement], _binds(statement), prefix)


def _class_of(prefix: str) -> frozenset[str]:
    """Returns the class's name: a method depends on the statements of its class."""
    return frozenset(prefix.rstrip(".").split(".")) if prefix else frozenset()


def _add_outside(
    found: dict[str, list[Piece]],
    statement: ast.stmt,
    content: Iterable[ast.AST],
    mentioned: Iterable[ast.AST],
    binds: Iterable[str],
    prefix: str,
) -> None:
    bound = frozenset(binds)
    if bound:
        bound |= _class_of(prefix)
    imports = isinstance(statement, (ast.Import, ast.ImportFrom))
    digest = type(statement).__name__ + _digest(content)
    piece = Piece(digest, _mentions(mentioned), imports=imports, binds=bound)
    found.setdefault(_OUTSIDE + ",".join(sorted(bound)), []).append(piece)


def _binds(statement: ast.stmt) -> list[str]:
    """Returns the names that a plain statement binds. Empty if it does more than that."""
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return [(alias.asname or alias.name).partition(".")[0] for alias in statement.names]
    targets: list[ast.expr] = []
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, (ast.AnnAssign, ast.AugAssign)):
        targets = [statement.target]
    names = [node for target in targets for node in ast.walk(target)]
    if any(isinstance(node, (ast.Attribute, ast.Subscript)) for node in names):
        return []  # it changes what another statement has made
    return [node.id for node in names if isinstance(node, ast.Name)]


def _mentions(nodes: Iterable[ast.AST]) -> frozenset[str]:
    found = set()
    for top in nodes:
        for node in ast.walk(top):
            if isinstance(node, ast.Name):
                found.add(node.id)
            elif isinstance(node, ast.Attribute):
                found.add(node.attr)
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                found.update(part for each in node.names for part in each.name.split("."))
    return frozenset(found)


def _digest(nodes: Iterable[ast.AST]) -> str:
    text = "\0".join(ast.dump(node) for node in nodes)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _joined(pieces: list[Piece]) -> Piece:
    if len(pieces) == 1:
        return pieces[0]
    return Piece(
        hashlib.sha256("\0".join(piece.digest for piece in pieces).encode()).hexdigest()[:16],
        frozenset().union(*(piece.mentions for piece in pieces)),
        all(piece.is_function for piece in pieces),
        all(piece.imports for piece in pieces),
        frozenset().union(*(piece.binds for piece in pieces)),
    )
