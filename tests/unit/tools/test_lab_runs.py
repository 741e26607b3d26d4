"""A lab whose board's program does odd things: its pages are told how it ended, whatever that was."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hocket.lab import lab
from hocket.lab.board import Words
from hocket.lab.lab import Lab, Outcome, Start

# A board's program: it says what it is told to, as Python.
PROGRAM = """
import json, os, sys
frames = int(sys.argv[-1].split(",")[1])
def tell(**message):
    os.write(frames, json.dumps(message).encode() + b"\\n")
tell(**{"is": "hello"})
"""


class Page:
    """A connection of a page that looks until the run has ended."""

    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []
        self.over = asyncio.Event()

    async def send(self, text: str) -> None:
        self.heard.append(json.loads(text))
        if self.heard[-1]["is"] == "end":
            self.over.set()

    async def __aiter__(self) -> AsyncIterator[str]:
        await self.over.wait()
        return
        yield ""


class Site:
    """With one page, which is there at once."""

    address = "http://127.0.0.1:0/"

    async def open(self, _: int, connected: Callable[[Any], Awaitable[None]]) -> None:
        self.page = Page()
        self._task = asyncio.ensure_future(connected(self.page))

    async def close(self) -> None:
        await self._task


def run(
    tmp_path: Path, program: str, outcome: Callable[[int, list[str]], Outcome]
) -> tuple[Lab, dict[str, Any]]:
    """A lab with this program, until its page has heard the end; what that was."""
    command = [sys.executable, "-c", PROGRAM + program]
    site: Any = Site()
    made = Lab(Start("odd", {}, command, tmp_path, 1.0, outcome), site)
    asyncio.run(asyncio.wait_for(made.run(0, lambda _: None), 120))  # a guard
    return made, site.page.heard[-1]


@pytest.fixture(autouse=True)
def nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab, "WITHOUT_PAGE", 0.01)


def test_a_very_long_line_of_errors_is_one(tmp_path: Path) -> None:
    program = "os.write(2, b'x' * 300_000 + b'\\nthe last')\nsys.exit(3)\n"
    made, end = run(tmp_path, program, lambda status, words: Outcome(status, None, words[-1]))
    assert (end["status"], end["text"]) == (3, "the last")
    assert made.status() == 3


@pytest.mark.parametrize(
    "program",
    [
        "tell(touched=[7])\nos.read(0, 1)\nwhile True: pass\n",  # no touch is a number
        "sys.exit(0)\n",  # and its facts cannot be read
    ],
)
def test_what_nobody_foresaw_is_told_to_the_pages(
    tmp_path: Path, program: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def outcome(status: int, words: list[str]) -> Outcome:
        raise KeyError("facts")

    made, end = run(tmp_path, program, outcome)
    assert end["status"] == made.status() == 70
    assert "the lab cannot go on" in end["text"]
    assert "Traceback" in capsys.readouterr().err


@given(st.lists(st.binary(max_size=8) | st.sampled_from([b"\n", b"a\nb", b"\xc3", b"\xbc\n"])))
def test_pieces_come_to_the_lines_that_they_are_of(pieces: list[bytes]) -> None:
    words = Words()
    for piece in pieces:
        words.take(piece)
    words.end()
    *whole, rest = b"".join(pieces).split(b"\n")
    lines = [*whole, rest] if rest else whole
    assert words.lines() == [line.decode("utf-8", "replace") for line in lines][-200:]


def test_a_line_without_end_is_not_kept_whole() -> None:
    words = Words()
    for _ in range(1000):
        words.take(b"x" * 1000)
    words.take(b"\nend")
    words.end()
    first, last = words.lines()
    assert 1000 < len(first) < 10_000
    assert last == "end"
