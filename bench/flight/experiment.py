"""E11: the flight program for 25 minutes: switches, jitter of control, the helicopter's tilt (EDF-eCos).

The sketch is examples/flight: control at 50 Hz, an AHRS at 100 Hz, GPS at 10 Hz, the servos' feedback, the
ground's commands and a monitor of the serial lines, with a helicopter that is unstable without control. The
experiment consists of a long flight under each policy, one with a loop that computes for ever, and short ones
with an increasing delay of control, until the helicopter is lost.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from hocket.bench import Context, Result, Run
from hocket.paths import ROOT

FLIGHT = ROOT / "examples" / "flight"
SCENARIO = (FLIGHT / "scenario.yaml").read_text(encoding="utf-8")
COMMAND = "{at: 10 s, "  # control is late from here on
ENDLESS = "{at: 30 s, "  # from here on the loop of the commands computes for ever


@dataclass(frozen=True)
class Size:
    """The policies, the ends of the long flights in minutes, the delays of control in the short ones in ms,
    and the duration of the short ones in seconds."""

    policies: tuple[str, ...] = ("vcpu", "edf", "hybrid-edf", "mlq")
    minutes: tuple[int, ...] = (5, 10, 15, 20, 25)
    lates_ms: tuple[int, ...] = (0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 60, 80)
    seconds: int = 70


SIZES = {"sim": Size()}
QUICK = {"sim": Size(("vcpu", "edf"), minutes=(5,), lates_ms=(0, 30, 60), seconds=10)}


@dataclass(frozen=True)
class Flight:
    """What the helicopter and the kernel report about one flight."""

    switches: int
    preemptions: int
    interval_us: tuple[float, float]  # least and most, between two control packets
    age_us: tuple[float, float]  # mean and most, of the attitude at a control packet
    rms_deg: float
    most_deg: float
    late: int
    upset_s: float | None
    positions: int  # GPS packets whose bytes the sketch has read

    @staticmethod
    def of(run: Run) -> Flight:
        it, counters = run.report["parts"]["helicopter"], run.report["counters"]
        upset = it["upset_at_us"]
        return Flight(
            counters["thread_switches"],
            counters["preemptions"],
            (it["min_control_interval_us"], it["max_control_interval_us"]),
            (it["mean_attitude_age_us"], it["max_attitude_age_us"]),
            it["tilt_rms_deg"],
            it["tilt_most_deg"],
            it["controls_late"],
            None if upset is None else upset / 1e6,
            run.report["serial"][2]["bytes_received"] // 25,
        )


def run(context: Context) -> Result:
    return measure(context, SIZES[context.board])


def measure(context: Context, size: Size) -> Result:
    long: dict[str, dict[int, Flight]] = {}
    conditions = ""
    for policy in size.policies:
        long[policy] = {}
        for minutes in size.minutes:  # the same flight, with as many observations
            done = context.run_sketch(
                FLIGHT,
                duration=f"{minutes}min",
                scenario=FLIGHT / "scenario.yaml",
                policy=policy,
            )
            long[policy][minutes], conditions = Flight.of(done), done.conditions()
    endless = {policy: _endless(context, policy) for policy in size.policies}
    lates = {late: _late(context, late, size) for late in size.lates_ms}
    return Result(
        f"E11 flight: {size.minutes[-1]} minutes of the flight program ({context.place()})",
        ("policy", *(f"switches to {m} min" for m in size.minutes), *FELT),
        [
            [policy, *_each_span(flights), *_felt(flights[size.minutes[-1]])]
            for policy, flights in long.items()
        ],
        [
            conditions,
            "switches: thread switches since the time before. The paper has about 2 % fewer with "
            "Hybrid-EDF than with MLQ, as a plot; its helicopter and its board are not ours",
            "here the six loops take 1 % of the processor, and nobody is preempted: each runs to its end "
            "before another one is to run, under any policy, and so the counts are the same but for a few",
            "control every: least to most time between two control packets at the servos; attitude's age: "
            "mean and most, from its measurement to the control packet that is made from it",
            "tilt: how far the mast is from upright, in gusts of 2 m/s; 1 % of all packets is broken. "
            "hybrid-edf: all six have budgets and deadlines, so it is edf",
        ],
        lambda figure: _plot(figure, lates, size, context),
        {
            "long": {
                policy: {str(minutes): flight.__dict__ for minutes, flight in flights.items()}
                for policy, flights in long.items()
            },
            "endless": {policy: flight.__dict__ for policy, flight in endless.items()},
            "late": {str(late): flight.__dict__ for late, flight in lates.items()},
        },
        [_endless_table(context, endless), _late_table(context, lates, size)],
    )


def _endless(context: Context, policy: str) -> Flight:
    text = SCENARIO.replace(ENDLESS, f"{ENDLESS}load: 60 s, ")
    return Flight.of(context.run_sketch(FLIGHT, duration="90s", scenario_text=text, policy=policy))


def _each_span(flights: dict[int, Flight]) -> list[str]:
    """Returns the switches between each of the times and the next."""
    counts = [0, *(flight.switches for flight in flights.values())]
    return [f"{after - before:,}" for before, after in pairwise(counts)]


FELT = ("control every", "attitude's age", "tilt rms", "tilt most", "upset at")


def _felt(flight: Flight) -> list[str]:
    return [
        f"{flight.interval_us[0] / 1000:.3f}–{flight.interval_us[1] / 1000:.3f} ms",
        f"{flight.age_us[0] / 1000:.1f}; {flight.age_us[1] / 1000:.1f} ms",
        f"{flight.rms_deg:.1f}°",
        f"{flight.most_deg:.1f}°",
        "–" if flight.upset_s is None else f"{flight.upset_s:.1f} s",
    ]


def _endless_table(context: Context, flights: dict[str, Flight]) -> Result:
    return Result(
        f"E11 flight: from 30 s on the loop of the ground's commands computes for ever ({context.place()})",
        ("policy", "GPS packets", "preemptions", *FELT),
        [
            [policy, f"{flight.positions} of 900", f"{flight.preemptions:,}", *_felt(flight)]
            for policy, flight in flights.items()
        ],
        [
            "the loop has 2 ms in every 20 ms; a policy that enforces no budget lets it have all that the "
            "loops above it leave, and the GPS's loop, below it, never runs again: control holds the "
            "helicopter level, believes that it is where it was last told, and flies on",
        ],
    )


def _late(context: Context, late: int, size: Size) -> Flight:
    text = SCENARIO.replace(COMMAND, f"{COMMAND}late: {late} ms, ")
    return Flight.of(context.run_sketch(FLIGHT, duration=f"{size.seconds}s", scenario_text=text))


def _late_table(context: Context, lates: dict[int, Flight], size: Size) -> Result:
    return Result(
        f"E11 flight: control answers late, from the tenth of {size.seconds} s on ({context.place()})",
        ("late by", "control every", "tilt rms", "tilt most", "upset at"),
        [
            [
                f"{late} ms",
                f"{flight.interval_us[0] / 1000:.1f}–{flight.interval_us[1] / 1000:.1f} ms",
                f"{flight.rms_deg:.1f}°",
                f"{flight.most_deg:.1f}°",
                "–" if flight.upset_s is None else f"{flight.upset_s:.1f} s",
            ]
            for late, flight in lates.items()
        ],
        [
            "late by: from control's release to its answer; its period is 20 ms, and releases that it runs "
            "into are skipped",
            "upset: roll or pitch has come to 60°",
        ],
    )


def _plot(figure: Any, lates: dict[int, Flight], size: Size, context: Context) -> None:
    figure.suptitle(f"E11: the helicopter when control is late ({context.place()})")
    axes = figure.subplots()
    for upset, colour, label in ((False, "#0072b2", "flies"), (True, "#d55e00", "upset")):
        chosen = {late: f for late, f in lates.items() if (f.upset_s is not None) == upset}
        axes.plot(
            list(chosen),
            [f.most_deg for f in chosen.values()],
            "X" if upset else "o",
            color=colour,
            label=f"{label}: most",
        )
        axes.plot(
            list(chosen),
            [f.rms_deg for f in chosen.values()],
            "D" if upset else "s",
            color=colour,
            fillstyle="none",
            label=f"{label}: root mean square",
        )
    axes.axhline(60, color="#999999", linewidth=0.8, linestyle="--")
    axes.set(
        xlabel="control answers so much after its release (ms)",
        ylabel=f"tilt from the vertical in {size.seconds} s (degrees)",
        ylim=(0, max(80, 1.05 * max(f.most_deg for f in lates.values()))),
    )
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
