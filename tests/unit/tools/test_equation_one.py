"""Equation 1 of Quest's admission, beside the exact test, in the report and in what `check` prints."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from tests.unit.tools.test_report import FACTS

from hocket.equation_one import limit_of, sum_of
from hocket.report import make_report
from hocket.timing import print_analysis

ASKED = {"loop": (45, 100), "handler": (5, 100), "io": (30, 100)}


def loops(*kinds: str, core: int | None = 0) -> list[dict[str, Any]]:
    example = FACTS["loops"][0]
    return [
        {
            **example,
            "id": number,
            "kind": kind,
            "core": core,
            "budget_us": 1000 * ASKED[kind][0],
            "period_us": 1000 * ASKED[kind][1],
        }
        for number, kind in enumerate(kinds, 1)
    ]


def test_an_io_virtual_cpu_counts_for_more_than_its_share() -> None:
    assert sum_of(loops("loop", "handler")) == pytest.approx(0.50)
    assert sum_of(loops("loop", "handler", "io")) == pytest.approx(0.50 + (2 - 0.3) * 0.3)
    assert limit_of(loops("loop", "handler", "io")) == pytest.approx(2 * (2**0.5 - 1))
    assert limit_of([]) == 1
    best_effort = {"id": 0, "kind": "setup", "budget_us": None, "period_us": None}
    assert sum_of([best_effort]) == 0


def printed(
    capsys: pytest.CaptureFixture[str], policy: str, accepted: bool, *kinds: str
) -> list[str]:
    facts = copy.deepcopy(FACTS)
    facts["policy"] = policy
    facts["admission"]["accepted"] = accepted
    facts["loops"] = loops(*kinds)
    print_analysis(make_report(facts, "s", "sim", "virtual"))
    return capsys.readouterr().out.splitlines()


def test_check_shows_it_where_there_is_an_io_virtual_cpu(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = printed(capsys, "vcpu", True, "loop", "handler", "io")
    at = next(n for n, line in enumerate(lines) if line.startswith("core "))
    assert "by Equation 1" in lines[at]
    assert "101.0 %" in lines[at + 2]
    for policy, kinds in (("vcpu", ("loop",)), ("edf", ("loop", "io"))):
        assert not any("Equation 1" in line for line in printed(capsys, policy, True, *kinds))


def test_a_refusal_has_that_of_all_loops(capsys: pytest.CaptureFixture[str]) -> None:
    lines = " ".join(printed(capsys, "vcpu", False, "loop", "handler", "io"))
    assert (
        "all loops ask for 80.0 % of one core, and for 101.0 % by Equation 1, whose limit is 82.8 %"
        in lines
    )
