"""`hocket debug`: runs a sketch under gdb."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from hocket.boards import DEFAULT_BOARD, Board, boards_with, find_board, listed
from hocket.builder import build_sketch
from hocket.builder.policies import check_policy
from hocket.confinement import launcher_of
from hocket.console import say
from hocket.debugger.program import script_for
from hocket.debugger.session import FOR_EVER, Session
from hocket.durations import parse_duration
from hocket.errors import EXIT_REFUSED, HocketError, shorten
from hocket.packages import require
from hocket.running.admission import analyse
from hocket.running.kept import copies_of
from hocket.running.programs import board_program
from hocket.running.request import check_cores, check_seed, cores_of
from hocket.running.scenarios import find_scenario, keeping_nothing
from hocket.running.telling import print_refusal
from hocket.sketch.folder import find_sketch

BOARDS = boards_with("debugger")


@dataclass(frozen=True)
class Request:
    """The options of `debug`. duration: as written."""

    sketch: str
    board: str = DEFAULT_BOARD
    cores: int | None = None
    duration: str | None = None
    seed: int = 1
    scenario: Path | None = None
    policy: str | None = None
    batch: bool = False
    scripts: tuple[Path, ...] = ()
    server: int | None = None
    words: tuple[str, ...] = ()


def debug_command(request: Request) -> int:
    if request.board not in BOARDS:
        find_board(request.board)  # raises if the board does not exist
        raise HocketError(
            f"the board {request.board} has no debugger",
            f"gdb is there on {', '.join(BOARDS)}",
            f"use --board {listed(BOARDS)}",
        )
    board = find_board(request.board)
    require("debug", "hocket debug")
    _check(request)
    if request.cores is not None:
        check_cores(request.cores, board)
    sketch = find_sketch(request.sketch)
    scenario = find_scenario(request.scenario, sketch, board)
    if scenario.further is not None:
        raise HocketError(
            "two boards that are wired to each other cannot be debugged yet",
            "gdb would stop one, and the other would wait for it",
            "name another scenario with --scenario, without `boards`",
            scenario.file,
        )
    cores = cores_of(request.cores, scenario, board)
    image = build_sketch(sketch, board, policy=request.policy, debug=True)
    report, ended = analyse(image, cores)
    if ended.status == EXIT_REFUSED:
        print_refusal(report, ended, at_the_prompt=image)
        return EXIT_REFUSED
    with tempfile.TemporaryDirectory(prefix="hocket-") as name, ExitStack() as at_end:
        duration = FOR_EVER
        if request.duration is not None:
            duration = parse_duration(request.duration, "--for")
        program = [*board_program(image, cores), "--cores", str(cores), "--for", str(duration)]
        program += ["--seed", str(request.seed), "--serial-limit", str(2**62)]
        if board.launcher == "qemu":
            program.append("--no-icount")
        if scenario.flat:
            # gdb ends the program at any point, so the files of parts are not kept.
            copies = at_end.enter_context(copies_of(keeping_nothing(scenario), Path(name)))
            flat = Path(name) / "scenario.flat"
            flat.write_text(copies.scenario.flat, encoding="utf-8")
            program += ["--scenario", flat]
        session = Session(image, cores, tuple(program), launcher_of(program, board, Path(name)))
        say(
            f"the sketch is compiled without optimisation, and {_time(board)}: "
            "what loops use of their budgets means nothing here"
        )
        if request.server is not None:
            _say_where(session, request.server)
            return session.serve(request.server)
        say(
            "it stands before its first instruction: set breakpoints, then `continue`; `info loops`"
        )
        return session.run(request.batch, request.scripts, request.words)


def _time(board: Board) -> str:
    stands_still = "stands still while gdb has stopped it"
    if board.launcher == "qemu":
        return f"its time is this computer's, and {stands_still}"
    return f"time {stands_still}"


def _check(request: Request) -> None:
    if request.duration is not None:
        parse_duration(request.duration, "--for")
    if request.policy is not None:
        check_policy(request.policy, find_board(request.board))
    check_seed(request.seed)
    for script in request.scripts:
        if not script.is_file():
            raise HocketError(f"-x {script}: there is no such file", next_step="name a gdb script")
    if request.server is None:
        return
    if not 1 <= request.server <= 65535:
        raise HocketError(f"--server {request.server} is no port", next_step="use 1024 to 65535")
    if request.batch or request.scripts or request.words:
        raise HocketError(
            "--server starts no gdb, so there is nobody for --batch, -x and further words",
            next_step="leave them out, or leave --server out",
        )


def _say_where(session: Session, port: int) -> None:
    script = script_for(session.image, session.cores)
    say(f"waiting for a debugger at localhost:{port}; Ctrl-C ends the wait")
    say(f"there: {session.debugger} -x {shorten(script)} -ex 'target remote :{port}'")
