"""Threads of all cores on everything that they can share, with and without counted instructions."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.campaign import long_form, one_in

ROLES = 7  # threads on each core (stress.cpp)


# Eight processors at once are more than most computers have: they would wait for each other's turns.
RUNS = [(2, "counted"), (8, "counted"), (2, "free"), (4, "free")]
OTHERS = [(1, "counted"), (4, "counted"), (1, "free")]


@one_in(4)
@pytest.mark.parametrize(
    ("cores", "clock"), [*RUNS, *(pytest.param(*run, marks=long_form) for run in OTHERS)]
)
def test_nothing_is_lost_between_cores(
    bare_image: Callable[[str], Path],
    virt: Callable[..., subprocess.CompletedProcess[str]],
    cores: int,
    clock: str,
) -> None:
    done = virt(bare_image("contract_stress"), cores, icount=clock == "counted")
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{cores * ROLES} threads, 0 wrong" in done.stdout + done.stderr
