"""`hocket wcet`: bounds of the execution times of a sketch's loops and handlers, from its linked program."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

from hocket.boards import BOARDS, Board, find_board, listed
from hocket.builder import Image, build_sketch
from hocket.builder.stack_depth import Program
from hocket.errors import EXIT_FAULT, HocketError
from hocket.output import kept_for
from hocket.running.admission import analyse
from hocket.running.request import Request, check_outputs, check_writable
from hocket.running.scenarios import inputs_of
from hocket.sketch.folder import find_sketch
from hocket.wcet.analysis import Bounds
from hocket.wcet.facts import KERNEL, WAITS
from hocket.wcet.kept import kept_bounds
from hocket.wcet.seen import run_and_see
from hocket.wcet.telling import as_json, print_bounds
from hocket.whole_files import write_result

# The processor whose instructions wcet/avr8 knows.
_CHIP = "atmega328p"


def wcet_command(request: Request, output: Path | None, runs: bool) -> int:
    with kept_for(output):
        return _bound(request, output, runs)


def check_board(board: Board) -> None:
    """Raises HocketError for a board whose instructions' cycles are not known."""
    if board.chip == _CHIP:
        return
    able = [each.name for each in BOARDS if each.chip == _CHIP]
    raise HocketError(
        f"hocket wcet does not bound times on {board.name}",
        f"it knows the cycles of an {_CHIP} alone",
        f"choose another board: --board {listed(able)}",
    )


def _bound(request: Request, output: Path | None, runs: bool) -> int:
    board = find_board(request.board)
    check_board(board)
    if output is not None:
        check_writable("--json", output)
    sketch = find_sketch(request.sketch)
    if output is not None:
        check_outputs([("--json", output)], inputs_of(sketch, request.scenario))
    built = build_sketch(sketch, board, policy=request.policy)
    of_a_wait = cycles_of_a_wait(built)
    bounds = kept_bounds(built, of_a_wait)
    if runs:
        _see(built, request, bounds)
    if output is not None:
        told = as_json(bounds, sketch.name, board.name, sketch.folder, board.f_cpu)
        write_result(output, json.dumps(told, indent=1, ensure_ascii=False) + "\n")
    print_bounds(bounds, sketch.folder, board.f_cpu, request.duration if runs else None)
    return _check_seen(bounds)


def _check_seen(bounds: Bounds) -> int:
    """Returns the exit status: EXIT_FAULT if a call took longer than its bound."""
    longer = [b for b in bounds.parts if b.seen is not None and not b.unknown and b.seen > b.work]
    for bound in longer:
        print(
            f"hocket: a call of {bound.part.name} took {bound.seen} cycles, and its bound is "
            f"{bound.work}: an atMost() is false, or a fact that the bound takes for granted",
            file=sys.stderr,
        )
    return EXIT_FAULT if longer else 0


def cycles_of_a_wait(built: Image) -> int:
    """Returns what admission takes from a loop's budget for each wake-up."""
    report, _ = analyse(built, 1)
    losses = report.get("losses") or {}
    return round(float(losses.get("each_wake_up_us") or 0) * built.board.f_cpu / 1e6)


def _see(built: Image, request: Request, bounds: Bounds) -> None:
    memory = built.toolchain.memory
    assert memory is not None
    names = Program(built.sketch_elf, memory.symbols).names.items()
    waits = [at for at, name in names if WAITS.fullmatch(name) or KERNEL.fullmatch(name)]
    parts = [bound.part.address for bound in bounds.parts]
    seen = run_and_see(built, replace(request, anyway=True), parts, waits)
    for bound in bounds.parts:
        found = seen.get(bound.part.address)
        if found is not None:
            bound.calls = found.calls
            bound.seen = found.longest if found.calls else None
