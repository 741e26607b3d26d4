"""E4: what a loop gets done in each of its periods beside others (Qduino, «Predictability»).

A foreground loop counts and records the count at the end of each period. The permitted difference of the
counts is not chosen. It follows from the event log: each dispatch of the loop and each timer interrupt may
take the board's declared cost, and one count may fall on either side of a period's end.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hocket.bench import Context, Result, Run
from hocket.errors import HocketError
from hocket.trace.eventlog import NO_THREAD, EventKind, EventLog

PERIOD_MS = 100
BUDGETS_MS = (10, 30, 50)
# The end of a sketch's name, and its label in the table.
BESIDE = {"alone": "nothing", "with-2": "2 loops", "with-4": "4 loops"}
RESTLESS = ("30-of-100-with-4-restless", 30, "4 restless")


@dataclass(frozen=True)
class Size:
    """The number of periods in each case, and board time for the rest of setup() and for printing."""

    periods: int = 100
    rest_ms: int = 1000


@dataclass(frozen=True)
class Case:
    """One case: the count of each period, and the permitted difference. None: neither a budget nor a
    difference is guaranteed."""

    budget_ms: int | None
    beside: str
    counts: Sequence[int]
    bound: float | None
    system: str = "Hocket"

    def mean(self) -> float:
        return sum(self.counts) / len(self.counts)

    def spread(self) -> int:
        return max(self.counts) - min(self.counts)

    def spread_percent(self) -> float:
        return 100 * self.spread() / self.mean()

    def count_us(self) -> float | None:
        """Returns the time of one count in us."""
        return None if self.budget_ms is None else self.budget_ms * 1000 / self.mean()


# In QEMU a busy processor takes much of the host's time, so there are fewer periods.
SIZES = {"sim": Size(), "virt": Size(periods=20, rest_ms=200)}
QUICK = {board: Size(periods=5, rest_ms=200) for board in SIZES}


def run(context: Context) -> Result:
    return measure(context, SIZES[context.board])


def measure(context: Context, size: Size) -> Result:
    chosen = [
        (f"{budget}-of-{PERIOD_MS}-{ending}", budget, beside)
        for budget in BUDGETS_MS
        for ending, beside in BESIDE.items()
    ]
    cases, conditions = [], ""
    for sketch, budget, beside in [*chosen, RESTLESS]:
        done = _count(context, sketch, size)
        conditions = done.conditions()
        cases.append(_case(done, size, budget, beside))
    notes = _notes(conditions, cases)
    linux = context.on_linux()
    if linux:
        for kernel, case, counts in linux.measure(BUDGETS_MS, PERIOD_MS, size.periods):
            system = f"{kernel}, {case.of_class}"
            cases.append(Case(case.budget_ms, case.beside, counts, None, system))
        notes += _notes_on_linux(linux.CONDITIONS)
    return Result(
        f"E4 loop-predictability: counts of {size.periods} periods of {PERIOD_MS} ms ({context.place()})",
        (
            *(("system",) if linux else ()),
            *("C/T", "beside", "least", "mean", "most", "spread", "may differ by", "paper"),
        ),
        [[*((case.system,) if linux else ()), *_cells(case)] for case in cases],
        notes,
        lambda figure: _plot(figure, cases, context),
        {
            "cases": [
                {
                    "system": case.system,
                    "budget_ms": case.budget_ms,
                    "beside": case.beside,
                    "bound_counts": case.bound,
                    "count_us": case.count_us(),
                    "counts": list(case.counts),
                }
                for case in cases
            ]
        },
    )


def _count(context: Context, sketch: str, size: Size) -> Run:
    scenario = (
        "parts:\n  size:\n    type: serial\n    port: 0\n"
        f'    send: [{{after: "periods?", wait: 1 ms, text: "{size.periods}\\n"}}]\n'
    )
    # After the counting comes the printing: a line of 16 bytes takes 1.4 ms at 115,200 Bd.
    duration = f"{size.periods * (PERIOD_MS + 2) + size.rest_ms}ms"
    return context.run_sketch(sketch, duration=duration, scenario_text=scenario, log=True)


def _case(done: Run, size: Size, budget_ms: int, beside: str) -> Case:
    counts = [int(text) for text in re.findall(r"^counted (\d+)\r?$", done.serial, re.MULTILINE)]
    if "end of counts" not in done.serial or len(counts) != size.periods:
        raise HocketError(f"{done.report['sketch']} printed {len(counts)} of {size.periods} counts")
    mean = sum(counts) / len(counts)
    cost_us = _declared_cost_us(done, size)
    return Case(budget_ms, beside, counts, cost_us / (budget_ms * 1000 / mean) + 1)


def _declared_cost_us(done: Run, size: Size) -> float:
    """Returns the most that switches and timer interrupts may take from the loop in one of its periods, with
    the number from the log and the board's declared costs."""
    assert done.log is not None
    declared = done.report["overheads"]
    switch = declared["context_switch_us"]
    timer = declared["timer_interrupt_us"] + declared["timer_lateness_us"]
    dispatches, timers = _events_per_period(done.log, size)
    costs = zip(dispatches, timers, strict=True)
    return max(float(switch * times + timer * interrupts) for times, interrupts in costs)


def _events_per_period(log: EventLog, size: Size) -> tuple[list[int], list[int]]:
    """Returns for each period of loop 1 the number of its dispatches and the number of timer interrupts."""
    loop = next(
        e.thread for e in log.events if e.kind == EventKind.NAMED and (e.arg, e.value) == (1, 0)
    )
    start = next(
        e.time_ns
        for e in log.events
        if e.thread == loop
        and e.thread != NO_THREAD
        and e.kind in (EventKind.WAKE, EventKind.DISPATCH)
    )
    dispatches, timers = [0] * size.periods, [0] * size.periods
    for event in log.events:
        period = (event.time_ns - start) // (PERIOD_MS * 1_000_000)
        if not 0 <= period < size.periods:
            continue
        if event.kind == EventKind.DISPATCH and event.thread == loop:
            dispatches[period] += 1
        elif event.kind == EventKind.TIMER:
            timers[period] += 1
    return dispatches, timers


def _cells(case: Case) -> list[str]:
    loops = case.system == "Hocket" and case.beside in ("2 loops", "4 loops")
    threads = case.system == "Linux, SCHED_OTHER" and case.beside in ("2 threads", "4 threads")
    return [
        "–" if case.budget_ms is None else f"{case.budget_ms}/{PERIOD_MS} ms",
        case.beside,
        f"{min(case.counts):,}",
        f"{case.mean():,.1f}",
        f"{max(case.counts):,}",
        f"{case.spread():,} ({case.spread_percent():.4f} %)",
        "–" if case.bound is None else f"{case.bound:.0f}",
        "about the same" if loops else "spikes" if threads else "–",
    ]


def _notes(conditions: str, cases: list[Case]) -> list[str]:
    per_count = 1000 * sum(case.count_us() or 0 for case in cases) / len(cases)
    return [
        conditions,
        f"one count takes {per_count:.0f} ns: an addition and a look at the clock",
        "may differ by: the dispatches and timer interrupts of the period with most of them (from the "
        "event log), each as long as the board declares at most, in counts; and one count more for the "
        "period's end",
        "the paper shows counts only as a plot, from another machine (Intel Galileo, 400 MHz): about the "
        "same value in every period, whatever runs beside; Linux has spikes above and below. The budgets of "
        "its cases are not in its text; those here are ours",
        "the background loops share equally what the foreground leaves of 98 %. Their period is 50 ms, so "
        "they come first and interrupt the foreground loop. The restless ones compute and rest at random",
        "the loop itself sees its period's end, by the clock: the paper's foreground loop was sampled from "
        "outside",
    ]


def _notes_on_linux(conditions: str) -> list[str]:
    return [
        conditions,
        "on Linux the counting thread has the class that stands in the table; those beside it are of the "
        "usual class and take all that it leaves. A count is an addition and clock_gettime()",
        "SCHED_OTHER (the paper's) and SCHED_FIFO have no budget: the first shares the core with who is "
        "there, the second takes all of it but 50 ms in every second (sched_rt_runtime_us, Debian's "
        "setting), and leaves the threads beside it nothing else",
        "SCHED_DEADLINE has C in every T; Debian's kernel sees its end at a tick, each 4 ms, and what "
        "was too much is missing afterwards. HRTICK_DL is a switch of the scheduler's, off by default: "
        "a timer for each budget",
    ]


def _plot(figure: Any, cases: list[Case], context: Context) -> None:
    figure.suptitle(f"E4: counts of a loop in each of its periods ({context.place()})")
    own = [case for case in cases if case.system == "Hocket"]
    theirs = [case for case in cases if case.system.startswith("Linux,")]
    figure.set_size_inches(9, 10 if theirs else 5.4)
    rows = figure.subplots(2 if theirs else 1, 2, squeeze=False)
    _plot_own(*rows[0], own)
    if theirs:
        _plot_linux(*rows[1], own, theirs)
    for axes in rows.flat:
        axes.spines[["top", "right"]].set_visible(False)


def _off(case: Case) -> list[float]:
    """Returns the difference of each count from the mean, in percent."""
    mean = case.mean()
    return [100 * (count - mean) / mean for count in case.counts]


def _plot_own(left: Any, right: Any, cases: list[Case]) -> None:
    colours = {10: "#d55e00", 30: "#0072b2", 50: "#009e73"}
    styles = {"nothing": "-", "2 loops": "--", "4 loops": ":", "4 restless": "-"}
    for case in cases:
        restless = case.beside == RESTLESS[2]
        colour = "#e69f00" if restless else colours[case.budget_ms or 0]
        width = 1.0 if restless else 1.6
        periods = range(1, len(case.counts) + 1)
        line: dict[str, Any] = {
            "color": colour,
            "linestyle": styles[case.beside],
            "linewidth": width,
        }
        left.plot(periods, case.counts, **line)
        right.plot(
            periods, _off(case), label=f"{case.budget_ms}/{PERIOD_MS}, {case.beside}", **line
        )
    for budget in BUDGETS_MS:
        level = max(max(c.counts) for c in cases if c.budget_ms == budget)
        left.annotate(
            f"{budget} ms of {PERIOD_MS} ms", (1, level), (0, 4), textcoords="offset points"
        )
    left.set(xlabel="period", ylabel="counts in the period")
    left.set_ylim(0, 1.12 * max(max(case.counts) for case in cases))
    left.set_title("counts: alone, with 2, with 4 loops beside", fontsize="medium")
    left.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    right.set(xlabel="period", ylabel="difference from the mean (%)")
    edge = 1.6 * max(case.spread_percent() for case in cases)
    right.set_ylim(-edge, edge)
    right.set_title("how far they differ, magnified", fontsize="medium")
    right.legend(frameon=False, fontsize="x-small", ncols=2, loc="upper center")


def _plot_linux(left: Any, right: Any, own: list[Case], theirs: list[Case]) -> None:
    """Plots stock Linux with restless threads and with busy ones, and Hocket at the same scale."""
    for axes, beside, ours in (
        (left, "4 threads", "4 loops"),
        (right, "4 restless", "4 restless"),
    ):
        chosen = [case for case in theirs if case.beside == beside]
        chosen = [case for case in chosen if case.budget_ms in (None, RESTLESS[1])]
        chosen += [case for case in own if case.beside == ours and case.budget_ms == RESTLESS[1]]
        for case in chosen:
            axes.plot(range(1, len(case.counts) + 1), _off(case), label=case.system, linewidth=1.2)
        axes.set(xlabel="period", ylabel="difference from the mean (%)")
        axes.set_title(f"Linux beside {beside}", fontsize="medium")
        axes.legend(frameon=False, fontsize="x-small")
