"""Starts the program that runs a board, passes its Serial on, and says how it ended.

The contract with the program is docs/reference/sim-program.md; for the boards in QEMU also
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
    """How a run ended: exit status of the command, what the program said, whether Serial ended a line;
    what Serial sent, when that was asked for or it was not shown."""

    status: int
    messages: list[str]
    open_line: bool
    serial: bytes = b""


FLOODING = (
    "the sketch wrote more to standard output than Serial may send (--serial-limit): it was ended"
)
_LONGEST_MESSAGE = 64 << 10  # bytes of a line that the program says


@dataclass
class _Output:
    """Where what the program sends goes. left: bytes that it may still send."""

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
    """Runs the program to its end. Interrupts (Ctrl-C) go to the program, which ends the run cleanly;
    the third one kills it. `descriptors` are open in the program, too."""
    try:
        process = subprocess.Popen(
            [str(part) for part in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=descriptors,
            process_group=_Group.own,  # interrupts reach it through us alone, once each
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
    """What a program's is: 0, one of its own; None, this process's."""

    own: int | None = 0


def stay_in_group() -> None:
    """Programs are in this process's group from now on: it is no terminal's, and one signal ends them all."""
    _Group.own = None


def in_the_program() -> None:
    """In the program before it starts: its memory lies at the same addresses in every run, so that runs
    repeat even where a sketch prints one, and it is ended when this command is killed.

    ADDR_NO_RANDOMIZE of personality(2): where the system does not allow it the program runs all the same.
    """
    addr_no_randomize = 0x0040000
    _LIBC.personality(addr_no_randomize)
    end_with_parent(signal.SIGTERM)


def end_with_parent(number: signal.Signals) -> None:
    """This process gets the signal when the thread that has begun it ends (prctl(2), PR_SET_PDEATHSIG)."""
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
    """Copies Serial to standard output as it comes, or keeps it, or both; true when the last line shown is
    still open. A program that sends more than it may is ended."""
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
        except BrokenPipeError:  # nobody reads us any more (`hocket run … | head`)
            process.kill()
            process.wait()
            raise
    return output.shown and last != b"\n"


def _most_output(command: Sequence[str | Path]) -> float:
    """Bytes on standard output, more than those of Serial, which the program counts: a sketch on sim can
    write there by itself. Of two boards the lines have names before them, and no program is a sketch."""
    words = [str(word) for word in command]
    if "--serial-limit" not in words or "--second-image" in words:
        return math.inf
    return 2 * int(words[words.index("--serial-limit") + 1]) + (1 << 20)


class _Forwarding:
    """While it lasts, SIGINT, SIGTERM and SIGHUP of this command reach the program, as SIGINT.

    Python runs a handler between two of its instructions: a signal that comes just before a read() begins
    would wait for as long as the sketch is silent. So each signal writes to a pipe as well, and read() waits
    for both.
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
            return self  # signals come to the main thread alone
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
        """What has come from the program; nothing: it has closed its output."""
        while True:
            ready, _, _ = select.select([source, self.woken], [], [])
            if self.woken in ready:
                os.read(self.woken, 64)  # the handler has run, or runs before the next instruction
            if source in ready:
                return os.read(source, 65536)

    def _forward(self, _number: int, _frame: FrameType | None) -> None:
        self.count += 1
        if self.process.poll() is None:
            # The program ends its run cleanly at SIGINT, whichever of them came.
            self.process.send_signal(signal.SIGKILL if self.count > 2 else signal.SIGINT)
