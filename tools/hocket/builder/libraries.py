"""Finds the Arduino libraries that a sketch needs, by the headers it includes, as arduino-cli does.

A library is a folder `NAME/` in a `libraries/` folder: with `library.properties` and `src/` (all of it
is compiled), or older, with its sources beside its headers and in `utility/`. The library whose example
the sketch is counts as well, wherever it lies. Where two have the header, the one made for the board wins
(`architectures` in its properties), then the one named like the header, then the sketchbook's, then the one
in the box, then what an Arduino that is installed brings for the board's processor (SoftwareSerial for
the Uno).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hocket.boards import architecture_of
from hocket.builder.library_properties import names_in, properties_of
from hocket.paths import LIBRARIES
from hocket.sketch.folder import COMPILED, Sketch, read_source
from hocket.sketch.scopes import walk
from hocket.sketch.tokens import Kind, directive_name, directive_rest, tokens_of

# By the processor: where Debian's package arduino-core-avr has them.
INSTALLED = {"avr": Path("/usr/share/arduino/hardware/arduino/avr/libraries")}
INSTALLED_FROM = {"avr": "arduino-core-avr"}
# What `architectures` calls our boards, all of them (one has its own name besides). Libraries for the
# processor that a board has are of use, too, but know nothing of loops.
_OURS = {"hocket", "*"}
_HEADERS = {".h", ".hh", ".hpp"}


@dataclass(frozen=True)
class Library:
    name: str
    includes: tuple[Path, ...]
    sources: tuple[Path, ...]

    @property
    def folder(self) -> Path:
        own = self.includes[0]
        return own.parent if own.name == "src" else own


def sketchbook_libraries(folder: Path) -> list[Path]:
    """`libraries/` folders beside the sketch and in the folders above it, nearest first; those that it lies
    in, as a library's example, however far above."""
    beside = [above / "libraries" for above in (folder, *folder.parents[:4])]
    around = [above for above in folder.parents if above.name == "libraries"]
    found = [path for path in (*beside, *around) if path.is_dir() and path != LIBRARIES]
    return list(dict.fromkeys(found))


def around_example(folder: Path) -> Path | None:
    """The library whose example a sketch is, wherever it lies; None: it is none's."""
    for above in folder.parents:
        if above.name == "examples" and above.parent != above:
            library = above.parent
            named = (library / "library.properties").is_file()
            return library if named or any(_is_header(p) for p in library.iterdir()) else None
    return None


def needed_libraries(
    sketch: Sketch, texts: list[str], board: str = "", further: Sequence[Path] = ()
) -> list[Library]:
    """The libraries whose headers the texts include, and those that these libraries include. further: more
    folders to look for libraries in, behind the sketch's own."""
    example_of = around_example(sketch.folder)
    offered = [example_of] if example_of else []
    for root in (*sketchbook_libraries(sketch.folder), *further):
        offered += _folders(root)
    index = _index([*offered, *libraries_for(board)])
    found: dict[Path, Library] = {}
    waiting = [header for text in texts for header in included(text)]
    seen: set[str] = set()
    while waiting:
        header = waiting.pop(0)
        if header in seen or (sketch.folder / header).is_file():
            continue
        seen.add(header)
        folders = index.get(header)
        if not folders:
            continue
        stem = Path(header).stem.lower()
        folder = min(
            folders,
            key=lambda f: (_strangeness(f, board), f.name.lower() != stem, folders.index(f)),
        )
        if folder in found:
            continue
        library = _library(folder)
        found[folder] = library
        own = [p for include in library.includes for p in include.iterdir() if _is_header(p)]
        waiting += [h for path in (*own, *library.sources) for h in included(read_source(path))]
    return list(found.values())


def libraries_for(board: str) -> list[Path]:
    """The libraries that a board has besides a sketchbook's: in the box, then what Arduino brings."""
    boxed = [folder for folder in _folders(LIBRARIES) if _strangeness(folder, board) == 0]
    installed = INSTALLED.get(architecture_of(board))
    return boxed + (_folders(installed) if installed else [])


def header_like(header: str, sketch: Sketch, board: str) -> str | None:
    """A header that a library has, or the core's own, whose name differs in the case of letters alone."""
    offered = [folder for root in sketchbook_libraries(sketch.folder) for folder in _folders(root)]
    names = [*_index([*offered, *libraries_for(board)]), "Arduino.h", "Hocket.h"]
    return next((name for name in names if name.lower() == header.lower()), None)


def _folders(root: Path) -> list[Path]:
    return sorted(p for p in root.iterdir() if p.is_dir()) if root.is_dir() else []


def _strangeness(folder: Path, board: str) -> int:
    """0: made for our boards, or for any; 1: for the board's processor; 2: for others."""
    said = properties_of(folder).get("architectures", "")
    names = set(names_in(said)) if said else set(_OURS)
    if names & {*_OURS, board}:
        return 0
    return 1 if architecture_of(board) in names else 2


def is_for(library: Library, board: str) -> bool:
    """Whether the library says so, or does not say."""
    return _strangeness(library.folder, board) < 2


def or_the_boxed(library: Library, board: str) -> Library:
    """The library, or that of the box which has its name and is made for the board, where this one is not."""
    boxed = LIBRARIES / library.name
    if _strangeness(library.folder, board) > 0 and boxed in libraries_for(board):
        return _library(boxed)
    return library


def passed_over(sketch: Sketch, libraries: Sequence[Library]) -> list[Path]:
    """Libraries of the sketchbook whose place one of the box has taken: they have its name."""
    boxed = {library.name for library in libraries if LIBRARIES in library.includes[0].parents}
    places = sketchbook_libraries(sketch.folder)
    return [place / name for place in places for name in sorted(boxed) if (place / name).is_dir()]


def included(text: str) -> list[str]:
    """Headers that a text includes, those inside `#if 0` left out."""
    if "include" not in text:
        return []
    headers = []
    for place in walk(tokens_of(text)):
        if place.dead or place.token.kind is not Kind.DIRECTIVE:
            continue
        if directive_name(place.token.text) == "include":
            match = re.match(r'[<"]([^>"]+)[>"]', directive_rest(place.token.text))
            if match:
                headers.append(match.group(1))
    return headers


def _index(folders: list[Path]) -> dict[str, list[Path]]:
    """Library folders by the headers they offer, in order of preference."""
    index: dict[str, list[Path]] = {}
    for folder in dict.fromkeys(folders):
        base = folder / "src" if (folder / "src").is_dir() else folder
        places = [base, *_further_headers(folder)]
        for header in sorted(p for place in places for p in place.iterdir() if _is_header(p)):
            index.setdefault(header.name, []).append(folder)
    return index


def _further_headers(folder: Path) -> list[Path]:
    """Where libraries for PlatformIO have theirs."""
    return [folder / "include"] if (folder / "include").is_dir() else []


def _is_header(path: Path) -> bool:
    return path.suffix in _HEADERS and path.is_file()


def library_in(includes: Path) -> Library | None:
    """The library that has its headers in this folder; None: there is none there."""
    if includes.name == "src" and (includes.parent / "library.properties").is_file():
        return _library(includes.parent)
    named = (includes / "library.properties").is_file()
    headers = includes.name != "utility" and any(_is_header(p) for p in includes.iterdir())
    return _library(includes) if named or headers else None


def _library(folder: Path) -> Library:
    if (folder / "src").is_dir():
        sources = [p for p in (folder / "src").rglob("*") if p.suffix in COMPILED]
        includes = [folder / "src", *_further_headers(folder)]
        return Library(folder.name, tuple(includes), tuple(sorted(sources)))
    sources = [p for p in folder.iterdir() if p.suffix in COMPILED]
    includes = [folder, *_further_headers(folder)]
    if (folder / "utility").is_dir():
        includes.append(folder / "utility")
        sources += [p for p in (folder / "utility").iterdir() if p.suffix in COMPILED]
    return Library(folder.name, tuple(includes), tuple(sorted(sources)))
