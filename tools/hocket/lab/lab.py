"""A lab: the board's program and the pages that look at it, from the first page to the last one.

no page yet ── a page ──▶ the board runs ── no page for 2 s, or Ctrl-C ──▶ its end, the report
                               └ again ──▶ anew, with the touches so far
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hocket.errors import EXIT_DEFECT, EXIT_INTERRUPTED, HocketError
from hocket.lab.board import Board, Message
from hocket.lab.draft import Draft
from hocket.lab.merging import State
from hocket.lab.pages import Page, Pages
from hocket.lab.serving import Site
from hocket.lab.touch_file import ToCome
from hocket.report import Report
from hocket.scenario import catalogue
from hocket.scenario.boards import BOARDS

WITHOUT_PAGE = 2.0  # seconds until a lab that nobody looks at any more ends
_MOST_EARLY = 64  # commands
_LONGEST_COMMAND = 16 * 1024  # characters for the board, which reads no longer line
_TO_END = 20.0  # seconds that the program has to end by itself


@dataclass(frozen=True)
class Outcome:
    """How a run ended: the command's status, its report, and a sentence where there is none."""

    status: int
    report: Report | None
    text: str


@dataclass(frozen=True)
class Start:
    """How to start a run. `outcome`: of the program's exit status and last words. `before`: makes its files
    as they are at a run's start, or raises HocketError."""

    sketch: str
    heading: Message  # of a file of touches
    command: Sequence[str | Path]
    folder: Path
    speed: float
    outcome: Callable[[int, list[str]], Outcome]
    before: Callable[[], None] = lambda: None
    draft: Draft | None = None
    # How to start a run with the scenario that was saved since, or HocketError.
    renewed: Callable[[], Start] | None = None
    ports: dict[str, int] = field(default_factory=dict)  # serial ports, by the part
    trouble: str = ""  # an error of the scenario, without which the board runs


class Lab:
    def __init__(self, start: Start, site: Site) -> None:
        self._start = start
        self._site = site
        self._state = State()
        self._pages = Pages(self._state, self._command)
        self._board: Board | None = None
        self._over = False  # the run, and it has not begun anew
        self._early: list[Message] = []  # commands for a board that does not run yet
        self._running: asyncio.Task[None] | None = None
        # A run that is to come: its touches, and whether it stands at first.
        self._next: tuple[list[Message], bool] | None = None
        # Touches of this run. All of them, however many: a file that lacks one would repeat another run.
        self._made: list[Message] = []
        self._coming = ToCome([])  # of the one that is repeated, still to be made
        self._end: Message | None = None
        self._rewired = False  # the scenario was saved, and no run has begun with it yet
        self._asked = asyncio.Event()  # Ctrl-C
        self.interrupted = False
        self.outcome: Outcome | None = None

    async def run(self, port: int, opened: Callable[[str], None]) -> None:
        """From the first page to the end. `opened` is told the address."""
        try:
            await self._site.open(port, self._pages.connected)
        except OSError as problem:
            raise HocketError(
                f"the lab cannot be at port {port} of {self._site.host}",
                problem.strerror or str(problem),
                "leave --port out: a free one is taken",
            ) from problem
        loop = asyncio.get_running_loop()
        numbers = [signal.SIGINT, signal.SIGTERM]
        if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # nohup's stays ignored
            numbers.append(signal.SIGHUP)
        for number in numbers:
            loop.add_signal_handler(number, self._asked.set)
        try:
            opened(self._site.address)
            await self._first(self._pages.present.wait())
            if not self._asked.is_set():
                self._begin([])
                await self._until_nobody_looks()
            self.interrupted = self._asked.is_set()
            await self._finish()
        finally:
            for number in numbers:
                loop.remove_signal_handler(number)
            await self._site.close()

    async def _until_nobody_looks(self) -> None:
        while not self._asked.is_set():
            await self._first(self._pages.gone.wait())
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._first(self._pages.present.wait()), WITHOUT_PAGE)
            if not self._pages.present.is_set():
                return

    async def _first(self, waiting: Any) -> None:
        """Waits for that, or Ctrl-C."""
        tasks = [asyncio.ensure_future(waiting), asyncio.ensure_future(self._asked.wait())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()

    # --- The board ---

    def _begin(self, touches: list[Message], paused: bool = False) -> None:
        """A run; where there is one, when it has ended."""
        self._next = touches, paused
        if self._running is None or self._running.done():
            self._running = asyncio.get_running_loop().create_task(self._runs())

    async def _runs(self) -> None:
        """One after the other, as long as there is another to come."""
        while self._next is not None:
            (touches, paused), self._next = self._next, None
            try:
                await self._run(touches, paused)
            except Exception as problem:  # the pages would wait for ever
                traceback.print_exc()
                if self._next is None:
                    what = f"the lab cannot go on: {type(problem).__name__}: {problem}"
                    self._ended(Outcome(EXIT_DEFECT, None, what))

    async def _run(self, touches: list[Message], paused: bool) -> None:
        """One run of the board, to its end."""
        self._made, self._coming, self._end, self._over = [], ToCome(touches), None, False
        try:
            if (self._rewired or self._start.trouble) and self._start.renewed is not None:
                self._start, self._rewired = self._start.renewed(), False
        except HocketError as wrong:
            self._ended(Outcome(wrong.exit_code, None, str(wrong).removeprefix("hocket: ")))
            return
        command = [*self._start.command]
        if touches:
            file = self._start.folder / "touches.jsonl"
            file.write_text(text_of(self._start.heading, touches), encoding="utf-8")
            command += ["--touches", file]
        board = self._board = Board(self._heard)
        try:
            self._start.before()
            await board.start([*command, *(["--paused"] if paused else [])])
        except OSError as problem:
            self._ended(Outcome(EXIT_DEFECT, None, f"the board does not start: {problem.strerror}"))
            return
        except HocketError as wrong:
            text = str(wrong).removeprefix("hocket: ")
            self._ended(Outcome(wrong.exit_code, None, text))
            return
        if self._next is not None:  # asked for meanwhile; what is early is for that one
            board.kill()
        else:
            for first in ({"do": "speed", "times": self._start.speed}, *self._early):
                board.send(first)
            self._early.clear()
        status = await board.ended()
        if self._next is None and self._board is board:  # else it was given up for another
            self._ended(self._start.outcome(status, board.words.lines()))

    def _ended(self, outcome: Outcome) -> None:
        self.outcome, self._over = outcome, True
        end = (outcome.report or {}).get("end", "")
        self._tell({"is": "end", "status": outcome.status, "end": end, "report": outcome.report,
                    "text": outcome.text})  # fmt: skip

    def _heard(self, message: Message) -> None:
        if message.get("is") == "hello":
            message["sketch"] = self._start.sketch
            message["trouble"] = self._start.trouble
            for part in message.get("parts", ()):
                if part["name"] in self._start.ports:
                    part["port"] = self._start.ports[part["name"]]
            board = BOARDS.get(str(message.get("board")))
            if board is not None:
                message |= {"picture": board.picture, "led": board.led}
                message["buses"] = dict(board.buses)
        for touch in message.get("touched", ()):
            if touch.get("do") == "end":
                self._end = touch
                continue
            self._made.append(touch)
            self._coming.made(touch)
        self._tell(message)

    def _tell(self, message: Message) -> None:
        self._state.take(message)
        self._pages.tell(message)

    def touches(self) -> list[Message]:
        """All of this run, in order."""
        end = [self._end] if self._end is not None else []
        return sorted([*self._made, *self._coming], key=lambda touch: touch["at"]) + end

    # --- Commands ---

    def _command(self, page: Page, command: Message) -> None:
        what = command.get("do")
        if what == "save":
            page.tell({"is": "touches", "text": text_of(self._start.heading, self.touches())})
        elif what == "again":
            self._again(command.get("touched") is not False, command.get("paused") is True)
        elif what == "build":
            self._build(page, command)
        elif len(json.dumps(command)) > _LONGEST_COMMAND:
            page.tell({"is": "error", "text": "this command is too long"})
        elif self._over:
            page.tell({"is": "error", "text": "the run is over: begin it again"})
        elif self._board is None or not self._board.runs:
            self._early = [*self._early, command][-_MOST_EARLY:]
        else:
            self._board.send(command)

    def _build(self, page: Page, command: Message) -> None:
        """The scenario as it is, a change of it, or the end of the changes: it is saved, and a run begins."""
        draft, what = self._start.draft, command.get("change")
        if draft is None:
            page.tell({"is": "error", "text": "this lab has no scenario that could be changed"})
            return
        try:
            if what == "begin":
                page.tell({"is": "catalogue", "types": catalogue.as_data()})
                page.tell(draft.message())
                return
            name = None if what == "save" else draft.change(command)
            if what == "save":
                draft.save()
        except HocketError as wrong:
            told = ": ".join(each for each in (wrong.fact, wrong.cause) if each)
            if wrong.next_step:
                told += f". Next: {wrong.next_step}"
            where = {key: command.get(key) for key in ("part", "key")}
            page.tell({"is": "refused", "text": told, **where})
            return
        message = draft.message()
        self._pages.tell(message)
        if name is not None:
            page.tell({"is": "built", "part": name})
        if what == "save":
            self._rewired = True
            self._again(touched=False, paused=False)  # a touch may be of a part that is gone

    def _again(self, touched: bool, paused: bool) -> None:
        touches = [each for each in self.touches() if each.get("do") != "end"]
        before, self._board = self._board, None
        self._over, self._early = False, []
        if before is not None:
            before.kill()
        self._begin(touches if touched else [], paused)

    async def _finish(self) -> None:
        """Ends the run, in the way in which it was asked for."""
        if self._running is None:
            return
        self._next = None  # one that has not begun yet does not
        if self._board is not None and self._board.runs:
            if self.interrupted:
                self._board.interrupt()
            else:
                self._board.send({"do": "end"})
        try:
            await asyncio.wait_for(asyncio.shield(self._running), _TO_END)
        except TimeoutError:
            if self._board is not None:
                self._board.kill()
            await asyncio.gather(self._running, return_exceptions=True)

    def status(self) -> int:
        """Of the command."""
        if self.interrupted:
            return EXIT_INTERRUPTED
        return self.outcome.status if self.outcome is not None else EXIT_INTERRUPTED


def text_of(heading: Message, touches: list[Message]) -> str:
    """A file of touches."""
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in [heading, *touches])
