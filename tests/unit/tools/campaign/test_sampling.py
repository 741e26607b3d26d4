"""What varies from run to run: how it is written, and what is drawn."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hocket.campaign.sampling import Planned, plan, read_variation
from hocket.errors import HocketError
from hocket.scenario.settings import Setting, Target, read_setting


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("loop 2 C = 5..30 ms", Target(2, "C")),
        ("LOOP 12 t=1 ms, 2 ms", Target(12, "T")),
        ("obstacle.speed = 0.5..3 m/s", Target(path=("obstacle", "speed"))),
        ("key.pressed.0.at = 1 s .. 2 s", Target(path=("key", "pressed", "0", "at"))),
        ("gps.baud = 9600", Target(path=("gps", "baud"))),
    ],
)
def test_it_is_read_as_people_write_it(text: str, target: Target) -> None:
    assert read_variation(text).target == target


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("loop 2 C", "says no value"),
        ("loop 2 C =", "says no value"),
        ("loop 2 B = 5 ms", "'loop 2 B' is nothing that can be set"),
        ("speed = 5", "'speed' is nothing that can be set"),
        ("loop 2 C = 5", "5 has no unit"),
        ("loop 2 C = 5..30", "has no unit"),
        ("loop 2 C = 5..30 apples", "apples is not a unit"),
        ("loop 2 C = 30..5 ms", "begins above its end"),
        ("loop 2 C = 5 ms..30 us", "has two units"),
        ("loop 2 C = a..b", "is no range"),
        ("loop 2 C = 5...30 ms", "is no range"),
        ("loop 2 C = 5 ms,,6 ms", "has an empty value"),
        ("loop 2 C = 0 ms", "must be above zero"),
        ("loop 2 C = -1..3 ms", "must be above zero"),
    ],
)
def test_what_is_none_is_refused_in_words(text: str, says: str) -> None:
    with pytest.raises(HocketError) as caught:
        read_variation(text)
    assert says in str(caught.value)
    assert "next:" in str(caught.value)


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        read_variation(text).draw(1)
    except HocketError as error:
        assert error.next_step


decimals = st.decimals(-1000, 1000, places=3)


@given(decimals, decimals, st.sampled_from(["ms", "m/s", "%"]), st.integers(0, 2**64 - 1))
def test_a_draw_lies_in_its_range(one: Decimal, other: Decimal, unit: str, seed: int) -> None:
    low, high = sorted((one, other))
    drawn = read_variation(f"part.value = {low}..{high} {unit}").draw(seed)
    number, _, said = drawn.value.partition(" ")
    assert low <= Decimal(number) <= high
    assert said == unit
    assert read_setting(str(drawn)) == drawn, "what is printed can be given again"


def test_both_ends_and_all_between_are_drawn() -> None:
    whole = read_variation("part.count = 1..4")
    assert {whole.draw(seed).value for seed in range(100)} == {"1", "2", "3", "4"}
    chosen = read_variation("part.kind = a, b c, d")
    assert {chosen.draw(seed).value for seed in range(100)} == {"a", "b c", "d"}
    numbers = [float(read_variation("p.x = 0..1 m").draw(s).value.split()[0]) for s in range(2000)]
    assert min(numbers) < 0.01
    assert max(numbers) > 0.99
    assert abs(sum(numbers) / 2000 - 0.5) < 0.03


@given(st.integers(0, 10**6), st.integers(1, 20), st.integers(1, 20))
def test_a_run_is_the_same_however_many_there_are(first: int, count: int, other: int) -> None:
    vary = [read_variation("loop 1 C = 1..9 ms"), read_variation("eye.noise = 0..5 cm")]
    runs = {run.seed: run for run in plan(first, count, vary)}
    for run in plan(first, other, list(reversed(vary))):
        if run.seed in runs:
            assert set(run.settings) == set(runs[run.seed].settings)


def test_a_target_is_given_once() -> None:
    twice = [read_variation("loop 1 C = 1 ms"), read_variation("loop 1 C = 2 ms")]
    with pytest.raises(HocketError, match="given twice"):
        plan(1, 1, twice)
    assert plan(7, 2, []) == [Planned(7), Planned(8)]
    assert str(Setting(Target(1, "C"), "2 ms")) == "loop 1 C = 2 ms"
