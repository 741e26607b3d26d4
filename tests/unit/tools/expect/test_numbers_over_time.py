"""A part's number at each instant, against a model that looks at every nanosecond of a run of a few dozen."""

from __future__ import annotations

from bisect import bisect_right
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.tools.expect.conftest import Read, read_items

from hocket.expect import Evidence
from hocket.expect.evidence import Wiring

END = 14
SIGNAL = "arm.angle_deg"


def run_of(*points: tuple[int, str]) -> Evidence:
    return Evidence(END, {SIGNAL: list(points)})


def number_at(points: list[tuple[int, str]], instant: int) -> Fraction:
    """On a straight line from one point to the next; of points at one instant the last counts."""
    place = bisect_right([when for when, _ in points], instant) - 1
    begin, low = points[place][0], Fraction(points[place][1])
    if place + 1 == len(points):
        return low
    end, high = points[place + 1][0], Fraction(points[place + 1][1])
    return low + (high - low) * Fraction(instant - begin, end - begin)


@st.composite
def waves(draw: st.DrawFn) -> list[tuple[int, str]]:
    times = [0, *sorted(draw(st.lists(st.integers(0, END), max_size=6)))]
    return [(when, draw(st.sampled_from(["0.000", "1.500", "2", "3.250", "-1"]))) for when in times]


LIMITS = {
    "above 1.5 deg": lambda x: x > Fraction(3, 2),
    "at least 1.5 deg": lambda x: x >= Fraction(3, 2),
    "below 2 deg": lambda x: x < 2,
    "2 deg ± 1 deg": lambda x: 1 <= x <= 3,
    "2 deg": lambda x: x == 2,
}


@given(waves(), st.sampled_from(sorted(LIMITS)), st.integers(0, END), st.integers(0, END))
def test_equals_the_model(points: list[tuple[int, str]], limit: str, a: int, b: int) -> None:
    held = [LIMITS[limit](number_at(points, instant)) for instant in range(END + 1)]
    begin, end = min(a, b), max(a, b) + 1
    cases: list[tuple[dict[str, Any], bool]] = [
        ({"at": f"{a} ns"}, held[a]),
        ({"by": f"{a} ns"}, any(held[: a + 1])),
        ({"from": f"{begin} ns", "by": f"{end - 1} ns"}, any(held[begin:end])),
    ]
    if end <= END:
        cases.append(({"during": [f"{begin} ns", f"{end} ns"]}, all(held[begin:end])))
    for when, met in cases:
        (found,), problems = read_items([{"part": "arm", "angle": limit} | when])
        assert problems == []
        verdict = found.verdict(run_of(*points))
        assert verdict.met == met, (when, held, verdict.seen)


TURNS = run_of((0, "90.000"), (2, "90.000"), (12, "100.000"))
ITEMS = [
    ({"angle": "95 deg ± 1 deg", "at": "7 ns"}, True, "it was 95 deg ± 1 deg"),
    ({"angle": "above 99 deg", "at": "7 ns"}, False, "it was 90 to 100 deg from 2 ns to 12 ns"),
    ({"angle": "above 99 deg", "at": "1 ns"}, False, "it was 90 deg from 0 s to 2 ns"),
    ({"angle": "100 deg", "by": "12 ns"}, True, "it was 100 deg at 12 ns"),
    ({"angle": "above 100 deg", "by": "14 ns"}, False, "until the run's end at 14 ns"),
    ({"angle": "below 95 deg", "from": "3 ns"}, False, "from 7 ns to 12 ns"),
    ({"angle_deg": "90 to 100", "from": "0 s"}, True, ""),
]


@pytest.mark.parametrize(("item", "met", "seen"), ITEMS)
def test_what_is_said(read: Read, item: dict[str, Any], met: bool, seen: str) -> None:
    (found,) = read([{"part": "arm"} | item])
    verdict = found.verdict(TURNS)
    assert verdict.met == met
    assert seen in verdict.seen


def test_as_a_condition_of_others(read: Read) -> None:
    expected = read(
        [
            {
                "part": "lamp",
                "is": "lit",
                "after": {"part": "arm", "angle": "above 94 deg"},
                "within": "2 ns",
            },
            {
                "first": {"part": "arm", "angle": "above 91 deg"},
                "then": {"part": "arm", "angle": "100 deg"},
            },
            {"part": "lamp", "is": "lit", "while": {"part": "arm", "angle": "above 96 deg"}},
        ],
        [{"part": "arm", "angle": "above 101 deg"}],
    )
    lamp = {"D13": [(0, "0"), (8, "1")]}
    run = Evidence(END, {SIGNAL: TURNS.signals[SIGNAL], **lamp})
    assert [each.verdict(run).met for each in expected] == [True, True, True, True]
    assert expected[0].wanted() == (
        "lamp was to be lit within 2 ns after angle of arm was above 94 deg"
    )
    assert {name for each in expected for name in each.signals()} == {SIGNAL, "D13"}


def test_without_a_time_it_is_the_fact_at_the_end(read: Read) -> None:
    (found,) = read([{"part": "arm", "angle": "90 deg"}])
    run = Evidence(END, report={"parts": {"arm": {"angle_deg": 90.0}}})
    assert found.verdict(run).met


def test_nobody_moved_it(read: Read) -> None:
    (found,) = read([{"part": "arm", "angle": "90 deg", "at": "1 ns"}])
    wiring = Wiring(driven=("8",), undriven=("9",), idle={"arm": ("9",)})
    run = Evidence(END, TURNS.signals, wiring=wiring)
    assert found.verdict(run).seen == (
        "arm is on pin 9, and the sketch never drove it (it drove 8)"
    )
