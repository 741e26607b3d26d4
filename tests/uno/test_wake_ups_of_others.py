"""A handler wakes loops while another one runs, and that one runs on. The loops that are woken pay for the
kernel's work, so the loop that was interrupted does as much as without."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.uno.conftest import Report, Run

WOKEN = range(2, 8)
HEAD = """{include}
volatile unsigned n;
{before}
void gives() {{ {gives} }}
void setup() {{ {setup} }}
void loop(1, 4ms, 30ms, stackBytes(144)) {{ for (;;) n = n + 1; }}
"""
ATTACH = "attachInterrupt(digitalPinToInterrupt(2), gives, RISING);"
# In step with loop 1's periods, in its turn of every second one. (Too late: there is none.)
EDGES = {"alone": "10 s", "beside": "6 ms"}


def each(text: str) -> str:
    return " ".join(text.format(i=i) for i in WOKEN)


def woken(body: str, period: int) -> str:
    return "".join(
        f"void loop({i}, 1ms, {period + i}ms, stackBytes(144)) {{ {body.format(i=i)} }}\n"
        for i in WOKEN
    )


def by_semaphores(
    body: str = "s{i}.p();", period: int = 100, head: str = "", setup: str = ATTACH
) -> str:
    return HEAD.format(
        include=f'{head}#include "hocket/Semaphore.h"',
        before=each("Semaphore s{i}(0);"),
        gives=each("s{i}.v();"),
        setup=setup,
    ) + woken(body, period)


def by_parking() -> str:
    return HEAD.format(
        include='#include "arduino/runtime/system.h"',
        before="",
        gives=each("hocket::sys::unpark({i});"),
        setup=ATTACH,
    ) + woken("hocket::sys::park_until_ns(UINT64_MAX);", 100)


ALARMS = "#define HOCKET_ALARM_INTERRUPT 400us, 10ms\n#include <TimeServices.h>\n"
ALARM = (
    "static Handler_Function handler(&gives); static Alarm alarm({us}, &handler, Alarm::INFINITE);"
)


def run(uno: Run, folder: Path, text: str, edges: str, *options: str) -> Report:
    folder.mkdir(exist_ok=True)
    (folder / f"{folder.name}.ino").write_text(text)
    (folder / "scenario.yaml").write_text(
        f"parts:\n  g: {{type: generator, pin: 2, frequency: 16.6667 Hz, start: {EDGES[edges]}}}\n"
    )
    done = uno(folder, "400ms", *options)
    assert done.status == 0, done.said
    assert done.report["overheads"]["exceeded"] == []
    return done.report


def assert_spared(alone: Report, beside: Report) -> None:
    """Loop 1 has its budget, and as much as without edges. (Its own switches are a little longer or shorter
    with others beside it, which is less than what the six would take.)"""
    before, after = alone["loops"][0], beside["loops"][0]
    assert min(loop["iterations"] for loop in beside["loops"][1:]) >= 5
    least = before["min_cpu_per_period_us"] - 100
    assert after["min_cpu_per_period_us"] >= max(least, after["budget_us"])


@pytest.mark.parametrize(("woken_by", "policy"), [("v", "vcpu"), ("v", "edf"), ("unpark", "vcpu")])
def test_the_interrupted_loop_does_as_much(
    uno: Run, tmp_path: Path, woken_by: str, policy: str
) -> None:
    """By priorities it did 3.885 ms of 4 in a period, with six loops that were woken at once."""
    text = by_semaphores() if woken_by == "v" else by_parking()
    alone, beside = (run(uno, tmp_path / "woken", text, e, "--policy", policy) for e in EDGES)
    assert_spared(alone, beside)


def test_alarms_wake_loops_likewise(uno: Run, tmp_path: Path) -> None:
    def beside(period_us: int) -> Report:
        text = by_semaphores(head=ALARMS, setup=ALARM.format(us=period_us))
        return run(uno, tmp_path / f"alarms{period_us}", text, "alone")

    assert_spared(beside(10_000_000), beside(60_000))


def test_a_woken_loop_has_its_budget_all_the_same(uno: Run, tmp_path: Path) -> None:
    """What it pays is what an activation would have cost it: it does the work of its budget in one go."""
    text = by_semaphores("s{i}.p(); delayMicroseconds(860);", period=30)
    report = run(uno, tmp_path / "works", text, "beside")
    for loop in report["loops"][1:]:
        assert loop["iterations"] >= 5
        assert loop["budget_exhausted"] == 0
        assert loop["max_response_us"] <= loop["response_bound_us"]


def test_admission_counts_a_wake_up_of_each_other_loop(uno: Run, tmp_path: Path) -> None:
    """Where handlers can wake loops: before, and above what handlers take themselves."""
    wakes = run(uno, tmp_path / "woken", by_semaphores(), "alone")
    text = HEAD.format(include="", before="", gives="n = 0;", setup=ATTACH) + woken(
        "delay(9);", 100
    )
    idle = run(uno, tmp_path / "idle", text, "alone")
    once = [report["bounds"]["once"] for report in (idle, wakes)]
    assert once[1] - once[0] == 6 * wakes["bounds"]["costs"]["timer_interrupt"]
