"""E15: what cyclictest says is read as it is meant; above a Linux that works no alarm is late."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from types import ModuleType

import pytest
from tests.campaign import long_form

from hocket.bench import Context, load_experiment
from hocket.errors import HocketError
from hocket.linux.loads import LOADS, overlay, picture
from hocket.linux.repeated import repeated

Load = Callable[..., tuple[ModuleType, Context]]

SAID = """cpu  22 0 147 100 3 0 0 0 0 0
# /dev/cpu_dma_latency set to 0us
# Histogram
000013 001320
000031 000002
# Total: 000001323
# Min Latencies: 00013
# Avg Latencies: 00013
# Max Latencies: 41234
# Histogram Overflows: 00001
cpu  59 0 150 158 5 0 0 0 0 0
"""


def test_a_histogram_is_read_with_what_is_beyond_its_end(load: Load) -> None:
    module, _ = load("two-level", "virt")
    late = module.read_histogram(SAID)
    assert late == Counter({13_000: 1_320, 31_000: 2, 41_234_000: 1})
    case = module.Case("x", "idle", late)
    assert (case.median(), case.worst()) == (13_000, 41_234_000)
    assert module.busy_share(SAID) == pytest.approx(0.4)
    with pytest.raises(HocketError, match="measured nothing"):
        module.read_histogram("cyclictest: not found")


def test_a_curve_has_a_step_for_each_lateness(load: Load) -> None:
    module, _ = load("two-level", "virt")
    at, within, later = module.cumulative(Counter({20: 3, 10: 1}))
    assert (at, within, later) == ([10, 20], [25.0, 100.0], [75.0, 0.0])


def test_what_the_sleeping_loop_says_is_read() -> None:
    thread = load_experiment("two-level", "thread")
    said = "612 1998\r\n700 2\r\nbeyond 1 worst 9000\r\n"
    assert thread.read(said) == Counter({612: 1998, 700: 2, 9000: 1})
    with pytest.raises(HocketError, match="did not tell all"):
        thread.read("612 1998\r\n")


def test_a_load_brings_what_it_plays() -> None:
    names = {load.name: set(overlay(load, "true\n").files) for load in LOADS}
    assert names["idle"] == {"job"} and len(names["film"]) == 26
    assert picture(3) == picture(3) and picture(3) != picture(4)
    assert picture(0)[:2] == b"\xff\xd8"  # JPEG


def test_what_two_runs_agree_on_counts() -> None:
    found = iter([1, 2, 1])
    assert repeated(lambda: next(found)) == 1
    numbers = iter(range(10))
    with pytest.raises(HocketError, match="no two of 6 runs"):
        repeated(lambda: next(numbers))
    assert next(numbers) == 6


@long_form
@pytest.mark.parametrize("number", range(len(LOADS)))
def test_no_load_makes_an_alarm_late(load: Load, number: int) -> None:
    module, _ = load("two-level", "virt")
    above = module.above("linux", LOADS[number], 1, module._flash())
    assert len(above.late) == 1, above.late
    assert sum(above.late.values()) > 4_000


@long_form
def test_a_loop_wakes_as_soon_under_load(load: Load) -> None:
    _, context = load("two-level", "virt")
    thread = load_experiment("two-level", "thread")
    disk = next(each for each in LOADS if each.name == "disk")
    late = thread.late(context, disk, 1, "1G")
    assert sum(late.values()) == 2_000
    assert max(late) < 3_000, late


@long_form
def test_linux_itself_is_late_now_and_then(load: Load) -> None:
    module, _ = load("two-level", "virt")
    disk = next(each for each in LOADS if each.name == "disk")
    alone = module.alone("linux", disk, 1)
    assert alone.busy > 0.5 and alone.worst() > 10 * alone.median()
