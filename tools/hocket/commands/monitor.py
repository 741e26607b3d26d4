"""`hocket monitor`: connects the terminal with the Serial of a real board on a serial port of this computer.

Received bytes are written to standard output at once, and typed bytes are sent to the board. Ctrl-C ends the
monitor. If standard input ends (a pipe) or is closed, the monitor still shows received bytes.

Sources: POSIX.1-2017, chapter 11 "General Terminal Interface"; tty_ioctl(4) for TIOCEXCL.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import sys
import termios
import tty
from collections.abc import Iterator
from pathlib import Path

from hocket.errors import HocketError
from hocket.keys import standard_input, unbuffered_keys
from hocket.serial_ports import chosen_port, proposal, why_not

_PIECE = 4096


def monitor_command(port: Path | None, baud: int) -> int:
    port = chosen_port(port, "no serial port was given")
    with _opened(port, baud) as line, unbuffered_keys(), contextlib.suppress(KeyboardInterrupt):
        _connect(port, line)
    return 0


@contextlib.contextmanager
def _opened(port: Path, baud: int) -> Iterator[int]:
    speed = getattr(termios, f"B{baud}", None)
    if baud <= 0 or speed is None:
        raise HocketError(
            f"--baud {baud} is no rate of a serial port", next_step="use what Serial.begin() has"
        )
    try:
        line = os.open(port, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError as problem:
        raise HocketError(f"{port} cannot be opened", *why_not(problem)) from problem
    try:
        try:
            # Raw mode: 8 bits, no parity, no translation, no modem lines. Bytes that were received before are
            # shown, too.
            tty.setraw(line, termios.TCSANOW)
            settings = termios.tcgetattr(line)
            settings[2] = (settings[2] & ~termios.CSTOPB) | termios.CLOCAL | termios.CREAD
            settings[4] = settings[5] = speed
            termios.tcsetattr(line, termios.TCSANOW, settings)
            fcntl.ioctl(line, termios.TIOCEXCL)
        except (termios.error, OSError) as problem:
            raise HocketError(f"{port} is not a serial port", *proposal()) from problem
        yield line
    finally:
        os.close(line)


def _connect(port: Path, line: int) -> None:
    keys = standard_input()
    typed = b""
    while True:
        sources = [line] if keys is None or typed else [line, keys]
        readable, writable, _ = select.select(sources, [line] if typed else [], [])
        try:
            if line in readable:
                data = os.read(line, _PIECE)
                if not data:
                    raise OSError(None, "the connection to the board has ended")
                sys.stdout.buffer.write(data)
                sys.stdout.buffer.flush()
            if line in writable:
                typed = typed[os.write(line, typed) :]
        except BlockingIOError:
            continue
        except BrokenPipeError:  # the reader of the output is gone
            raise
        except OSError as problem:
            raise HocketError(
                f"{port} is gone", problem.strerror or str(problem), "connect it again"
            ) from problem
        if keys is not None and keys in readable:
            typed = os.read(keys, _PIECE)
            if not typed:
                keys = None
