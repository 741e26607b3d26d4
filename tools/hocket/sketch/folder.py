"""Reads a sketch from disk as the Arduino IDE does: a folder with an .ino file, or an .ino or .cpp file."""

from __future__ import annotations

import codecs
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hocket.errors import HocketError, system_error
from hocket.inside import check

INO = (".ino", ".pde")
COMPILED = (".cpp", ".cc", ".cxx", ".c", ".S")
_WHAT_TO_NAME = "name a folder that holds an .ino, or an .ino or .cpp file"
HEADERS = (".h", ".hpp", ".hh", ".hxx", ".inc", ".ipp", ".tpp")


@dataclass(frozen=True)
class Sketch:
    """The files of one sketch.

    name      of the folder, or of the .cpp file
    folder    absolute; headers are searched there
    tabs      the .ino files in the order in which they are joined; empty for a .cpp sketch
    sources   further files, compiled without translation
    headers   of the folder, for checks that must see every file
    """

    name: str
    folder: Path
    tabs: tuple[Path, ...]
    sources: tuple[Path, ...]
    headers: tuple[Path, ...]


def find_sketch(argument: str) -> Sketch:
    """Returns the sketch that a command's SKETCH argument names. Raises HocketError if there is none."""
    path = _named(argument)
    if path.is_dir():
        return _from_folder(path, argument)
    if not path.is_file():
        raise HocketError(
            f"there is no sketch {argument}",
            "it is a device, not a file" if path.exists() else "no such file or folder",
            _suggestion(path, argument) or _WHAT_TO_NAME,
        )
    if path.suffix.lower() in INO:
        return _from_tab(path)
    if path.suffix in COMPILED[:3]:
        headers = tuple(files_in(path.parent, HEADERS))
        return _checked(Sketch(path.stem, path.parent, (), (path,), headers))
    raise HocketError(
        f"{argument} is not a sketch",
        f"a file ending in {path.suffix or 'nothing'} is neither an .ino nor a .cpp",
        _WHAT_TO_NAME,
    )


def _named(argument: str) -> Path:
    """Returns the path of the argument. Raises HocketError for a name that the system or a report does not
    allow."""
    if not argument:
        raise HocketError(
            "the sketch's name is empty",
            "a variable of the shell may have been empty",
            _WHAT_TO_NAME,
        )
    try:
        path = Path(argument).resolve(strict=False)
        path.exists()  # a name may be too long
        if any(unicodedata.category(character) == "Cc" for character in str(path)):
            raise HocketError(
                f"the sketch {argument!r} has a name that compilers do not accept",
                "it contains a line break or another control character",
                "rename it, or the folder that it is in",
            )
        str(path).encode()
    except UnicodeEncodeError as problem:
        raise HocketError(
            f"the sketch {argument!r} has a name that is not text",
            "some of its bytes are not UTF-8",
            "rename it, or the folder that it is in",
        ) from problem
    except OSError as problem:
        raise system_error(f"the sketch {argument!r} cannot be read", problem) from problem
    except (ValueError, RuntimeError) as problem:  # of links that form a cycle
        raise HocketError(
            f"the sketch {argument!r} cannot be read", str(problem), _WHAT_TO_NAME
        ) from problem
    return path


# Texts of an editor that are newer than their files.
_newer: dict[Path, str] = {}


@contextmanager
def instead_of_files(texts: Mapping[Path, str]) -> Iterator[None]:
    """While the context is active, read_source() returns these texts instead of the files' content."""
    _newer.update(texts)
    try:
        yield
    finally:
        for path in texts:
            _newer.pop(path, None)


def is_newer(path: Path) -> bool:
    """Returns whether read_source() returns a text other than the file's content."""
    return path in _newer


def read_source(path: Path) -> str:
    """Returns the text of a source file: UTF-8, with or without a byte order mark, else Latin-1. Lines end
    with \\n.

    Raises HocketError if the file cannot be read or is in UTF-16 or UTF-32.
    """
    if path in _newer:
        return _newer[path]
    data = _bytes_of(path)
    if _is_wide(data):
        raise HocketError(
            "a compiler cannot read this file as text",
            'it is in UTF-16 or UTF-32, which some editors call "Unicode"',
            "save it as UTF-8",
            file=path,
        )
    return _text_of(data)


def read_anything(path: Path) -> str:
    """As read_source(), without checking the content."""
    return _text_of(_bytes_of(path))


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as problem:
        raise system_error("this file cannot be read", problem, path) from problem


def _text_of(data: bytes) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _is_wide(data: bytes) -> bool:
    """Returns whether the data is UTF-16 or UTF-32: by its byte order mark, or by a zero in most pairs of
    bytes. Single zeros are reported by the compiler."""
    marked = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return b"\0" in data and (marked or data.count(0) >= len(data) // 3)


def _from_folder(folder: Path, argument: str) -> Sketch:
    tabs = files_in(folder, INO)
    main = [tab for tab in tabs if tab.stem == folder.name]
    if not tabs:
        others = files_in(folder, COMPILED[:3])
        inside = _sketches_in(folder)
        if others:
            way_out = f"for a sketch in C++ name its file: {Path(argument) / others[0].name}"
        elif inside:
            way_out = f"name one of the sketches in it: {_some(argument, inside)}"
        elif argument == ".":
            way_out = "name a sketch, or make one: hocket new NAME"
        elif folder.name:
            way_out = f"make {folder.name}/{folder.name}.ino, or name a .cpp file"
        else:  # /
            way_out = _WHAT_TO_NAME
        raise HocketError(
            f"{argument} holds no sketch", "there is no .ino file in this folder", way_out
        )
    if not main and len(tabs) > 1:
        raise HocketError(
            f"{argument} has no main file",
            f"none of {', '.join(tab.name for tab in tabs)} is named like the folder",
            f"rename the one with setup() to {folder.name}.ino",
        )
    first = main[0] if main else tabs[0]
    return _sketch(folder, first, [tab for tab in tabs if tab != first])


def _from_tab(path: Path) -> Sketch:
    tabs = files_in(path.parent, INO)
    main = [tab for tab in tabs if tab.stem == path.parent.name]
    if main:  # the file is a tab of that folder's sketch
        return _sketch(path.parent, main[0], [tab for tab in tabs if tab != main[0]])
    if tabs == [path]:
        return _sketch(path.parent, path, [])
    headers = tuple(files_in(path.parent, HEADERS))
    return _checked(Sketch(path.stem, path.parent, (path,), (), headers))


def _checked(sketch: Sketch) -> Sketch:
    """Raises HocketError for a file that is a link out of the sketch's folder."""
    for path in (*sketch.tabs, *sketch.sources, *sketch.headers):
        check("this file of the sketch", path, sketch.folder, path)
    return sketch


def _sketch(folder: Path, main: Path, others: list[Path]) -> Sketch:
    sources = files_in(folder, COMPILED) + files_in(folder / "src", COMPILED, deep=True)
    headers = files_in(folder, HEADERS) + files_in(folder / "src", HEADERS, deep=True)
    name = main.stem if main.stem != folder.name else folder.name
    return _checked(Sketch(name, folder, (main, *others), tuple(sources), tuple(headers)))


def files_in(folder: Path, endings: tuple[str, ...], deep: bool = False) -> list[Path]:
    """Returns the files of a folder with these endings, in the IDE's order (by name, ignoring case)."""
    if not folder.is_dir():
        return []
    try:
        candidates = folder.rglob("*") if deep else folder.iterdir()
        found = [
            p
            for p in candidates
            if _ending(p) in endings
            and not any(part.startswith(".") for part in p.relative_to(folder).parts)
            and p.is_file()
        ]
    except OSError as problem:
        raise system_error("this folder cannot be read", problem, folder) from problem
    return sorted(found, key=lambda p: (str(p).lower(), str(p)))


def _ending(path: Path) -> str:
    return path.suffix.lower() if path.suffix.lower() in INO else path.suffix


def _sketches_in(folder: Path) -> list[str]:
    """Returns the names of the folders in a folder that hold a sketch of their own name."""
    try:
        return sorted(p.name for p in folder.iterdir() if (p / f"{p.name}.ino").is_file())
    except OSError:
        return []


def _some(argument: str, names: list[str]) -> str:
    shown = [str(Path(argument) / name) for name in names[:3]]
    return ", ".join(shown) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _suggestion(path: Path, argument: str) -> str:
    """Suggests one of the examples if its name was given without the folder, else a similar name in the same
    folder. Returns an empty string if there is none."""
    from difflib import get_close_matches

    if not path.parent.is_dir():
        return ""
    if path.name in _sketches_in(path.parent / "examples"):
        return f"did you mean examples/{path.name}?"
    names = [p.name for p in path.parent.iterdir() if p.is_dir() or p.suffix in (*INO, ".cpp")]
    near = get_close_matches(path.name, names, 1)
    return f"did you mean {Path(argument).with_name(near[0])}?" if near else ""
