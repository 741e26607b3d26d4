"""E11: the flight program for 25 minutes: switches, jitter of control, the helicopter's tilt (EDF-eCos).

The sketch is examples/flight: control at 50 Hz, an AHRS at 100 Hz, GPS at 10 Hz, the servos' feedback,
the ground's commands and a monitor of the serial lines, with a helicopter that cannot stay up by itself.
First a long flight, then short ones in which control answers later and later, until the helicopter is lost.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hocket.bench import Context, Result, Run
from hocket.paths import ROOT

FLIGHT = ROOT / "examples" / "flight"
SCENARIO = (FLIGHT / "scenario.yaml").read_text(encoding="utf-8")
COMMAND = "{at: 10 s, "  # from here on control is late


@dataclass(frozen=True)
class Size:
    """Ends of the long flights, in minutes; how late control is, in ms, in the short ones, and their time."""

    minutes: tuple[int, ...] = (5, 10, 15, 20, 25)
    lates_ms: tuple[int, ...] = (0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 60, 80)
    seconds: int = 70


SIZES = {"sim": Size()}


@dataclass(frozen=True)
class Flight:
    """What the helicopter and the kernel tell of one flight."""

    switches: int
    preemptions: int
    interval_us: tuple[float, float]  # least and most, from one control packet to the next
    age_us: tuple[float, float]  # mean and most, of the attitude at a control packet
    rms_deg: float
    most_deg: float
    late: int
    upset_s: float | None

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
        )


def run(context: Context) -> Result:
    return measure(context, SIZES[context.board])


def measure(context: Context, size: Size) -> Result:
    flights = {}
    conditions = ""
    for minutes in size.minutes:  # the same flight, looked at as often
        done = context.run_sketch(
            FLIGHT, duration=f"{minutes}min", scenario=FLIGHT / "scenario.yaml"
        )
        flights[minutes], conditions = Flight.of(done), done.conditions()
    lates = {late: _late(context, late, size) for late in size.lates_ms}
    return Result(
        f"E11 flight: 25 minutes of the flight program ({context.place()})",
        (
            *("until", "thread switches", "preemptions", "control every", "attitude's age"),
            *("tilt rms", "tilt most", "late"),
        ),
        [_long_row(minutes, flight) for minutes, flight in flights.items()],
        [
            conditions,
            "the paper counts switches per 5 minutes with an MLQ kernel and with Hybrid-EDF, as plots: "
            "about 2 % fewer with Hybrid-EDF. Its helicopter and its board are not ours",
            "control every: least to most time between two control packets at the servos; attitude's age: "
            "mean and most, from its measurement to the control packet that is made from it",
            "the tilt is how far the mast is from upright, in gusts of 2 m/s; 1 % of all packets is broken",
        ],
        lambda figure: _plot(figure, lates, size, context),
        {
            "long": {str(minutes): flight.__dict__ for minutes, flight in flights.items()},
            "late": {str(late): flight.__dict__ for late, flight in lates.items()},
        },
        [_late_table(context, lates, size)],
    )


def _late(context: Context, late: int, size: Size) -> Flight:
    text = SCENARIO.replace(COMMAND, f"{COMMAND}late: {late} ms, ")
    return Flight.of(context.run_sketch(FLIGHT, duration=f"{size.seconds}s", scenario_text=text))


def _long_row(minutes: int, flight: Flight) -> list[str | int | float | None]:
    return [
        f"{minutes} min",
        f"{flight.switches:,}",
        f"{flight.preemptions:,}",
        f"{flight.interval_us[0] / 1000:.3f}–{flight.interval_us[1] / 1000:.3f} ms",
        f"{flight.age_us[0] / 1000:.1f}; {flight.age_us[1] / 1000:.1f} ms",
        f"{flight.rms_deg:.1f}°",
        f"{flight.most_deg:.1f}°",
        flight.late,
    ]


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
            "upset: it has tilted by 60°",
        ],
    )


def _plot(figure: Any, lates: dict[int, Flight], size: Size, context: Context) -> None:
    figure.suptitle(f"E11: the helicopter when control is late ({context.place()})")
    axes = figure.subplots()
    for upset, colour, label in ((False, "#1f6f8b", "flies"), (True, "#c8553d", "upset")):
        chosen = {late: f for late, f in lates.items() if (f.upset_s is not None) == upset}
        axes.plot(
            list(chosen),
            [f.most_deg for f in chosen.values()],
            "o",
            color=colour,
            label=f"{label}: most",
        )
        axes.plot(
            list(chosen),
            [f.rms_deg for f in chosen.values()],
            "o",
            color=colour,
            fillstyle="none",
            label=f"{label}: root mean square",
        )
    axes.axhline(60, color="#999999", linewidth=0.8, linestyle="--")
    axes.set(
        xlabel="control answers so much after its release (ms)",
        ylabel=f"tilt from the vertical in {size.seconds} s (degrees)",
        ylim=(0, 80),
    )
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
