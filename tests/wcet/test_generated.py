"""No call of a random program takes longer than its bound."""

from __future__ import annotations

from pathlib import Path

from tests.campaign import rounds
from tests.wcet.generated import program
from tests.wcet.programs import build

_PROGRAMS = rounds(8, 1000, "HOCKET_WCET_PROGRAMS")
_RUNS = rounds(300, 1000, "HOCKET_WCET_RUNS")
_BOUNDED = 0.5  # of the programs: LLVM does not know the rounds of every loop that ends


def test_no_call_exceeds_its_bound(tmp_path: Path) -> None:
    bounded = 0
    for seed in range(1, _PROGRAMS + 1):
        compiler, level = ("clang", "gcc")[seed % 5 == 0], ("-Os", "-O2")[seed % 3 == 0]
        built = build(program(seed), tmp_path, compiler, runs=_RUNS, seed=seed, options=(level,))
        bound = built.bound()
        if bound.unknown:
            continue
        bounded += 1
        calls, longest = built.seen()
        assert calls > _RUNS
        print(f"seed {seed}: bound {bound.cycles}, seen {longest}")
        assert longest <= bound.cycles, f"seed {seed}: {longest} cycles, bound {bound.cycles}"
    assert bounded >= _BOUNDED * _PROGRAMS
