"""The contract of policies is open: a sketch runs by deadlines (kernel/sched/deadline_order.h).

Its loops ask for 97 % of a core: by deadlines each has its budget in every period, and no order of fixed
priorities can promise that.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.sketches import Outcome, kept, start
from tests.targets import sim_with

from hocket.boards import find_board
from hocket.builder import Toolchain, build_sketch
from hocket.errors import EXIT_REFUSED
from hocket.sketch.folder import find_sketch

CONTRACTS = {1: (25, 50), 2: (33, 70)}
SPINNING = "void setup() {}\n" + "".join(
    f"void loop({i}, {c}, {t}) {{ delayMicroseconds(1000); }}\n" for i, (c, t) in CONTRACTS.items()
)
PERIODIC = "void setup() {}\n" + "".join(
    f"void periodic({i}, {c}, {t}) {{ delayMicroseconds({c - 1}000); }}\n"
    for i, (c, t) in CONTRACTS.items()
)


@pytest.fixture(name="by_deadline", scope="module")
def _by_deadline() -> Toolchain:
    return sim_with("deadline")


def run(name: str, text: str, folder: Path, toolchain: Toolchain | None = None) -> Outcome:
    sketch = find_sketch(str(kept(name, text)))
    image = build_sketch(sketch, find_board("sim"), toolchain)
    return start(image, 3.5, folder / "facts.json")


def test_fixed_priorities_cannot_promise_it(tmp_path: Path) -> None:
    outcome = run("fixed-priorities", SPINNING, tmp_path)
    assert outcome.status == EXIT_REFUSED
    assert "loop 2 asks for 33 ms in every 70 ms" in outcome.errors


@pytest.mark.parametrize(("name", "text"), [("spinning", SPINNING), ("periodic", PERIODIC)])
def test_by_deadlines_every_budget_is_served(
    name: str, text: str, by_deadline: Toolchain, tmp_path: Path
) -> None:
    outcome = run(f"deadlines-{name}", text, tmp_path, by_deadline)
    assert outcome.status == 0, outcome.errors
    assert outcome.broken_bounds(CONTRACTS) == []
    for number, (budget, period) in CONTRACTS.items():
        loop = outcome.loop(number)
        assert loop["releases"] >= 3500 // period
        if name == "spinning":
            # The windows that are measured do not begin with a release: an overrun delays the next one.
            assert loop["min_cpu_per_period_us"] >= 0.99 * budget * 1000
