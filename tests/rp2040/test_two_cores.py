"""Both cores of the RP2040: they meet at locks, in the FIFO and in RAM, and each run is the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.rp2040.bare_programs import RP2040, compiled, run_here


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled("two_cores", RP2040, tmp_path_factory.mktemp("two_cores") / "image.elf")


def test_both_do_their_rounds(image: Path) -> None:
    done = run_here(image)
    assert done.returncode == 0, done.stderr
    _shared, first, second, _microseconds = (int(word, 16) for word in done.stdout.split())
    assert (first, second) == (400, 400)


def test_every_run_is_the_same(image: Path) -> None:
    first, second = (run_here(image, "--trace-pins") for _ in range(2))
    assert len(first.stdout.splitlines()) > 800  # each round turns a pin over
    assert first.stdout == second.stdout


def test_they_wait_for_each_other_at_ram(image: Path) -> None:
    waited = [int(n) for n in re.findall(r"waited (\d+)", run_here(image, "--stats").stderr)]
    assert len(waited) == 2
    assert min(waited) > 0
