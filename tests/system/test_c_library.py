"""The C and C++ libraries give the same results on every board that can run here."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.commands import run_hocket

ROOT = Path(__file__).resolve().parents[2]
SKETCHES = Path(__file__).parent / "sketches"
TRIED = ["sim", "virt"]

C_LIBRARY = """ 3.14|text|c|ff|1099511627776|1.234568e+04
0.841471 1.41421 2.30259
1 3 5 9
2 12 2.5 255 needle
mmm
5 7 7 2
999 one 993 100 16.5
42 a longer text that needs the heap 2 1791095845
5.000
0
done
"""
# Of loops that follow each other in time, so the order of the lines is certain.
THREAD_LOCAL = """setup 1 1 1 nsetup 1
1
one 42 7 0 n 0
two 42 7 0 n 0
one 11 11 11 n1 11
two 22 22 22 n2 22
"""


def serial(sketch: str, board: str, duration: str) -> str:
    done = run_hocket("run", SKETCHES / sketch, "--board", board, "--for", duration)
    assert done.returncode == 0, done.stderr
    return done.stdout.replace("\r", "").partition(f"{sketch} on {board}")[0]


@pytest.mark.parametrize("board", TRIED)
def test_libraries(board: str) -> None:
    assert serial("c-library", board, "1s") == C_LIBRARY


@pytest.mark.parametrize("board", [name for name in TRIED if name != "sim"])
def test_each_loop_has_variables_of_its_own(board: str) -> None:
    """Not on sim: its loops share one thread of the computer."""
    assert serial("thread-local", board, "1900ms") == THREAD_LOCAL
