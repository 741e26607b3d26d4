"""Arduino libraries on disk: where they are looked for, what of them is compiled, which of several is meant.

A library is a folder `NAME/` in a `libraries/` folder: with `library.properties` and `src/` (all of it
is compiled), or older, with its sources beside its headers and in `utility/`, whose headers are its own. The
library whose example the sketch is counts as well, wherever it lies.

Where several have a header, arduino-cli's rules decide (`ComputePriority` in its resolver). Each rule counts
where those before it leave several:
1. made for the board, its processor, or all (`architectures` in its properties);
2. its name is the header's, begins with it, ends with it, has it inside;
3. made for all or for Hocket, before those for the board's processor, which know nothing of loops;
4. the library that includes the header says that it depends on it (not in arduino-cli);
5. where it is: the sketchbook, the box, what an Arduino that is installed brings for the board's processor.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from hocket.boards import architecture_of
from hocket.builder.library_properties import FILE, names_in, properties_of
from hocket.paths import LIBRARIES
from hocket.sketch.folder import COMPILED, Sketch

# By the processor: where Debian's package arduino-core-avr has them.
INSTALLED = {"avr": Path("/usr/share/arduino/hardware/arduino/avr/libraries")}
INSTALLED_FROM = {"avr": "arduino-core-avr"}
# What `architectures` calls our boards, all of them (one has its own name besides). Libraries for the
# processor that a board has are of use, too, but know nothing of loops.
_OURS = {"hocket", "*"}
_ENDINGS = (".h", ".hh", ".hpp")


@dataclass(frozen=True)
class Library:
    """includes: folders of headers, for all that is compiled; own_includes: further ones, for its own sources
    alone."""

    name: str
    includes: tuple[Path, ...]
    sources: tuple[Path, ...]
    own_includes: tuple[Path, ...] = ()

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


def offered_folders(sketch: Sketch, board: str, further: Sequence[Path] = ()) -> list[Path]:
    """Folders of the libraries that a sketch may use, those first that come first where all else is equal.
    further: more folders to look for libraries in, behind the sketch's own."""
    example_of = around_example(sketch.folder)
    offered = [example_of] if example_of else []
    for root in (*sketchbook_libraries(sketch.folder), *further):
        offered += _folders(root)
    return list(dict.fromkeys([*offered, *libraries_for(board)]))


class Offered:
    """The headers of libraries, and which library is meant by one."""

    def __init__(self, folders: Sequence[Path], board: str) -> None:
        self._board = board
        self._places = {folder: at for at, folder in enumerate(folders)}
        self._by_header: dict[str, list[Path]] = {}
        self._below: dict[str, list[Path]] = {}  # by headers with a folder in their name
        self.listing: list[str] = []  # what all this was found from
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
        """The libraries that offer a header: beside its first ones, or by its way from there
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
        """asking: the library that includes the header; None: the sketch does."""
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
    """As arduino-cli compares names."""
    return "".join(c if c.isascii() and (c.isalnum() or c in "_.-") else "_" for c in name).lower()


def likeness_of(names: set[str], header: str) -> int:
    """How much a library's names (its folder's, and what it calls itself) are like that of a header."""
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
    """The libraries that a board has besides a sketchbook's: in the box, then what Arduino brings."""
    boxed = [folder for folder in _folders(LIBRARIES) if _strangeness(folder, board) == 0]
    installed = INSTALLED.get(architecture_of(board))
    return boxed + (_folders(installed) if installed else [])


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
        return library_of(boxed)
    return library


def passed_over(sketch: Sketch, libraries: Sequence[Library]) -> list[Path]:
    """Libraries of the sketchbook whose place one of the box has taken: they have its name."""
    boxed = {library.name for library in libraries if LIBRARIES in library.includes[0].parents}
    places = sketchbook_libraries(sketch.folder)
    return [place / name for place in places for name in sorted(boxed) if (place / name).is_dir()]


def _base(folder: Path) -> Path:
    """Where a library's headers are. Beside `src/` only for one that does not say in which layout it is."""
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
    """Where libraries for PlatformIO have theirs."""
    return [folder / "include"] if (folder / "include").is_dir() else []


def _is_header(path: Path) -> bool:
    return path.suffix in _ENDINGS and path.is_file()


def library_in(includes: Path) -> Library | None:
    """The library that has its headers in this folder; None: there is none there."""
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
    """Those that are compiled; nothing hidden, such as what a version control keeps there."""
    found = []
    for path in folder.rglob("*") if deep else folder.iterdir():
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if path.suffix in COMPILED and not hidden and path.is_file():
            found.append(path)
    return sorted(found)
