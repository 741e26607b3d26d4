"""E8 with few instants: two loops act on time, and the search finds the speed that the reaction allows."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest
from tests.campaign import long_form

from hocket.bench import Context
from hocket.errors import HocketError

Load = Callable[..., tuple[ModuleType, Context]]


@long_form
def test_two_loops_act_sooner_and_may_drive_faster(load: Load) -> None:
    module, context = load("rover")
    result = module.measure(context, module.Size(walls=12, gap_us=28_513, worst=1, driving="10s"))
    two, one = result.data["rovers"]["two loops"], result.data["rovers"]["one loop"]
    assert two["intervals_ms"][2] <= 104
    assert two["intervals_ms"][2] - two["intervals_ms"][0] < 1
    assert 300 < one["intervals_ms"][0] <= one["intervals_ms"][2] < 600
    # The paper's way: the distance over the longest interval.
    assert two["by_interval_m_s"] > 3 * one["by_interval_m_s"]
    # The search counts the sensor's rhythm, which both have: still half as fast again.
    assert two["safe_m_s"] > 1.5 * one["safe_m_s"]
    # With the echo timed by a handler the round is the echo and the 100 ms between settings.
    by_interrupt = result.data["rovers"][module.BY_INTERRUPT]
    assert 101 < by_interrupt["intervals_ms"][0] <= by_interrupt["intervals_ms"][2] < 135
    for rover in (two, one, by_interrupt):
        reaction_s = rover["reactions_ms"][2] / 1000
        assert rover["safe_m_s"] == pytest.approx(module.DISTANCE_M / reaction_s, rel=0.03)
        assert rover["unsafe_m_s"] == pytest.approx(rover["safe_m_s"] + module.STEP_MM_S / 1000)


@long_form
def test_two_loops_act_on_time_in_qemu_as_well(load: Load) -> None:
    """A wall at one instant is met there as on sim: what counts are waits, not speed.

    To two milliseconds: virt takes 1.3 ms longer until its loops begin, and acts so much later ever after.
    """
    answers = {}
    for board in ("sim", "virt"):
        module, context = load("rover", board)
        met = {
            (sketch, speed): module._meet(context, sketch, speed, module.WALL_AT_US)
            for sketch in module.SKETCHES.values()
            for speed in (module.SLOW_MM_S, 2_500)
        }
        answers[board] = met
    for case, ours in answers["virt"].items():
        sims = answers["sim"][case]
        assert ours.safe() == sims.safe(), case
        assert ours.reaction_us == pytest.approx(sims.reaction_us, abs=2000), case
    reactions = {case: met.reaction_us for case, met in answers["virt"].items()}
    assert reactions["rover", 200] < reactions["rover-single", 200]


def test_speeds_that_the_search_tells_apart_are_apart(load: Load) -> None:
    module, context = load("rover")
    wall = module.WALL_AT_US
    met = module._meet(context, "rover-single", module.SLOW_MM_S, wall)
    assert met.safe() and met.reaction_us > 200_000  # it waits that long after sensing
    fast = module._meet(context, "rover-single", 15_000, wall)
    assert not fast.safe() and fast.hit_after_us == pytest.approx(1e6 / 15, rel=0.001)


def test_bisection_ends_at_the_last_safe_step(load: Load) -> None:
    module, _ = load("rover")
    for limit in (200, 209, 210, 777, 19_989):
        found = module.fastest_safe(lambda speed, limit=limit: speed <= limit, 200, 20_000, 10)
        assert found <= limit < found + 10
    with pytest.raises(HocketError, match="still safe"):
        module.fastest_safe(lambda speed: True, 200, 20_000, 10)
