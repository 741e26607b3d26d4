"""The page's files and its WebSocket, on this machine only unless the user asks for more.

Other pages in the same browser must not reach a lab. So each request is checked: Host is this server's own
address (a name that was made to point here is another one), Origin, where the browser sends it, is this
page's, and the live socket needs the key, which is new for each lab and in the address that is printed.

With `everywhere` other machines of the network reach it, too. Host is then the address at which the
request has come in, written as a number: a name can be made to point anywhere.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import mimetypes
import secrets
import socket
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from websockets.asyncio.server import Server as Sockets
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

HOST = "127.0.0.1"
ANY = "0.0.0.0"
LIVE = "/live"
LONGEST = 256 * 1024  # bytes of a message of the page's, which may have the text of a scenario
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self' {socket}; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)


# What others send to the port is nothing that this command's user has to read.
_SILENT = logging.getLogger("hocket.lab.sockets")
_SILENT.addHandler(logging.NullHandler())
_SILENT.propagate = False


class Site:
    """Where a lab is: its port, its key, its page's folder."""

    def __init__(self, page: Path, *, everywhere: bool = False) -> None:
        self.page = page.resolve()
        self.host = ANY if everywhere else HOST
        self.key = secrets.token_urlsafe(24)
        self.port = 0
        self._sockets: Sockets | None = None

    @property
    def address(self) -> str:
        return self.address_at(HOST)

    def address_at(self, host: str) -> str:
        return f"http://{host}:{self.port}/?key={self.key}"

    async def open(
        self, port: int, connected: Callable[[ServerConnection], Awaitable[None]]
    ) -> None:
        """Serves; port 0: any that is free. OSError when the port is taken."""
        self._sockets = await serve(
            connected, self.host, port, process_request=self._answer, max_size=LONGEST,
            compression=None, server_header=None, write_limit=256 * 1024, max_queue=64,
            open_timeout=10, close_timeout=1, ping_interval=None, logger=_SILENT,
        )  # fmt: skip
        self.port = next(iter(self._sockets.sockets)).getsockname()[1]

    async def close(self) -> None:
        if self._sockets is not None:
            self._sockets.close()
            await self._sockets.wait_closed()

    def _answer(self, connection: ServerConnection, request: Request) -> Response | None:
        """None for the live socket: it is opened."""
        here = str(connection.local_address[0]) if self.host == ANY else HOST
        try:
            return self._answer_to(request, here)
        except (ValueError, OSError, RuntimeError):  # no address, or none that a system could have
            return _plain(HTTPStatus.NOT_FOUND, "there is no such address")

    def _answer_to(self, request: Request, here: str) -> Response | None:
        """here: the address of this machine at which the request has come in."""
        names = {f"{here}:{self.port}", *({f"localhost:{self.port}"} if here == HOST else ())}
        hosts = request.headers.get_all("Host")
        if len(hosts) != 1 or hosts[0] not in names:
            return _plain(HTTPStatus.FORBIDDEN, "this is not the address of the lab")
        origins = request.headers.get_all("Origin")
        if any(origin != f"http://{hosts[0]}" for origin in origins):
            return _plain(HTTPStatus.FORBIDDEN, "another page may not use the lab")
        address = urlsplit(request.path)
        if address.path != LIVE:
            return self._file(unquote(address.path), hosts[0])
        key = parse_qs(address.query).get("key", [""])[0]
        if not hmac.compare_digest(key.encode(), self.key.encode()):
            return _plain(HTTPStatus.FORBIDDEN, "the key of this lab is in the address it printed")
        if len(origins) != 1 and request.headers.get("Sec-Fetch-Mode"):
            return _plain(HTTPStatus.FORBIDDEN, "a browser says which page asks")
        return None

    def _file(self, path: str, host: str) -> Response:
        file = (self.page / path.lstrip("/")).resolve() if "\0" not in path else self.page
        if path in ("/", ""):
            file = self.page / "index.html"
        if not file.is_relative_to(self.page) or not file.is_file():
            return _plain(HTTPStatus.NOT_FOUND, "there is no such file")
        kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        if kind.startswith("text/") or kind.endswith("javascript"):
            kind += "; charset=utf-8"
        return _response(HTTPStatus.OK, kind, file.read_bytes(), host)


def _plain(status: HTTPStatus, text: str) -> Response:
    return _response(status, "text/plain; charset=utf-8", (text + "\n").encode(), "")


def _response(status: HTTPStatus, kind: str, body: bytes, host: str) -> Response:
    headers: dict[str, Any] = {
        "Content-Type": kind,
        "Content-Length": str(len(body)),
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Content-Security-Policy": _POLICY.format(socket=f"ws://{host}" if host else ""),
        "Connection": "close",
    }
    return Response(status.value, status.phrase, Headers(headers), body)


def address_in_the_network() -> str | None:
    """This machine's address that others of its network see; None: it is in no network. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))  # kept for examples: only the way there is looked up
        except OSError:
            return None
        found = str(asked.getsockname()[0])
    return None if found.startswith("127.") or found == ANY else found


async def first_of(*tasks: asyncio.Task[Any]) -> None:
    """Waits for the first to end, and ends the others."""
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
