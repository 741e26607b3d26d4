"""The board's program of a lab, as a process of this asyncio loop: its lines in and out.

The program is started with two pipes (docs/reference/lab-protocol.md, «The program's side»). Its
standard output is Serial once more, and is not read: the frames have it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from hocket.simulator import in_the_program

Message = dict[str, Any]

_MOST = 64 * 1024 * 1024  # bytes of a line: a frame is far below
_MOST_WORDS = 8192  # bytes of a line on standard error that are kept
_PIECE = 65_536


class Words:
    """The last lines of what comes in pieces: of each its beginning, for one may have no end."""

    def __init__(self) -> None:
        self._line = bytearray()
        self._lines: deque[str] = deque(maxlen=200)

    def take(self, piece: bytes) -> None:
        *ends, rest = piece.split(b"\n")
        for end in ends:
            self._add(end)
            self._close()
        self._add(rest)

    def end(self) -> None:
        if self._line:
            self._close()

    def lines(self) -> list[str]:
        return list(self._lines)

    def _add(self, part: bytes) -> None:
        self._line += part[: _MOST_WORDS - len(self._line)]

    def _close(self) -> None:
        self._lines.append(self._line.decode("utf-8", "replace"))
        self._line.clear()


class Board:
    """One run. `on_message` is called with each message that comes."""

    def __init__(self, on_message: Callable[[Message], None]) -> None:
        self._on_message = on_message
        self._process: asyncio.subprocess.Process | None = None
        self._commands: asyncio.StreamWriter | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self.words = Words()

    async def start(self, command: Sequence[str | Path]) -> None:
        """Starts it. OSError when that fails."""
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        try:
            self._process = await asyncio.create_subprocess_exec(
                *[str(word) for word in command],
                *("--live", f"{theirs_in},{theirs_out}"),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.PIPE,
                pass_fds=(theirs_in, theirs_out),
                process_group=0,  # interrupts reach it through us alone
                preexec_fn=in_the_program,
            )
        except OSError:
            os.close(ours_in)
            os.close(ours_out)
            raise
        finally:
            os.close(theirs_in)
            os.close(theirs_out)
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader(limit=_MOST)
        await loop.connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(ours_in, "rb", 0)
        )
        transport, protocol = await loop.connect_write_pipe(
            asyncio.streams.FlowControlMixin, os.fdopen(ours_out, "wb", 0)
        )
        self._commands = asyncio.StreamWriter(transport, protocol, None, loop)
        self._tasks = [
            asyncio.create_task(self._read(reader)),
            asyncio.create_task(self._collect()),
        ]

    async def _read(self, reader: asyncio.StreamReader) -> None:
        while line := await reader.readline():
            try:
                message = json.loads(line)
            except (ValueError, RecursionError):  # the last one of a program that was killed
                continue
            if isinstance(message, dict):
                self._on_message(message)

    async def _collect(self) -> None:
        assert self._process is not None and self._process.stderr is not None
        while piece := await self._process.stderr.read(_PIECE):
            self.words.take(piece)
        self.words.end()

    @property
    def runs(self) -> bool:
        return self._process is not None and self._process.returncode is None

    def send(self, command: Message) -> None:
        """Tells it; nothing happens when it has ended."""
        if self._commands is not None and not self._commands.is_closing():
            try:  # as it came: escapes would make it longer than a command may be
                line = json.dumps(command, ensure_ascii=False).encode()
            except UnicodeEncodeError:  # half a character: the program says so
                line = json.dumps(command).encode()
            self._commands.write(line + b"\n")

    def interrupt(self) -> None:
        """As Ctrl-C: it ends its run."""
        if self.runs and self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(signal.SIGINT)

    def kill(self) -> None:
        if self.runs and self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    async def ended(self) -> int:
        """Waits for its end; its exit status, below 0 for the signal that ended it. Raises what `on_message`
        raised; it is killed then."""
        assert self._process is not None
        try:
            await asyncio.gather(*self._tasks)
        except Exception:
            self.kill()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            raise
        finally:
            if self._commands is not None:
                self._commands.close()
            status = await self._process.wait()
        return status
