"""Many tasks at once, in processes that end with all that they have started.

The processes are forked from one that has loaded what they need. Each is in a group of its own, and does one
task at a time, which it is sent; so a task that was not sent is never done. A process that dies loses the
task that it was at, no other. Each has a folder for what it writes on its way, which is removed however the
process ends.

When nobody wants to hear more, or at Ctrl-C, no task is sent any more, and the groups of those that are at
one are killed. To ask them would be to ask Python, which may lose a signal, and to wait for what comes of it.
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

_PATIENCE_S = 3.0  # for a process that has nothing to do any more


@dataclass(frozen=True)
class Lost:
    """A task that brought nothing. status: of the process that died of it, as multiprocessing has it; None:
    it raised what nobody foresaw. said: the traceback of that."""

    status: int | None
    said: str = ""


@dataclass(frozen=True)
class Crew(Generic[T, R]):
    """do: of a task and the process's folder, which is empty; a function of a module, or a partial() of one.
    loaded: modules that it needs. fresh: a new process for each task. tries: of a task whose process dies."""

    do: Callable[[T, Path], R]
    jobs: int
    loaded: Sequence[str]
    fresh: bool = False
    tries: int = 1

    def results(self, tasks: Sequence[T]) -> Generator[tuple[T, R | Lost], None, None]:
        """As they come, in no order. Who asks no more must close it. Raises KeyboardInterrupt."""
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
        """To each process that is free a task."""
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
    """The name of a socket has 107 bytes at most (unix(7)), and TMPDIR may have more: then Python's sockets
    lie in /tmp. It asks for their folder once."""
    longest = 107 - len("/pymp-xxxxxxxx/listener-xxxxxxxx")
    before = tempfile.tempdir
    if len(os.fsencode(tempfile.gettempdir())) > longest:
        tempfile.tempdir = "/tmp"
    try:
        get_temp_dir()
    finally:
        tempfile.tempdir = before


def _ready_to_fork(loaded: Sequence[str]) -> ForkServerContext:
    """With the process that others are forked from: until it has left the terminal's group, Ctrl-C waits."""
    _keep_socket_names_short()
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["hocket.apart", *loaded])
    with own_modules():
        resource_tracker.ensure_running()  # else the next one does it, and blocks nothing afterwards
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
            # Should this command end without having ended it, Python's own end does.
            self.process = context.Process(
                target=_work, args=(do, self.folder, theirs), daemon=True
            )
            self.process.start()

    def send(self, task: _Task[T]) -> None:
        self.task = task
        with suppress(OSError):  # it has died: its result says so
            self.ours.send(task.what)

    def result(self) -> tuple[_Task[T], R | Lost]:
        """Of the task that it is at, and which is there, or never comes."""
        task, self.task = self.task, None
        assert task is not None
        assert self.process is not None
        try:
            return task, self.ours.recv()
        except (EOFError, OSError):
            self.process.join()
            self.signal(signal.SIGKILL)  # what it had started has nobody any more
            return task, Lost(self.process.exitcode)

    def remove(self) -> None:
        """It has answered, or died: it ends by itself, and its folder goes."""
        _end([self])

    def lives(self) -> bool:
        return self.process is not None and self.process.pid is not None and self.process.is_alive()

    def signal(self, number: signal.Signals) -> None:
        """To all of its group; it may have ended, and others in it not."""
        assert self.process is not None
        if self.process.pid is None:
            return
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            if self.lives():  # it has no group yet
                os.kill(self.process.pid, number)


def _end(workers: Sequence[_Worker[T, R]]) -> None:
    """All of them, and what they have started."""
    for each in workers:
        with suppress(AttributeError):  # it was about to begin
            each.ours.close()  # one without a task ends at that
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
    """A further Ctrl-C changes nothing: all are at their end in a moment."""
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
    """In a process: one task after the other, until it is sent no more."""
    os.setpgid(0, 0)
    end_with_parent(signal.SIGKILL)
    stay_in_group()
    tempfile.tempdir = os.environ["TMPDIR"] = str(folder)  # a program's, too, goes with it
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
