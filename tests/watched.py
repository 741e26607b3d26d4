"""A board's program that is watched through its two pipes (docs/reference/lab-protocol.md), in tests."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

Message = dict[str, Any]

PATIENCE = 120  # seconds of this computer: a guard, not a measurement
ENDLESS = 3_600_000_000_000_000_000


class Watched:
    """A program that was started with --live; every message that came is kept."""

    def __init__(self, command: Sequence[str | Path]) -> None:
        theirs_in, self._commands = os.pipe()
        ours_in, theirs_out = os.pipe()
        self.process = subprocess.Popen(
            [*map(str, command), "--live", f"{theirs_in},{theirs_out}"],
            pass_fds=(theirs_in, theirs_out),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._frames = os.fdopen(ours_in, "rb")
        self._guard = threading.Timer(PATIENCE, self.process.kill)
        self._guard.start()
        self.touched: list[Message] = []
        self.messages: list[Message] = []

    def raw(self, data: bytes) -> None:
        os.write(self._commands, data)

    def send(self, **command: Any) -> None:
        self.raw(json.dumps(command).encode() + b"\n")

    def next(self) -> Message | None:
        line = self._frames.readline()
        if not line:
            return None
        message: Message = json.loads(line)
        self.messages.append(message)
        self.touched += message.get("touched", [])
        return message

    def until(self, wanted: Callable[[Message], bool]) -> Message:
        while (message := self.next()) is not None:
            if wanted(message):
                return message
        raise AssertionError(f"it ended first: {self.messages[-3:]}")

    def stands(self, at: int = 0) -> Message:
        """The frame in which it stands, there or later."""
        return self.until(
            lambda m: m["is"] == "frame" and m["state"] == "paused" and m["now"] >= at
        )

    def hang_up(self) -> None:
        """Nothing more is said to it."""
        os.close(self._commands)
        self._commands = -1

    def end(self) -> tuple[int, bytes, bytes]:
        """Reads to its end: exit status, Serial, what it said of itself."""
        reader = threading.Thread(target=lambda: [*iter(self.next, None)])
        reader.start()
        output, errors = self.process.communicate()
        reader.join()
        return self.process.returncode, output, errors

    def close(self) -> None:
        self._guard.cancel()
        self.process.kill()
        self.process.wait()
        self._frames.close()
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()
        if self._commands >= 0:
            os.close(self._commands)


@contextlib.contextmanager
def watched(command: Sequence[str | Path]) -> Iterator[Watched]:
    board = Watched(command)
    try:
        yield board
    finally:
        board.close()
