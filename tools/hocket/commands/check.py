"""`hocket check`: runs the admission analysis only."""

from __future__ import annotations

from pathlib import Path

from hocket.boards import find_board
from hocket.builder import build_sketch
from hocket.errors import EXIT_REFUSED
from hocket.linux.beside import Beside
from hocket.linux.beside import check as check_beside
from hocket.output import kept_for
from hocket.report import write_report
from hocket.running.admission import analyse
from hocket.running.request import check_cores, check_outputs, check_writable, cores_of
from hocket.running.scenarios import find_scenario, inputs_of
from hocket.running.telling import print_refusal
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
