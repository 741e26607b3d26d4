"""What the tests of whole sketches share: build a sketch once, run it, judge the report."""

from __future__ import annotations

import functools
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hocket.boards import find_board
from hocket.builder import Image, build_sketch
from hocket.builder.board import prepare_board
from hocket.commands.run import board_program
from hocket.faults import add_places
from hocket.paths import BUILD
from hocket.report import make_report, read_facts
from hocket.sketch.folder import find_sketch

ROOT = Path(__file__).resolve().parents[2]
SKETCHES = Path(__file__).parent / "sketches"

Report = dict[str, Any]
Outcome = tuple[int, str, Report]


@pytest.fixture(scope="session")
def image() -> Callable[..., Image]:
    """image(name, text, board): the built sketch of that text; without a text the one in `sketches/`.

    Texts are kept in build/system-tests/, so that an unchanged one is not compiled again.
    """
    toolchain = functools.cache(lambda name: prepare_board(find_board(name)))

    def build(name: str, text: str | None = None, board: str = "sim") -> Image:
        folder = SKETCHES / name
        if text is not None:
            folder = BUILD / "system-tests" / name
            folder.mkdir(parents=True, exist_ok=True)
            file = folder / f"{name}.ino"
            if not file.is_file() or file.read_text() != text:
                file.write_text(text)
        return build_sketch(find_sketch(str(folder)), find_board(board), toolchain(board))

    return build


@pytest.fixture
def run(image: Callable[..., Image], tmp_path: Path) -> Callable[..., Outcome]:
    """run(name, seconds, text=…, cores=…, seed=…, options=…, board=…): exit status, Serial's text, report.

    Starts the board's program itself: what `hocket run` adds is tested in test_run_command.py.
    """

    def start(
        name: str,
        seconds: float,
        text: str | None = None,
        cores: int = 1,
        seed: int = 1,
        options: tuple[str, ...] = (),
        board: str = "sim",
    ) -> Outcome:
        built = image(name, text, board)
        facts = tmp_path / "facts.json"
        facts.unlink(missing_ok=True)
        command = [str(word) for word in board_program(built)]
        command += ["--for", str(round(seconds * 1e9)), "--facts", str(facts)]
        command += ["--cores", str(cores), "--seed", str(seed), *options]
        done = subprocess.run(command, capture_output=True, timeout=300, check=False)
        said = done.stderr.decode(errors="replace")
        assert facts.is_file(), f"status {done.returncode}: {said}"
        read = read_facts(facts)
        add_places(read.get("faults") or [], built.sketch_elf, built.sketch.folder)
        report = make_report(read, name, board, built.board.clock)
        return done.returncode, done.stdout.decode(errors="replace"), report

    return start


def _allowance(report: Report) -> float:
    """How far from its budget a loop's supply in one period may be, by the declared overheads.

    The budget timer is late by its lateness and the longest masked section, or a spinlock is held;
    what a loop that rests leaves below the smallest budget worth a dispatch is joined to the next one.
    """
    costs = report["overheads"]
    late: float = costs["timer_lateness_us"] + costs["longest_masked_us"]
    late += costs["spinlock_blocking_us"] + costs["minimum_budget_us"]
    return late


@pytest.fixture
def broken() -> Callable[..., list[str]]:
    """broken(report, spinning=…, unruly=…): the promises that the run did not keep, as sentences.

    spinning  ids of loops that always have work: they get their budget in each period
    unruly    ids of loops whose own body makes them late
    """

    def judge(
        report: Report, spinning: set[int] | None = None, unruly: set[int] | None = None
    ) -> list[str]:
        late, found = _allowance(report), []
        costs = report["overheads"]
        seen = costs["longest_masked_seen_us"]  # an emulated board does not watch it
        if seen is None and report["board"] == "sim":
            found.append("nobody watched how long interrupts were masked")
        if seen is not None and seen > costs["longest_masked_us"]:
            found.append(f"masked for {seen} us")
        for loop in report["loops"]:
            budget, name = loop["budget_us"], f"loop {loop['id']}"
            least, most = loop["min_cpu_per_period_us"], loop["max_cpu_per_period_us"]
            if loop["id"] not in (unruly or set()):
                if loop["deadline_misses"] != 0:
                    found.append(f"{name}: {loop['deadline_misses']} misses")
                if loop["max_response_us"] > loop["response_bound_us"]:
                    found.append(f"{name}: response {loop['max_response_us']} beyond its bound")
            if most is None:
                continue
            # Any loop can be late in one period and early in the next, by what others may delay it.
            always = loop["id"] in (spinning or set())
            shift = 0 if always else min(budget, loop["response_bound_us"] - budget)
            if most > budget + shift + late:
                found.append(f"{name}: {most} in a period, budget {budget}, shift {shift}")
            if always and least < budget - late:
                found.append(f"{name}: only {least} in a period, budget {budget}")
        return found

    return judge
