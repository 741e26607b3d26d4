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

from collections.abc import Callable, Sequence
from pathlib import Path

from tests.neighbours.boards import MOST_CORES, Board, Measured, Report, Sketch
from tests.neighbours.draw import draw
from tests.neighbours.judge import judge, measured, speed_sketch
from tests.sketches import kept, start

from hocket.boards import find_board
from hocket.builder import Toolchain, build_sketch, prepare_board
from hocket.builder.room import NoRoom
from hocket.sketch.folder import find_sketch

# Builds the sketch of that name and text and runs it on so many cores: status, Serial's text, report.
RunIt = Callable[[str, str, Board, int], tuple[int, str, Report]]

MOST_FEWER = 4


def measure(board: Board, run: RunIt) -> list[Measured]:
    """On one core, on two and so on: what the board declares grows with their number."""
    found = []
    for cores in range(1, min(MOST_CORES, board.most_cores) + 1):
        status, said, report = run(f"speed-{board.name}", speed_sketch(board), board, cores)
        assert status == 0, said
        found.append(measured(board, said, report))
    return found


def campaign(
    board: Board, number: int, speed: Sequence[Measured], run: RunIt
) -> tuple[Sketch, list[str]]:
    """The sketch of that number that fits and is admitted, and what was wrong with it."""
    fewer = 0
    # Budgets have a least size: where less of them is not enough, a neighbour less each time.
    for less, further in [(1.0, 0), (0.9, 0), (0.6, 0), (0.3, 0), *[(0.3, 1)] * MOST_FEWER]:
        fewer += further
        while True:
            sketch = draw(board, number, speed, less, fewer)
            try:
                status, said, report = run(f"n{number}", sketch.text, board, sketch.cores)
                break
            except NoRoom:  # only the linker knows what a sketch takes
                fewer += 1
        if status == 3:
            continue
        found = [] if status == 0 else [f"ended with status {status}"]
        found += [str(fault) for fault in report["faults"]]
        return sketch, found + judge(sketch, said, report)
    return sketch, ["no such sketch was accepted"]


def runner(folder: Path, toolchain: Toolchain | None = None) -> RunIt:
    """Builds with that toolchain, or the board's own; reports are left in the folder."""
    toolchains = {} if toolchain is None else {"sim": toolchain}

    def run(name: str, text: str, board: Board, cores: int) -> tuple[int, str, Report]:
        found = find_board(board.name)
        if board.name not in toolchains:
            toolchains[board.name] = prepare_board(found)
        image = build_sketch(find_sketch(str(kept(name, text))), found, toolchains[board.name])
        outcome = start(image, board.seconds, folder / "facts.json", cores)
        return outcome.status, outcome.said, outcome.report

    return run
