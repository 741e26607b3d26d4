"""Repeats random sketches of a campaign: BOARD FIRST [END]; `uncharged` for the wrong kernel."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.neighbours.boards import BOARDS
from tests.neighbours.campaign import campaign, measure, runner
from tests.targets import sim_with


def main() -> int:
    board, first = BOARDS[sys.argv[1]], int(sys.argv[2])
    end = int(sys.argv[3]) if len(sys.argv) > 3 else first + 1
    toolchain = sim_with(sys.argv[4]) if len(sys.argv) > 4 else None
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="hocket-") as folder:
        run = runner(Path(folder), toolchain)
        speed = measure(board, run)
        for number in range(first, end):
            sketch, found = campaign(board, number, speed, run)
            if end == first + 1:
                print(sketch.text)
            print(
                sketch.again(), f"on {sketch.cores} cores:", *(found or ["as promised"]), sep="\n  "
            )
            wrong += bool(found)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
