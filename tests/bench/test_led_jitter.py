"""E14 with fewer turns: in the one-shot base nothing comes between but the alarm and the clock's overflow."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from hocket.bench import Context

Load = Callable[..., tuple[ModuleType, Context]]


def test_only_the_tick_disturbs(load: Load) -> None:
    module, context = load("led-jitter")
    one_shot, tick = module.measure(context, 100_000)
    assert one_shot.usual() == tick.usual()
    # All but the overflows are of one length, to the cycle.
    assert len(one_shot.interrupted()) <= one_shot.overflows() + 1
    assert all(0 < turn - one_shot.usual() < 50 for turn in one_shot.interrupted())
    seconds = (sum(one_shot.plain) + sum(one_shot.with_alarm)) / module.HZ
    assert abs(len(one_shot.with_alarm) - 50 * seconds) <= 1
    # A tick each millisecond, but for those in a turn with an alarm.
    seconds = (sum(tick.plain) + sum(tick.with_alarm)) / module.HZ
    ticks = len(tick.interrupted()) + len(tick.with_alarm)
    assert abs(ticks - 1000 * seconds) <= 0.01 * 1000 * seconds + tick.overflows()
    data = [entry.as_data() for entry in (one_shot, tick)]
    assert data[0]["deviation_us"] < 0.05
    assert data[1]["deviation_us"] > 50 * data[0]["deviation_us"]
