"""The lab's server answers any path and any bytes, and says nothing of them to its user."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.campaign import rounds
from websockets.asyncio.server import ServerConnection

from hocket.lab.serving import Site


async def _nobody(connection: ServerConnection) -> None:
    del connection


def answers(
    folder: Path, requests: list[bytes], at: str = "127.0.0.1", *, everywhere: bool = False
) -> list[bytes]:
    """What comes back for each. PORT in one is the server's, and KEY its key."""

    async def ask() -> list[bytes]:
        site = Site(folder, everywhere=everywhere)
        await site.open(0, _nobody)
        found = []
        try:
            for request in requests:
                reader, writer = await asyncio.open_connection(at, site.port)
                request = request.replace(b"PORT", str(site.port).encode())
                writer.write(request.replace(b"KEY", site.key.encode()))
                if not request.endswith(b"\r\n\r\n"):
                    writer.write_eof()
                found.append(await asyncio.wait_for(reader.read(), 30))
                writer.close()
        finally:
            await site.close()
        return found

    return asyncio.run(ask())


def get(path: bytes) -> bytes:
    return b"GET " + path + b" HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n"


def status(answer: bytes) -> int:
    return int(answer.split(b" ")[1])


OTHER = "127.0.0.2"  # an address of this machine that is not the usual one, as that in a network


def test_it_listens_to_the_network_only_when_it_is_asked_to(page: Path) -> None:
    with pytest.raises(ConnectionRefusedError):
        answers(page, [get(b"/")], OTHER)
    wanted = {b"127.0.0.2:PORT": 200}
    refused = (
        b"127.0.0.1:PORT",
        b"localhost:PORT",
        b"lab.example:PORT",
        b"127.0.0.3:PORT",
        b"127.0.0.2",
    )
    asked = {**wanted, **dict.fromkeys(refused, 403)}
    requests = [get(b"/").replace(b"127.0.0.1:PORT", host) for host in asked]
    found = answers(page, requests, OTHER, everywhere=True)
    assert [status(answer) for answer in found] == list(asked.values())
    assert b"connect-src 'self' ws://127.0.0.2:" in found[0]


def test_the_key_is_needed_from_everywhere(page: Path) -> None:
    def socket(key: bytes, origin: bytes) -> bytes:
        return (
            b"GET /live?key=" + key + b" HTTP/1.1\r\nHost: 127.0.0.2:PORT\r\nOrigin: http://" + origin
            + b":PORT\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            + b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )  # fmt: skip

    asked = [
        (b"KEY", b"127.0.0.2"),
        (b"", b"127.0.0.2"),
        (b"x", b"127.0.0.2"),
        (b"KEY", b"lab.example"),
    ]
    found = answers(page, [socket(*each) for each in asked], OTHER, everywhere=True)
    assert [status(answer) for answer in found] == [101, 403, 403, 403]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    (folder / "index.html").write_text("<!doctype html>")
    (folder / "loop").symlink_to("loop")
    return folder


def test_any_path(page: Path, capfd: pytest.CaptureFixture[str]) -> None:
    paths = [
        b"/" + b"a" * 5000,
        b"/" + b"a/" * 2500,
        b"/%00",
        b"/%ff%fe",
        b"/loop",
        b"/loop/a",
        b"//[",
    ]
    paths += [
        b"http://[/",
        b"/%ed%a0%80",
        b"/..%2f..%2fetc/passwd",
        b"*",
        b"/live?key=" + b"%ff" * 99,
    ]
    found = answers(page, [get(path) for path in [b"/", *paths]])
    assert found[0].startswith(b"HTTP/1.1 200 ")
    for path, answer in zip(paths, found[1:], strict=True):
        assert answer.split(b" ")[1:2] in ([b"404"], [b"403"], [b"400"]), (path[:40], answer[:80])
    assert capfd.readouterr() == ("", "")


@settings(max_examples=rounds(40, 2_000, "HOCKET_SITE"), deadline=None)
@given(
    st.binary(max_size=200)
    | st.binary(max_size=100).map(lambda path: get(b"/" + path.replace(b"PORT", b"")))
)
@example(b"")
@example(b"\x16\x03\x01 hello")
@example(b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 300)
def test_any_bytes(page: Path, request_: bytes) -> None:
    (answer,) = answers(page, [request_])
    assert b" 500 " not in answer.partition(b"\r\n")[0]
