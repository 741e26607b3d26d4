"""What a victim's own instructions get beside neighbours that cost the kernel as much as they can.

A victim counts units of its own work, and takes its finish times from micros(); neither is the kernel's
account. How long a unit takes is measured by the victim alone on an otherwise empty core. The reproducers
fail where a wake-up is charged to whom it interrupts: then the napping neighbour of the first takes half of
the victim's time (response 133 ms of 90), and the small budgets of the second are served in every other
period only (1,010 of 2,000). Random ones: test_random_neighbours.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from tests.campaign import except_virt, one_in

Report = dict[str, Any]
Run = Callable[..., tuple[int, str, Report]]

HEAD = """\
#include <TimeServices.h>
volatile unsigned long sink;
static void work(unsigned long units) { while (units-- > 0) sink = sink + 1; }
void setup() { Serial.begin(115200); }
"""

# Units that take about 0.1 ms.
TENTH = {"sim": 1700, "virt": 20_000, "uno": 60}
SECONDS = {"sim": 2.0, "virt": 0.6, "uno": 2.0}


def unit_us(run: Run, board: str) -> float:
    """What a unit of work takes alone, by the victim's own clock."""
    units = 50 * TENTH[board]
    text = HEAD + (
        "void periodic(1, 50, 100) {\n  unsigned long begin = micros();\n"
        f"  work({units}UL);\n  unsigned long end = micros();\n"
        '  Serial.print("took "); Serial.println(end - begin);\n}\n'
    )
    status, said, _ = run(f"unit-{board}", 0.45, text, board=board)
    assert status == 0
    took = [int(n) for n in re.findall(r"took (\d+)", said)]
    assert len(took) >= 3
    return min(took) / units


def periodic_victim(number: int, budget_us: int, period_us: int, units: int) -> str:
    """Finishes are told from the first call's release on, of which the next are whole periods away."""
    return (
        f"void periodic({number}, {budget_us}us, {period_us}us) {{\n"
        "  static unsigned long first = 0, calls = 0, worst = 0;\n"
        "  if (calls == 0) first = micros();\n"
        f"  work({units}UL);\n"
        f"  unsigned long response = micros() - first - calls * {period_us}UL;\n"
        "  if (response > worst) worst = response;\n"
        "  ++calls;\n"
        f'  if (calls % 8 == 0) {{ Serial.print("\\nvictim{number} "); Serial.print(calls);\n'
        '    Serial.print(" "); Serial.println(worst); }\n'
        "}\n"
    )


def judge_periodic(said: str, report: Report, number: int, period_us: int, seconds: float) -> None:
    """The victim's own worst response is within the bound; the report says the same."""
    told = re.findall(rf"victim{number} (\d+) (\d+)", said)
    assert told, said[-400:]
    calls, worst = map(int, told[-1])
    (loop,) = (entry for entry in report["loops"] if entry["id"] == number)
    bound = loop["response_bound_us"]
    # micros() counts in steps of up to 4 us; the first call begins up to its bound after its release,
    # which only makes the measured responses smaller.
    assert worst <= bound + 8, f"response {worst} us of {bound}"
    assert calls >= seconds * 1e6 / period_us - 10
    assert loop["deadline_misses"] == 0
    assert loop["max_response_us"] <= bound


NEIGHBOURS = {"sim": "Alarm::delay(3);", "virt": "Alarm::delay(3);", "uno": "Alarm::delay(300);"}


@pytest.mark.parametrize("board", except_virt(NEIGHBOURS))
def test_a_napping_loop_takes_no_more_than_its_budget(run: Run, board: str) -> None:
    """Issue 9, 1 A: 28.8 ms of work in periodic(2, 50, 100) beside 40,100 that naps for ever."""
    units = int(28_800 / unit_us(run, board))
    text = HEAD + f"void loop(1, 40, 100) {{ {NEIGHBOURS[board]} }}\n"
    text += periodic_victim(2, 50_000, 100_000, units)
    seconds = 2 * SECONDS[board]
    status, said, report = run(f"naps-{board}", seconds, text, board=board)
    assert status == 0
    judge_periodic(said, report, 2, 100_000, seconds)


def test_a_waker_on_another_core_takes_no_more_than_the_budget(run: Run) -> None:
    """Issue 9, 1 A: its loop on the victim's core is woken by inter-processor interrupts."""
    units = int(28_800 / unit_us(run, "sim"))
    text = HEAD + "Semaphore bell(0);\n"
    text += "void loop(1, 40, 100, onCore(0)) { bell.p(); }\n"
    text += "void loop(3, 90, 100, onCore(1)) { bell.v(); delayMicroseconds(5); }\n"
    victim = periodic_victim(2, 50_000, 100_000, units)
    text += victim.replace("100000us)", "100000us, onCore(0))", 1)
    status, said, report = run("waker", 4, text, cores=2)
    assert status == 0
    judge_periodic(said, report, 2, 100_000, 4)


@one_in(4)
@pytest.mark.parametrize(
    ("board", "budget_us", "period_us", "seconds"),
    [("sim", 20, 1000, 2.0), ("uno", 600, 10_000, 2.0), ("virt", 2, 3000, 1.0)],
)
def test_a_small_budget_is_served_in_every_period_or_refused(
    run: Run, board: str, budget_us: int, period_us: int, seconds: float
) -> None:
    """Issue 9, 1 B: alone on the core it spins, and its own units are those of a whole budget a period."""
    text = HEAD + (
        "unsigned long units = 0;\n"
        f"void loop(1, {budget_us}us, {period_us}us) {{ units = units + 1; }}\n"
    )
    status, _, report = run(f"small-{board}", seconds, text, board=board)
    if status == 3:
        assert report["admission"]["reasons"] != []
        return
    (loop,) = report["loops"]
    periods = seconds * 1e6 / period_us
    assert loop["budget_exhausted"] >= periods - 2
    assert loop["deadline_misses"] == 0


def test_a_budget_below_the_minimum_is_refused(run: Run) -> None:
    """Issue 9, 1 B."""
    status, _, report = run("below", 0.1, HEAD + "void loop(1, 1us, 1000us) {}\n")
    assert status == 3
    assert report["admission"]["reasons"] != []


@one_in(2)
@pytest.mark.parametrize("board", ["sim", "uno"])
def test_what_naps_lose_to_full_lists_is_within_the_bound(run: Run, board: str) -> None:
    """Issue 9, 1 C: delayMicroseconds(3000); delay(1) under 10,97. On sim the loss was up to 22 %."""
    text = HEAD + (
        "void loop(1, 10, 97) {\n  static unsigned long rounds = 0;\n"
        "  delayMicroseconds(3000);\n"
        '  if (++rounds % 16 == 0) { Serial.print("\\nrounds "); Serial.println(rounds); }\n'
        "  delay(1);\n}\n"
    )
    seconds = 10.0
    status, said, _ = run(f"lists-{board}", seconds, text, board=board)
    assert status == 0
    rounds = int(re.findall(r"rounds (\d+)", said)[-1])
    # 10 ms in every 97 are 3.33 rounds. Not counted: up to 16 rounds since it told, a first period.
    least = {"sim": 0.94, "uno": 0.6}[board]
    assert (rounds + 16) * 3000 >= least * (seconds * 1e6 / 97_000 - 1) * 10_000
