"""Reads what `hocket run` sends to Serial: a file, standard input, or keys as they are typed.

    --input FILE    the file. It is sent from the moment at which Serial.begin() opens the port, at its rate
    --input -       all of standard input, sent in the same way. It is read to its end before the run
    (neither)       the content of a pipe (`echo ping | hocket run …`), sent in the same way. A terminal or a
                    file is not read, because a file may be the list of a `while read` loop
    --live          what arrives while the board runs, in step with this computer's clock (sim, uno)

So a run with a file or a pipe is repeatable to the byte.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import stat
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hocket.console import say
from hocket.errors import HocketError
from hocket.keys import standard_input, unbuffered_keys
from hocket.output import STANDARD

MOST = 16 * 1024 * 1024
# A pipe that was not requested and stays silent for this time (seconds) is not read: its writer may never
# end, and the run must not wait for it.
PATIENCE = 0.25
_TELL_AFTER = 1.0
_PIECE = 65_536


def read_input(chosen: Path | None) -> bytes:
    """Returns the bytes for Serial. Without `chosen`, returns the content of a pipe."""
    if chosen == STANDARD:
        return _to_the_end(_standard())
    if chosen is not None:
        return _of_file(chosen)
    descriptor = standard_input()
    return _of_pipe(descriptor) if descriptor is not None and _is_pipe(descriptor) else b""


def _of_file(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            data = opened.read(MOST + 1)
    except OSError as problem:
        raise HocketError(
            f"--input {file} cannot be read",
            problem.strerror or str(problem),
            "name a file; - is standard input",
        ) from problem
    return _small(data)


def _small(data: bytes) -> bytes:
    if len(data) > MOST:
        raise HocketError(
            "the input is larger than 16 MiB",
            "at 115200 baud that is 24 minutes",
            "send less to Serial, or use --live, which sends what comes",
        )
    return data


def _standard() -> int:
    descriptor = standard_input()
    if descriptor is None:
        raise HocketError("standard input is closed", next_step="name a file: --input FILE")
    return descriptor


def _is_pipe(descriptor: int) -> bool:
    try:
        kind = os.fstat(descriptor).st_mode
    except OSError:
        return False
    return stat.S_ISFIFO(kind) or stat.S_ISSOCK(kind)


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, _PIECE)
    except BlockingIOError:  # another process has read the data
        time.sleep(0.01)
        return b""
    except OSError as problem:
        raise HocketError(
            "standard input cannot be read", problem.strerror or "", "name a file: --input FILE"
        ) from problem


def _to_the_end(descriptor: int) -> bytes:
    data = bytearray()
    told = os.isatty(descriptor)
    if told:
        say("what you type goes to Serial; Ctrl-D ends it and starts the run")
    while len(data) <= MOST:
        if not told and not select.select([descriptor], [], [], _TELL_AFTER)[0]:
            told = True
            say("waiting for the end of standard input; Ctrl-C ends that")
        piece = _read(descriptor)
        if not piece:
            return bytes(data)
        data += piece
    return _small(bytes(data))


def _of_pipe(descriptor: int) -> bytes:
    data = bytearray()
    while select.select([descriptor], [], [], PATIENCE)[0]:
        piece = _read(descriptor)
        if not piece:
            return bytes(data)
        data += piece
        _small(bytes(data))
    if data:
        say(
            f"standard input stays open: its first {len(data)} bytes go to Serial "
            "(--input - waits for its end, --live sends what comes)"
        )
    return bytes(data)


@dataclass(frozen=True)
class Live:
    """The program's options for a run with live input, and the descriptors that the options name."""

    options: list[str]
    descriptors: tuple[int, int]


@contextlib.contextmanager
def keys_to_serial() -> Iterator[Live]:
    """While the context is active, standard input is sent to Serial of the program that gets these options.

    The program's ends of the pipes also stay open here until the end, so that the end of the program does not
    look like the end of its input.
    """
    theirs_in, ours_out = os.pipe()
    ours_in, theirs_out = os.pipe()
    stop, stopped = os.pipe()
    os.set_blocking(ours_out, False)  # a program that stops reading must not block this one
    threads = [
        threading.Thread(target=_forward, args=(stop, ours_out), daemon=True),
        threading.Thread(target=_drain, args=(ours_in,), daemon=True),
    ]
    try:
        with unbuffered_keys():
            for thread in threads:
                thread.start()
            yield Live(["--live", f"{theirs_in},{theirs_out}"], (theirs_in, theirs_out))
    finally:
        os.write(stopped, b".")
        _wait_for(threads[0])
        os.close(theirs_out)  # no writer is left: the other thread reads to the end
        _wait_for(threads[1])
        for descriptor in (theirs_in, ours_out, ours_in, stop, stopped):
            os.close(descriptor)


def _wait_for(thread: threading.Thread) -> None:
    """Waits for a thread. If an error came first, the thread has not started, and join() would raise another
    error."""
    if thread.ident is not None:
        thread.join()


def _forward(stop: int, commands: int) -> None:
    """Sends standard input as touches, until the input or the run ends."""
    descriptor = standard_input()
    if descriptor is None:
        return
    while True:
        try:
            ready, _, _ = select.select([descriptor, stop], [], [])
        except OSError:
            return
        if stop in ready:
            return
        try:
            piece = os.read(descriptor, 1024)
        except OSError:
            return
        if not piece:
            return
        command = json.dumps({"do": "serial", "port": 0, "hex": piece.hex()}) + "\n"
        with contextlib.suppress(OSError):
            os.write(commands, command.encode())


def _drain(frames: int) -> None:
    """Reads and drops the frames of the run."""
    with contextlib.suppress(OSError):
        while os.read(frames, _PIECE):
            pass
