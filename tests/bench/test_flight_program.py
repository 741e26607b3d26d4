"""E11 with short flights: the counts go on evenly, and a late control swings and loses the helicopter."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest
from tests.campaign import long_form

from hocket.bench import Context

Load = Callable[..., tuple[ModuleType, Context]]


@long_form
def test_flights_long_and_late(load: Load) -> None:
    module, context = load("flight")
    size = module.Size(minutes=(1, 2), lates_ms=(0, 20, 40, 80), seconds=40)
    result = module.measure(context, size)
    assert [row[0] for row in result.rows] == ["vcpu", "edf", "hybrid-edf", "mlq"]
    for policy in size.policies:
        one, two = (result.data["long"][policy][minutes] for minutes in ("1", "2"))
        assert (
            one["switches"] > 60 * 1000
        )  # 500 rounds of the monitor, and the readers', in a second
        assert two["switches"] == pytest.approx(2 * one["switches"], rel=0.02)
        for flight in (one, two):
            assert flight["late"] == 0 and flight["upset_s"] is None
            assert flight["interval_us"][1] - flight["interval_us"][0] < 100
            assert flight["rms_deg"] < 6
    # Beside a loop that never comes back only budgets keep it in the air.
    endless = result.data["endless"]
    for policy in ("vcpu", "edf", "hybrid-edf"):
        assert endless[policy]["upset_s"] is None and endless[policy]["rms_deg"] < 6
        assert endless[policy]["positions"] > 880
    assert endless["mlq"]["upset_s"] > 30 and endless["mlq"]["positions"] < 320
    lates = [result.data["late"][str(late)] for late in size.lates_ms]
    assert [late["upset_s"] is not None for late in lates] == [False, False, False, True]
    swings = [late["rms_deg"] for late in lates[:3]]
    assert swings == sorted(swings) and swings[2] > 3 * swings[0]
    assert len(result.more[1].rows) == 4
    assert result.more[1].rows[-1][-1] != "–"
    assert "seed 1" in result.notes[0]
