"""What had the core during a late call, under every policy, against a count from the event log."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.interrupts import generators
from tests.interrupts import loop as loop_of
from tests.interrupts import run as run_with_parts
from tests.sketches import Outcome, kept, start

from hocket.boards import find_board
from hocket.builder import build_sketch
from hocket.sketch.folder import find_sketch
from hocket.timing import misses_line

LoopFacts = dict[str, Any]

WORK = (
    "void setup() {}\nvoid work(unsigned long ms) { while (ms-- > 0) delayMicroseconds(1000); }\n"
)
# Under each policy some calls are late, for different reasons: others, delay(), their own work.
OVERLOAD = (
    WORK + "void periodic(1, 6, 20) { work(random(2, 8)); }\n"
    "void periodic(2, 8, 30) { work(3); if (random(4) == 0) delay(random(40)); work(3); }\n"
    "void periodic(3, 9, 70, catchUp()) { work(random(4, 30)); }\n"
    "void periodic(4, 5, 45) { work(2); delay(random(3)); work(2); }\n"
)
POLICIES = ("vcpu", "edf", "hybrid-edf", "mlq", "bitmap", "lottery")
DISPATCH, WAKE, BLOCK, SLEEP, ITERATION, NAMED = 1, 2, 3, 4, 11, 12
NOBODY = 0xFFFF


@dataclass(frozen=True)
class Event:
    time: int
    kind: int
    thread: int
    value: int


def run(text: str, policy: str, folder: Path, seconds: float, seed: int = 1) -> Outcome:
    image = build_sketch(find_sketch(str(kept("late", text))), find_board("sim"), policy=policy)
    options = ["--log", str(folder / "log.hklog")]
    if policy != "vcpu":
        options += ["--policy", policy]
    return start(image, seconds, folder / "facts.json", seed=seed, options=tuple(options))


def events_of(file: Path) -> tuple[list[Event], dict[int, int]]:
    """The events of the only core, and the loop that each thread runs."""
    events, loops = [], {}
    for time, _, kind, thread, arg, value in struct.iter_unpack("<QBBHIQ", file.read_bytes()[16:]):
        if kind == NAMED and value != 2:
            loops[thread] = arg
        events.append(Event(time, kind, thread, value))
    return events, loops


def overlap(begin: int, end: int, spans: list[tuple[int, int]]) -> int:
    return sum(max(0, min(end, b) - max(begin, a)) for a, b in spans)


def longest_late(
    events: list[Event], thread: int, loop: LoopFacts, catches_up: bool, end: int
) -> tuple[int, int] | None:
    """The longest late call that no earlier one ran into."""
    first = next(e.value for e in events if e.thread == thread and e.kind == SLEEP)
    period, deadline = int(loop["period_us"] * 1000), loop["deadline_us"] * 1000
    release, before, worst = first, 0, None
    ends = [e.time for e in events if e.thread == thread and e.kind == ITERATION]
    for done in [*ends, end]:
        late = done - release > deadline
        if late and release >= before and (not worst or done - release > worst[1] - worst[0]):
            worst = release, done
        release += period
        if not catches_up and release < done:
            release += -(-(done - release) // period) * period
        before = done
    return worst


def waiting_of(events: list[Event], thread: int) -> list[tuple[int, int]]:
    """When the thread waited: a sleep ends at its instant, or when the thread is woken before."""
    spans, since = [], None
    for event in (e for e in events if e.thread == thread):
        if event.kind in (SLEEP, BLOCK):
            since = event
        elif event.kind in (WAKE, DISPATCH) and since is not None:
            end = min(event.time, since.value) if since.kind == SLEEP else event.time
            spans.append((since.time, end))
            since = None
    return spans


@pytest.mark.parametrize("policy", POLICIES)
def test_a_late_call_is_explained_by_what_had_the_core(policy: str, tmp_path: Path) -> None:
    explained = 0
    for seed in range(1, 6):
        outcome = run(OVERLOAD, policy, tmp_path, 2, seed)
        assert outcome.status == 0, outcome.errors
        events, loops = events_of(tmp_path / "log.hklog")
        switches = [e for e in events if e.kind == DISPATCH] + [
            Event(2 * 10**9, DISPATCH, NOBODY, 0)
        ]
        ran: dict[int, list[tuple[int, int]]] = {}
        for one, following in pairwise(switches):
            ran.setdefault(loops.get(one.thread, -1), []).append((one.time, following.time))
        for thread, number in loops.items():
            loop = outcome.loop(number)
            found = longest_late(events, thread, loop, number == 3, 2 * 10**9)
            call = loop["late_call"]
            assert (call is None) == (found is None), (seed, number)
            if call is None or found is None:
                continue
            explained += 1
            begin, end = found
            others = {other["loop"]: other["time_us"] for other in call["others"]}
            own, waiting, rest = call["own_us"], call["waiting_us"], call["rest_us"]
            whole = own + waiting + rest + call["no_budget_us"] + sum(others.values())
            assert whole == pytest.approx(call["response_us"], abs=0.001)
            assert call["response_us"] == pytest.approx((end - begin) / 1000, abs=0.1)
            near = rest + 20  # what interrupts took is in these sums
            assert own == pytest.approx(overlap(begin, end, ran[number]) / 1000, abs=near)
            waited = overlap(begin, end, waiting_of(events, thread)) / 1000
            assert waiting == pytest.approx(waited, abs=near)
            assert rest < 0.02 * call["response_us"] + 50
            if policy in ("mlq", "bitmap", "lottery"):
                assert call["no_budget_us"] == 0
            elif waiting == 0:
                # Others while it had budget: no more than they ran at all.
                for other, time in others.items():
                    assert time <= overlap(begin, end, ran[other]) / 1000 + near
            if waiting == call["no_budget_us"] == 0:
                for other in loops.values():
                    if other != number:
                        time = overlap(begin, end, ran.get(other, [])) / 1000
                        assert others.get(other, 0) == pytest.approx(time, abs=near)
    assert explained >= 5


FIRST = (
    WORK
    + "void periodic(1, 20, 50) { work(19); }\nvoid periodic(2, 39, 70, catchUp()) { work(38); }\n"
)


@pytest.mark.parametrize("policy", ["mlq", "bitmap"])
def test_a_miss_that_another_loop_causes_names_it(policy: str, tmp_path: Path) -> None:
    """39 of 70 ms beside 20 of 50: with a fixed order the second loop is late by two calls of the first."""
    outcome = run(FIRST, policy, tmp_path, 2)
    said = misses_line(outcome.report["loops"])
    assert "loop 1 took 38.0" in said and " of the 76.0" in said, said
    for blamed in ("raise C", "delay()", "never used up"):
        assert blamed not in said


@pytest.mark.parametrize("policy", ["vcpu", "mlq"])
@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("work(1); delay(60);", "the longest late call waited 60"),
        ("work(60);", {"vcpu": "raise C", "mlq": "needed 59.99"}),
    ],
)
def test_waiting_and_long_work_are_told_apart(
    policy: str, body: str, said: str | dict[str, str], tmp_path: Path
) -> None:
    text = WORK + f"void periodic(1, 10, 50) {{ {body} }}\nvoid loop(2, 5, 50) {{ delay(7); }}\n"
    outcome = run(text, policy, tmp_path, 2)
    line = misses_line(outcome.report["loops"])
    assert (said if isinstance(said, str) else said[policy]) in line, line
    assert "loop 2" not in line


def test_waiting_for_budget_is_told(tmp_path: Path) -> None:
    """3 of 10 ms: a loop that computes waits 7 ms each time; one that sleeps for the rest does not wait.

    The call of 2 ms begins behind the 3 ms of loop 1, uses its 1 ms up, and goes on 20 ms after its release.
    """
    text = WORK + (
        "void loop(1, 3, 10) { }\n"
        "void loop(2, 3, 10) { delay(10); }\n"
        "void periodic(3, 1, 20) { work(2); }\n"
    )
    outcome = run(text, "vcpu", tmp_path, 2)
    computes, sleeps, late = (outcome.loop(number) for number in (1, 2, 3))
    assert computes["longest_budget_wait_us"] == pytest.approx(7000, abs=200)
    periods = computes["budget_exhausted"]
    assert computes["budget_wait_us"] == pytest.approx(7000 * periods, rel=0.05)
    assert sleeps["budget_wait_us"] == sleeps["longest_budget_wait_us"] == 0
    assert late["longest_budget_wait_us"] == pytest.approx(16_000, abs=100)
    assert late["late_call"]["no_budget_us"] == pytest.approx(16_000, abs=100)


def test_interrupts_that_make_a_call_late_are_told(tmp_path: Path) -> None:
    """Under a policy without budgets: a direct handler takes about half of the core from a call of 7.5 ms."""
    text = WORK + (
        "volatile unsigned long n;\n"
        "void isr() { delayMicroseconds(100); }\n"
        "void pins() { attachInterruptDirect(2, isr, RISING, 150us, 200us); }\n"
        "void loop(2, 1, 100) { static bool begun; if (!begun) pins(); begun = true; delay(5); }\n"
        "void periodic(1, 1, 10) { for (unsigned long i = 0; i < 190000; i++) n = n + i; }\n"
    )
    scenario = generators([2], "frequency: 4900 Hz")
    status, said, report = run_with_parts(
        tmp_path, "late", text, scenario, "2s", "--policy", "bitmap"
    )
    assert status == 0, said
    call = loop_of(report, 1)["late_call"]
    # 4,900 of them in a second, 100 us each: 49 % of the time, and the kernel's few us.
    assert 0.49 < call["rest_us"] / call["response_us"] < 0.52
    assert call["others"] == [] and call["waiting_us"] == 0
    assert "in the longest late call interrupts took" in " ".join(said.split())
