"""`hocket run`: builds a sketch, checks it, runs it on the board, streams Serial, and prints the timing
table."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from hocket.boards import find_board
from hocket.builder import build_sketch
from hocket.console import say
from hocket.errors import EXIT_REFUSED, EXIT_TIME_OUT, EXIT_USAGE, HocketError
from hocket.output import STANDARD, kept_for
from hocket.report import Report, is_guaranteed
from hocket.running.kept import named_files
from hocket.running.performing import run_image
from hocket.running.request import Request, check_outputs, check_request, duration_of
from hocket.running.scenarios import find_scenario, inputs_of
from hocket.running.telling import print_reasons, print_refusal, tell_expectations
from hocket.sketch.folder import find_sketch
from hocket.timing import print_timing

# Advice about a run with unusable results, by how it ended.
_MENDS = {
    "setup": "move what goes on for ever into void loop() { … }, or give setup() longer: --for",
    "serial limit": "print less, or allow more: --serial-limit BYTES",
}

if TYPE_CHECKING:
    from hocket.coverage.asking import Coverage
    from hocket.coverage.lines import Lines


def run_command(request: Request, watching: bool = False) -> int:
    """Runs once. watching: runs again after each change of the sketch or its scenario, until Ctrl-C."""
    if not watching:
        return _run_once(request)
    if request.input == STANDARD or request.live:
        raise HocketError(
            "--watch does not go with --live, nor with --input -",
            "standard input can be read once",
            "name a file: --input FILE",
        )
    from hocket.watch import watch

    return watch(lambda: _watched(request), lambda: _run_once(request, input_of_pipe=False))


def _watched(request: Request) -> list[Path]:
    """Returns the places where a change starts another run: the sketch's folder and the scenario."""
    place = Path(request.sketch)
    folder = place if place.is_dir() else place.parent
    return [folder, *([request.scenario] if request.scenario else [])]


def _run_once(request: Request, input_of_pipe: bool = True) -> int:
    with kept_for(request.report):
        return _run(request, input_of_pipe)


def _run(request: Request, input_of_pipe: bool) -> int:
    """Runs, and reports line coverage however the run ends."""
    covered: list[Lines] = []
    try:
        status = _run_and_tell(request, covered, input_of_pipe)
    except HocketError as error:
        if request.coverage is None or not covered:
            raise
        print(error, file=sys.stderr)
        status = error.exit_code
    return status if request.coverage is None else _tell_lines(request.coverage, covered, status)


def _fact(report: Report) -> str:
    """Returns why the results are unusable, without the advice that comes as the next step."""
    said = " ".join(report["notices"]) or "this sketch cannot be used"
    return said.replace("; print less, or allow more with --serial-limit.", "")


def _tell_lines(asked: Coverage, covered: list[Lines], status: int) -> int:
    from hocket.coverage.merging import merge, write_lines
    from hocket.coverage.telling import tell

    lines = merge(covered)
    if asked.lines_to is not None:
        write_lines(lines, asked.lines_to)
        return status
    return tell(lines, asked, status)


def _run_and_tell(request: Request, covered: list[Lines], input_of_pipe: bool) -> int:
    board = find_board(request.board)
    check_request(request, board)
    sketch = find_sketch(request.sketch)
    scenario = find_scenario(request.scenario, sketch, board, request.settings)
    if scenario.expectations and request.duration is None:  # --for may be shorter
        from hocket.expect.judging import check_duration

        check_duration(scenario.expectations, duration_of(request, scenario), scenario.file)
    inputs = [*inputs_of(sketch, request.scenario), *request.inputs(), *named_files(scenario)]
    check_outputs(request.outputs(), inputs)
    image = build_sketch(
        sketch, board, policy=request.policy, coverage=request.coverage is not None
    )
    serial = b""
    if not request.live and (input_of_pipe or request.input is not None):
        from hocket.running.input import read_input

        serial = read_input(request.input)
    finished = run_image(image, request, scenario, serial_input=serial)
    ended, report = finished.ended, finished.report
    if finished.lines is not None:
        covered.append(finished.lines)
    if ended.open_line:
        print()
    if ended.status == EXIT_REFUSED:
        print_refusal(report, ended, at_the_prompt=image)
        tell_expectations(report, scenario)
        return EXIT_REFUSED
    guaranteed = is_guaranteed(report)
    if not guaranteed:
        print_reasons(report, image)
    unusable = (
        ended.status == EXIT_USAGE
    )  # it ran, but its results are unusable: the notices say why
    print_timing(report | {"notices": []} if unusable else report, image.sketch.folder)
    for name, other in report.get("boards", {}).items():
        print(f"\n{name}, wired to it:")
        print_timing(other)
    sys.stdout.flush()
    for line in ended.messages:
        print(line, file=sys.stderr)
    if unusable:
        tell_expectations(report, scenario)
        raise HocketError(
            _fact(report),
            next_step=_MENDS.get(report["end"], "change what it names, then run it again"),
        )
    if ended.status == EXIT_TIME_OUT:
        say("the time given by --for ran out before every --expect-text was seen")
    tell_expectations(report, scenario)
    return finished.status if guaranteed else finished.status or EXIT_REFUSED
