"""E6: loops of 40/100, 20/100 and 10/100 by themselves, together, and beside bad company (Qduino, Table IV).

Each loop does a fixed piece of work once. A probe on its pin measures the time from its first instruction to
its last. A second, shorter run in which no work ends shows the processor time of each loop in each of its
periods.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hocket.bench import Context, Result, Run, primes_below
from hocket.errors import HocketError

BUDGETS_MS = {1: 40, 2: 20, 3: 10}
PERIOD_MS = 100
# Sketches with all three loops, and their labels in the table.
COMPANY = {
    "together": "the other two",
    "with-spinner": "and a loop that spins",
    "with-fault": "and a loop that faults",
}


@dataclass(frozen=True)
class Size:
    """below: the work (primes below it). duration: board time that is enough for the slowest loop. busy:
    board time in which even the fastest loop does not finish."""

    below: int = 80_000
    duration: str = "62s"
    busy: str = "10s"


@dataclass(frozen=True)
class Figure:
    """The result of one loop in one case. Times in ms, the processor time per period in us."""

    loop: int
    beside: str
    finished_ms: float
    alone_ms: float
    may_differ_ms: float | None  # None: unknown
    least_cpu_us: float | None
    most_cpu_us: float | None
    system: str = "Hocket"

    def difference_ms(self) -> float:
        return self.finished_ms - self.alone_ms


# The same work. On virt, with one ns for each instruction, it takes an eighth of the time. The faulty loop
# still faults before any other ends.
SIZES = {"sim": Size(), "virt": Size(duration="8s", busy="1500ms")}


def run(context: Context) -> Result:
    return measure(context, SIZES[context.board])


def measure(context: Context, size: Size) -> Result:
    alone = {loop: _both(context, f"loop-{loop}-alone", size) for loop in BUDGETS_MS}
    figures = [_figure(loop, "nobody", alone[loop], alone[loop]) for loop in BUDGETS_MS]
    conditions = alone[1][0].conditions()
    for sketch, beside in COMPANY.items():
        runs = _both(context, sketch, size)
        _check_company(sketch, runs[0])
        figures += [_figure(loop, beside, runs, alone[loop]) for loop in BUDGETS_MS]
    figures.sort(key=lambda figure: figure.loop)
    notes = _notes(conditions)
    linux = context.on_linux()
    if linux:
        figures += _on_linux(linux, size)
        notes += [linux.CONDITIONS, *_NOTES_ON_LINUX]
    return Result(
        f"E6 loop-isolation: three loops, each finds the primes below {size.below:,} ({context.place()})",
        (
            *(("system",) if linux else ()),
            "loop",
            "C/T",
            "beside",
            "time to finish",
            "difference",
            "may differ by",
            "cpu per period",
            "paper",
        ),
        [[*((figure.system,) if linux else ()), *_cells(figure)] for figure in figures],
        notes,
        lambda figure: _plot(figure, figures, context),
        {"loops": [{**f.__dict__, "difference_ms": f.difference_ms()} for f in figures]},
    )


def _on_linux(linux: Any, size: Size) -> list[Figure]:
    found = []
    beside = list(COMPANY.values())
    for kernel, every in linux.measure(size.below, primes_below(size.below)).items():
        for times in every:
            system = f"{kernel}, {times.of_class}"
            for company, ms in (
                ("nobody", times.alone),
                (beside[0], times.together),
                (beside[1], times.with_spinner),
            ):
                found.append(Figure(times.loop, company, ms, times.alone, None, None, None, system))
    return sorted(found, key=lambda figure: figure.system)


_NOTES_ON_LINUX = [
    "on Linux a loop is a thread; SCHED_OTHER (the paper's) has no budgets, SCHED_DEADLINE has the loops', "
    "with a timer for their ends (HRTICK_DL, which is off by default). A thread that faults ends its whole "
    "program",
]


def _both(context: Context, sketch: str, size: Size) -> tuple[Run, Run]:
    """Performs one run to the end of all work, and one that ends before any work does."""
    probes = "".join(f"  loop{loop}: {{type: probe, pin: {20 + loop}}}\n" for loop in BUDGETS_MS)
    scenario = (
        f"parts:\n{probes}  size:\n    type: serial\n    port: 0\n"
        f'    send: [{{after: "below?", wait: 1 ms, text: "{size.below}\\n"}}]\n'
    )
    whole = context.run_sketch(sketch, duration=size.duration, scenario_text=scenario)
    busy = context.run_sketch(sketch, duration=size.busy, scenario_text=scenario)
    early = [p for p in busy.report["parts"].values() if p.get("falling", 0)]
    if early:
        raise HocketError(f"{sketch} finished within {size.busy}", "the work is too small")
    return whole, busy


def _check_company(sketch: str, whole: Run) -> None:
    """Checks the other loops: the spinner has run to the end, the faulty loop has faulted, and no other loop
    has."""
    faulted = [fault["loop"] for fault in whole.report["faults"]]
    if faulted != ([4] if sketch == "with-fault" else []):
        raise HocketError(f"{sketch}: faults in loops {faulted}")
    if sketch == "with-spinner" and whole.loop(4)["iterations"] != 0:
        raise HocketError(f"{sketch}: the spinning loop came to an end")


def _figure(loop: int, beside: str, runs: tuple[Run, Run], alone: tuple[Run, Run]) -> Figure:
    whole, busy = runs
    entry, own = busy.loop(loop), alone[0].loop(loop)
    place_us = whole.loop(loop)["response_bound_us"] - own["response_bound_us"]
    may_differ = 0.0 if whole is alone[0] else (place_us + _switching_us(whole)) / 1000
    return Figure(
        loop,
        beside,
        _took_ms(whole, loop),
        _took_ms(alone[0], loop),
        may_differ,
        entry["min_cpu_per_period_us"],
        entry["max_cpu_per_period_us"],
    )


def _switching_us(done: Run) -> float:
    """Returns the most time that all switches and timer interrupts of a run may have taken, with the board's
    declared costs."""
    declared, counted = done.report["overheads"], done.report["counters"]
    timer = declared["timer_interrupt_us"] + declared["timer_lateness_us"]
    switches = declared["context_switch_us"] * counted["thread_switches"]
    return float(switches + timer * counted["timer_interrupts"])


def _took_ms(done: Run, loop: int) -> float:
    probe = done.report["parts"][f"loop{loop}"]
    if probe["rising"] != 1 or probe["falling"] != 1:
        raise HocketError(f"loop {loop} of {done.report['sketch']} did not end in its time")
    return float(probe["last_edge_us"] - probe["first_edge_us"]) / 1000


def _cells(figure: Figure) -> list[str]:
    alone = figure.beside == "nobody"
    own = figure.system == "Hocket"
    has_budget = not figure.system.endswith("SCHED_OTHER")
    cpu, differ = "–", "–"
    if figure.least_cpu_us is not None and figure.most_cpu_us is not None:
        cpu = f"{figure.least_cpu_us / 1000:.3f}–{figure.most_cpu_us / 1000:.3f} ms"
    if figure.may_differ_ms is not None and not alone:
        differ = f"{figure.may_differ_ms:.1f} ms"
    return [
        str(figure.loop),
        f"{BUDGETS_MS[figure.loop]}/{PERIOD_MS} ms" if has_budget else "–",
        figure.beside,
        f"{figure.finished_ms:,.2f} ms",
        "–" if alone else f"{figure.difference_ms():+,.2f} ms",
        differ,
        cpu,
        "same time" if own and figure.beside == COMPANY["together"] else "–",
    ]


def _notes(conditions: str) -> list[str]:
    return [
        conditions,
        "time to finish: from the first instruction of the work to its last, by a probe on the loop's pin",
        "may differ by: the loop's place in its period (its response bound here, less the bound alone), and "
        "all switches and timer interrupts of the run at the costs that the board declares",
        "loops of one period are served by budget, the smallest first. Where loop 4 (20/100) comes before "
        "loop 1 and faults, loop 1 comes earlier in its period from then on, and so ends that much earlier",
        "cpu per period: least and most processor time in any whole period, while all work lasts",
        "the paper shows a plot only, from another machine (Intel Galileo, 400 MHz; mean of 5 runs): the "
        "same time alone and together. Loops that spin or fault are not in it",
        "one measurement a case: a run repeats exactly",
    ]


def _plot(figure: Any, figures: list[Figure], context: Context) -> None:
    figure.suptitle(f"E6: loops that do not feel each other ({context.place()})")
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    theirs = [entry for entry in figures if entry.system != "Hocket"]
    figures = [entry for entry in figures if entry.system == "Hocket"]
    cases = ["nobody", *COMPANY.values()]
    labels = ["alone", "the three together", "and a loop that spins", "and a loop that faults"]
    colours = ["#000000", "#0072b2", "#e69f00", "#d55e00"]
    width = 0.2
    for place, (case, label, colour) in enumerate(zip(cases, labels, colours, strict=True)):
        own = [entry for entry in figures if entry.beside == case]
        middles = [entry.loop + (place - 1.5) * width for entry in own]
        seconds = [entry.finished_ms / 1000 for entry in own]
        left.bar(middles, seconds, 0.9 * width, color=colour, label=label)
        if case != "nobody":
            shares = [100 * entry.difference_ms() / entry.alone_ms for entry in own]
            right.plot(middles, shares, "o", color=colour, label=label)
    for system, mark in zip(dict.fromkeys(entry.system for entry in theirs), "x+12", strict=False):
        own = [entry for entry in theirs if entry.system == system and entry.beside != "nobody"]
        shares = [100 * entry.difference_ms() / entry.alone_ms for entry in own]
        right.plot(
            [entry.loop + 0.15 for entry in own], shares, mark, label=system, color="#555555"
        )
    names = [f"loop {loop}\n{budget}/{PERIOD_MS}" for loop, budget in BUDGETS_MS.items()]
    left.set(ylabel="time to finish (s)")
    left.set_title("the same work, alone and in company", fontsize="medium")
    left.legend(frameon=False, loc="upper left")
    right.set(ylabel="difference from alone (%)", xlim=(0.5, 3.5))
    worst = max((abs(each) for line in right.lines for each in line.get_ydata()), default=0)
    right.set_ylim(-max(1, 1.1 * worst), max(1, 1.1 * worst))
    if theirs:
        right.set_yscale("symlog", linthresh=1)
        right.legend()
    right.axhline(0, color="#cccccc", linewidth=0.8, zorder=0)
    right.set_title("the difference, magnified", fontsize="medium")
    for axes in (left, right):
        axes.set_xticks(list(BUDGETS_MS), names)
        axes.spines[["top", "right"]].set_visible(False)
