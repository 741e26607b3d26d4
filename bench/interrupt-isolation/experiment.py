"""E7: a loop that finds primes on 70/100 while a pin storms, with up to an edge each microsecond (Qduino).

Interrupts off, then several budgets of the I/O virtual CPU, then the paper's point of equal cost, then the
same sketch with no budget at all: the policy `bitmap` has priorities alone, and the bottom half and the
handler come first. The loop's useful work is counted by the loop: numbers that it has tested. Interrupts that
are received are calls of the handler.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from hocket.bench import Context, Result, Run
from hocket.errors import HocketError

PAPER_RATE = 220
RATES = (PAPER_RATE, 1_000, 10_000, 100_000, 1_000_000)  # edges a second
BUDGETS = (100, 400, 1_000)  # of the I/O virtual CPU, in every 20 ms, in us
LOOP_MS = 70
# The paper divides the processor otherwise until its loop loses as much as Linux's.
EQUAL_COST_LOOP_MS, EQUAL_COST_IO_MS = 48, 40
WITHOUT = "bitmap"  # the policy that has no budgets, and so no I/O virtual CPU

HANDLER_MS = 20  # the handler's period, which the I/O virtual CPU inherits
HANDLER_BUDGET_MS = {LOOP_MS: 2, EQUAL_COST_LOOP_MS: 1}  # what there is room for beside each loop

_SKETCH = """// Made by bench/interrupt-isolation/experiment.py.
volatile unsigned long received;
void edge() {{ ++received; }}
static bool prime(unsigned n) {{
  for (unsigned d = 3; d * d <= n; d += 2) if (n % d == 0) return false;
  return true;
}}
void setup() {{
  {attach}
}}
void loop(1, {loop}, 100) {{ static unsigned n = 3; prime(n); n += 2; }}
"""


@dataclass(frozen=True)
class Size:
    """Board time of each run; it ends with a period of the loop, which begin 1 ms after setup()."""

    seconds: float = 5
    rates: tuple[int, ...] = RATES
    budgets: tuple[int, ...] = BUDGETS


@dataclass(frozen=True)
class Figure:
    """One run. `tested`: numbers that the loop has tested; times in us."""

    rate: int
    loop_ms: int  # the loop's budget, in every 100 ms
    budget: int | None  # of the I/O virtual CPU; None: interrupts are off, or there is none
    budgeted: bool  # there are I/O virtual CPUs; else nobody has a budget
    attached: bool
    tested: int
    edges: int
    top_halves: int
    delivered: int
    lost: int
    merged: int
    pending: int
    least_cpu: float | None  # None: nothing was promised
    io_cpu: float
    misses: int


# On virt each edge is real work for the emulator.
SIZES = {"sim": Size(), "virt": Size(seconds=1, budgets=(100, 1_000))}


QUICK = {
    board: replace(size, seconds=0.5, rates=RATES[:: len(RATES) - 1], budgets=(size.budgets[0],))
    for board, size in SIZES.items()
}


def run(context: Context) -> Result:
    return measure(context, SIZES[context.board])


def measure(context: Context, size: Size) -> Result:
    figures = []
    conditions = ""
    cases = [
        (LOOP_MS, None, True),
        *((LOOP_MS, budget, True) for budget in size.budgets),
        (EQUAL_COST_LOOP_MS, 10 * EQUAL_COST_IO_MS * HANDLER_MS, True),
        (LOOP_MS, None, False),
        (LOOP_MS, 0, False),
    ]
    for loop_ms, budget, budgeted in cases:
        attached = budget is not None
        contract = f"{HANDLER_BUDGET_MS[loop_ms]}, {HANDLER_MS}"
        attach = f"attachInterruptVcpu(2, edge, CHANGE, {contract});" if attached else ""
        if budget:
            attach += f" interruptsVcpu({budget}us, {HANDLER_MS});"
        folder = context.write_sketch("storm", _SKETCH.format(attach=attach, loop=loop_ms))
        for rate in size.rates:
            scenario = f"parts:\n  storm: {{type: generator, pin: 2, frequency: {rate // 2} Hz}}\n"
            duration = f"{1000 * size.seconds + 1:.0f}ms"
            done = context.run_sketch(
                folder,
                duration=duration,
                scenario_text=scenario,
                policy=None if budgeted else WITHOUT,
            )
            check_whole(done, 1000 * size.seconds + 1, may_starve=not budgeted)
            figures.append(_figure(rate, loop_ms, budget or None, budgeted, attached, done))
            if budgeted:
                conditions = done.conditions()
    quiet = {(each.rate, each.budgeted): each for each in figures if not each.attached}
    rows = [_cells(figure, quiet[figure.rate, figure.budgeted]) for figure in figures]
    notes = _notes(conditions)
    data: dict[str, Any] = {"runs": [figure.__dict__ for figure in figures]}
    linux = context.on_linux()
    theirs = _on_linux(linux, size) if linux else []
    if linux:
        rows = [["Hocket", *row] for row in rows] + [_cells_on_linux(each) for each in theirs]
        notes += [linux.CONDITIONS, *_NOTES_ON_LINUX]
        data["linux"] = [each.__dict__ for each in theirs]
    return Result(
        f"E7 interrupt-isolation: primes on 70/100 while a pin storms ({context.place()})",
        (
            *(("system",) if linux else ()),
            "edges/s",
            "I/O C/T",
            "numbers tested",
            "of interrupts off",
            "edges",
            "top halves",
            "received",
            "pending",
            "lost",
            "merged",
            "least cpu/period",
        ),
        rows,
        notes,
        lambda figure: _plot(figure, figures, quiet, theirs, context),
        data,
    )


@dataclass(frozen=True)
class OnLinux:
    """One run on Linux. `quiet`: what the same thread tests without a handler."""

    system: str
    rate: int
    attached: bool
    tested: int
    quiet: int
    edges: int
    received: int

    def share(self) -> float:
        return 100 * self.tested / self.quiet


def _on_linux(linux: Any, size: Size) -> list[OnLinux]:
    length = round(1000 * size.seconds)
    found = []
    for kernel, cases in linux.measure(size.rates, length).items():
        quiet = {case.of_class: case.tested for case in cases if not case.attached}
        found += [
            OnLinux(
                *(f"{kernel}, {case.of_class}", case.rate, case.attached, case.tested),
                *(quiet[case.of_class], case.rate * length // 1000, case.received),
            )
            for case in cases
        ]
    return found


def _cells_on_linux(each: OnLinux) -> list[str]:
    handled = [f"{each.edges:,}", "–", f"{each.received:,}"] if each.attached else ["–"] * 3
    return [
        *(each.system, f"{each.rate:,}", "none" if each.attached else "none, off"),
        *(f"{each.tested:,}", f"{each.share():.2f} %", *handled, "–", "–", "–", "–"),
    ]


_NOTES_ON_LINUX = [
    "on Linux a thread of the class in the table tests the numbers, by its own count, and another one of the "
    "usual class takes the edges from the character device: received are those that it has had by then; the "
    "rest merged, were lost, or wait",
    "SCHED_DEADLINE has 70 ms in every 100 ms, with a timer for its end (HRTICK_DL, off by default). "
    "What Linux does in interrupts comes before all threads; in PREEMPT_RT much of it is a thread, too",
]


def check_whole(done: Run, milliseconds: int, *, may_starve: bool = False) -> None:
    """HocketError where a run did not last as long as it should: its figures would be another run's.

    may_starve: it may end before setup() has returned, where the storm leaves nobody anything.
    """
    lasted, end = done.report["duration_us"], done.report["end"]
    whole = (done.status == 0 and end == "time") or (may_starve and end == "setup")
    if whole and lasted >= 1_000 * milliseconds:
        return
    faults = "; ".join(fault["text"] for fault in done.report["faults"])
    raise HocketError(
        f"a run ended after {lasted:g} us of {1_000 * milliseconds} ({end}, status {done.status})",
        "; ".join((faults, *done.report["notices"])).strip("; "),
    )


def _figure(
    rate: int, loop_ms: int, budget: int | None, budgeted: bool, attached: bool, done: Run
) -> Figure:
    loop = done.loop(1)
    entry = next((e for e in done.report["interrupts"] if e["pin"] == 2), None)
    io = [loop for loop in done.report["loops"] if loop["kind"] == "io"]
    if entry and entry["edges"] != entry["delivered"] + entry["pending"] + entry["lost"]:
        raise HocketError(f"the account does not balance: {entry}")
    return Figure(
        *(rate, loop_ms, budget, budgeted, attached, loop["iterations"]),
        edges=entry["edges"] if entry else 0,
        top_halves=done.report["counters"]["pin_interrupts"] or 0,  # null: a kernel without
        delivered=entry["delivered"] if entry else 0,
        lost=entry["lost"] if entry else 0,
        merged=entry["may_have_merged"] if entry else 0,
        pending=entry["pending"] if entry else 0,
        least_cpu=loop["min_cpu_per_period_us"] if budgeted else None,
        io_cpu=io[0]["cpu_us"] + io[0]["kernel_us"] if io else 0,
        misses=loop["deadline_misses"],
    )


def _cells(figure: Figure, quiet: Figure) -> list[str]:
    return [
        f"{figure.rate:,}",
        _budget_of(figure),
        f"{figure.tested:,}",
        f"{100 * figure.tested / quiet.tested:.2f} %",
        *(f"{figure.edges:,}", f"{figure.top_halves:,}", f"{figure.delivered:,}"),
        *(f"{figure.pending:,}", f"{figure.lost:,}", f"{figure.merged:,}"),
        "–" if figure.least_cpu is None else f"{figure.least_cpu / 1000:.3f} ms",
    ]


def _budget_of(figure: Figure) -> str:
    if figure.budget is not None:
        if figure.loop_ms != LOOP_MS:
            return f"{EQUAL_COST_IO_MS}/100 ms, loop {figure.loop_ms}/100"
        return f"{figure.budget / 1000:g}/{HANDLER_MS} ms"
    if figure.budgeted:
        return "off"
    return "none" if figure.attached else "none, off"


def _notes(conditions: str) -> list[str]:
    return [
        conditions,
        "off: no handler is attached, and the pin storms all the same",
        f"none: the same sketch with `--policy {WITHOUT}`, where nobody has a budget, and the bottom half "
        "and the handler come before the loop; its work is compared with its own without interrupts",
        "received: calls of the handler, which has 2 ms in every 20 ms, 1 ms beside the loop of 48/100. In a "
        "storm they follow the budget of the I/O virtual CPU, whose turns take one edge each, until the "
        "handler's own budget limits them",
        "top halves: interrupts that the processor took. The line is masked from each until the bottom half "
        "finds no edge; what comes meanwhile the detector counts",
        "edges = received + pending + lost in every run; lost: more waited than there is room for; merged: "
        "edges more, that came while the pin's one bit was set, on a board that has one (virt)",
        f"{EQUAL_COST_IO_MS}/100 ms, loop {EQUAL_COST_LOOP_MS}/100: the paper's point of equal cost. Its "
        "loop lost 34 % of its speed there and received 5,369 interrupts, from a pin of 220 Hz; Linux had "
        "30.4 % of its speed left with 2,402 received. (Later numbers take longer to test: in 48/70 of "
        "the time a loop tests some 77 % of the numbers.)",
    ]


def _plot(
    figure: Any,
    figures: list[Figure],
    quiet: dict[tuple[int, bool], Figure],
    theirs: list[OnLinux],
    context: Context,
) -> None:
    figure.suptitle(f"E7: a storm beside a loop of 70/100 ({context.place()})")
    left, right = figure.subplots(1, 2)
    attached = [f for f in figures if f.attached]
    for label in dict.fromkeys(_budget_of(f) for f in attached):
        own = [f for f in attached if _budget_of(f) == label]
        label = f"I/O {label}" if own[0].budgeted else "no I/O virtual CPU"
        rates = [f.rate for f in own]
        shares = [100 * f.tested / quiet[f.rate, f.budgeted].tested for f in own]
        left.plot(rates, shares, "o-", label=label)
        right.plot(rates, [f.delivered for f in own], "o-", label=label)
    for system in dict.fromkeys(each.system for each in theirs):
        on_linux = [each for each in theirs if each.attached and each.system == system]
        left.plot([e.rate for e in on_linux], [e.share() for e in on_linux], "x--", label=system)
        right.plot([e.rate for e in on_linux], [e.received for e in on_linux], "x--", label=system)
    left.set(
        xscale="log",
        xlabel="edges per second",
        ylabel="useful work, % of interrupts off",
        ylim=(0, 105),
    )
    right.set(xscale="log", xlabel="edges per second", ylabel="interrupts received")
    right.set_yscale("symlog", linthresh=100)  # there is a 0
    right.set_ylim(bottom=0)
    for axes in (left, right):
        axes.legend(frameon=False, fontsize="x-small" if theirs else "medium")
        axes.spines[["top", "right"]].set_visible(False)
