"""Arduino libraries on disk: where they are searched, which of their files are compiled, and which library an
include selects if several have the header.

A library is a folder `NAME/` in a `libraries/` folder. In the current layout it has `library.properties` and
`src/`, of which every source is compiled. In the older layout its sources lie beside its headers and in
`utility/`, whose headers are private. If the sketch is an example of a library, that library counts as well,
wherever it lies.

If several libraries have a header, the rules of arduino-cli decide (`ComputePriority` in its resolver). Each
rule applies if the rules before it leave several libraries:
1. It is made for the board, for its processor, or for all (`architectures` in its properties).
2. Its name equals the header's, begins with it, ends with it, or contains it.
3. It is made for all or for Hocket. Libraries for the board's processor come after, because they do not
   support loops.
4. The library that includes the header declares it as a dependency (not in arduino-cli).
5. Its place: the sketchbook, then Hocket's own libraries, then those of an installed Arduino for the board's
   processor.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from hocket.boards import architecture_of, processor_of
from hocket.builder.library_properties import FILE, names_in, properties_of
from hocket.paths import LIBRARIES
from hocket.sketch.folder import COMPILED, Sketch

# By processor: the folder of Debian's package arduino-core-avr.
INSTALLED = {"avr": Path("/usr/share/arduino/hardware/arduino/avr/libraries")}
INSTALLED_FROM = {"avr": "arduino-core-avr"}
# The names in `architectures` that mean every Hocket board. (A board and its processor have names of their
# own.) Libraries for the board's processor are usable, too, but do not support loops.
_OURS = {"hocket", "*"}
_ENDINGS = (".h", ".hh", ".hpp")


@dataclass(frozen=True)
class Library:
    """includes: header folders, visible to all sources. own_includes: further header folders, for the
    library's own sources only."""

    name: str
    includes: tuple[Path, ...]
    sources: tuple[Path, ...]
    own_includes: tuple[Path, ...] = ()

    @property
    def folder(self) -> Path:
        own = self.includes[0]
        return own.parent if own.name == "src" else own


def sketchbook_libraries(folder: Path) -> list[Path]:
    """Returns the `libraries/` folders in the sketch's folder and in the four folders above it, nearest
    first, then any `libraries/` folder that contains the sketch, however far above."""
    beside = [above / "libraries" for above in (folder, *folder.parents[:4])]
    around = [above for above in folder.parents if above.name == "libraries"]
    found = [path for path in (*beside, *around) if path.is_dir() and path != LIBRARIES]
    return list(dict.fromkeys(found))


def around_example(folder: Path) -> Path | None:
    """Returns the library of which the sketch is an example, wherever it lies, or None."""
    for above in folder.parents:
        if above.name == "examples" and above.parent != above:
            library = above.parent
            named = (library / "library.properties").is_file()
            return library if named or any(_is_header(p) for p in library.iterdir()) else None
    return None


def offered_folders(sketch: Sketch, board: str, further: Sequence[Path] = ()) -> list[Path]:
    """Returns the folders of the libraries that a sketch may use, in order of preference where all else is
    equal. further: more folders of libraries, searched after the sketch's own."""
    example_of = around_example(sketch.folder)
    offered = [example_of] if example_of else []
    for root in (*sketchbook_libraries(sketch.folder), *further):
        offered += _folders(root)
    return list(dict.fromkeys([*offered, *libraries_for(board)]))


class Offered:
    """The headers of the offered libraries, and the choice between libraries with the same header."""

    def __init__(self, folders: Sequence[Path], board: str) -> None:
        self._board = board
        self._places = {folder: at for at, folder in enumerate(folders)}
        self._by_header: dict[str, list[Path]] = {}
        self._below: dict[str, list[Path]] = {}  # by headers with a folder in their name
        self.listing: list[str] = []  # everything that this was found from
        for folder in folders:
            places = [_base(folder), *_further_headers(folder)]
            names = sorted({name for place in places for name in _headers_in(place)})
            for name in names:
                self._by_header.setdefault(name, []).append(folder)
            self.listing.append(f"{folder} {_state(folder / FILE)} {' '.join(names)}")

    @property
    def headers(self) -> Iterable[str]:
        return self._by_header

    def having(self, header: str) -> list[Path]:
        """Returns the libraries that offer a header, by its name or by its path below their header folder
        (`sensors/Barometer.h`)."""
        if header in self._by_header:
            return self._by_header[header]
        way = PurePosixPath(header)
        if len(way.parts) < 2 or way.is_absolute() or ".." in way.parts or "\0" in header:
            return []
        if header not in self._below:
            self._below[header] = [f for f in self._places if (_base(f) / header).is_file()]
        return self._below[header]

    def meant_by(self, header: str, asking: Path | None) -> Path | None:
        """Returns the library that an include of this header selects. asking: the library that includes it.
        None: the sketch does."""
        folders = self.having(header)
        if len(folders) < 2:
            return folders[0] if folders else None
        wanted = (
            {simple(name) for name in names_in(properties_of(asking).get("depends", ""))}
            if asking
            else set()
        )
        return min(folders, key=lambda folder: self._rank(folder, header, wanted))

    def _rank(self, folder: Path, header: str, wanted: set[str]) -> tuple[int, ...]:
        strange = _strangeness(folder, self._board)
        names = {simple(properties_of(folder).get("name", folder.name)), simple(folder.name)}
        likeness = likeness_of(names, simple(PurePosixPath(header).stem))
        return (strange > 1, -likeness, strange, not names & wanted, self._places[folder])


def simple(name: str) -> str:
    """Returns a name in the form in which arduino-cli compares names."""
    return "".join(c if c.isascii() and (c.isalnum() or c in "_.-") else "_" for c in name).lower()


def likeness_of(names: set[str], header: str) -> int:
    """Returns how similar a library's names (of its folder and in its properties) are to a header's. Larger:
    more."""
    if names == {header}:
        return 7
    if header in names:
        return 6
    if names & {f"{header}-master", f"{header}-main"}:
        return 5
    if any(name.startswith(header) for name in names):
        return 4
    if any(name.endswith(header) for name in names):
        return 3
    return 2 if any(header in name for name in names) else 0


def libraries_for(board: str) -> list[Path]:
    """Returns the libraries of a board besides those of a sketchbook: Hocket's own, then those of Arduino."""
    boxed = [folder for folder in _folders(LIBRARIES) if _strangeness(folder, board) == 0]
    installed = INSTALLED.get(architecture_of(board))
    return boxed + (_folders(installed) if installed else [])


def _folders(root: Path) -> list[Path]:
    return sorted(p for p in root.iterdir() if p.is_dir()) if root.is_dir() else []


def _strangeness(folder: Path, board: str) -> int:
    """Returns 0 for a library for Hocket's boards or for any, 1 for the board's processor, 2 for others."""
    said = properties_of(folder).get("architectures", "")
    names = set(names_in(said)) if said else set(_OURS)
    if names & {*_OURS, board, processor_of(board)}:
        return 0
    return 1 if architecture_of(board) in names else 2


def is_for(library: Library, board: str) -> bool:
    """Returns whether the library supports the board, or does not say what it supports."""
    return _strangeness(library.folder, board) < 2


def or_the_boxed(library: Library, board: str) -> Library:
    """Returns Hocket's own library of this name if it is made for the board and this library is not, else
    this library."""
    boxed = LIBRARIES / library.name
    if _strangeness(library.folder, board) > 0 and boxed in libraries_for(board):
        return library_of(boxed)
    return library


def passed_over(sketch: Sketch, libraries: Sequence[Library]) -> list[Path]:
    """Returns the libraries of the sketchbook that one of Hocket's own replaces because of its name."""
    boxed = {library.name for library in libraries if LIBRARIES in library.includes[0].parents}
    places = sketchbook_libraries(sketch.folder)
    return [place / name for place in places for name in sorted(boxed) if (place / name).is_dir()]


def _base(folder: Path) -> Path:
    """Returns the header folder of a library: `src/`, or the library's folder in the older layout. A library
    with `src/` but without properties has the older layout if headers lie beside `src/`."""
    if not (folder / "src").is_dir():
        return folder
    said = (folder / FILE).is_file()
    return folder / "src" if said or not _headers_in(folder) else folder


def _headers_in(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [e.name for e in entries if e.name.endswith(_ENDINGS) and e.is_file()]
    except OSError:
        return []


def _state(file: Path) -> str:
    try:
        about = file.stat()
    except OSError:
        return "none"
    return f"{about.st_size}.{about.st_mtime_ns}"


def _further_headers(folder: Path) -> list[Path]:
    """Returns the header folder of libraries for PlatformIO."""
    return [folder / "include"] if (folder / "include").is_dir() else []


def _is_header(path: Path) -> bool:
    return path.suffix in _ENDINGS and path.is_file()


def library_in(includes: Path) -> Library | None:
    """Returns the library that has its headers in this folder, or None."""
    if includes.name == "src" and (includes.parent / "library.properties").is_file():
        return library_of(includes.parent)
    named = (includes / "library.properties").is_file()
    headers = includes.name != "utility" and any(_is_header(p) for p in includes.iterdir())
    return library_of(includes) if named or headers else None


def library_of(folder: Path) -> Library:
    base = _base(folder)
    includes = (base, *_further_headers(folder))
    if base != folder:
        return Library(folder.name, includes, tuple(_sources_in(base, deep=True)))
    utility = folder / "utility"
    if not utility.is_dir():
        return Library(folder.name, includes, tuple(_sources_in(folder)))
    sources = (*_sources_in(folder), *_sources_in(utility))
    return Library(folder.name, includes, sources, (utility,))


def _sources_in(folder: Path, deep: bool = False) -> list[Path]:
    """Returns the sources to compile. Hidden files, such as those of version control, are left out."""
    found = []
    for path in folder.rglob("*") if deep else folder.iterdir():
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if path.suffix in COMPILED and not hidden and path.is_file():
            found.append(path)
    return sorted(found)
