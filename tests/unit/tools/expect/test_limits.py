"""Numbers with comparisons and tolerances: as people write them, exactly."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hocket.expect.limits import COUNT, Measure, read_limit
from hocket.scenario.units import UnitError

NUMBER = Measure()
HERTZ = Measure("frequency")
SHARE = Measure("share")
TIME = Measure("time")
MICROSECONDS = Measure("time", Fraction(1000))


@pytest.mark.parametrize(
    ("written", "measure", "low", "high", "open_"),
    [
        (10, COUNT, 10, 10, False),
        ("10", COUNT, 10, 10, False),
        (2.5, NUMBER, Fraction(5, 2), Fraction(5, 2), False),
        ("10 ± 1", COUNT, 9, 11, False),
        ("10+-1", COUNT, 9, 11, False),
        ("10 +/- 10 %", COUNT, 9, 11, False),
        ("50 Hz ± 1 %", HERTZ, 49_500, 50_500, False),
        ("50 Hz ± 0.1 Hz", HERTZ, 49_900, 50_100, False),
        ("7.5 % ± 0.5 %", SHARE, 70_000, 80_000, False),
        ("below 5 ms", TIME, None, 5_000_000, True),
        ("< 5ms", TIME, None, 5_000_000, True),
        ("under 5 ms", TIME, None, 5_000_000, True),
        ("at most 5 ms", TIME, None, 5_000_000, False),
        ("<= 5 ms", TIME, None, 5_000_000, False),
        ("≤ 5 ms", TIME, None, 5_000_000, False),
        ("above 3", COUNT, 3, None, True),
        ("over 3", COUNT, 3, None, True),
        ("> 3", COUNT, 3, None, True),
        ("at  least 3", COUNT, 3, None, False),
        (">=3", COUNT, 3, None, False),
        ("≥ 3", COUNT, 3, None, False),
        ("1 s to 2 s", TIME, 10**9, 2 * 10**9, False),
        ("-3 .. 5", NUMBER, -3, 5, False),
        ("below 20", MICROSECONDS, None, 20_000, True),
        ("20 ± 5 %", MICROSECONDS, 19_000, 21_000, False),
        ("20 μs", TIME, 20_000, 20_000, False),
    ],
)
def test_what_people_write(
    written: object, measure: Measure, low: object, high: object, open_: bool
) -> None:
    limit = read_limit(written, measure)
    assert (limit.low, limit.high, limit.open) == (low, high, open_)


@pytest.mark.parametrize(
    ("written", "measure", "fact", "next_step"),
    [
        ("3 Hz", COUNT, "3 Hz is not a number", "write a number without a unit"),
        ("5", TIME, "5 has no unit", "write a time with its unit"),
        ("about 5 s", TIME, "about 5 s is not a time", "below 20 ms, at least 20 ms"),
        ("below 5 V", TIME, "V is not a unit; a time is needed here", "write a time with its unit"),
        (
            "50 Hz ± 1 s",
            HERTZ,
            "s is a unit of time; a frequency is needed here",
            "write a frequency",
        ),
        ("5 ± -1", COUNT, "-1 is not a tolerance", "write it without a sign"),
        ("5 to 3", COUNT, "5 to 3 ends before it begins", "put the smaller number first"),
        (True, COUNT, "a number is needed here", "write below 10, at least 10, 10 ± 1"),
        (None, SHARE, "a number is needed here", "25 % ± 0.5 %"),
        (1.5, COUNT, "1.5 is not a count", "write a whole number from 0 on"),
        (-1, COUNT, "-1 is not a count", "write a whole number from 0 on"),
        ("below 0", COUNT, "no count is below 0", "write 0, or at least 1"),
        ("at least 0", COUNT, "every count is at least 0", "write 0, or at least 1"),
    ],
)
def test_what_is_wrong_is_told(
    written: object, measure: Measure, fact: str, next_step: str
) -> None:
    with pytest.raises(UnitError) as error:
        read_limit(written, measure)
    assert error.value.fact == fact
    assert next_step in error.value.next_step


numbers = st.fractions(-1000, 1000, max_denominator=1000).map(lambda n: round(n, 3))


def written(number: Fraction) -> str:
    return f"{float(number):.3f}"


@given(numbers, numbers.map(abs), numbers)
def test_a_tolerance_holds_what_is_not_farther_away(
    value: Fraction, width: Fraction, other: Fraction
) -> None:
    limit = read_limit(f"{written(value)} ± {written(width)}", NUMBER)
    assert limit.holds(other) == (abs(other - value) <= width)
    assert limit.holds(value + width) and limit.holds(value - width)
    assert not limit.holds(value + width + Fraction(1, 10**12))


@given(numbers, numbers)
def test_comparisons_compare(bound: Fraction, other: Fraction) -> None:
    text = written(bound)
    assert read_limit(f"below {text}", NUMBER).holds(other) == (other < bound)
    assert read_limit(f"at most {text}", NUMBER).holds(other) == (other <= bound)
    assert read_limit(f"above {text}", NUMBER).holds(other) == (other > bound)
    assert read_limit(f"at least {text}", NUMBER).holds(other) == (other >= bound)
    assert read_limit(text, NUMBER).holds(other) == (other == bound)


@given(st.text(alphabet="0123456789 .±+-<>=≤≥%msHzatobelowv\n", max_size=24) | st.text(max_size=12))
def test_any_text_is_a_limit_or_refused(text: str) -> None:
    for measure in (COUNT, NUMBER, TIME, SHARE, MICROSECONDS):
        try:
            limit = read_limit(text, measure)
        except UnitError as error:
            assert error.fact and error.next_step
        else:
            assert limit.low is not None or limit.high is not None
            if limit.low is not None and limit.high is not None:
                assert limit.low <= limit.high and limit.holds((limit.low + limit.high) / 2)
