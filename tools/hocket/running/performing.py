"""Runs a built sketch on its board, from the program's start to the report."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from hocket.builder import Image
from hocket.bus_waits import note_buses
from hocket.confinement import confined
from hocket.console import Progress, on_terminal, say
from hocket.costs import add_exceeded
from hocket.errors import shorten
from hocket.faults import add_places
from hocket.masked_bytes import note_masked_bytes
from hocket.no_room import add_no_room
from hocket.report import Report, has_facts, make_report, read_facts
from hocket.running.kept import copies_of
from hocket.running.pieces import Piece, Ran, pieces_of
from hocket.running.programs import command_of
from hocket.running.request import Request, cores_of
from hocket.running.telling import unusable
from hocket.scenario import Scenario
from hocket.simulator import Ended, simulate

if TYPE_CHECKING:
    from hocket.coverage.lines import Lines
    from hocket.linux.beside import Neighbour


@dataclass(frozen=True)
class Finished:
    """A run that has ended: the program's output, the report, and the exit status of the command. The status
    is 1 if an expectation of the scenario was not met, else that of the program. lines: the lines that ran,
    if requested."""

    ended: Ended
    report: Report
    status: int
    lines: Lines | None = None


def run_image(
    image: Image,
    request: Request,
    scenario: Scenario,
    show_serial: bool = True,
    serial_input: bytes = b"",
    folder: Path | None = None,
) -> Finished:
    """Runs a built sketch, and a second board if the scenario has one, and writes the requested files.

    serial_input: the bytes sent to Serial when it is opened. folder: an empty folder for temporary files,
    which the caller removes. Raises HocketError if the program left no facts.
    """
    with _folder(folder) as folder, ExitStack() as at_end:
        copies = at_end.enter_context(copies_of(scenario, folder))
        scenario = copies.scenario
        pieces = pieces_of(request, scenario, image, folder, serial_input)
        neighbour = _neighbour(image, request, scenario, folder)
        if neighbour is not None:
            at_end.callback(neighbour.keep_console)
        command = command_of(image, request, scenario, folder, neighbour)
        for piece in pieces:
            command += piece.words()
        named = {key: value for piece in pieces for key, value in piece.environment().items()}
        command = confined(command, image.board, folder, [*named.values()])
        ended = _ended(_with_environment(command, named), image, request, show_serial, pieces)
        ended = replace(ended, messages=[copies.told(line) for line in ended.messages])
        facts_file = folder / "facts.json"
        if not has_facts(facts_file):
            raise unusable(ended)
        facts = read_facts(facts_file)
        add_places(facts.get("faults") or [], image.sketch_elf, image.sketch.folder)
        add_exceeded(facts, image.sketch_elf, image.sketch.folder)
        add_no_room(facts, image.sketch_elf, image.sketch.folder)
        if neighbour is not None:
            neighbour.add_to(facts)
        report = make_report(
            facts, image.sketch.name, image.board.name, image.board.clock, image.compiler
        )
        note_buses(report, image.sketch_elf, image.sketch)
        note_masked_bytes(report, image.sketch_elf, image.sketch)
        ran = Ran(image, ended, facts, report, ended.status)
        for piece in pieces:
            piece.conclude(ran)
        copies.keep()
    return Finished(ran.ended, ran.report, ran.status, ran.lines)


@contextmanager
def _folder(given: Path | None) -> Iterator[Path]:
    if given is not None:
        yield given
        return
    with tempfile.TemporaryDirectory(prefix="hocket-") as name:
        yield Path(name)


def _with_environment(
    command: list[str | Path], named: Mapping[str, str | Path]
) -> list[str | Path]:
    words = [f"{key}={value}" for key, value in named.items()]
    return ["env", *words, *command] if words else command


def _ended(
    command: list[str | Path],
    image: Image,
    request: Request,
    show_serial: bool,
    pieces: Sequence[Piece],
) -> Ended:
    if not show_serial:
        return simulate(command, lambda: None, show_serial=False)
    # The sketch may still be refused, so a line that stays on the screen must not say that it runs.
    doing = "running" if on_terminal() else "starting"
    shown = Progress(f"{doing} {image.sketch.name} on {image.board.name}")
    try:
        return _simulate(command, shown, request.live, any(each.keeps_serial for each in pieces))
    finally:
        shown.stop()


def _simulate(command: list[str | Path], shown: Progress, live: bool, keep_serial: bool) -> Ended:
    if not live:
        return simulate(command, shown.stop, keep_serial=keep_serial)
    from hocket.running.input import keys_to_serial

    shown.stop()  # the progress line would overwrite the sketch's output
    with keys_to_serial() as keys:
        live_command = [*command, *keys.options]
        return simulate(
            live_command, shown.stop, keep_serial=keep_serial, descriptors=keys.descriptors
        )


def _neighbour(
    image: Image, request: Request, scenario: Scenario, folder: Path
) -> Neighbour | None:
    """Returns the requested Linux system. Its temporary files lie in the folder."""
    if request.beside is None:
        return None
    from hocket.linux import beside

    cores = cores_of(request.cores, scenario, image.board)
    beside.check(request.beside, image.board.name, cores)  # the scenario may set the cores
    image.beside_for(cores)  # fails before anything is downloaded
    usual = image.sketch_elf.with_name("linux-console.txt")
    neighbour = beside.prepare(request.beside, image.sketch.folder, cores, folder, usual)
    console = neighbour.kept or neighbour.console
    say(f"the console of Linux goes to {shorten(console.absolute())}")
    return neighbour
