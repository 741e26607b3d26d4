"""Decides whether a built sketch's loops can be guaranteed. Nothing of the sketch runs for it."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hocket.builder import Image
from hocket.bus_waits import note_buses
from hocket.confinement import confined
from hocket.errors import EXIT_DEFECT, EXIT_DONE, EXIT_REFUSED, EXIT_USAGE, HocketError
from hocket.linux.beside import stand_in
from hocket.masked_bytes import note_masked_bytes
from hocket.report import Report, make_report, read_facts
from hocket.running.programs import checking_program
from hocket.running.telling import print_refusal
from hocket.simulator import Ended, simulate


def refused_for_hardware(image: Image) -> bool:
    """Whether a real board would run loops that cannot be guaranteed: the board itself runs no admission
    control, so this computer does, as before a simulated run. Prints the reasons of a refusal."""
    if not image.board.programmed:
        return False  # there the kernel admits the loops as it starts
    report, ended = analyse(image, 1)
    if ended.status == EXIT_REFUSED:
        print_refusal(report, ended, at_the_prompt=image)
    return ended.status == EXIT_REFUSED


def analyse(image: Image, cores: int, beside: bool = False) -> tuple[Report, Ended]:
    """Returns the report of the analysis, with Linux beside the loops or not. The status is EXIT_DONE, or
    EXIT_REFUSED with the reasons."""
    with tempfile.TemporaryDirectory(prefix="hocket-") as name:
        facts_file = Path(name) / "facts.json"
        neighbour = stand_in(Path(name)) if beside else None
        command = checking_program(image, cores, neighbour)
        command += ["--cores", str(cores), "--facts", facts_file]
        ended = simulate(
            confined(command, image.board, Path(name)), lambda: None, show_serial=False
        )
        if ended.status not in (EXIT_DONE, EXIT_REFUSED):
            if ended.status == EXIT_USAGE and ended.messages:
                first, *more = (line.removeprefix("hocket: ") for line in ended.messages)
                raise HocketError(first, "; ".join(more), "fix what it names")
            raise HocketError(
                "the analysis did not come to an end",
                "; ".join(ended.messages) or f"the program ended with status {ended.status}",
                "fix what it names",
                exit_code=ended.status or EXIT_DEFECT,
            )
        board = image.board
        report = make_report(
            read_facts(facts_file), image.sketch.name, board.name, board.clock, image.compiler
        )
        note_buses(report, image.sketch_elf, image.sketch)
        note_masked_bytes(report, image.sketch_elf, image.sketch)
    return report, ended
