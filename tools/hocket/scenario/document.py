"""A YAML file as plain Python values, with the line of every key and item.

Only values that JSON has are accepted: mappings with text keys, lists, texts, numbers, true, false, null.
Aliases are resolved. A document that contains itself or exceeds the limits is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.constructor import DuplicateKeyError, RoundTripConstructor
from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.scanner import RoundTripScanner

from hocket.errors import HocketError

MOST_BYTES = 4 * 1024 * 1024
# Limits of a document. Reading deeper nesting takes time that grows with the square of the depth. Each value
# takes about 50 us.
MOST_VALUES = 50_000
MOST_TOKENS = 5 * MOST_VALUES
DEEPEST = 20

Path_ = tuple[str | int, ...]


@dataclass
class Document:
    """The values of a file, and the line of each."""

    file: Path
    value: object = None
    # Folders whose files the document may name, besides those of the command line (hocket.inside).
    roots: tuple[Path, ...] = ()
    lines: dict[Path_, int] = field(default_factory=dict)

    def line(self, path: Iterable[str | int]) -> int:
        """Returns the line (from 1) of a value, or of the nearest enclosing value whose line is known."""
        where = tuple(path)
        while where and where not in self.lines:
            where = where[:-1]
        return self.lines.get(where, 1)

    def error(
        self, path: Iterable[str | int], fact: str, next_step: str, cause: str = ""
    ) -> HocketError:
        return HocketError(fact, cause, next_step, file=self.file, line=self.line(path))


def read(file: Path, folder: Path | None = None) -> Document:
    """Reads a YAML file. Raises HocketError if it cannot be read or is not plain YAML. folder: the sketch's.
    The document may name files in it and in its own folder."""
    return document_of(file, _text(file), folder)


def document_of(file: Path, text: str, folder: Path | None = None) -> Document:
    """As read(), for a text instead of the content of the file."""
    document = Document(file, roots=(file.parent,) if folder is None else (folder, file.parent))
    _Reader(document).fill(parse(file, text))
    return document


def document_and_nodes(file: Path, text: str) -> tuple[Document, Any]:
    """As document_of(), with the nodes of the text, which have their place in it. The text is read once."""
    document = Document(file, roots=(file.parent,))
    value, root = parse(file, text, "both")
    _Reader(document).fill(value)
    return document, root


def _text(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)  # it may be a device, which has no end
    except FileNotFoundError:
        raise HocketError(
            "there is no such scenario file", next_step="check the name after --scenario", file=file
        ) from None
    except OSError as error:
        raise HocketError(
            "the scenario file cannot be read", error.strerror or "", "check its permissions", file
        ) from None
    if len(data) > MOST_BYTES:
        raise HocketError(
            "the scenario file is larger than 4 MiB",
            "",
            "describe repeated signals by a generator",
            file,
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise HocketError(
            "the scenario file is not UTF-8 text", "", "save it as UTF-8", file, line
        ) from None


class _TooMuchError(Exception):
    """The text exceeds the limits of a scenario, from this line (from 0) on."""

    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line


class _BoundedScanner(RoundTripScanner):
    """Counts tokens while it reads, and stops at a limit."""

    read = 0  # number of tokens

    def fetch_more_tokens(self) -> Any:
        self.read += 1
        if self.read > MOST_TOKENS or max(len(self.flow_context), len(self.indents)) > DEEPEST:
            raise _TooMuchError(self.reader.line)
        return super().fetch_more_tokens()


class _KeepingConstructor(RoundTripConstructor):
    """Keeps the nodes that it makes values of."""

    root: Any = None

    def get_single_data(self) -> Any:
        self.root = self.composer.get_single_node()
        return self.construct_document(self.root) if self.root is not None else None


def parse(file: Path, text: str, wanted: Literal["values", "nodes", "both"] = "values") -> Any:
    """Returns the text's values as ruamel's objects, or its nodes, which have their place in the text, or the
    two of them."""
    yaml = YAML(typ="rt", pure=True)
    yaml.Scanner = _BoundedScanner
    yaml.Constructor = _KeepingConstructor
    try:
        if wanted == "nodes":
            return yaml.compose(text)
        value = yaml.load(text)
        return (value, yaml.constructor.root) if wanted == "both" else value
    except _TooMuchError as error:
        raise _too_much(file, error.line + 1) from None
    except DuplicateKeyError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        name = re.search(r'found duplicate key "(.*?)"', str(error.problem))
        fact = f"there is a second {name[1]} here" if name else "a key is here twice"
        raise HocketError(
            fact, "a name can be given only once", "rename one of them or remove it", file, line
        ) from None
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        cause = ", ".join(str(part) for part in (error.context, error.problem) if part)
        way_out = "check indentation, colons and quotes around this line"
        if "found character '\\t'" in cause:
            cause, way_out = (
                "there is a tab, which YAML does not allow here",
                "use spaces, not tabs",
            )
        raise HocketError(
            "this is not well-formed YAML",
            " ".join(cause.split()),
            way_out,
            file,
            mark.line + 1 if mark else None,
        ) from None
    except Exception as error:
        # The parser's own conversions (numbers, dates, tags) raise a variety of exceptions on odd input. In
        # every case the file is at fault, and the message must say so.
        raise HocketError(
            "this is not well-formed YAML",
            " ".join(str(error).split())[:200],
            "write plain mappings, lists, texts and numbers",
            file,
        ) from None


def _too_much(file: Path, line: int) -> HocketError:
    return HocketError(
        "the scenario is nested too deeply or too large",
        f"it may have {MOST_VALUES:,} values, nested {DEEPEST} deep; an alias counts as what it stands for",
        "describe repeated signals by a generator, and remove aliases that repeat each other",
        file,
        line,
    )


class _Reader:
    """Copies ruamel's values to plain ones and records their lines."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.values = 0

    def fill(self, value: object) -> None:
        self.document.lines[()] = 1
        self.document.value = self.plain(value, ()) if value is not None else {}  # an empty file

    def plain(self, value: object, path: Path_) -> object:
        self.values += 1
        if len(path) > DEEPEST or self.values > MOST_VALUES:
            raise _too_much(self.document.file, self.document.line(path[:3]))
        if isinstance(value, CommentedMap):
            return self.mapping(value, path)
        if isinstance(value, CommentedSeq):
            result: list[object] = []
            for index, item in enumerate(value):
                where = (*path, index)
                self.note(where, value.lc.data.get(index) if value.lc.data else None)
                result.append(self.plain(item, where))
            return result
        return self.scalar(value, path)

    def mapping(self, value: CommentedMap, path: Path_) -> dict[str, object]:
        result: dict[str, object] = {}
        for key, item in value.items():
            if not isinstance(key, str):
                raise self.document.error(
                    path, "a key here is not text", "write keys as words, in quotes if need be"
                )
            where = (*path, str(key))
            self.note(where, value.lc.data.get(key) if value.lc.data else None)
            result[str(key)] = self.plain(item, where)
        return result

    def scalar(self, value: object, path: Path_) -> object:
        if value is None or isinstance(value, bool):
            return value
        if type(value).__name__ == "ScalarBoolean":
            return bool(value)
        if isinstance(value, str):
            return str(value)
        if isinstance(value, int):
            return int(value)
        if isinstance(value, float):
            return float(value)
        raise self.document.error(
            path,
            "this value is neither a text nor a number",
            "put it in double quotes if it is a text",
        )

    def note(self, path: Path_, mark: list[int] | None) -> None:
        if mark:
            self.document.lines[path] = mark[0] + 1
