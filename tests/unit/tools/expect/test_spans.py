"""Sets of instants against sets that hold each instant by itself; and expectations of very many spans."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.tools.expect.conftest import Read

from hocket.expect import Evidence
from hocket.expect.evidence import Sent
from hocket.expect.spans import Spans

END = 24
SETS = st.frozensets(st.integers(0, END))
INSTANTS = st.integers(-2, END + 2)


def spans_of(instants: frozenset[int]) -> Spans:
    return Spans.of((each, each + 1) for each in sorted(instants))


def instants_of(spans: Spans) -> frozenset[int]:
    assert all(begin < end for begin, end in spans)
    assert all(before[1] < after[0] for before, after in pairwise(spans))
    return frozenset(each for begin, end in spans for each in range(begin, end))


@given(SETS, SETS)
def test_both_and_without(one: frozenset[int], other: frozenset[int]) -> None:
    assert instants_of(spans_of(one) & spans_of(other)) == one & other
    assert instants_of(spans_of(one).without(spans_of(other))) == one - other


@given(SETS, INSTANTS, INSTANTS)
def test_within_and_first_within(one: frozenset[int], begin: int, end: int) -> None:
    there = one & frozenset(range(begin, end))
    assert instants_of(spans_of(one).within(begin, end)) == there
    assert spans_of(one).first_within(begin, end) == min(there, default=None)
    assert spans_of(one).first() == min(one, default=None)


@given(SETS, INSTANTS)
def test_an_instant_is_in_a_set(one: frozenset[int], instant: int) -> None:
    assert (instant in spans_of(one)) == (instant in one)


# Pin 3 rises every 1,000 ns, pin 4 follows it by 10 ns; "tick" is sent with each rise, "tock" 500 ns later.
MANY = 30_000
PERIOD = 1000


def wave(shift: int) -> list[tuple[int, str]]:
    found = [(0, "0")]
    for number in range(1, MANY):
        at = number * PERIOD + shift
        found += [(at, "1"), (at + PERIOD // 4, "0")]
    return found


def sent(shift: int) -> Sent:
    return Sent(MANY - 1, tuple(number * PERIOD + shift for number in range(1, MANY)))


RUN = Evidence(
    MANY * PERIOD,
    {"D3": wave(0), "D4": wave(10)},
    {("tick", 0): sent(0), ("tock", 0): sent(500)},
)
RISE = {"pin": 3, "is": "high"}
FOLLOWS = {"pin": 4, "is": "high"}


@pytest.mark.parametrize(
    ("expect", "never", "seen"),
    [
        ({**FOLLOWS, "after": RISE, "within": "20 ns"}, None, "29999 times, after 10 ns at most"),
        # Each of them lasts for the half of all the others.
        ({**FOLLOWS, "after": RISE, "within": "15 ms"}, None, "29999 times, after 10 ns at most"),
        ({"serial": "tock", "after": {"serial": "tick"}, "within": "1 us"}, None, "29999 times"),
        ({"serial": "tock", "after": {"serial": "tick"}, "within": "15 ms"}, None, "29999 times"),
        ({**RISE, "while": {"pin": 4, "is": "high"}}, None, "it was low from 1.25 us to 2 us"),
        ({"pin": 4, "is": "low", "while": {"pin": 3, "is": "low"}}, None, "it was high from 1"),
        (None, {"serial": "tock", "while": RISE}, "it never was"),
        (None, {"serial": "tock", "after": RISE, "within": "499 ns"}, "it never was"),
        (None, {**FOLLOWS, "after": {"serial": "tock"}, "within": "400 ns"}, "it never was"),
    ],
)
def test_very_many_spans_are_judged_soon(
    read: Read, expect: dict[str, Any] | None, never: dict[str, Any] | None, seen: str
) -> None:
    """To look at all spans for each of them would take hours."""
    (item,) = read([expect] if expect else [], never=[never] if never else [])
    assert seen in item.verdict(RUN).seen
