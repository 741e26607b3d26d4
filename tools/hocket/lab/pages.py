"""The pages that look at a lab: each gets what the board says, as fast as it reads.

A page that is slow holds nobody up: what it has not been sent becomes one frame (merging.py).
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from hocket.lab.merging import Frame, State, merged
from hocket.lab.serving import first_of

_MOST_WAITING = 256  # messages that are no frames: answers to the page's own commands


class Page:
    """One page: what is to be sent to it."""

    def __init__(self) -> None:
        self._waiting: deque[Frame] = deque(maxlen=_MOST_WAITING)
        self._wake = asyncio.Event()

    def tell(self, message: Frame) -> None:
        if message["is"] == "frame" and self._waiting and self._waiting[-1]["is"] == "frame":
            self._waiting[-1] = merged(self._waiting[-1], message)
        else:
            if message["is"] == "hello":
                self._waiting.clear()
            self._waiting.append(message)
        self._wake.set()

    async def send_all(self, connection: ServerConnection) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                message = self._waiting.popleft()
                await connection.send(json.dumps(message, ensure_ascii=False))


class Pages:
    """All pages of a lab. `on_command`: what one of them asks. `present` is set while there is one, `gone`
    while there is none."""

    def __init__(self, state: State, on_command: Callable[[Page, Frame], None]) -> None:
        self._state = state
        self._on_command = on_command
        self._pages: set[Page] = set()
        self.present = asyncio.Event()
        self.gone = asyncio.Event()
        self.gone.set()

    def tell(self, message: Frame) -> None:
        for page in self._pages:
            page.tell(message)

    async def connected(self, connection: ServerConnection) -> None:
        page = Page()
        for message in self._state.messages():
            page.tell(message)
        self._pages.add(page)
        self.present.set()
        self.gone.clear()
        try:
            await first_of(
                asyncio.create_task(page.send_all(connection)),
                asyncio.create_task(self._read(page, connection)),
            )
        finally:
            self._pages.discard(page)
            if not self._pages:
                self.present.clear()
                self.gone.set()

    async def _read(self, page: Page, connection: ServerConnection) -> None:
        try:
            async for text in connection:
                self._take(page, text)
        except ConnectionClosed:
            pass

    def _take(self, page: Page, text: str | bytes) -> None:
        try:
            command = json.loads(text)
        except (ValueError, RecursionError):
            command = None
        if not isinstance(command, dict) or isinstance(text, bytes):
            page.tell({"is": "error", "text": "a command is one JSON object"})
            return
        self._on_command(page, command)
