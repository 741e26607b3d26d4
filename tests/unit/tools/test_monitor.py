"""`hocket monitor` on a pair of pseudo terminals: bytes both ways, unchanged; errors that help."""

from __future__ import annotations

import fcntl
import os
import select
import signal
import struct
import subprocess
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.campaign import one_in
from tests.commands import ENTRY

TIOCGPTN, TIOCSPTLCK = 0x80045430, 0x40045431  # ioctl_tty(2): a pseudo terminal's number, its lock
ROOT = Path(__file__).resolve().parents[3]


def _pair() -> tuple[int, int]:
    """Both ends of a pseudo terminal that is nobody's controlling one (openpty(3) may make it ours)."""
    board = os.open("/dev/ptmx", os.O_RDWR | os.O_NOCTTY)
    fcntl.ioctl(board, TIOCSPTLCK, struct.pack("i", 0))
    (number,) = struct.unpack("I", fcntl.ioctl(board, TIOCGPTN, struct.pack("I", 0)))
    return board, os.open(f"/dev/pts/{number}", os.O_RDWR | os.O_NOCTTY)


@contextmanager
def _monitor(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        [str(ENTRY), "monitor", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def _read(end: int, size: int) -> bytes:
    data = b""
    while len(data) < size:
        assert select.select([end], [], [], 20)[0], f"only {data!r}"
        data += os.read(end, size - len(data))
    return data


def test_bytes_pass_both_ways_unchanged() -> None:
    board, port = _pair()
    with _monitor("--port", os.ttyname(port), "--baud", "57600") as process:
        assert process.stdin is not None and process.stdout is not None
        every = bytes(range(256))
        process.stdin.write(every)
        process.stdin.flush()
        assert _read(board, 256) == every
        assert termios.tcgetattr(port)[4:6] == [termios.B57600] * 2
        process.stdin.close()
        os.write(board, b"ready\r\n" + every)
        assert _read(process.stdout.fileno(), 263) == b"ready\r\n" + every
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 0
    os.close(board)
    os.close(port)


def test_a_board_that_is_unplugged() -> None:
    board, port = _pair()
    with _monitor("--port", os.ttyname(port)) as process:
        assert process.stdout is not None and process.stderr is not None
        os.write(board, b"came before\n")
        assert _read(process.stdout.fileno(), 12) == b"came before\n"
        os.close(port)
        os.close(board)
        assert process.wait(timeout=20) == 2
        assert b"is gone\n" in process.stderr.read()


@one_in(3)
@pytest.mark.parametrize(
    ("arguments", "fact"),
    [
        ((), b"hocket: no serial port was given\n"),
        (("--port", "/nowhere"), b"hocket: /nowhere cannot be opened\n"),
        (("--port", "/dev/null"), b"hocket: /dev/null is not a serial port\n"),
        (("--port", "/dev/null", "--baud", "7"), b"hocket: --baud 7 is no rate of a serial port\n"),
        (("--port", "/dev/null", "--baud", "-1"), b"hocket: --baud -1 is no rate"),
    ],
)
def test_mistakes_are_explained(arguments: tuple[str, ...], fact: bytes) -> None:
    with _monitor(*arguments) as process:
        _, said = process.communicate(timeout=60)
        assert (process.returncode, said[: len(fact)]) == (2, fact)
