"""`hocket try FOLDER…`: reports which of the sketches below a folder build, and on which boards."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from hocket import output
from hocket.attempts import tell
from hocket.attempts.find import find_sketches
from hocket.attempts.perform import Attempt, Outcome, Performer
from hocket.boards import architecture_of, boards_with, find_board
from hocket.builder import prepare_avr_simulator, prepare_board
from hocket.builder.board import jobs
from hocket.console import progress
from hocket.durations import parse_duration
from hocket.errors import EXIT_DONE, EXIT_USAGE, HocketError
from hocket.report import write_report
from hocket.running.request import check_writable

# Boards of which libraries know the processor come first.
BOARDS = tuple(sorted(boards_with("tried"), key=lambda name: not architecture_of(name)))


@dataclass(frozen=True)
class Request:
    """The options. boards: empty: BOARDS. jobs: None: one for each processor of this computer."""

    names: Sequence[str]
    boards: Sequence[str] = ()
    libraries: Sequence[Path] = ()
    jobs: int | None = None
    report: Path | None = None
    against_stock: bool = False
    duration: str | None = None


def _against_stock(request: Request) -> int:
    """Returns EXIT_DONE if all sketches run as with the stock core, EXIT_USAGE if some do not or cannot be
    compared."""
    from hocket.attempts import tell_against
    from hocket.attempts.against import Compared, Comparison
    from hocket.stock_core import STOCK_BOARD, require, version

    if any(board != STOCK_BOARD for board in request.boards):
        raise HocketError(
            f"--against-stock is for the board {STOCK_BOARD}",
            "the stock core is for AVR processors, and both images run in the same simulator",
            "leave --board out",
        )
    require()
    sketches = find_sketches(request.names)
    nanoseconds = parse_duration(request.duration or "1s", "--for")
    with output.kept_for(request.report):
        libraries = tuple(folder.resolve() for folder in request.libraries)
        toolchain = prepare_board(find_board(STOCK_BOARD))
        prepare_avr_simulator()
        comparison = Comparison(toolchain, libraries, nanoseconds, request.jobs or jobs())
        found: dict[Path, Compared] = {}
        with closing(comparison.results(sketches)) as results:
            for compared in results:
                found[compared.sketch.path] = compared
        rows = [found[sketch.path] for sketch in sketches]
        print(*tell_against.lines_of(rows, version()), sep="\n", flush=True)
    if request.report is not None:
        write_report(tell_against.as_json(rows, version()), request.report)
    return EXIT_DONE if all(row.same for row in rows) else EXIT_USAGE


def attempts_command(request: Request) -> int:
    """Returns EXIT_DONE if all sketches build, EXIT_USAGE if some do not."""
    if request.jobs is not None and request.jobs < 1:
        raise HocketError(f"--jobs {request.jobs} is out of range", next_step="use 1 or more")
    if request.report is not None:
        check_writable("--json", request.report)
    for folder in request.libraries:
        if not folder.is_dir():
            raise HocketError(
                f"--libraries {folder} is no folder",
                next_step="name the folder that the folders of the libraries are in",
            )
    if request.against_stock:
        return _against_stock(request)
    if request.duration is not None:
        raise HocketError(
            "--for goes with --against-stock", next_step="leave it out: nothing is run"
        )
    boards = [find_board(name) for name in dict.fromkeys(request.boards or BOARDS)]
    sketches = find_sketches(request.names)
    with output.kept_for(request.report):
        toolchains = {board.name: prepare_board(board) for board in boards}
        libraries = tuple(folder.resolve() for folder in request.libraries)
        attempts = [Attempt(sketch, board.name) for sketch in sketches for board in boards]
        with tempfile.TemporaryDirectory(prefix="hocket-try-") as shared:
            performer = Performer(toolchains, libraries, request.jobs or jobs(), Path(shared))
            outcomes = _performed(performer, attempts)
        rows = tell.in_order(sketches, [board.name for board in boards], outcomes)
        print(*tell.lines_of(rows), sep="\n", flush=True)
    if request.report is not None:
        write_report(tell.as_json(rows), request.report)
    return EXIT_DONE if all(outcome.builds for outcome in outcomes) else EXIT_USAGE


def _performed(performer: Performer, attempts: Sequence[Attempt]) -> list[Outcome]:
    count = f"{len(attempts)} build{'s' if len(attempts) > 1 else ''}"
    outcomes: list[Outcome] = []
    with progress(f"trying {count}") as shown, closing(performer.outcomes(attempts)) as performed:
        for outcome in performed:
            outcomes.append(outcome)
            failed = sum(not each.builds for each in outcomes)
            shown.update(f"({len(outcomes)} done, {failed} failed)")
    return outcomes
