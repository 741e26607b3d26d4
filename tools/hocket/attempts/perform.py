"""Builds sketches, several at once, each in a process of its own with nothing left behind.

The processes are forked from one that has loaded the builder, and the boards were brought up to date before:
of a sketch only its own sources are compiled.
"""

from __future__ import annotations

import io
import multiprocessing
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkServerProcess
from pathlib import Path

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
    """reason: why it does not build, one line; empty: it does. said: all that the compiler and the builder
    said of it. seconds: of this computer."""

    attempt: Attempt
    reason: str = ""
    said: str = ""
    seconds: float = 0.0

    @property
    def builds(self) -> bool:
        return not self.reason


@dataclass(frozen=True)
class Performer:
    """toolchains: of the boards, up to date. libraries: folders of libraries beside those that a sketch
    finds by itself."""

    toolchains: Mapping[str, Toolchain]
    libraries: tuple[Path, ...]
    jobs: int

    def outcomes(self, attempts: Sequence[Attempt]) -> Generator[Outcome, None, None]:
        """As they come, in no order. On KeyboardInterrupt, or when nobody wants more, all end at once."""
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(_LOADED)
        threads = max(1, self.jobs // max(1, len(attempts)))
        waiting, running = list(reversed(attempts)), dict[Connection, _Running]()
        with tempfile.TemporaryDirectory(prefix="hocket-try-") as name:
            try:
                while waiting or running:
                    while waiting and len(running) < self.jobs:
                        attempt = waiting.pop()
                        ours, theirs = context.Pipe(duplex=False)
                        folder = Path(name) / str(len(waiting))
                        process = context.Process(
                            target=_perform, args=(self, attempt, folder, threads, theirs)
                        )
                        process.start()
                        theirs.close()
                        running[ours] = _Running(process, attempt)
                    for ended in wait(list(running)):
                        assert isinstance(ended, Connection)
                        yield running.pop(ended).outcome(ended)
            finally:
                for each in running.values():
                    each.kill()


@dataclass(frozen=True)
class _Running:
    process: ForkServerProcess
    attempt: Attempt

    def outcome(self, answer: Connection) -> Outcome:
        with answer:
            try:
                outcome = answer.recv()
            except EOFError:  # it died
                self.process.join()
                cause = f"the builder ended with status {self.process.exitcode}"
                return Outcome(self.attempt, cause)
        self.process.join()
        assert isinstance(outcome, Outcome)
        return outcome

    def kill(self) -> None:
        """It and the compilers that it started."""
        assert self.process.pid is not None
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:  # it has no group yet, or has just ended
            self.process.kill()
        self.process.join()


def _perform(
    performer: Performer, attempt: Attempt, folder: Path, threads: int, answer: Connection
) -> None:
    """In a process of its own."""
    os.setpgid(0, 0)  # Ctrl-C reaches it through the command alone
    started = time.monotonic()
    said = io.StringIO()
    with redirect_stderr(said), redirect_stdout(said), without_progress():
        reason = _reason(performer, attempt, folder, threads)
    shutil.rmtree(folder, ignore_errors=True)
    answer.send(Outcome(attempt, reason, said.getvalue(), time.monotonic() - started))


def _reason(performer: Performer, attempt: Attempt, folder: Path, threads: int) -> str:
    """Builds a sketch; why it cannot be built, or nothing."""
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
        )
    except HocketError as error:
        if error.exit_code == EXIT_DEFECT:
            return f"a defect of Hocket: {error.fact}: {error.cause}"
        return sentence(error, path if path.is_dir() else path.parent)
    return ""


def sentence(error: HocketError, folder: Path) -> str:
    """The first error in one line, with its place as seen from the sketch's folder."""
    what = error.first if isinstance(error, CompileError) else error.fact
    if error.file is None:
        return what
    file = Path(error.file)
    shown = file.relative_to(folder) if file.is_relative_to(folder) else shorten(file)
    return f"{shown}:{error.line}: {what}" if error.line is not None else f"{shown}: {what}"
