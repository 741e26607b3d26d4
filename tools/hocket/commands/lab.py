"""`hocket lab`: runs a sketch live on a page in a local browser, which shows and operates its parts."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import threading
import webbrowser
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from hocket.boards import Board, find_board, listed
from hocket.builder import Image, build_sketch
from hocket.confinement import confined
from hocket.console import say
from hocket.costs import add_exceeded
from hocket.errors import EXIT_DEFECT, EXIT_REFUSED, HocketError
from hocket.faults import add_places
from hocket.no_room import add_no_room
from hocket.report import has_facts, make_report, read_facts
from hocket.running.kept import Copies, copies_of
from hocket.running.programs import command_of
from hocket.running.request import (
    WATCHED,
    Request,
    check_outputs,
    check_request,
    check_writable,
    cores_of,
)
from hocket.running.scenarios import find_scenario, inputs_of, own_scenario
from hocket.running.telling import print_refusal, unusable
from hocket.scenario import Scenario, ports_of
from hocket.simulator import simulate
from hocket.sketch.folder import Sketch, find_sketch
from hocket.timing import print_timing
from hocket.whole_files import write_result

if TYPE_CHECKING:
    from hocket.lab.draft import Draft
    from hocket.lab.lab import Outcome, Start
    from hocket.lab.serving import Site

FASTEST = 1000
SLOWEST = 1e-6
SERIAL = 2**62  # bytes: a lab has no limit of its own


@dataclass(frozen=True)
class LabRequest:
    """The options of `lab`. run: those that it shares with `run`."""

    run: Request
    port: int = 0
    open_page: bool = True
    speed: float = 1.0
    touches: Path | None = None
    listen: bool = False  # accept connections from other machines of the network


def lab_command(request: LabRequest) -> int:
    check_lab(request)
    board = find_board(request.run.board)
    check_request(request.run, board)
    if request.touches is not None:
        check_writable("--touches", request.touches)
    sketch = find_sketch(request.run.sketch)
    draft = _draft(request.run.scenario, sketch, board)
    if request.touches is not None:
        inputs = inputs_of(sketch, request.run.scenario)
        check_outputs([("--touches", request.touches)], inputs)
    from hocket.lab.page import built

    page = built()
    image = build_sketch(sketch, board, policy=request.run.policy)
    with tempfile.TemporaryDirectory(prefix="hocket-lab-") as name:
        wired = Wired(request, image, Path(name), draft)
        with closing(wired):
            wired.wire()
            if wired.trouble:
                print(wired.trouble, file=sys.stderr)
                say("the lab opens without parts, and shows this error: it can be mended there")
            if (refused := _refused(wired.command, wired.folder, image)) is not None:
                return refused
            return _serve(request, wired, page)


def _draft(chosen: Path | None, sketch: Sketch, board: Board) -> Draft:
    """Returns the scenario, which may be invalid. Raises HocketError if there is no file of that name, or one
    that no page could mend."""
    from hocket.lab.draft import Draft

    file = chosen or own_scenario(sketch)
    if file is None or not file.is_file():
        find_scenario(chosen, sketch, board)  # HocketError for a name that is wrong
    return Draft(file, sketch.folder, board.name)


class Wired:
    """The board with its parts: the program of a run, and its copies of the files that the parts keep. They
    are made again after the lab has saved another scenario."""

    def __init__(self, request: LabRequest, image: Image, folder: Path, draft: Draft) -> None:
        self._request = request
        self._draft = draft
        self.image = image
        self.folder = folder
        self.trouble = ""  # an error of the scenario, with its place
        self._open = ExitStack()

    def wire(self) -> None:
        """Makes the program and the copies. With an invalid scenario the board has no parts."""
        self.trouble = ""
        try:
            self._wire(self._scenario())
        except HocketError as wrong:
            self.trouble = str(wrong)
            cores = self._draft.cores() or 1
            self._wire(Scenario(cores=min(cores, self.image.board.most_cores)))

    def _scenario(self) -> Scenario:
        if not self._draft.file.is_file():
            return Scenario()
        return find_scenario(self._draft.file, self.image.sketch, self.image.board)

    def _wire(self, scenario: Scenario) -> None:
        self._open.close()
        self.copies = self._open.enter_context(copies_of(scenario, self.folder))
        program = command_of(self.image, self._request.run, self.copies.scenario, self.folder, None)
        self.command = confined(program, self.image.board, self.folder)

    def close(self) -> None:
        self._open.close()

    def heading(self) -> dict[str, object]:
        """Returns the heading of a file of touches."""
        from hocket.lab.touch_file import VERSION

        run = self._request.run
        return {
            "is": "touches",
            "version": VERSION,
            "board": self.image.board.name,
            "cores": cores_of(run.cores, self.copies.scenario, self.image.board),
            "seed": run.seed,
        }

    def start(self) -> Start:
        from hocket.lab.lab import Start

        copies = self.copies

        def outcome(status: int, words: list[str]) -> Outcome:
            told = [copies.told(line) for line in words]
            return _kept(outcome_of(self.image, self.folder, status, told), copies)

        def renewed() -> Start:
            self.wire()
            return self.start()

        return Start(
            self.image.sketch.name, self.heading(), self.command, self.folder, self._request.speed,
            outcome, copies.fill, self._draft, renewed, ports_of(copies.scenario.flat),
            self.trouble.removeprefix("hocket: "),
        )  # fmt: skip


def check_lab(request: LabRequest) -> None:
    if request.run.board not in WATCHED:
        find_board(request.run.board)  # raises if the board does not exist
        raise HocketError(
            f"the board {request.run.board} has no lab",
            "what runs in QEMU cannot stand still between two instructions",
            f"use {listed(f'--board {name}' for name in WATCHED)}",
        )
    if not 0 <= request.port <= 65_535:
        raise HocketError(
            f"--port {request.port} is out of range", next_step="use 1 to 65535, or leave it out"
        )
    if request.speed != 0 and not SLOWEST <= request.speed <= FASTEST:
        raise HocketError(
            f"--speed {request.speed:g} is out of range",
            next_step=f"use 0 (as fast as it goes), or {SLOWEST:f} to {FASTEST}",
        )


def _refused(command: list[str | Path], folder: Path, image: Image) -> int | None:
    """Runs the program's analysis. Returns the exit status for a refused sketch, else None."""
    ended = simulate([*command, "--check"], lambda: None, show_serial=False)
    facts_file = folder / "facts.json"
    if not has_facts(facts_file):
        raise unusable(ended)
    if ended.status == EXIT_REFUSED:
        report = make_report(
            read_facts(facts_file), image.sketch.name, image.board.name, image.board.clock
        )
        print_refusal(report, ended, at_the_prompt=image)
        return EXIT_REFUSED
    if ended.status != 0:
        raise unusable(ended)
    facts_file.write_bytes(b"")  # the next run may write no facts: it must not find these
    return None


def _serve(request: LabRequest, wired: Wired, page: Path) -> int:
    import asyncio

    from hocket.lab.lab import Lab, text_of
    from hocket.lab.serving import Site

    image = wired.image
    site = Site(page, everywhere=request.listen)

    def opened(address: str) -> None:
        say(f"the lab is at {address}; closing the page or Ctrl-C ends the run")
        if request.listen:
            _say_where_else(site)
        if request.open_page:
            _open(address)

    lab = Lab(wired.start(), site)
    asyncio.run(lab.run(request.port, opened))
    if request.touches is not None:
        write_result(request.touches, text_of(wired.heading(), lab.touches()))
    if lab.outcome is not None:
        if lab.outcome.report is not None:
            print_timing(lab.outcome.report, image.sketch.folder)
        if lab.outcome.text:
            print(f"hocket: {lab.outcome.text}", file=sys.stderr)
    return lab.status()


def _say_where_else(site: Site) -> None:
    """Prints the address that `--listen` opens."""
    from hocket.lab.serving import address_in_the_network

    other = address_in_the_network()
    if other is None:
        say("--listen: this computer is in no network, so only the address above works")
        return
    say(
        f"other devices of this network reach it at {site.address_at(other)}; with that address anyone can "
        "operate the lab and change its scenario, and the network can read what is sent"
    )


def _kept(outcome: Outcome, copies: Copies) -> Outcome:
    """Returns the outcome after the files of the parts were kept, if the run has ended normally."""
    if outcome.report is None:
        return outcome
    try:
        copies.keep()
    except HocketError as wrong:
        return replace(outcome, status=wrong.exit_code, text=str(wrong).removeprefix("hocket: "))
    return outcome


def outcome_of(image: Image, folder: Path, status: int, words: list[str]) -> Outcome:
    """Returns the outcome of a run that has ended with this status."""
    from hocket.lab.lab import Outcome

    said = [line.removeprefix("hocket: ") for line in words if line.strip()]
    if status < 0:
        said.append(f"the board's program was ended by {signal.Signals(-status).name}")
        status = EXIT_DEFECT
    facts_file = folder / "facts.json"
    if not has_facts(facts_file):
        return Outcome(status, None, "; ".join(said) or "the board's program left no facts")
    facts = read_facts(facts_file)
    facts_file.write_bytes(b"")  # the next run may write no facts: it must not find these
    add_places(facts.get("faults") or [], image.sketch_elf, image.sketch.folder)
    add_exceeded(facts, image.sketch_elf, image.sketch.folder)
    add_no_room(facts, image.sketch_elf, image.sketch.folder)
    report = make_report(
        facts, image.sketch.name, image.board.name, image.board.clock, image.compiler
    )
    return Outcome(status, report, "; ".join(said))


def _open(address: str) -> None:
    """Opens the page in the user's browser, if there is one. Some browsers block until they are closed."""
    if sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or os.environ.get("BROWSER")
    ):
        return
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
