"""Who pays where no handler of attachInterrupt() wakes loops. A loop that calls v() between noInterrupts()
and interrupts() pays for that itself. If a handler of the sketch's own (ISR()) calls it, the loops that it
wakes pay."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.uno.conftest import Report, Run
from tests.uno.test_wake_ups_of_others import WOKEN, each

LOOPS = """#include "arduino/runtime/system.h"
#include "hocket/Semaphore.h"
volatile unsigned n;
volatile byte turn;
{before}
{own}
void loop(1, 4ms, 30ms, stackBytes(144)) {{ {gives} for (byte i = 0; i < 100; i++) n = n + 1; }}
"""
BY_SEMAPHORE = ("s{i}.p();", "s{i}.v();")
BY_PARKING = ("hocket::sys::park_until_ns(UINT64_MAX);", "hocket::sys::unpark({i});")
NO_HANDLER = "void setup() {{}}"
# Every 32 ms; the interrupt comes every 4 ms.
HANDLER = """ISR(TIMER2_COMPA_vect) {{ if (++turn % 8 == 0) {{ {gives} }} }}
void setup() {{
  TCCR2A = _BV(WGM21);
  OCR2A = 249;
  TCCR2B = _BV(CS22) | _BV(CS21);
  TIMSK2 = _BV(OCIE2A);
}}
"""


def run(
    uno: Run,
    folder: Path,
    by: tuple[str, str],
    own: str,
    gives: str = "",
    policy: str = "vcpu",
) -> Report:
    """Six loops wait. own, gives: what wakes them, between braces."""
    folder.mkdir()
    gives_all = each(by[1])
    loops = "".join(
        f"void loop({i}, 600us, {29 + i}ms, stackBytes(144)) {{ {by[0].format(i=i)} }}\n"
        for i in WOKEN
    )
    (folder / f"{folder.name}.ino").write_text(
        LOOPS.format(
            before=each("Semaphore s{i}(0);") if by is BY_SEMAPHORE else "",
            own=own.format(gives=gives_all),
            gives=gives.format(
                each=gives_all, apart=each(f"noInterrupts(); {by[1]} interrupts();")
            ),
        )
        + loops
    )
    done = uno(folder, "400ms", "--policy", policy)
    assert done.status == 0, done.said
    assert done.report["overheads"]["exceeded"] == []
    return done.report


def test_what_a_loop_wakes_in_its_section_is_its_own_time(uno: Run, tmp_path: Path) -> None:
    """It was spared an interrupt for each that it asked for itself: 4.468 ms in a period instead of 4.320."""
    reports = [
        run(uno, tmp_path / name, BY_SEMAPHORE, NO_HANDLER, gives)
        for name, gives in (("open", "{each}"), ("masked", "{apart}"))
    ]
    assert [report["bounds"]["once"] for report in reports] == [0, 0]
    most = [report["loops"][0]["max_cpu_per_period_us"] for report in reports]
    assert most[1] <= most[0] + 90
    assert min(loop["iterations"] for loop in reports[1]["loops"][1:]) >= 5


@pytest.mark.parametrize(("by", "policy"), [(BY_SEMAPHORE, "vcpu"), (BY_PARKING, "edf")])
def test_what_a_handler_of_the_sketch_wakes_pays_for_that(
    uno: Run, tmp_path: Path, by: tuple[str, str], policy: str
) -> None:
    """Loop 1 was spared one interrupt for the kernel's work for six loops, and no bound had any of it."""
    report = run(uno, tmp_path / "beside", by, HANDLER, policy=policy)
    costs = report["bounds"]["costs"]
    assert report["bounds"]["once"] == len(WOKEN) * costs["timer_interrupt"]
    first = report["loops"][0]
    assert min(loop["iterations"] for loop in report["loops"][1:]) >= 5
    # Of two periods one is without the handler's wake-ups. With them it does as much, or more.
    assert first["min_cpu_per_period_us"] >= first["budget_us"]
    assert first["max_cpu_per_period_us"] >= first["min_cpu_per_period_us"] + 250


def test_a_handler_that_wakes_no_loop_lengthens_no_bound(uno: Run, tmp_path: Path) -> None:
    handler = HANDLER.replace("{gives}", "n = 0;")
    report = run(uno, tmp_path / "counts", BY_SEMAPHORE, handler, "{each}")
    assert report["bounds"]["once"] == 0


def test_an_unpark_of_a_loop_that_does_not_wait_takes_no_time_of_others(
    uno: Run, tmp_path: Path
) -> None:
    """The permit is kept, and the kernel has nothing to do."""
    asks = ("hocket::sys::park_until_ns(1);", BY_PARKING[1])
    first = run(uno, tmp_path / "asks", asks, HANDLER)["loops"][0]
    assert (
        first["min_cpu_per_period_us"] >= first["max_cpu_per_period_us"] - 120
    )  # the handler itself
