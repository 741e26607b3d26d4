"""What it takes to admit a thousand loops on one core, counted in instructions (bench/acceptance).

Counted, not timed, so the limits hold on every machine with the same compiler. They are the counts of today
with a tenth to spare: a change that costs more should say why. 100 million instructions are some 25 ms.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from hocket.bench import build_programs
from hocket.callgrind import count

LOOPS = 1_000
# The set: periods, and the load in percent; the most that admitting it may take. About half of the
# instructions place the loops one by one, the others find their bounds.
MOST = {
    ("random", 70): 70_000_000,
    ("random", 85): 80_000_000,
    ("equal", 95): 56_000_000,
    ("harmonic", 95): 54_000_000,
}
# One loop more, with so many percent, that fits no more.
TOO_MUCH = {("random", 70): 29, ("random", 85): 20, ("equal", 95): 10, ("harmonic", 95): 10}
# A refusal takes this many times as long as an acceptance at most.
MOST_OF_A_REFUSAL = 3
# When a third of the loops fit no more, and as many sentences as a report has say why.
OVERLOADED = ("random", 96)
MOST_WHEN_OVERLOADED = 400_000_000
# A sketch with as many loops as it can have.
SKETCH = 255
MOST_OF_A_SKETCH = 5_200_000


@pytest.fixture(scope="session")
def admission(experiment: Callable[[str], ModuleType]) -> Callable[..., tuple[int, int]]:
    folder = build_programs(Path(str(experiment("acceptance").__file__)).parent)

    @cache
    def counted(kind: str, load: int, loops: int = LOOPS, large: int = 0) -> tuple[int, int]:
        """Instructions, and how many loops were admitted."""
        command: list[str | Path] = [folder / "count_admission", kind, str(load), str(loops)]
        if large:
            command.append(str(large))
        counts, printed = count(command, pieces=True)
        return next(c.instructions for c in counts if c.label == "admission"), int(
            printed.split()[0]
        )

    return counted


@pytest.mark.parametrize(("kind", "load"), MOST)
def test_a_thousand_loops_are_admitted(
    kind: str, load: int, admission: Callable[..., tuple[int, int]]
) -> None:
    instructions, placed = admission(kind, load)
    assert placed == LOOPS
    assert instructions <= MOST[kind, load]


@pytest.mark.parametrize(("kind", "load"), TOO_MUCH)
def test_a_refusal_takes_little_longer(
    kind: str, load: int, admission: Callable[..., tuple[int, int]]
) -> None:
    accepted, _ = admission(kind, load)
    refused, placed = admission(kind, load, LOOPS, TOO_MUCH[kind, load])
    assert placed == LOOPS  # and not the one beside them
    assert refused <= MOST_OF_A_REFUSAL * accepted


def test_many_refusals_are_found_soon(admission: Callable[..., tuple[int, int]]) -> None:
    instructions, placed = admission(*OVERLOADED)
    assert LOOPS // 2 < placed < LOOPS * 3 // 4
    assert instructions <= MOST_WHEN_OVERLOADED


def test_a_sketch_with_all_its_loops(admission: Callable[..., tuple[int, int]]) -> None:
    instructions, placed = admission("random", 70, SKETCH)
    assert placed == SKETCH
    assert instructions <= MOST_OF_A_SKETCH
