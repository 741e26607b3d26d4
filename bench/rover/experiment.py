"""E8: the rover with two loops and with one: actuation interval, fastest safe speed (Qduino, Listings 1, 2).

The sketches are examples/rover and examples/rover-single, and one whose single loop has the echo timed by an
interrupt handler, without the wait between two pings. A wall appears 1 m ahead of the vehicle, at
many instants of the sketch's rhythm; a speed is safe when at every one the motors change before the
wall is reached. The vehicle of the scenario has no inertia, so that only the reaction time counts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hocket.bench import Context, Result
from hocket.errors import HocketError
from hocket.paths import ROOT

BY_INTERRUPT = "one loop, interrupt"
SKETCHES = {"two loops": "rover", "one loop": "rover-single", BY_INTERRUPT: "interrupt-timed"}
DISTANCE_M = 1.0
# The paper's figures: two loops on Qduino, one loop on Clanton Linux (both on an Intel Galileo). Of its loop
# with an interrupt handler it has a curve only.
PAPER_INTERVAL_MS = {"two loops": (103.0, 103.0), "one loop": (383.0, 591.0)}
PAPER_SPEED = {"two loops": 9.7, "one loop": 1.7}

WALL_AT_US = 1_000_000  # the first instant; by then both sketches have found their rhythm
AFTERWARDS_US = 700_000  # longer than any reaction
SHARP_US = 100  # the worst instants are found to this
SLOW_MM_S = 200  # at this speed every instant leaves time to react
FASTEST_MM_S = 20_000
LINUX_DRIVING_MS = 10_000  # as on virt
STEP_MM_S = 10


@dataclass(frozen=True)
class Size:
    """At how many instants a wall appears, and the microseconds from one to the next (no divisor of
    either rhythm); how many of the worst are sharpened; board time in which the actuation interval is
    measured."""

    walls: int = 80
    gap_us: int = 28_513
    worst: int = 3
    driving: str = "20s"
    linux_pings: int = 3  # that see the wall, one in a run


# A run in QEMU takes the host about ten times as long. These fewer instants find the same worst on sim.
SIZES = {"sim": Size(), "virt": Size(walls=20, gap_us=114_013, worst=1, driving="10s")}


@dataclass(frozen=True)
class Rover:
    """What one sketch achieves. Intervals and reactions: least, mean, most."""

    intervals_ms: tuple[float, float, float]
    reactions_ms: tuple[float, float, float]
    safe_m_s: float
    unsafe_m_s: float

    def by_interval_m_s(self) -> float:
        """The paper's way: the distance divided by the longest actuation interval."""
        return DISTANCE_M / self.intervals_ms[2] * 1000


@dataclass(frozen=True)
class Encounter:
    """One meeting with the wall; None: the motors did not change, the wall was not hit."""

    reaction_us: float | None
    hit_after_us: float | None

    def safe(self) -> bool:
        """The motors changed, and no later than the wall was reached. What comes after, when the rover
        has turned and drives on, is not counted."""
        if self.reaction_us is None:
            return False
        return self.hit_after_us is None or self.hit_after_us > self.reaction_us


QUICK = {board: Size(walls=6, gap_us=380_043, worst=1, driving="5s") for board in SIZES}


def run(context: Context) -> Result:
    return measure(context, SIZES[context.board])


def measure(context: Context, size: Size) -> Result:
    rovers, conditions = {}, ""
    for name, sketch in SKETCHES.items():
        rovers[name], conditions = _rover(context, sketch, size)
    notes = _notes(context, conditions, size)
    data: dict[str, Any] = {
        "paper": {"interval_ms": PAPER_INTERVAL_MS, "safe_m_s": PAPER_SPEED},
        "rovers": {
            name: {**rover.__dict__, "by_interval_m_s": rover.by_interval_m_s()}
            for name, rover in rovers.items()
        },
    }
    linux = context.on_linux()
    theirs = _on_linux(linux, size) if linux else {}
    if linux:
        notes += [linux.CONDITIONS, *_NOTES_ON_LINUX]
        data["linux"] = {name: rover.__dict__ for name, rover in theirs.items()}
    return Result(
        f"E8 rover: two loops against one ({context.place()})",
        ("", *SKETCHES, *theirs, "paper: Qduino, two loops", "paper: Linux, one loop"),
        _rows(rovers, theirs),
        notes,
        lambda figure: _plot(figure, rovers, context),
        data,
    )


def _on_linux(linux: Any, size: Size) -> dict[str, Any]:
    """By system and threads: what on_linux.py calls Rover."""
    measured = linux.measure(LINUX_DRIVING_MS, size.linux_pings, round(100 * DISTANCE_M))
    return {
        f"{kernel}, {threads}": rover
        for kernel, own in measured.items()
        for threads, rover in own.items()
    }


_NOTES_ON_LINUX = [
    "on Linux the loops are threads of the usual class, and pins are mapped registers, which several threads "
    "can have at once; the paper's way, sysfs, let only one. Seen at the pins: how often the motors are set "
    "while nothing is ahead, and the reaction to a wall that stands 1 m ahead of a rover that stands, from "
    "just before the ping that sees it (least) to just after the ping before (most). No speed is searched",
]


def folder_of(context: Context, sketch: str) -> Path:
    own = context.folder / sketch
    return own if own.is_dir() else ROOT / "examples" / sketch


def _rover(context: Context, sketch: str, size: Size) -> tuple[Rover, str]:
    folder = folder_of(context, sketch)
    # Drives to a wall and turns away, so that the distance changes.
    scenario = ROOT / "examples" / ("rover" if sketch == "rover" else "rover-single")
    driving = context.run_sketch(folder, duration=size.driving, scenario=scenario / "scenario.yaml")
    wheels = driving.report["parts"]["wheels"]
    intervals = tuple(
        wheels[f"{kind}_update_interval_us"] / 1000 for kind in ("min", "mean", "max")
    )
    reactions = _reactions(context, sketch, size)
    # The slowest reactions first: an unsafe speed shows at once.
    walls = sorted(reactions, key=lambda wall: (-reactions[wall], wall))

    def safe_at(speed: int, instants: list[int]) -> bool:
        return all(_meet(context, sketch, speed, wall).safe() for wall in instants)

    # The worst instants decide; that the others are safe, too, is seen at the end.
    worst = walls[: 2 * size.worst]
    fastest = fastest_safe(lambda v: safe_at(v, worst), SLOW_MM_S, FASTEST_MM_S, STEP_MM_S)
    while not safe_at(fastest, walls):
        fastest -= STEP_MM_S
    values = list(reactions.values())
    reaction = (min(values), sum(values) / len(values), max(values))
    return Rover(
        (intervals[0], intervals[1], intervals[2]),
        (reaction[0] / 1000, reaction[1] / 1000, reaction[2] / 1000),
        fastest / 1000,
        (fastest + STEP_MM_S) / 1000,
    ), driving.conditions()


def _reactions(context: Context, sketch: str, size: Size) -> dict[int, float]:
    """Reaction time by the wall's instant, at a speed that leaves time: at regular instants, and at the
    worst ones near them.

    A wall that appears later is answered at the same instant, so the reaction gets shorter and shorter,
    and jumps up where a ping just misses the wall. Before each of the worst regular instants that jump
    is found by bisection.
    """

    def react(wall: int) -> float:
        met = _meet(context, sketch, SLOW_MM_S, wall)
        if met.reaction_us is None or not met.safe():
            raise HocketError(f"{sketch} does not turn away from a wall even at {SLOW_MM_S} mm/s")
        return met.reaction_us

    found = {
        wall: react(wall) for wall in (WALL_AT_US + n * size.gap_us for n in range(size.walls))
    }
    for late in sorted(found, key=lambda wall: (-found[wall], wall))[: size.worst]:
        answered, early = late + found[late], late - size.gap_us
        while late - early > SHARP_US:
            middle = (late + early) // 2
            found[middle] = react(middle)
            # The distance may have changed by millimetres, and the echo with it: half a millisecond.
            if abs(middle + found[middle] - answered) < 500:
                late = middle
            else:
                early = middle
    return found


def fastest_safe(safe: Callable[[int], bool], low: int, high: int, step: int) -> int:
    """By bisection: the speed that is safe while one step more is not. `low` is known to be safe and
    `high` not to be; the faster, the less safe."""
    if safe(high):
        raise HocketError(f"{high} mm/s is still safe", "the search has no upper end")
    steps = (high - low) // step
    good, bad = 0, steps
    while bad - good > 1:
        middle = (good + bad) // 2
        if safe(low + middle * step):
            good = middle
        else:
            bad = middle
    return low + good * step


def _meet(context: Context, sketch: str, speed_mm_s: int, wall_at_us: int) -> Encounter:
    scenario = f"""
parts:
  wheels:
    type: motors
    left: {{forward: 4, backward: 5}}
    right: {{forward: 6, backward: 7}}
    speed: {speed_mm_s} mm/s
    time_constant: 0
    appears: {{at: {wall_at_us} us, ahead: {DISTANCE_M} m}}
  sonar: {{type: hcsr04, trigger: 11, echo: 2, vehicle: wheels}}
"""
    done = context.run_sketch(
        folder_of(context, sketch),
        duration=f"{wall_at_us + AFTERWARDS_US}us",
        scenario_text=scenario,
    )
    wheels = done.report["parts"]["wheels"]
    hit = (
        wheels["collided_at_us"] - wheels["obstacle_appeared_at_us"] if wheels["collided"] else None
    )
    return Encounter(wheels["reaction_us"], hit)


def _rows(rovers: dict[str, Rover], theirs: dict[str, Any]) -> list[list[str]]:
    def three(values: tuple[float, float, float]) -> str:
        return " / ".join(f"{value:.1f}" for value in values) + " ms"

    low, high = PAPER_INTERVAL_MS["one loop"]
    speeds = [f"{speed} m/s" for speed in PAPER_SPEED.values()]
    return [
        [
            "motors set every (least / mean / most)",
            *(three(rover.intervals_ms) for rover in rovers.values()),
            *(three(rover.intervals_ms) for rover in theirs.values()),
            f"{PAPER_INTERVAL_MS['two loops'][0]:.0f} ms",
            f"{low:.0f}–{high:.0f} ms",
        ],
        [
            "1 m / longest interval (the paper's way)",
            *(f"{rover.by_interval_m_s():.2f} m/s" for rover in rovers.values()),
            *(f"{DISTANCE_M / rover.intervals_ms[2] * 1000:.2f} m/s" for rover in theirs.values()),
            *speeds,
        ],
        [
            "reaction to a wall 1 m ahead (least / mean / most)",
            *(three(rover.reactions_ms) for rover in rovers.values()),
            *(three(rover.reactions_ms) for rover in theirs.values()),
            *("–", "–"),
        ],
        [
            "fastest safe speed, found by search",
            *(f"{rover.safe_m_s:.2f} m/s" for rover in rovers.values()),
            *("–" for _ in theirs),
            *("–", "–"),
        ],
    ]


def _notes(context: Context, conditions: str, size: Size) -> list[str]:
    return [
        conditions,
        "the paper's speeds are 1 m divided by its longest actuation interval (1 m / 103 ms = 9.7 m/s, "
        "1 m / 591 ms = 1.7 m/s): the time in which a loop that knows of the wall acts on it",
        "the search counts all of the reaction: the wall may appear just after a ping, and both sketches "
        "wait 200 ms and the echo's time (30 ms when nothing answers) until the next. Two loops cannot "
        "shorten that; the one loop waits 200 ms more between sensing and acting. So the speeds found are "
        "lower than the paper's way gives, and the two rovers are closer to each other",
        f"search: bisection to {STEP_MM_S} mm/s; safe means that the motors change before the wall "
        f"is reached, at each of {size.walls} instants of its appearance, {size.gap_us} us apart, and at the "
        f"worst ones between them (found to {SHARP_US} us). The vehicle has no inertia (time_constant: 0)",
        f"{BY_INTERRUPT}: the handler times the echo, the loop waits for its end and pings again at once. "
        "That ends the wait of 200 ms, and with it what keeps old echoes apart: a real sensor would take "
        "some for the answer, and the simulated one has none. The paper draws it and gives no numbers",
        "the paper's machine is an Intel Galileo at 400 MHz, on which reading and writing pins takes "
        "milliseconds; its one loop ran on Linux. "
        f"On {context.board} these calls take less than a microsecond",
        "a run repeats exactly",
    ]


def _plot(figure: Any, rovers: dict[str, Rover], context: Context) -> None:
    figure.suptitle(f"E8: the rover with two loops and with one ({context.place()})")
    left, right = figure.subplots(1, 2, width_ratios=(2, 3))
    colours = dict(zip(rovers, ("#0072b2", "#d55e00", "#009e73"), strict=True))
    paper: dict[str, Any] = {"color": "#dddddd", "edgecolor": "#777777", "hatch": "xxx"}

    for place, (name, rover) in enumerate(rovers.items()):
        least, mean, most = rover.intervals_ms
        left.bar(place - 0.2, most, 0.36, color=colours[name])
        left.errorbar(place - 0.2, mean, [[mean - least], [most - mean]], color="black", capsize=4)
        _say(left, place - 0.2, most, f"{most:.0f}")
        if name not in PAPER_INTERVAL_MS:
            continue
        low, high = PAPER_INTERVAL_MS[name]
        left.bar(place + 0.2, high, 0.36, **paper)
        left.errorbar(
            place + 0.2,
            (low + high) / 2,
            [[(high - low) / 2]] * 2,
            fmt="none",
            color="black",
            capsize=4,
        )
        _say(left, place + 0.2, high, f"{high:.0f}")
    left.set_xticks(range(len(rovers)), [name.replace(", ", ",\n") for name in rovers])
    left.set(ylabel="time between settings of the motors (ms)")
    left.set_title("actuation interval: the longest, and the range", fontsize="medium")

    groups = ["by search", "1 m / longest\ninterval", "paper: 1 m /\nlongest interval"]
    for offset, (name, rover) in zip((-0.27, 0, 0.27), rovers.items(), strict=True):
        speeds = [rover.safe_m_s, rover.by_interval_m_s()]
        speeds += [PAPER_SPEED[name]] if name in PAPER_SPEED else []
        for place, speed in enumerate(speeds):
            own = {**paper, "edgecolor": colours[name]} if place == 2 else {"color": colours[name]}
            right.bar(place + offset, speed, 0.25, label=name if place == 0 else None, **own)
            _say(right, place + offset, speed, f"{speed:.1f}")
    right.set_xticks(range(len(groups)), groups)
    right.set(ylabel="speed (m/s)")
    right.set_title("fastest safe speed, wall 1 m ahead", fontsize="medium")
    right.bar(0, 0, label="paper, another machine\n(Intel Galileo, 400 MHz)", **paper)
    right.legend(frameon=False, loc="upper left", fontsize="small")
    right.set_ylim(
        0, 1.35 * max(*PAPER_SPEED.values(), *(r.by_interval_m_s() for r in rovers.values()))
    )
    for axes in (left, right):
        axes.spines[["top", "right"]].set_visible(False)


def _say(axes: Any, x: float, y: float, text: str) -> None:
    axes.annotate(text, (x, y), (0, 3), textcoords="offset points", ha="center", fontsize="small")
