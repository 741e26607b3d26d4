"""Runs many tasks concurrently, in processes that end with everything they have started.

The processes are forked from one that has imported what they need. Each is in a process group of its own and
does one task at a time. A task is sent to a free process, so that a task that was not sent is never done. A
process that dies loses its current task and no other. Each process has a folder for temporary files, which is
removed however the process ends.

When the caller wants no more results, or at Ctrl-C, no further task is sent, and the groups of the busy
processes are killed. A graceful end would depend on Python, which may lose a signal, and would take time.
"""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import tempfile
import threading
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import forkserver, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkServerContext, ForkServerProcess
from multiprocessing.util import get_temp_dir
from pathlib import Path
from typing import Generic, TypeVar

from hocket.own_python import own_modules
from hocket.simulator import end_with_parent, stay_in_group

T = TypeVar("T")
R = TypeVar("R")

_PATIENCE_S = 3.0  # seconds, for a process without a task to end


@dataclass(frozen=True)
class Lost:
    """A task without a result. status: the exit code of the process that died, as in multiprocessing. None:
    the task raised an unexpected exception. said: its traceback."""

    status: int | None
    said: str = ""


@dataclass(frozen=True)
class Crew(Generic[T, R]):
    """A group of processes for tasks.

    do: called with a task and the process's empty folder; a module's function, or a partial() of one. loaded:
    modules that it needs. fresh: use a new process for each task. tries: attempts at a task whose process
    dies.
    """

    do: Callable[[T, Path], R]
    jobs: int
    loaded: Sequence[str]
    fresh: bool = False
    tries: int = 1

    def results(self, tasks: Sequence[T]) -> Generator[tuple[T, R | Lost], None, None]:
        """Yields tasks and their results in the order of completion. A caller that stops early must close the
        generator. Raises KeyboardInterrupt."""
        context = _ready_to_fork(self.loaded)
        waiting = deque(_Task(task) for task in tasks)
        workers: list[_Worker[T, R]] = []
        try:
            while waiting or any(each.task for each in workers):
                self._send(context, waiting, workers)
                done: list[tuple[T, R | Lost]] = []
                for answer in wait([each.ours for each in workers if each.task]):
                    worker = next(each for each in workers if each.ours is answer)
                    task, result = worker.result()
                    if self.fresh or isinstance(result, Lost):
                        workers.remove(worker)
                        worker.remove()
                    if isinstance(result, Lost) and result.status is not None:
                        task.tried += 1
                        if task.tried < self.tries:
                            waiting.appendleft(task)
                            continue
                    done.append((task.what, result))
                self._send(context, waiting, workers)
                yield from done
        finally:
            with _undisturbed():
                _end(workers)

    def _send(
        self, context: ForkServerContext, waiting: deque[_Task[T]], workers: list[_Worker[T, R]]
    ) -> None:
        """Sends a task to each free process."""
        while waiting:
            worker = next((each for each in workers if not each.task), None)
            if worker is None:
                if len(workers) >= self.jobs:
                    return
                worker = _Worker(Path(tempfile.mkdtemp(prefix="hocket-")))
                workers.append(worker)
                worker.start(context, self.do)
            worker.send(waiting.popleft())


def _keep_socket_names_short() -> None:
    """Makes Python's sockets fit into the limit of 107 bytes for a socket's name (unix(7)). If TMPDIR is too
    long, they lie in /tmp. Python determines their folder once."""
    longest = 107 - len("/pymp-xxxxxxxx/listener-xxxxxxxx")
    before = tempfile.tempdir
    if len(os.fsencode(tempfile.gettempdir())) > longest:
        tempfile.tempdir = "/tmp"
    try:
        get_temp_dir()
    finally:
        tempfile.tempdir = before


def _ready_to_fork(loaded: Sequence[str]) -> ForkServerContext:
    """Starts the process from which others are forked. SIGINT is blocked until it has left the terminal's
    group."""
    _keep_socket_names_short()
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["hocket.apart", *loaded])
    with own_modules():
        resource_tracker.ensure_running()  # else the next call does, and unblocks SIGINT
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            forkserver.ensure_running()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return context


@dataclass
class _Task(Generic[T]):
    what: T
    tried: int = 0


@dataclass
class _Worker(Generic[T, R]):
    folder: Path
    task: _Task[T] | None = None
    process: ForkServerProcess | None = None
    ours: Connection = field(init=False)

    def start(self, context: ForkServerContext, do: Callable[[T, Path], R]) -> None:
        self.ours, theirs = context.Pipe()
        with theirs:
            # A daemon: if this command ends without ending it, Python ends it at exit.
            self.process = context.Process(
                target=_work, args=(do, self.folder, theirs), daemon=True
            )
            self.process.start()

    def send(self, task: _Task[T]) -> None:
        self.task = task
        with suppress(OSError):  # it has died, which its result reports
            self.ours.send(task.what)

    def result(self) -> tuple[_Task[T], R | Lost]:
        """Returns the result of the current task, which is either available or will never come."""
        task, self.task = self.task, None
        assert task is not None
        assert self.process is not None
        try:
            return task, self.ours.recv()
        except (EOFError, OSError):
            self.process.join()
            self.signal(signal.SIGKILL)  # ends what the process had started
            return task, Lost(self.process.exitcode)

    def remove(self) -> None:
        """Removes a process that has answered or died: it ends by itself. Removes its folder."""
        _end([self])

    def lives(self) -> bool:
        return self.process is not None and self.process.pid is not None and self.process.is_alive()

    def signal(self, number: signal.Signals) -> None:
        """Sends a signal to the whole group. The process itself may have ended before others in the group."""
        assert self.process is not None
        if self.process.pid is None:
            return
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            if self.lives():  # the process has not made its group yet
                os.kill(self.process.pid, number)


def _end(workers: Sequence[_Worker[T, R]]) -> None:
    """Ends all these processes and everything they have started."""
    for each in workers:
        with suppress(AttributeError):  # start() had not finished
            each.ours.close()  # a process without a task ends at that
    for each in workers:
        if each.task:
            each.signal(signal.SIGKILL)
    for each in workers:
        if each.lives() and each.process is not None:
            each.process.join(_PATIENCE_S)
        if each.lives() and each.process is not None:
            each.signal(signal.SIGKILL)
            each.process.join()
        shutil.rmtree(each.folder, ignore_errors=True)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Ignores further interrupts: all processes end in a moment."""
    numbers = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
    if threading.current_thread() is not threading.main_thread():
        numbers = []
    before = {number: signal.signal(number, signal.SIG_IGN) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _work(do: Callable[[T, Path], R], folder: Path, tasks: Connection) -> None:
    """The main function of a process: does one task after the other until the connection is closed."""
    os.setpgid(0, 0)
    end_with_parent(signal.SIGKILL)
    stay_in_group()
    tempfile.tempdir = os.environ["TMPDIR"] = str(folder)  # inherited by its children
    with suppress(EOFError, OSError, KeyboardInterrupt):
        while True:
            task = tasks.recv()
            try:
                answer: R | Lost = do(task, folder)
            except Exception:
                answer = Lost(None, traceback.format_exc())
            _empty(folder)
            tasks.send(answer)


def _empty(folder: Path) -> None:
    for each in folder.iterdir():
        if each.is_dir() and not each.is_symlink():
            shutil.rmtree(each)
        else:
            each.unlink()
