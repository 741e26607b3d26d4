"""What a refused sketch's author is told to do: what the reason asks for, nothing that cannot help."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from hocket.running.telling import ways_out

SMALL = (
    "loop {} asks for 10 us in every 10 ms, and the smallest budget on this board is {}: a timer that is "
    "late could use up a smaller one; give it {} or more."
)
FULL = (
    "loop 2 asks for 60 ms in every 100 ms and core 0 cannot guarantee it: its response time would be 130 ms,"
    " later than its deadline of 100 ms; no budget at all would fit there."
)


def told(*reasons: str, cores: int = 1, budgets: tuple[int, ...] = (70, 60)) -> list[str]:
    loops = [
        {"id": number, "budget_us": 1000 * budget, "period_us": 100_000}
        for number, budget in enumerate(budgets, 1)
    ]
    declared = [
        SimpleNamespace(id=loop["id"], file=Path("/s/s.ino"), line=10 * loop["id"])
        for loop in loops
    ]
    report: Any = {
        "board": "sim",
        "cores": cores,
        "loops": loops,
        "admission": {"reasons": list(reasons)},
    }
    image: Any = SimpleNamespace(translation=SimpleNamespace(loops=declared))
    return ways_out(report, image)


def test_a_budget_that_is_too_small_is_to_be_larger() -> None:
    assert told(SMALL.format(1, "16 us", "16 us")) == ["write C = 16us or more (/s/s.ino:10)"]
    both = told(SMALL.format(1, "16 us", "16 us"), SMALL.format(2, "460 us", "460 us"))
    assert both == ["write C = 16us or more (/s/s.ino:10) and C = 460us or more (/s/s.ino:20)"]


def test_a_time_is_written_as_annotations_take_it() -> None:
    assert told(SMALL.format(1, "1.016 ms", "1.016 ms"))[0].startswith("write C = 1016us or more")
    assert told(SMALL.format(1, "2 ms", "2 ms"))[0].startswith("write C = 2ms or more")


def test_what_a_reason_asks_for_itself_is_what_to_do() -> None:
    pinned = "loop 2 is pinned to core 3, but there is only core 0; run it with --cores 4 or more."
    assert told(pinned) == ["run it with --cores 4 or more (/s/s.ino:20)"]


def test_who_asks_for_most_is_named_where_others_are_refused() -> None:
    (line,) = told(FULL)
    assert line == (
        "ask for a smaller C or a longer T (/s/s.ino:20), or of loop 1, which asks for 70 % of a core "
        "(/s/s.ino:10), or give it more cores (--cores 2)"
    )
    (line,) = told(FULL, cores=64, budgets=(10, 60))
    assert line == "ask for a smaller C or a longer T (/s/s.ino:20)"
