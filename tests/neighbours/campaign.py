"""Random sketches: victims that count their own useful work, beside neighbours as hostile as can be.

A sketch follows from a board, its declared costs and a number alone. `python -m tests.neighbours sim 17`
(with PYTHONPATH=.:tools) prints that of number 17, runs it and judges it, as the campaign does
(tests/system/test_random_neighbours.py).

A victim's units of work are instructions of its own, and how long one takes is measured by a victim that is
alone; neither is the kernel's account. What is asked of a victim:

  spins     It always has work: k·C of it by k·T after its release, for every k, and in any k periods in
            sequence, which contain (k − 1)·T and a response, (k − 1)·C − O − w.
  periodic  It does C of work in every period: done at the latest one response bound after each release.

Left out are those whose effect is in no account yet: on the Uno, what keeps devices busy (docs/guide/uno.md).
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.neighbours.boards import BOARDS, MOST_CORES, PROMISE, Board, Measured, Report, Sketch
from tests.neighbours.draw import draw
from tests.neighbours.judge import judge, measured, pins_sketch, speed_sketch, with_pins
from tests.sketches import kept, start

from hocket.boards import find_board
from hocket.builder import Toolchain, build_sketch
from hocket.builder.policies import policy_of, prepare_policy
from hocket.builder.room import NoRoom
from hocket.scenario import load
from hocket.sketch.folder import find_sketch
from hocket.trace.eventlog import HEADER, RECORD, EventKind

# Builds the sketch of that name and text and runs it with that scenario on so many cores: status, Serial's
# text, report.
RunIt = Callable[[str, str, Board, int, str], tuple[int, str, Report]]
# So many loops are started within the millisecond in which all are released where no handler runs.
STARTED = 40

MOST_FEWER = 4
# A run is so much longer: its parts count from the end of setup(), which comes late where handlers run first.
SETTING_UP = 0.015


def measure(board: Board, run: RunIt, policy: str = "vcpu") -> list[Measured]:
    """On one core, on two and so on: what the board declares grows with their number."""
    policy = policy if policy in PROMISE else "vcpu"  # the others say nothing of what they cost
    most = min(MOST_CORES, board.most_cores)
    return [_measured_on(cores, board, run, policy) for cores in range(1, most + 1)]


def _measured_on(cores: int, board: Board, run: RunIt, policy: str) -> Measured:
    speed = speed_sketch(board, policy)
    status, said, report = run(f"speed-{board.name}", speed, board, cores, "")
    assert status == 0, said
    found = measured(board, said, report)
    if not board.pins or board.masks:
        return found
    pins = pins_sketch(board, policy)
    status, said, report = run(f"pins-{board.name}", pins, board, cores, "")
    assert status == 0, said
    return with_pins(found, report)


def campaign(
    board: Board, number: int, speed: Sequence[Measured], run: RunIt, policy: str = "vcpu"
) -> tuple[Sketch, list[str]]:
    """The sketch of that number that fits and is admitted, and what was wrong with it."""
    fewer = 0
    # Budgets have a least size: where less of them is not enough, a neighbour less each time.
    for less, further in [(1.0, 0), (0.9, 0), (0.6, 0), (0.3, 0), *[(0.3, 1)] * MOST_FEWER]:
        fewer += further
        while True:
            sketch = draw(board, number, speed, less, fewer, policy)
            try:
                status, said, report = run_sketch(sketch, run)
                break
            except NoRoom:  # only the linker knows what a sketch takes
                fewer += 1
        if status == 3:
            speed = with_smallest(speed, report)
            continue
        if released := later_release(sketch, said, report):
            later = dataclasses.replace(board, released=released)
            sketch = draw(later, number, speed, less, fewer, policy)
            status, said, report = run_sketch(sketch, run)
            if later_release(sketch, said, report) != released:
                return sketch, [f"a second run has another release than {released} us"]
        if policy not in PROMISE and sketch.scenario and report["end"] == "setup":
            return sketch, []  # handlers come before setup(), without a limit
        found = [] if status == 0 else [f"ended with status {status}: {said[-300:]}"]
        found += [str(fault) for fault in report["faults"]]
        return sketch, found + judge(sketch, said, report)
    return sketch, [f"no such sketch was accepted: {report['admission']['reasons']}"]


def with_smallest(speed: Sequence[Measured], report: Report) -> Sequence[Measured]:
    """With the smallest budget of the image that was refused for one: the more loops, the larger it is."""
    if not any(
        "the smallest budget on this board" in why for why in report["admission"]["reasons"]
    ):
        return speed
    smallest = math.ceil(report["overheads"]["smallest_budget_us"])
    return [dataclasses.replace(each, smallest=max(each.smallest, smallest)) for each in speed]


def run_sketch(sketch: Sketch, run: RunIt) -> tuple[int, str, Report]:
    name = f"n{sketch.number}"
    return run(name, sketch.text, sketch.board, sketch.cores, sketch.scenario)


def later_release(sketch: Sketch, said: str, report: Report) -> int | None:
    """How long after the end of setup() all are released, by the event log; it is longer where handlers run,
    or where many loops are to be started. None: after the board's usual time."""
    told = re.search(r"set up at (\d+)", said)
    if not sketch.victims or "first_release_us" not in report or told is None:
        return None
    released = math.ceil(report["first_release_us"][sketch.victims[0].number] - int(told[1]))
    usual = BOARDS[sketch.board.name].released
    return released if usual is not None and released > usual + 1 else None


def read_log(log: Path) -> tuple[dict[int, float], dict[int, list[tuple[float, int]]]]:
    """By the loop's number, when it was first released; by core, whose turn began when (0: no loop's). All in
    microseconds. (Of a log that may have millions of records, which are not kept.)"""
    loops: dict[int, int] = {}
    found: dict[int, float] = {}
    turns: dict[int, list[tuple[float, int]]] = {}
    for at, core, kind, thread, arg, _ in RECORD.iter_unpack(log.read_bytes()[HEADER.size :]):
        if kind == EventKind.NAMED:
            loops[thread] = arg
        elif kind == EventKind.RELEASE and thread in loops:
            found.setdefault(loops[thread], at / 1000)
        elif kind == EventKind.DISPATCH:
            turns.setdefault(core, []).append((at / 1000, loops.get(thread, 0)))
    for of_core in turns.values():
        of_core.sort(key=lambda turn: turn[0])
    return found, turns


def runner(folder: Path, toolchain: Toolchain | None = None) -> RunIt:
    """Builds with that toolchain, or the board's own; reports are left in the folder."""
    toolchains = {} if toolchain is None else {("sim", "vcpu"): toolchain}

    def run(
        name: str, text: str, board: Board, cores: int, scenario: str
    ) -> tuple[int, str, Report]:
        found, sketch = find_board(board.name), find_sketch(str(kept(name, text)))
        policy = policy_of(sketch, found, None)
        if (board.name, policy) not in toolchains:
            toolchains[board.name, policy] = prepare_policy(found, policy)
        image = build_sketch(sketch, found, toolchains[board.name, policy])
        options: tuple[str, ...] = ()
        log = folder / "log"
        log.unlink(missing_ok=True)
        late_release = scenario or text.count("\nvoid ") > STARTED
        unpromised = policy not in PROMISE and board.name == "sim"  # virt has no late calls
        if (late_release and board.released is not None) or unpromised:
            options += ("--log", str(log))
        if scenario:
            (folder / "scenario.yaml").write_text(scenario, encoding="utf-8")
            flat = folder / "scenario.flat"
            flat.write_text(load(folder / "scenario.yaml", board.name), encoding="utf-8")
            options += ("--scenario", str(flat))
        facts = folder / "facts.json"
        seconds = board.seconds + SETTING_UP
        outcome = start(image, seconds, facts, cores, options=options, exceeds=None)
        if log.is_file():
            outcome.report["first_release_us"], outcome.report["turns"] = read_log(log)
        return outcome.status, outcome.said + outcome.errors, outcome.report

    return run
