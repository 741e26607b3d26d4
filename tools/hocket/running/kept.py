"""Files that a scenario's parts keep from run to run: memories, cards, pictures.

The board's program never opens them. It has copies in the folder of its run, which is all that it may write;
what it has made of them replaces the files when it has ended well, each whole or not at all. Meanwhile
no other run has them.
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
    """Of a file. key: as the scenario has it. begun: when it was made, and its size then."""

    key: str
    path: Path
    file: KeptFile
    written: bool
    begun: tuple[int, int] = (0, 0)

    def state(self) -> tuple[int, int]:
        about = self.path.stat()
        return about.st_mtime_ns, about.st_size


class Copies:
    """Those of one run. scenario: with their names instead of the files'."""

    def __init__(self, scenario: Scenario, folder: Path) -> None:
        self._folder = folder
        self._copies: list[_Copy] = []
        self._at_end = ExitStack()
        self._keeps = scenario.keeps
        try:
            flat, further = self._staged(scenario.flat), scenario.further
            if further is not None:
                further = replace(further, flat=self._staged(further.flat))
            self.fill()  # when all are this run's: what one part writes another one may read
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
        """The copies are as the files are, which are this run's alone. HocketError."""
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
        """What the program says of its copies, with the names that the user knows."""
        for copy in self._copies:
            text = text.replace(str(copy.path), str(copy.file.place.path))
        return text

    def keep(self) -> None:
        """The run has ended: what it has changed replaces the files. All are tried. HocketError: the first
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
    """folder: of the run. HocketError: one of the files cannot be used, or another run has it."""
    copies = Copies(scenario, folder)
    try:
        yield copies
    finally:
        copies.close()
