"""Runs a board under the control of gdb.

By what runs the board (boards/keys.txt, `launcher`):
    itself         gdb starts the program
    avr-simulator  the simulated Uno waits for gdb at a socket (simulation/avr/debugger.h)
    qemu           QEMU waits for gdb; the world around it works as always
All boards are stopped at their first instruction when gdb has connected.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hocket.builder import Image
from hocket.debugger.program import script_for
from hocket.emulator import with_words
from hocket.errors import EXIT_DEFECT, EXIT_INTERRUPTED, HocketError

# The board's program needs an end of its run. This one never comes: 100 years.
FOR_EVER = 100 * 365 * 86_400 * 1_000_000_000
_ENDED_BY_GDB = "Terminated via GDBstub"
_PATIENCE_S = 20.0  # seconds until a socket exists


@dataclass(frozen=True)
class Session:
    """program: the board's, with its options. cores: as in its options. launcher: the words before the
    program (hocket.confinement)."""

    image: Image
    cores: int
    program: tuple[str | Path, ...]
    launcher: Sequence[str | Path] = ()

    @property
    def debugger(self) -> str:
        return self.image.board.debugger

    def run(self, batch: bool, scripts: Sequence[Path], words: Sequence[str]) -> int:
        """Runs gdb in the foreground and returns its exit status."""
        script = script_for(self.image, self.cores)
        command: list[str | Path] = [self.debugger, "-q", *(["-batch"] if batch else [])]
        command += ["-x", script]
        if self.image.board.launcher == "itself":
            if self.launcher:
                words_of_it = shlex.join(str(word) for word in self.launcher)
                command += ["-ex", f"set exec-wrapper {words_of_it}"]
            command += ["-ex", "starti", *_further(scripts, words), "--args", *self.program]
            return _in_foreground(command)
        with tempfile.TemporaryDirectory(prefix="hocket-") as name:
            place = Path(name) / "gdb"
            with self.board_at(f"unix:{place}", Path(name)) as board:
                _wait_for(place, board)
                command += ["-ex", f"target remote {place}", *_further(scripts, words)]
                return _in_foreground(command)

    def serve(self, port: int) -> int:
        """Waits for a debugger until the program ends or Ctrl-C. Returns 0 or EXIT_INTERRUPTED."""
        with (
            tempfile.TemporaryDirectory(prefix="hocket-") as name,
            self.board_at(str(port), Path(name)) as board,
        ):
            try:
                status = board.wait()
            except KeyboardInterrupt:
                return EXIT_INTERRUPTED
        return status if status >= 0 else EXIT_DEFECT

    @contextlib.contextmanager
    def board_at(self, address: str, folder: Path) -> Iterator[subprocess.Popen[bytes]]:
        """Starts the board's program, which waits for gdb at a port of this computer or at `unix:FILE`. Ends
        it at the end of the context."""
        with contextlib.ExitStack() as stack:
            command: list[str | Path] = [*self.program]
            if self.image.board.launcher == "itself":
                wrapper = ["--wrapper", *self.launcher, "--"] if self.launcher else []
                command = ["gdbserver", *wrapper, "--once", f"127.0.0.1:{address}", *command]
            elif self.image.board.launcher == "avr-simulator":
                command += ["--debug", address]
            else:
                file = address.startswith("unix:")
                where = f"{address if file else f'tcp:127.0.0.1:{address}'},server=on,wait=off"
                words = folder / "words"
                words.mkdir()
                stack.enter_context(with_words(words, ["-gdb", where, "-S"]))
            said = stack.enter_context((folder / "said").open("w+b"))
            board = subprocess.Popen(
                [str(word) for word in command],
                stdin=subprocess.DEVNULL,
                stderr=said,
                process_group=0,
            )
            try:
                yield board
            finally:
                _end(board)
                said.seek(0)
                text = said.read().decode("utf-8", "replace")
                if _ENDED_BY_GDB not in text:  # gdb's normal end needs no message
                    print(text, end="", file=sys.stderr)


def _further(scripts: Sequence[Path], words: Sequence[str]) -> list[str]:
    return [*(word for script in scripts for word in ("-x", str(script))), *words]


def _in_foreground(command: Sequence[str | Path]) -> int:
    """Runs a command in the foreground. gdb handles Ctrl-C: it stops the sketch, not this command."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        gdb = subprocess.Popen(
            [str(word) for word in command],
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        status = gdb.wait()
    finally:
        signal.signal(signal.SIGINT, before)
    if status < 0:
        raise HocketError(
            f"gdb was ended by {signal.Signals(-status).name}",
            next_step="start it again; if gdb ends so once more, please report it",
            exit_code=EXIT_DEFECT,
        )
    return status


def _wait_for(place: Path, board: subprocess.Popen[bytes]) -> None:
    """Waits until the socket exists. (The board's own message says why it does not.)"""
    until = time.monotonic() + _PATIENCE_S
    while not place.exists():
        if board.poll() is not None or time.monotonic() > until:
            raise HocketError(
                "the board does not wait for gdb",
                f"its program ended with status {board.returncode}"
                if board.returncode is not None
                else "its program has not reported that it is ready",
                "see what it says above",
                exit_code=EXIT_DEFECT,
            )
        time.sleep(0.02)


def _end(board: subprocess.Popen[bytes]) -> None:
    """Ends the program and the processes that it started, which are in its group."""
    if board.poll() is None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            board.wait(timeout=2)  # it ends when gdb or the sketch has ended
    with contextlib.suppress(ProcessLookupError):
        os.killpg(board.pid, signal.SIGKILL)
    board.wait()
