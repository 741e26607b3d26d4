"""`hocket check`: admission analysis only."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hocket.boards import find_board
from hocket.builder import Image, build_sketch
from hocket.bus_waits import note_buses
from hocket.errors import EXIT_DEFECT, EXIT_DONE, EXIT_REFUSED, EXIT_USAGE, HocketError
from hocket.linux.beside import Beside, stand_in
from hocket.linux.beside import check as check_beside
from hocket.output import kept_for
from hocket.report import Report, make_report, read_facts, write_report
from hocket.running.programs import board_program
from hocket.running.request import check_cores, check_outputs, check_writable, cores_of
from hocket.running.scenarios import find_scenario, inputs_of
from hocket.running.telling import print_refusal
from hocket.simulator import Ended, simulate
from hocket.sketch.folder import find_sketch
from hocket.timing import print_analysis


def check_command(
    sketch: str,
    board: str,
    cores: int | None,
    output: Path | None,
    policy: str | None = None,
    beside: str | None = None,
) -> int:
    with kept_for(output):
        return _check(sketch, board, cores, output, policy, beside)


def _check(
    sketch: str,
    board: str,
    cores: int | None,
    output: Path | None,
    policy: str | None,
    beside: str | None,
) -> int:
    chosen = find_board(board)
    if cores is not None:
        check_cores(cores, chosen)
    if output is not None:
        check_writable("--json", output)
    found = find_sketch(sketch)
    if output is not None:
        check_outputs([("--json", output)], inputs_of(found))
    cores = cores_of(cores, find_scenario(None, found, chosen), chosen)
    if beside is not None:
        check_beside(Beside(beside), board, cores)
    image = build_sketch(found, chosen, policy=policy)
    report, ended = analyse(image, cores, beside is not None)
    if output is not None:
        write_report(report, output)
    print_analysis(report)
    if ended.status == EXIT_REFUSED:
        print_refusal(report, ended, at_the_prompt=image)
    return ended.status


def analyse(image: Image, cores: int, beside: bool = False) -> tuple[Report, Ended]:
    """Whether the image's loops can be guaranteed, with Linux beside them or not: status EXIT_DONE, or
    EXIT_REFUSED with the reasons."""
    with tempfile.TemporaryDirectory(prefix="hocket-") as name:
        facts_file = Path(name) / "facts.json"
        neighbour = stand_in(Path(name)) if beside else None
        command: list[str | Path] = [*board_program(image, cores, neighbour), "--check"]
        command += ["--cores", str(cores), "--facts", facts_file]
        ended = simulate(command, lambda: None, show_serial=False)
        if ended.status not in (EXIT_DONE, EXIT_REFUSED):
            if ended.status == EXIT_USAGE and ended.messages:
                first, *more = (line.removeprefix("hocket: ") for line in ended.messages)
                raise HocketError(first, "; ".join(more), "mend what it names")
            raise HocketError(
                "the analysis did not come to an end",
                "; ".join(ended.messages) or f"the program ended with status {ended.status}",
                "mend what it names",
                exit_code=ended.status or EXIT_DEFECT,
            )
        board = image.board
        report = make_report(read_facts(facts_file), image.sketch.name, board.name, board.clock)
        note_buses(report, image.sketch_elf)
    return report, ended
