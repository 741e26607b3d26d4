"""Finds the files that programs need to run: their libraries, according to the ELF files.

System V ABI, "Dynamic Linking": PT_INTERP names the loader, DT_NEEDED the libraries, DT_RUNPATH (formerly
DT_RPATH) the folders to search first. Debian's own folders come last.
"""

from __future__ import annotations

import io
import posixpath
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from elftools.common.exceptions import ELFError
from elftools.elf.dynamic import DynamicSegment
from elftools.elf.elffile import ELFFile
from elftools.elf.segments import InterpSegment

from hocket.linux.tree import Tree, merged

LIBRARIES = ("/usr/lib/aarch64-linux-gnu", "/usr/lib")


@dataclass(frozen=True)
class Needs:
    """interpreter: the loader of a program. Empty: a library, or statically linked."""

    interpreter: str
    libraries: tuple[str, ...]
    paths: tuple[str, ...]


def needs(content: bytes) -> Needs | None:
    """Returns what the file needs. None: it is not an ELF file, or has no dynamic part."""
    if not content.startswith(b"\x7fELF"):
        return None
    try:
        elf = ELFFile(io.BytesIO(content))
        interpreter, libraries, paths = "", [], []
        for segment in elf.iter_segments():
            if isinstance(segment, InterpSegment):
                interpreter = segment.get_interp_name()
            if isinstance(segment, DynamicSegment):
                tag: Any  # the attribute's name depends on its kind
                for tag in segment.iter_tags():
                    if tag.entry.d_tag == "DT_NEEDED":
                        libraries.append(tag.needed)
                    elif tag.entry.d_tag == "DT_RUNPATH":
                        paths += tag.runpath.split(":")
                    elif tag.entry.d_tag == "DT_RPATH":
                        paths += tag.rpath.split(":")
    except (ELFError, UnicodeDecodeError, ValueError):
        return None
    return Needs(interpreter, tuple(libraries), tuple(paths)) if libraries or interpreter else None


class Closure:
    """The required paths of a tree, with everything they need. lacking: pairs of a missing library and the
    file that needs it."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.paths: set[str] = set()
        self.lacking: set[tuple[str, str]] = set()
        self._done: set[tuple[str, tuple[str, ...]]] = set()

    def add(self, path: str) -> bool:
        """Adds the file, the links on the path to it, and what it needs. Returns False if it does not
        exist."""
        return self._add(path, ())

    def add_all(self, paths: Iterable[str]) -> None:
        for path in paths:
            self.add(path)

    def _add(self, path: str, inherited: tuple[str, ...]) -> bool:
        steps = self.tree.steps(path)
        if not steps or self.tree.nodes[steps[-1]].is_link():
            return False
        self.paths.update(steps)
        file = steps[-1]
        if not self.tree.nodes[file].is_file() or (file, inherited) in self._done:
            return True
        self._done.add((file, inherited))
        wanted = needs(self.tree.read(file))
        if wanted is None:
            return True
        own = (*(self._at(file, folder) for folder in wanted.paths), *inherited)
        if wanted.interpreter and not self._add(merged(wanted.interpreter), ()):
            self.lacking.add((wanted.interpreter, file))
        for library in wanted.libraries:
            places = (posixpath.join(folder, library) for folder in (*own, *LIBRARIES))
            if not any(self._add(place, own) for place in places):
                self.lacking.add((library, file))
        return True

    @staticmethod
    def _at(file: str, folder: str) -> str:
        """Replaces $ORIGIN by the folder of the file (ld.so(8))."""
        origin = posixpath.dirname(file)
        named = folder.replace("${ORIGIN}", origin).replace("$ORIGIN", origin)
        return merged(posixpath.normpath(named))
