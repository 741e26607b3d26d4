"""E13: the period of alarms from 100 us to 10 s, two time bases (EPOS, Table 1).

The paper's Figure 4 as sketches for the Uno, in simavr: main() waits busily, the alarm's handler turns a pin
over, and the simulator notes the cycle.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from hocket.bench import Context, Result
from hocket.boards import find_board
from hocket.builder import build_sketch
from hocket.sketch.folder import find_sketch
from hocket.uno_images import writes

MHZ = 16
PERIODS_US = (100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000)
BASES = {"one-shot": "single-shot", "tick": "periodic"}  # ours, the paper's
CLOCKS_HZ = (7_200, 28_800, 115_200)
# The paper's Table 1, in us: by base, then timer clock, then the periods.
PAPER = {
    ("tick", 7_200): (277, 1944, 10138, 100138, 1000138, 10001388),
    ("tick", 28_800): (173, 1214, 10034, 100034, 1000034, 10000346),
    ("tick", 115_200): (147, 1032, 10008, 100008, 1000016, 10000173),
    ("one-shot", 7_200): (268, 1240, 10128, 100128, 1000128, 10138457),
    ("one-shot", 28_800): (164, 1031, 10059, 100059, 1000094, 10282728),
    ("one-shot", 115_200): (136, 1031, 10033, 100036, 1152970, 10921704),
}
LONGEST_TICK_US = 10_000

PROGRAM = """\
{budgets}#include <epos.h>
{tick}
void handler(void) {{
  PORTD ^= 1 << PD4;
}}

int main() {{
  Handler_Function handler(&::handler);
  Alarm alarm({period}, &handler, Alarm::INFINITE);
  while (true) {{
  }}
}}
"""
# 10,000 events in a second take all of the processor.
TIGHT = """\
#define HOCKET_ALARM_INTERRUPT 14990us, 15ms
#define HOCKET_MAIN_LOOP 1, 500us, 1s, background()
"""


@dataclass(frozen=True)
class Case:
    base: str
    period_us: int

    def text(self) -> str:
        tick = f"HOCKET_TICK({self.tick_us()}us)\n" if self.base == "tick" else ""
        return PROGRAM.format(tick=tick, budgets=self.budgets(), period=self.period_us)

    def budgets(self) -> str:
        return TIGHT if self.period_us < 1_000 else ""

    def tick_us(self) -> int:
        """As in the paper a tick of the period asked for, as far as the base has such a tick."""
        return min(self.period_us, LONGEST_TICK_US)

    def asked(self) -> int:
        """Cycles of the period that is asked for."""
        return self.period_us * MHZ

    def periods(self) -> int:
        """As in the paper 10; 100 where they are short, 1,000 of 100 us and 1 ms."""
        if self.period_us <= 1_000:
            return 1_000
        return 100 if self.period_us <= 100_000 else 10

    def paper_us(self, hz: int = CLOCKS_HZ[-1]) -> int:
        return PAPER[self.base, hz][PERIODS_US.index(self.period_us)]


@dataclass(frozen=True)
class Measured:
    case: Case
    cycles: tuple[int, ...]  # when the events came

    def gaps_us(self) -> list[float]:
        return [(after - before) / MHZ for before, after in pairwise(self.cycles)]

    def mean_us(self) -> float:
        return statistics.fmean(self.gaps_us())

    def deviation_us(self) -> float:
        return statistics.pstdev(self.gaps_us())

    def error_us(self) -> float:
        """Of all periods together."""
        asked = (len(self.cycles) - 1) * self.case.asked()
        return (self.cycles[-1] - self.cycles[0] - asked) / MHZ

    def as_data(self) -> dict[str, Any]:
        gaps = self.gaps_us()
        return {
            "base": self.case.base,
            "period_us": self.case.period_us,
            "periods": len(gaps),
            "mean_us": self.mean_us(),
            "deviation_us": self.deviation_us(),
            "least_us": min(gaps),
            "most_us": max(gaps),
            "error_of_all_us": self.error_us(),
            "paper_us": {str(hz): self.case.paper_us(hz) for hz in CLOCKS_HZ},
        }


ALL = tuple(Case(base, period) for base in BASES for period in PERIODS_US)


def measure(context: Context, cases: Sequence[Case]) -> list[Measured]:
    """Builds the sketches and runs them."""
    return [_run(context, case) for case in cases]


def _run(context: Context, case: Case) -> Measured:
    folder = context.write_sketch(
        f"period_{case.base.replace('-', '_')}_{case.period_us}", case.text()
    )
    image = build_sketch(find_sketch(str(folder)), find_board("uno")).program
    events = case.periods() + 2  # the first one is left out
    seconds = 2 + (events + 2) * case.period_us // 1_000_000
    found = writes(image, "D", events, seconds)
    return Measured(case, tuple(cycle for port, cycle in found if port == "D")[1:])


def run(context: Context) -> Result:
    measured = measure(context, ALL)
    rows: list[Sequence[str | int | float | None]] = [_cells(entry) for entry in measured]
    return Result(
        "E13 timer-period: alarms of 100 us to 10 s (sketches on the Uno, in simavr)",
        (
            "time base",
            "asked",
            "mean",
            "deviation",
            "single periods",
            "error of all periods",
            "paper",
            "paper's error",
        ),
        rows,
        NOTES,
        lambda figure: _plot(figure, measured),
        {"cases": [entry.as_data() for entry in measured]},
    )


NOTES = [
    "Arduino Uno in simavr: 16 MHz, the loops' clock counts half microseconds; cycles counted; no seed: "
    "nothing is left to chance",
    "the handler is called in the interrupt of the timer; main() never waits. Mean and deviation of 100 "
    "periods, 1,000 of 100 us and 1 ms, 10 of those from 1 s on as in the paper",
    "error of all periods: how far the last event is from where all periods together end. The n-th event is "
    "due n periods after the alarm was made, exactly",
    "one-shot: an interrupt where an event is due. tick: HOCKET_TICK() with a tick of the period asked for, "
    f"the best for this base, as in the paper; of {LONGEST_TICK_US // 1000} ms where the period is longer",
    "an event takes some 1,550 cycles, 97 us, and its budget pays a few more: 100 us is a little more than "
    "there is, and with a tick of 100 us much more. Events are late then, and none is lost. Admission "
    "refuses these two sketches",
    "the paper: an 8-bit AVR, the fastest of its three timer clocks (115200 Hz); mean of 10 periods. Its "
    "single-shot base counts periods beyond 65,535 ticks in software: 9.2 % late at 10 s",
]


def _cells(entry: Measured) -> list[str]:
    gaps = entry.gaps_us()
    asked, paper = entry.case.period_us, entry.case.paper_us()
    return [
        entry.case.base,
        f"{asked:,} us",
        f"{entry.mean_us():,.2f} us",
        f"{entry.deviation_us():.2f} us",
        f"{min(gaps):,.1f}–{max(gaps):,.1f} us",
        f"{entry.error_us():+.2f} us",
        f"{paper:,} us",
        f"{(paper - asked) / asked:+.2%}",
    ]


def _plot(figure: Any, measured: Sequence[Measured]) -> None:
    figure.suptitle("E13: how far the mean period is from the one asked for")
    all_axes = figure.subplots(1, 2, sharey=True)
    for axes, base in zip(all_axes, BASES, strict=True):
        own = [entry for entry in measured if entry.case.base == base]
        periods = [entry.case.period_us for entry in own]
        lines = [("Hocket, a sketch on the Uno", "-o", "#0072b2", [e.mean_us() for e in own])]
        for hz, colour in zip(CLOCKS_HZ, ("#d55e00", "#e69f00", "#cc79a7"), strict=True):
            means = [float(entry.case.paper_us(hz)) for entry in own]
            lines.append((f"paper, {hz} Hz", "--x", colour, means))
        for label, style, colour, means in lines:
            errors = [
                100 * abs(mean - period) / period
                for mean, period in zip(means, periods, strict=True)
            ]
            axes.plot(periods, errors, style, color=colour, label=label, markersize=4)
        axes.set_xscale("log")
        axes.set_yscale("symlog", linthresh=1e-4)
        axes.set(xlabel="period asked for (us)", title=base)
        axes.spines[["top", "right"]].set_visible(False)
    all_axes[0].set(ylabel="error of the mean (%)")
    for axes in all_axes:
        axes.legend()
