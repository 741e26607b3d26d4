"""Builds sketches concurrently, each in a process of its own that leaves nothing behind.

The processes are those of hocket.at_once. The boards were brought up to date before, so that only a sketch's
own sources are compiled.
"""

from __future__ import annotations

import io
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from hocket.at_once import Crew, Lost
from hocket.attempts.find import Found
from hocket.boards import DEFAULT_POLICY, find_board
from hocket.builder import Toolchain, build_sketch
from hocket.builder.compile_error import CompileError
from hocket.builder.policies import policy_of
from hocket.console import without_progress
from hocket.errors import EXIT_DEFECT, HocketError, shorten
from hocket.sketch.folder import find_sketch

_LOADED = ["hocket.attempts.perform"]


@dataclass(frozen=True)
class Attempt:
    """One sketch on one board."""

    sketch: Found
    board: str


@dataclass(frozen=True)
class Outcome:
    """reason: why the sketch does not build, in one line. Empty: it builds. said: all messages of the
    compiler and the builder. seconds: of this computer."""

    attempt: Attempt
    reason: str = ""
    said: str = ""
    seconds: float = 0.0

    @property
    def builds(self) -> bool:
        return not self.reason


@dataclass(frozen=True)
class Performer:
    """toolchains: of the boards, up to date. libraries: more folders of libraries, besides those that a
    sketch finds by itself. shared: a folder for objects of libraries that several builds need."""

    toolchains: Mapping[str, Toolchain]
    libraries: tuple[Path, ...]
    jobs: int
    shared: Path | None = None

    def outcomes(self, attempts: Sequence[Attempt]) -> Generator[Outcome, None, None]:
        """Yields outcomes in the order of completion. On KeyboardInterrupt, or when the generator is closed,
        all builds end at once."""
        threads = max(1, self.jobs // max(1, len(attempts)))
        crew = Crew(partial(_perform, self, threads), self.jobs, _LOADED, fresh=True)
        with closing(crew.results(attempts)) as results:
            for attempt, result in results:
                yield _of_lost(attempt, result) if isinstance(result, Lost) else result


def _of_lost(attempt: Attempt, lost: Lost) -> Outcome:
    if lost.status is not None:
        return Outcome(attempt, f"the builder ended with status {lost.status}")
    return Outcome(attempt, f"a defect of Hocket: {lost.said.splitlines()[-1]}", lost.said)


def _perform(performer: Performer, threads: int, attempt: Attempt, folder: Path) -> Outcome:
    """Builds one sketch, in a process of its own."""
    started = time.monotonic()
    said = io.StringIO()
    with redirect_stderr(said), redirect_stdout(said), without_progress():
        reason = _reason(performer, attempt, folder / "build", threads)
    return Outcome(attempt, reason, said.getvalue(), time.monotonic() - started)


def _reason(performer: Performer, attempt: Attempt, folder: Path, threads: int) -> str:
    """Builds a sketch. Returns why it cannot be built, or an empty string."""
    path = attempt.sketch.path
    try:
        sketch, board = find_sketch(str(path)), find_board(attempt.board)
        usual = policy_of(sketch, board, None) == DEFAULT_POLICY
        toolchain = performer.toolchains[board.name] if usual else None
        build_sketch(
            sketch,
            board,
            toolchain,
            folder=folder,
            threads=threads,
            libraries=performer.libraries,
            shared=performer.shared,
        )
    except HocketError as error:
        if error.exit_code == EXIT_DEFECT:
            return f"a defect of Hocket: {error.fact}: {error.cause}"
        return sentence(error, path if path.is_dir() else path.parent)
    return ""


def sentence(error: HocketError, folder: Path) -> str:
    """Returns the first error in one line, with its place relative to the sketch's folder."""
    what = error.first if isinstance(error, CompileError) else error.fact
    if error.file is None:
        return what
    file = Path(error.file)
    shown = file.relative_to(folder) if file.is_relative_to(folder) else shorten(file)
    return f"{shown}:{error.line}: {what}" if error.line is not None else f"{shown}: {what}"
