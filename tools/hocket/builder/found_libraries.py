"""Finds the libraries that a sketch needs, as arduino-cli does.

The compiler's preprocessor reports for each file the header that it misses. The library that offers the
header is added, with all its sources, and the search goes on. So an include under a false condition adds no
library, and an include inside a library does, however deep. The preprocessor is not run for a file in which
no line names a header of a library that is not yet added (include_lines.py). The result is stored. It is
valid while the files that were read, the names of the files that could have been read, and the flags are
unchanged. Of the sketch's own files only the lines count that affect what they include.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import tempfile
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hocket.boards import Board
from hocket.builder import permissive
from hocket.builder.board import Toolchain, prepare_launcher
from hocket.builder.compile import fingerprint, listed, run, unchanged
from hocket.builder.include_lines import UNSURE, Includes, include_lines, telling_lines
from hocket.builder.includes import named_by
from hocket.builder.libraries import Library, Offered, library_of, offered_folders
from hocket.confinement import tool
from hocket.errors import HocketError
from hocket.inside import allowed
from hocket.paths import BUILD, ROOT
from hocket.sketch.folder import Sketch, is_newer, read_anything, read_source
from hocket.stand_ins import stand_in_flags
from hocket.whole_files import keep_current, write_whole

# The message of clang, and that of gcc.
_MISSING = re.compile(
    r"^(?P<file>[^\n]+?):\d+:(?:\d+:)? fatal error: "
    r"(?:'(?P<clang>[^'\n]+)' file not found|(?P<gcc>[^\n]+?): No such file or directory)",
    re.MULTILINE,
)
_PREAMBLE = "#include <Arduino.h>\n"
_PLACE = BUILD / "found-libraries"
# The largest file whose `#include` lines are read here, in bytes. No file written by hand is larger.
_LARGE = 4_000_000
# Folders of a library in the older layout that are not searched for headers.
_ASIDE = ("examples", "extras", "docs", "test", "tests")


def needed_libraries(
    sketch: Sketch, board: Board, toolchain: Toolchain, further: Sequence[Path] = ()
) -> list[Library]:
    """Returns the libraries in the order in which they were found. further: more folders of libraries,
    searched after the sketch's own."""
    offered = Offered(offered_folders(sketch, board.name, further), board.name)
    search = _Search(sketch, board, toolchain, offered)
    known = search.kept()
    if known is not None:
        return known
    prepare_launcher()
    _PLACE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".asked-", dir=_PLACE) as folder:
        return search.libraries(Path(folder))


@dataclass(frozen=True)
class _Part:
    """A file that the preprocessor reads. library: the library of the source. None: the sketch's. beside: the
    folder of the sketch's tabs, for the text that joins them."""

    file: Path
    library: Library | None = None
    beside: Path | None = None

    @property
    def folder(self) -> Path:
        return self.beside or self.file.parent


class _Search:
    def __init__(
        self, sketch: Sketch, board: Board, toolchain: Toolchain, offered: Offered
    ) -> None:
        self._sketch, self._board, self._toolchain, self._offered = (
            sketch,
            board,
            toolchain,
            offered,
        )
        first = sketch.tabs[0] if sketch.tabs else sketch.sources[0]
        flags = [
            str(first),
            board.name,
            toolchain.cxx,
            *toolchain.for_sketch,
            "\0",
            *toolchain.compile,
        ]
        name = hashlib.sha256("\0".join(flags).encode("utf-8", "surrogateescape")).hexdigest()[:16]
        self._file = _PLACE / f"{name}.json"
        # The folders that the user's flags name. The board's own folders are in the project.
        self._named = [f for f in named_by(toolchain.compile) if not f.is_relative_to(ROOT)]
        self._made = _PLACE  # the folder of files that this search makes
        self._ends: list[str] = []  # the real paths of the folders that may be read here
        self._found: list[Library] = []
        self._read: set[str] = set()  # the files on which the result depends
        self._sure = True  # False: an error was found, and the result is not stored
        self._texts: dict[Path, Includes] = {}
        self._clean: set[tuple[Path, str]] = set()  # files that need no further library

    def kept(self) -> list[Library] | None:
        """Returns the stored result, or None if something has changed since."""
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
            kept = json.loads(self._file.read_text(encoding="utf-8"))
            if kept["offered"] != self._of(self._offered.listing):
                return None
            if not self._same_lines(kept["own"]) or not unchanged(kept["files"]):
                return None
            found = [library_of(Path(folder)) for folder in kept["found"]]
            return found if kept["names"] == self._names(found) else None
        return None

    def libraries(self, made: Path) -> list[Library]:
        """Runs the search and stores the result. made: a folder for temporary files."""
        self._made = made
        self._ends = [
            os.path.realpath(f) for f in (made, self._sketch.folder, *self._named, *allowed())
        ]
        waiting = deque(self._own_parts())
        while waiting:
            part = waiting.popleft()
            while (library := self._missed_by(part)) is not None:
                self._join(library)
                waiting += [_Part(source, library) for source in library.sources]
        if self._sure:
            self._keep()
        return self._found

    def _keep(self) -> None:
        own = {str(path) for path in self._own_files()}
        read = sorted(name for name in self._read - own if not name.startswith(f"{self._made}/"))
        kept = {
            "offered": self._of(self._offered.listing),
            "own": {
                str(path): [fingerprint(path), self._lines(path)] for path in self._own_files()
            },
            "names": self._names(self._found),
            "found": [str(library.folder) for library in self._found],
            "files": {name: fingerprint(Path(name)) for name in read},
        }
        if not any(is_newer(path) for path in self._own_files()):
            write_whole(self._file, json.dumps(kept))

    # Inputs of the result, besides the files that were read.

    def _own_files(self) -> tuple[Path, ...]:
        return (*self._sketch.tabs, *self._sketch.sources, *self._sketch.headers)

    def _lines(self, path: Path) -> str:
        """Returns a hash of the lines of one of the sketch's own files that affect what it includes."""
        return self._of([telling_lines(read_source(path))])

    def _same_lines(self, known: dict[str, list[Any]]) -> bool:
        if [str(path) for path in self._own_files()] != list(known):
            return False
        return all(
            (not is_newer(path) and unchanged({str(path): known[str(path)][0]}))
            or self._lines(path) == known[str(path)][1]
            for path in self._own_files()
        )

    def _names(self, found: Iterable[Library]) -> str:
        """Returns a hash of the names of all files in the searched folders: a new file may be found before
        another."""
        names: list[str] = []
        for library in found:
            for folder in (*library.includes, *library.own_includes):
                names += _names_below(folder, deep=folder.name == "src")
        ours = [
            f for f in named_by(self._toolchain.for_sketch) if f != ROOT and f.is_relative_to(ROOT)
        ]
        for folder in ours:
            names += _names_below(folder, deep=False)
        return self._of(names)

    @staticmethod
    def _of(lines: Iterable[str]) -> str:
        return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogateescape")).hexdigest()

    # The search.

    def _own_parts(self) -> Iterator[_Part]:
        sketch = self._sketch
        if sketch.tabs:
            text = _PREAMBLE + "".join(f"{read_source(tab)}\n" for tab in sketch.tabs)
            merged = keep_current(self._made / "sketch.cpp", text)
            yield _Part(merged, beside=sketch.folder)
        yield from (_Part(source) for source in sketch.sources)

    def _missed_by(self, part: _Part) -> Library | None:
        """Returns the next library that this part needs, or None if it needs no further one."""
        if not self._may_need(part):
            return None
        missed = self._asked(part)
        if missed is None:
            return None
        header, file = missed
        asking = (each.folder for each in self._found if Path(file).is_relative_to(each.folder))
        folder = self._offered.meant_by(header, next(asking, None))
        if folder is None or any(library.folder == folder for library in self._found):
            self._sure = False  # no library has the header: the compiler will report it
            return None
        return library_of(folder)

    def _may_need(self, part: _Part) -> bool:
        """Returns whether a line of this file, or of one that it may include, names a header of a library
        that is not yet added."""
        whose = str(part.library.folder) if part.library and part.library.own_includes else ""
        folders = [*self._named, *self._searched(part)]
        seen: set[Path] = set()
        waiting = [(part.file, part.folder)]
        while waiting:
            file, beside = waiting.pop()
            if file in seen or (file, whose) in self._clean:
                continue
            seen.add(file)
            includes = self._includes(file)
            if includes.unsure:
                return True
            for name in (*includes.near, *includes.far):
                near = [beside] if name in includes.near else []
                found = next((p for f in (*near, *folders) if (p := f / name).is_file()), None)
                if found is not None:
                    waiting.append((found, found.parent))
                elif self._offered.having(name):
                    return True
        self._clean.update((file, whose) for file in seen)
        return False

    def _includes(self, file: Path) -> Includes:
        if file not in self._texts:
            self._read.add(str(file))
            self._texts[file] = self._scanned(file)
        return self._texts[file]

    def _scanned(self, file: Path) -> Includes:
        """Returns the includes of a file. UNSURE if the file may not be read here: then the confined
        preprocessor reads it."""
        end = os.path.realpath(file)
        if not any(end.startswith(f"{root}/") for root in self._ends):
            return UNSURE
        try:
            return include_lines(read_anything(file)) if file.stat().st_size < _LARGE else UNSURE
        except (OSError, HocketError):
            return UNSURE

    def _join(self, library: Library) -> None:
        self._found.append(library)
        self._ends.append(os.path.realpath(library.folder))

    def _roots(self) -> list[Path]:
        return [self._made, self._sketch.folder, *(library.folder for library in self._found)]

    def _searched(self, part: _Part) -> list[Path]:
        """The folders in which the compiler looks for headers, except those of the board."""
        joined = [folder for library in self._found for folder in library.includes]
        own = part.library.own_includes if part.library else ()
        return [self._sketch.folder, *joined, *own]

    def _asked(self, part: _Part) -> tuple[str, str] | None:
        """Runs the preprocessor. Returns the first header that it does not find in this file and what the
        file includes, and the file that names the header. None: all headers are found."""
        flags = self._toolchain.compile if part.library else self._toolchain.for_sketch
        folders = self._searched(part)
        includes = [f"-I{folder}" for folder in folders]
        if part.beside:
            includes.append(f"-iquote{part.beside}")
        stand_ins = stand_in_flags(folders[1:], self._board.name)
        command = (self._toolchain.cxx, *flags, *permissive.FLAGS, *includes, *stand_ins)
        command = command_of(command, part.file)
        depends = self._made / "asked.d"
        reads = (*self._roots(), *named_by(command), *allowed())
        words = tool(command[0], reads, self._made) or command[:1]
        done = run(
            [*map(str, words), *command[1:], "-w", "-M", "-MF", str(depends), str(part.file)]
        )
        missing = _MISSING.search(done.stderr)
        if missing:
            return missing["clang"] or missing["gcc"], missing["file"]
        if done.returncode != 0:
            self._sure = False  # the compiler will report the error
        else:
            self._read.update(map(str, listed(depends)))
        return None


def _names_below(folder: Path, deep: bool) -> list[str]:
    """Returns the names of the files in a folder. deep: of all folders below it, else of those one level
    below."""
    names: list[str] = []
    waiting = [(folder, 0)]
    while waiting:
        here, depth = waiting.pop()
        with contextlib.suppress(OSError), os.scandir(here) as entries:
            for entry in sorted(entries, key=lambda each: each.name):
                if not entry.is_dir():
                    names.append(entry.path)
                elif entry.name[0] != "." and (deep or (depth == 0 and entry.name not in _ASIDE)):
                    waiting.append((Path(entry.path), depth + 1))
    return names


def command_of(base: tuple[str, ...], source: Path) -> tuple[str, ...]:
    """Returns the command for a source by its suffix. The board's flags are those of C++."""
    if source.suffix not in (".c", ".S"):
        return base
    plain = tuple(f for f in base if not f.startswith("-std=") and f not in ("-fno-rtti",))
    if source.suffix == ".S":
        return (*plain, "-x", "assembler-with-cpp", "-Wno-unused-command-line-argument")
    return (*plain, "-x", "c", "-std=gnu17")
