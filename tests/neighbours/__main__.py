"""Repeats random sketches of a campaign: BOARD FIRST [END] [--policy NAME] [--kernel uncharged]."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.neighbours.boards import BOARDS, POLICIES
from tests.neighbours.campaign import campaign, measure, runner
from tests.targets import sim_with


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.neighbours", description=__doc__)
    parser.add_argument("board", choices=BOARDS)
    parser.add_argument("first", type=int)
    parser.add_argument("end", type=int, nargs="?")
    parser.add_argument("--policy", choices=POLICIES, default="vcpu")
    parser.add_argument("--kernel", help="one that is wrong on purpose, of sim")
    words = parser.parse_args()
    board, end = BOARDS[words.board], words.end or words.first + 1
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="hocket-") as folder:
        run = runner(Path(folder), sim_with(words.kernel) if words.kernel else None)
        speed = measure(board, run, words.policy)
        for number in range(words.first, end):
            sketch, found = campaign(board, number, speed, run, words.policy)
            if end == words.first + 1:
                print(sketch.text + sketch.scenario)
            print(
                sketch.again(),
                f"on {sketch.cores} cores, {len(sketch.loops)} neighbours:",
                *(found or ["as promised"]),
                sep="\n  ",
                flush=True,
            )
            wrong += bool(found)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
