"""E14: jitter of a thread that switches LEDs beside a 20 ms alarm, two time bases (EPOS, Figure 7).

The paper's Figure 6 as images for the ATmega328P at 8 MHz in simavr; timer 1 divided by 64 is exactly
its clock of 125 kHz. The simulator notes the cycle of each write to the LEDs' port, and of each alarm.
"""

from __future__ import annotations

import statistics
import subprocess
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from hocket.bench import Context, Result, build_targets
from hocket.errors import HocketError
from hocket.paths import BUILD

HZ = 8_000_000
TICKS_US = {"one-shot": 0, "1 kHz tick": 1000}
# Mean and standard deviation, in us.
PAPER = {"one-shot": (30.56, 0.0191), "1 kHz tick": (31.34, 4.36)}
TURNS = 100_000
OVERFLOW_CYCLES = 65_536 * 64  # from one overflow of the timer to the next
TIMING = BUILD / "sim" / "simulation" / "uno" / "uno_timing"


@dataclass(frozen=True)
class Measured:
    """Turns of the thread's loop in cycles, those with an alarm in them apart."""

    base: str
    plain: tuple[int, ...]
    with_alarm: tuple[int, ...]

    def usual(self) -> int:
        """A turn in which nothing comes between."""
        return Counter(self.plain).most_common(1)[0][0]

    def interrupted(self) -> list[int]:
        """Turns without an alarm in which something came between all the same."""
        usual = self.usual()
        return [turn for turn in self.plain if turn != usual]

    def overflows(self) -> int:
        """How often the timer has come round in that time: these interrupts are the clock's own."""
        return (sum(self.plain) + sum(self.with_alarm)) // OVERFLOW_CYCLES

    def as_data(self) -> dict[str, Any]:
        every = self.plain + self.with_alarm
        return {
            "base": self.base,
            "turns": len(every),
            "usual_us": us(self.usual()),
            "alarms": len(self.with_alarm),
            "interrupted_otherwise": len(self.interrupted()),
            "overflows": self.overflows(),
            "most_added_cycles": max(self.plain) - self.usual(),
            "mean_us": us(statistics.fmean(self.plain)),
            "deviation_us": us(statistics.pstdev(self.plain)),
            "mean_with_alarms_us": us(statistics.fmean(every)),
            "deviation_with_alarms_us": us(statistics.pstdev(every)),
            "histogram_cycles": dict(sorted(Counter(every).items())),
        }


def us(cycles: float) -> float:
    return cycles / HZ * 1_000_000


def measure(turns: int) -> list[Measured]:
    build_targets("sim", "uno_timing")
    build_targets("uno", *(f"led_jitter_{tick}" for tick in TICKS_US.values()))
    return [_run(base, tick, turns) for base, tick in TICKS_US.items()]


def _run(base: str, tick: int, turns: int) -> Measured:
    image = BUILD / "uno" / "arduino" / "cores" / "avr8" / f"led_jitter_{tick}.elf"
    command = [str(part) for part in (TIMING, image, HZ, 600, "B", turns + 1)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise HocketError(f"led_jitter_{tick} cannot be measured", done.stderr.strip()[-300:])
    writes = [(port, int(cycle)) for port, cycle in map(str.split, done.stdout.splitlines())]
    led = [at for port, at in writes if port == "B"]
    alarms = [at for port, at in writes if port == "C"]
    plain, with_alarm = [], []
    for before, after in pairwise(led):
        while alarms and alarms[0] < before:
            alarms.pop(0)
        (with_alarm if alarms and alarms[0] < after else plain).append(after - before)
    return Measured(base, tuple(plain), tuple(with_alarm))


def run(context: Context) -> Result:
    measured = measure(TURNS)
    return Result(
        "E14 led-jitter: the period of a thread beside a 20 ms alarm (ATmega328P at 8 MHz in simavr)",
        (
            "time base",
            "period",
            "interrupted turns",
            "longest",
            "deviation",
            "with the alarms",
            "paper: period",
            "paper: deviation",
        ),
        [_cells(entry) for entry in measured],
        _notes(measured),
        lambda figure: _plot(figure, measured),
        {"bases": [entry.as_data() for entry in measured]},
    )


def _cells(entry: Measured) -> list[str]:
    data = entry.as_data()
    mean, deviation = PAPER[entry.base]
    return [
        entry.base,
        f"{data['mean_us']:.3f} us",
        f"{data['interrupted_otherwise']:,} of {len(entry.plain):,}",
        f"{us(max(entry.plain)):.2f} us",
        f"{_short(data['deviation_us'])}",
        f"{_short(data['deviation_with_alarms_us'])}",
        f"{mean} us",
        _short(deviation),
    ]


def _short(span_us: float) -> str:
    return f"{span_us:.2f} us" if span_us >= 1 else f"{1000 * span_us:.1f} ns"


def _notes(measured: Sequence[Measured]) -> list[str]:
    one_shot = measured[0]
    data = one_shot.as_data()
    alarms = statistics.fmean(one_shot.with_alarm) - one_shot.usual()
    return [
        "ATmega328P in simavr, 8 MHz, timer 1 at 125 kHz; cycles counted; no seed: nothing is left to "
        "chance",
        f"period, interrupted turns, longest, deviation: of the {len(one_shot.plain):,} turns without an "
        f"alarm in them; an undisturbed turn is always {one_shot.usual()} cycles",
        f"one-shot: the {data['interrupted_otherwise']} turns are longer by up to "
        f"{data['most_added_cycles']} cycles: the overflow of the 16-bit timer, once in 524 ms "
        f"({data['overflows']} in this run), by which the clock is extended. Nothing else comes between",
        f"with the alarms: of all turns. An alarm and its handler take {alarms:,.0f} cycles "
        f"({us(alarms):.1f} us) of a turn in the one-shot base, {data['alarms']} times in this run",
        "the paper's deviations are much smaller than an alarm in one turn of 650 would make "
        "them: we read them as those of turns without one",
        "the paper publishes neither its loop nor its processor's clock: periods cannot be compared, and "
        "deviations only between its two bases and between ours",
    ]


def _plot(figure: Any, measured: Sequence[Measured]) -> None:
    figure.suptitle("E14: turns of the LED thread, beside an alarm every 20 ms")
    top, bottom = figure.subplots(2, 1)
    colours = {"one-shot": ("#0072b2", "o"), "1 kHz tick": ("#d55e00", "x")}
    for entry in reversed(measured):
        shown = entry.plain[:3_000]
        colour, mark = colours[entry.base]
        top.plot([us(turn) for turn in shown], mark, markersize=3, color=colour, label=entry.base)
        counted = sorted(Counter(entry.plain).items())
        bottom.plot(
            [us(length) for length, _ in counted],
            [count for _, count in counted],
            mark,
            markersize=4,
            color=colour,
            label=entry.base,
        )
    top.set(xlabel="turn", ylabel="period (us)")
    bottom.set(xlabel="period (us), turns without an alarm", ylabel="turns", yscale="log")
    for axes in (top, bottom):
        axes.legend(frameon=False, loc="upper right")
        axes.spines[["top", "right"]].set_visible(False)
