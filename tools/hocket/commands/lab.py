"""`hocket lab`: a sketch that runs live on a page of this machine, to look at and to touch."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import threading
import webbrowser
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from hocket.boards import find_board
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
from hocket.running.scenarios import find_scenario, inputs_of
from hocket.running.telling import print_refusal, unusable
from hocket.simulator import simulate
from hocket.sketch.folder import find_sketch
from hocket.timing import print_timing
from hocket.whole_files import write_result

if TYPE_CHECKING:
    from hocket.lab.lab import Outcome

FASTEST = 1000
SLOWEST = 1e-6
SERIAL = 2**62  # bytes: a lab has no limit of its own


@dataclass(frozen=True)
class LabRequest:
    """The options of `lab`. `run` are those that it has in common with `run`."""

    run: Request
    port: int = 0
    open_page: bool = True
    speed: float = 1.0
    touches: Path | None = None


def lab_command(request: LabRequest) -> int:
    check_lab(request)
    board = find_board(request.run.board)
    check_request(request.run, board)
    if request.touches is not None:
        check_writable("--touches", request.touches)
    sketch = find_sketch(request.run.sketch)
    scenario = find_scenario(request.run.scenario, sketch, board)
    if request.touches is not None:
        inputs = inputs_of(sketch, request.run.scenario)
        check_outputs([("--touches", request.touches)], inputs)
    from hocket.lab.page import built

    page = built()
    image = build_sketch(sketch, board, policy=request.run.policy)
    with tempfile.TemporaryDirectory(prefix="hocket-lab-") as name:
        folder = Path(name)
        with copies_of(scenario, folder) as copies:
            program = command_of(image, request.run, copies.scenario, folder, None)
            command = confined(program, board, folder)
            if (refused := _refused(command, folder, image)) is not None:
                return refused
            return _serve(request, image, copies, command, folder, page)


def check_lab(request: LabRequest) -> None:
    if request.run.board not in WATCHED:
        find_board(request.run.board)  # one that is none has an error of its own
        raise HocketError(
            f"the board {request.run.board} has no lab",
            "what runs in QEMU cannot stand still between two instructions",
            "use --board sim or --board uno",
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
    """Asks the program for its analysis; the status of a sketch that is refused."""
    ended = simulate([*command, "--check"], lambda: None, show_serial=False)
    facts_file = folder / "facts.json"
    if not has_facts(facts_file):
        raise unusable(ended)
    if ended.status == EXIT_REFUSED:
        report = make_report(
            read_facts(facts_file), image.sketch.name, image.board.name, image.board.clock
        )
        print_refusal(report, ended)
        return EXIT_REFUSED
    if ended.status != 0:
        raise unusable(ended)
    facts_file.write_bytes(b"")  # the next run may write this one, and make none
    return None


def _serve(
    request: LabRequest,
    image: Image,
    copies: Copies,
    command: list[str | Path],
    folder: Path,
    page: Path,
) -> int:
    import asyncio

    from hocket.lab.lab import Lab, Start, text_of
    from hocket.lab.serving import Site
    from hocket.lab.touch_file import VERSION

    def opened(address: str) -> None:
        say(f"the lab is at {address}; closing the page or Ctrl-C ends the run")
        if request.open_page:
            _open(address)

    heading = {
        "is": "touches",
        "version": VERSION,
        "board": image.board.name,
        "cores": cores_of(request.run.cores, copies.scenario, image.board),
        "seed": request.run.seed,
    }
    start = Start(
        image.sketch.name, heading, command, folder, request.speed,
        lambda status, words: _kept(
            outcome_of(image, folder, status, [copies.told(line) for line in words]), copies
        ), copies.fill,
    )  # fmt: skip
    lab = Lab(start, Site(page))
    asyncio.run(lab.run(request.port, opened))
    if request.touches is not None:
        write_result(request.touches, text_of(heading, lab.touches()))
    if lab.outcome is not None:
        if lab.outcome.report is not None:
            print_timing(lab.outcome.report, image.sketch.folder)
        if lab.outcome.text:
            print(f"hocket: {lab.outcome.text}", file=sys.stderr)
    return lab.status()


def _kept(outcome: Outcome, copies: Copies) -> Outcome:
    """The same when what its parts keep is kept, of a run that came to its end."""
    if outcome.report is None:
        return outcome
    try:
        copies.keep()
    except HocketError as wrong:
        return replace(outcome, status=wrong.exit_code, text=str(wrong).removeprefix("hocket: "))
    return outcome


def outcome_of(image: Image, folder: Path, status: int, words: list[str]) -> Outcome:
    """What is to be told of a run that has ended with this status."""
    from hocket.lab.lab import Outcome

    said = [line.removeprefix("hocket: ") for line in words if line.strip()]
    if status < 0:
        said.append(f"the board's program was ended by {signal.Signals(-status).name}")
        status = EXIT_DEFECT
    facts_file = folder / "facts.json"
    if not has_facts(facts_file):
        return Outcome(status, None, "; ".join(said) or "the board's program left no facts")
    facts = read_facts(facts_file)
    facts_file.write_bytes(b"")  # the next run may write this one, and make none
    add_places(facts.get("faults") or [], image.sketch_elf, image.sketch.folder)
    add_exceeded(facts, image.sketch_elf, image.sketch.folder)
    add_no_room(facts, image.sketch_elf, image.sketch.folder)
    report = make_report(
        facts, image.sketch.name, image.board.name, image.board.clock, image.compiler
    )
    return Outcome(status, report, "; ".join(said))


def _open(address: str) -> None:
    """In the user's browser, if there is one: some of them stay until they are closed."""
    if sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or os.environ.get("BROWSER")
    ):
        return
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
