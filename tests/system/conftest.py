"""What the tests of whole sketches share: build a sketch once, run it, judge the report."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.promises import broken_promises
from tests.sketches import Report, kept, start

from hocket.boards import find_board
from hocket.builder import Image, build_sketch
from hocket.builder.board import prepare_board
from hocket.sketch.folder import find_sketch

SKETCHES = Path(__file__).parent / "sketches"

Outcome = tuple[int, str, Report]


@pytest.fixture(scope="session")
def image() -> Callable[..., Image]:
    """image(name, text, board): the built sketch of that text; without a text the one in `sketches/`."""
    toolchain = functools.cache(lambda name: prepare_board(find_board(name)))

    def build(name: str, text: str | None = None, board: str = "sim") -> Image:
        folder = SKETCHES / name if text is None else kept(name, text)
        return build_sketch(find_sketch(str(folder)), find_board(board), toolchain(board))

    return build


@pytest.fixture
def run(image: Callable[..., Image], tmp_path: Path) -> Callable[..., Outcome]:
    """run(name, seconds, text=…, cores=…, seed=…, options=…, board=…): exit status, Serial's text, report."""

    def start_it(
        name: str,
        seconds: float,
        text: str | None = None,
        cores: int = 1,
        seed: int = 1,
        options: tuple[str, ...] = (),
        board: str = "sim",
    ) -> Outcome:
        built, facts = image(name, text, board), tmp_path / "facts.json"
        outcome = start(built, seconds, facts, cores, seed, options)
        return outcome.status, outcome.said, outcome.report

    return start_it


def _allowance(report: Report) -> float:
    """How far one period's supply may be ahead of the budget, which the next ones pay for (us).

    The budget timer is late by its lateness and the longest masked section, or a spinlock is held.
    """
    costs = report["overheads"]
    late: float = costs["timer_lateness_us"] + costs["longest_masked_us"]
    return late + float(costs["spinlock_blocking_us"])


@pytest.fixture
def broken() -> Callable[..., list[str]]:
    """broken(report, spinning=…, unruly=…): the promises that the run did not keep, as sentences.

    spinning  ids of loops that always have work: they get their budget in each period
    unruly    ids of loops whose own body makes them late
    """

    def judge(
        report: Report, spinning: set[int] | None = None, unruly: set[int] | None = None
    ) -> list[str]:
        ahead = _allowance(report)
        # w comes free in every period. Nobody gets less than C, besides what he has had before.
        most = ahead + report["losses"]["each_wake_up_us"]
        return broken_promises(report, most, spinning, unruly, short=ahead)

    return judge
