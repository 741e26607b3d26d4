"""Starts the program that runs a board, forwards its Serial, and reports how it ended.

docs/reference/sim-program.md defines the interface of the program, for the boards in QEMU also
docs/reference/world-program.md.
"""

from __future__ import annotations

import ctypes
import math
import os
import select
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Self

from hocket.errors import EXIT_DEFECT, EXIT_FAULT, EXIT_USAGE, HocketError

_LIBC = ctypes.CDLL(None)

ESCAPING = (
    "the sketch tried to begin a process, to use the network or to reach other programs of this "
    "computer"
)


@dataclass(frozen=True)
class Ended:
    """How a run ended: exit status of the command, messages of the program, whether the last line of Serial
    is incomplete, and the output of Serial if it was requested or not shown."""

    status: int
    messages: list[str]
    open_line: bool
    serial: bytes = b""


FLOODING = (
    "the sketch wrote more to standard output than Serial may send (--serial-limit): it was ended"
)
_LONGEST_MESSAGE = 64 << 10  # bytes of a line on standard error


@dataclass
class _Output:
    """Where the program's output goes. left: the bytes that it may still send."""

    kept: bytearray | None
    shown: bool
    left: float


def simulate(
    command: Sequence[str | Path],
    on_first_byte: Callable[[], None],
    show_serial: bool = True,
    keep_serial: bool = False,
    descriptors: Sequence[int] = (),
) -> Ended:
    """Runs the program to its end. Interrupts (Ctrl-C) are forwarded to the program, which ends the run
    cleanly. The third one kills it. descriptors: stay open in the program."""
    try:
        process = subprocess.Popen(
            [str(part) for part in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=descriptors,
            process_group=_Group.own,  # interrupts reach it through this process only, once each
            preexec_fn=in_the_program,
        )
    except OSError as problem:
        raise HocketError(
            "the board's program cannot be started",
            problem.strerror or str(problem),
            "remove the folder build/ and try again",
            command[0],
        ) from problem
    messages: deque[str] = deque(maxlen=200)
    reader = threading.Thread(target=_collect, args=(process, messages), daemon=True)
    reader.start()
    with _Forwarding(process) as forwarding, process:
        kept = bytearray() if keep_serial or not show_serial else None
        output = _Output(kept, show_serial, _most_output(command))
        open_line = _pass_on(process, forwarding, on_first_byte, output)
        status = process.wait()
        reader.join()
    if output.left < 0:
        messages.append(f"hocket: {FLOODING}")
        status = EXIT_USAGE
    if status == -signal.SIGSYS:
        messages.append(f"hocket: {ESCAPING}")
        status = EXIT_FAULT
    if status < 0:
        name = signal.Signals(-status).name
        messages.append(f"hocket: the board's program was ended by {name}")
        status = EXIT_DEFECT
    return Ended(status, list(messages), open_line, bytes(kept or b""))


class _Group:
    """The process group of programs: 0 for one of their own, None for that of this process."""

    own: int | None = 0


def stay_in_group() -> None:
    """Keeps programs in this process's group from now on. It is not the terminal's group, and one signal ends
    all of it."""
    _Group.own = None


def in_the_program() -> None:
    """Runs in the program before it starts. Its memory gets the same addresses in every run, so that a run is
    repeatable even if a sketch prints an address. It is ended if this command is killed.

    ADDR_NO_RANDOMIZE of personality(2): if the system does not allow it, the program runs anyway.
    """
    addr_no_randomize = 0x0040000
    _LIBC.personality(addr_no_randomize)
    end_with_parent(signal.SIGTERM)


def end_with_parent(number: signal.Signals) -> None:
    """Makes this process receive the signal when the thread that started it ends (prctl(2),
    PR_SET_PDEATHSIG)."""
    pr_set_pdeathsig = 1
    _LIBC.prctl(pr_set_pdeathsig, number, 0, 0, 0)


def _collect(process: subprocess.Popen[bytes], messages: deque[str]) -> None:
    said = process.stderr
    assert said is not None
    for line in iter(lambda: said.readline(_LONGEST_MESSAGE), b""):
        messages.append(line.decode("utf-8", "replace").rstrip("\n"))


def _pass_on(
    process: subprocess.Popen[bytes],
    forwarding: _Forwarding,
    on_first_byte: Callable[[], None],
    output: _Output,
) -> bool:
    """Copies Serial to standard output as it comes, or keeps it, or both. Returns whether the last line shown
    is incomplete. A program that exceeds its limit is ended."""
    assert process.stdout is not None
    source, last = process.stdout.fileno(), b"\n"
    started = False
    while chunk := forwarding.read(source):
        if not started:
            started = True
            on_first_byte()
        output.left -= len(chunk)
        if output.left < 0:
            process.kill()
            break
        last = chunk[-1:]
        if output.kept is not None:
            output.kept += chunk
        if not output.shown:
            continue
        try:
            sys.stdout.buffer.write(chunk)
            sys.stdout.buffer.flush()
        except BrokenPipeError:  # the reader is gone (`hocket run … | head`)
            process.kill()
            process.wait()
            raise
    return output.shown and last != b"\n"


def _most_output(command: Sequence[str | Path]) -> float:
    """Returns a limit of bytes on standard output. It is above the limit of Serial, which the program
    enforces, because a sketch on sim can write to standard output directly. There is no limit for two boards:
    their lines are prefixed with names, and their programs are not sketches."""
    words = [str(word) for word in command]
    if "--serial-limit" not in words or "--second-image" in words:
        return math.inf
    return 2 * int(words[words.index("--serial-limit") + 1]) + (1 << 20)


class _Forwarding:
    """While the context is active, SIGINT, SIGTERM and SIGHUP of this command reach the program as SIGINT.

    Python runs a handler between two of its instructions. A signal just before a read() would wait for as
    long as the sketch is silent. So each signal also writes to a pipe, and read() waits for both.
    """

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.count = 0
        self.before: dict[int, object] = {}
        self.woken, self.wake = os.pipe()
        os.set_blocking(self.wake, False)
        self.wake_before = -1

    def __enter__(self) -> Self:
        if threading.current_thread() is not threading.main_thread():
            return self  # signals reach the main thread only
        self.wake_before = signal.set_wakeup_fd(self.wake)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if number == signal.SIGHUP and signal.getsignal(number) is signal.SIG_IGN:
                continue  # nohup
            self.before[number] = signal.signal(number, self._forward)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self.before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]
        if self.before:
            signal.set_wakeup_fd(self.wake_before)
        os.close(self.woken)
        os.close(self.wake)

    def read(self, source: int) -> bytes:
        """Returns the program's output. Empty: it has closed its output."""
        while True:
            ready, _, _ = select.select([source, self.woken], [], [])
            if self.woken in ready:
                os.read(self.woken, 64)  # the handler has run or runs next
            if source in ready:
                return os.read(source, 65536)

    def _forward(self, _number: int, _frame: FrameType | None) -> None:
        self.count += 1
        if self.process.poll() is None:
            # The program ends its run cleanly at SIGINT, so all signals are forwarded as SIGINT.
            self.process.send_signal(signal.SIGKILL if self.count > 2 else signal.SIGINT)
