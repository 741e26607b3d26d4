"""What the tests of the board uno share: the command, and programs that measure images."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.commands import run_hocket
from tests.promises import broken_promises
from tests.uno.account import allowance, handlers

from hocket.boards import find_board
from hocket.builder import build_sketch
from hocket.builder.board import prepare_uno_image
from hocket.sketch.folder import find_sketch
from hocket.uno_images import Measured, pulses, responses

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Outcome:
    status: int
    serial: str
    said: str
    report: dict[str, Any]


Report = dict[str, Any]
Run = Callable[..., Outcome]
Built = Callable[[Path], Path]
Measure = Callable[..., Measured]


@pytest.fixture
def uno(tmp_path: Path) -> Run:
    """uno(sketch, duration, options…): `hocket run --board uno`; the report is empty if there is none."""

    def run(sketch: Path, duration: str, *options: str | Path) -> Outcome:
        file = tmp_path / "report.json"
        command: list[str | Path] = [
            "run",
            "--board",
            "uno",
            sketch,
            "--for",
            duration,
            "--json",
            file,
        ]
        done = run_hocket(*command, *options, cwd=ROOT)
        report = json.loads(file.read_text()) if file.is_file() else {}
        return Outcome(done.returncode, done.stdout, done.stderr, report)

    return run


@pytest.fixture(scope="session")
def built() -> Built:
    """built(sketch): the sketch's image."""
    return lambda sketch: build_sketch(find_sketch(str(sketch)), find_board("uno")).program


@pytest.fixture
def broken() -> Callable[..., list[str]]:
    """broken(report, always, unruly, resumed): the promises that the run did not keep, as sentences.

    resumed   how often in one period a loop went on after another one at most: who stops has paid for
              the switch as declared, and what it took less is work of who goes on
    """

    def judge(
        report: Report,
        always: set[int] | None = None,
        unruly: set[int] | None = None,
        resumed: int = 0,
    ) -> list[str]:
        late = allowance(report) + resumed * report["overheads"]["context_switch_us"]
        found = broken_promises(report, late, always, unruly)
        for loop in report["loops"]:
            least, budget = loop["min_cpu_per_period_us"], loop["budget_us"]
            if (
                loop["id"] in (always or set())
                and least is not None
                and least < budget - handlers(report)
            ):
                found.append(f"loop {loop['id']}: {least} in a period, less than its {budget}")
        return found

    return judge


@pytest.fixture(scope="session")
def measure() -> Measure:
    """measure(image, count, seed): pin 2 to pin 3, in cycles; without a seed how long pin 3 is high. An
    image is a file, or the name of one of the kernel's paths (arduino/cores/avr8/CMakeLists.txt)."""

    def run(image: Path | str, count: int, seed: int | None = None) -> Measured:
        path = isinstance(image, str)
        file = prepare_uno_image(image) if isinstance(image, str) else image
        return pulses(file, count) if seed is None else responses(file, count, seed, sparse=path)

    return run
