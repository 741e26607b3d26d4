"""Files that a scenario's parts keep from run to run: memories, cards, pictures.

The board's program never opens these files. It gets copies in the folder of its run, the only folder in which
it may write. When the run has ended normally, each changed copy replaces its file, completely or not at all.
During the run no other run can use the files.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from hocket.errors import HocketError, system_error
from hocket.inside import Place
from hocket.scenario import Scenario
from hocket.whole_files import KeptFile, not_written

# Lines of the flat text whose value is a Place (hocket.scenario.flatten).
_NAMED = re.compile(r"^(file|image|picture|saves) ((?:[0-9a-f]{2})+)$", re.MULTILINE)


@dataclass
class _Copy:
    """The copy of a file. key: the scenario's key. begun: modification time and size before the run."""

    key: str
    path: Path
    file: KeptFile
    written: bool
    begun: tuple[int, int] = (0, 0)

    def state(self) -> tuple[int, int]:
        about = self.path.stat()
        return about.st_mtime_ns, about.st_size


def named_files(scenario: Scenario) -> list[Path]:
    """Returns the files that the parts of a scenario read or keep."""
    flats = [scenario.flat, *([scenario.further.flat] if scenario.further is not None else [])]
    names = (bytes.fromhex(found[2]) for flat in flats for found in _NAMED.finditer(flat))
    split = (os.fsdecode(name).partition("\0") for name in names)
    return [Path(folder) / below for folder, zero, below in split if zero]


class Copies:
    """The copies of one run. scenario: the scenario with the names of the copies."""

    def __init__(self, scenario: Scenario, folder: Path) -> None:
        self._folder = folder
        self._copies: list[_Copy] = []
        self._at_end = ExitStack()
        self._keeps = scenario.keeps
        try:
            flat, further = self._staged(scenario.flat), scenario.further
            if further is not None:
                further = replace(further, flat=self._staged(further.flat))
            self.fill()  # after all files are locked: a part may read what another writes
        except BaseException:
            self.close()
            raise
        self.scenario = replace(scenario, flat=flat, further=further)

    def close(self) -> None:
        self._at_end.close()

    def _staged(self, flat: str) -> str:
        return _NAMED.sub(lambda found: self._line(found[1], bytes.fromhex(found[2])), flat)

    def _line(self, key: str, named: bytes) -> str:
        folder, zero, below = os.fsdecode(named).partition("\0")
        if not zero:
            return f"{key} {named.hex()}"
        place = Place(Path(folder), below)
        path = self._folder / f"kept-{len(self._copies)}{Path(below).suffix[:8]}"
        try:
            self._reserve(key, place, path)
        except OSError as problem:
            raise system_error(f"{key} cannot be used", problem, place.path) from problem
        return f"{key} {os.fsencode(path).hex()}"

    def _reserve(self, key: str, place: Place, path: Path) -> None:
        file = self._at_end.enter_context(KeptFile(place))
        written = key != "image" and self._keeps
        if written:
            file.reserve()
        self._copies.append(_Copy(key, path, file, written))

    def fill(self) -> None:
        """Fills the copies from the files, which are locked for this run. Raises HocketError."""
        for copy in self._copies:
            try:
                if copy.written:
                    copy.file.reserve()
                self._fill(copy)
            except OSError as problem:
                fact = f"{copy.key} cannot be read"
                raise system_error(fact, problem, copy.file.place.path) from problem
            copy.begun = copy.state()

    @staticmethod
    def _fill(copy: _Copy) -> None:
        content = copy.file.read() if copy.key in ("image", "file") else None
        if content is None and copy.key == "image":
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        with copy.path.open("wb") as to:
            if content is not None:
                with content:
                    shutil.copyfileobj(content, to, 1 << 20)

    def told(self, text: str) -> str:
        """Returns a text of the program with the names of the files instead of those of the copies."""
        for copy in self._copies:
            text = text.replace(str(copy.path), str(copy.file.place.path))
        return text

    def keep(self) -> None:
        """Replaces each file that the run has changed. Tries all files. Raises HocketError for the first one
        that could not be replaced."""
        wrong: HocketError | None = None
        for copy in self._copies:
            if not copy.written or copy.state() == copy.begun:
                continue
            place = copy.file.place
            try:
                with copy.path.open("rb") as content:
                    copy.file.replace(content)
                copy.begun = copy.state()
            except OSError as problem:
                wrong = wrong or not_written(
                    "what a part of the scenario keeps", problem, place.path
                )
            except HocketError as problem:
                wrong = wrong or problem
        if wrong is not None:
            raise wrong


@contextmanager
def copies_of(scenario: Scenario, folder: Path) -> Iterator[Copies]:
    """Makes the copies. folder: of the run. Raises HocketError if a file cannot be used or another run has
    locked it."""
    copies = Copies(scenario, folder)
    try:
        yield copies
    finally:
        copies.close()
