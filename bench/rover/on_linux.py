"""E8 on Linux: the rover's loops as two threads, and its single one as one (linux/rover.c).

How often the motors are set is seen at the pins of a rover that has nothing ahead. Then a wall appears: the
echo of one ping, whose instant is known because runs repeat, tells of it, and the motors' change is the
reaction. The wall stands for the search of a speed: what counts is the longest time from its appearance,
just after the ping before that one, to the change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from hocket.errors import HocketError
from hocket.linux.comparison import CONDITIONS as CONDITIONS
from hocket.linux.comparison import Interval, Job, Machine, on_each
from hocket.linux.pins import Edge

TRIGGER, FORWARD, ECHO, ACTED = 0, 1, 5, 7  # lines of the program
ROVERS = {"two threads": "two", "one thread": "one"}
PING_DELAY_NS, NS_PER_CM = 450_000, 58_200  # as the part `hcsr04` has it
_LONGEST_ROUND_MS = 340  # from ping to ping
_AFTERWARDS_MS = 700  # longer than any reaction
_FIRST_PING = 3  # by then both have found their rhythm


@dataclass(frozen=True)
class Rover:
    """Least, mean, most, in ms."""

    intervals_ms: tuple[float, float, float]
    reactions_ms: tuple[float, float, float]


def measure(driving_ms: int, pings: int, distance_cm: int) -> dict[str, dict[str, Rover]]:
    """By the kernel's label and by what ROVERS calls it. pings: how many of them see a wall, one in a run."""

    def on(machine: Machine) -> dict[str, Rover]:
        return {
            name: _rover(machine, word, driving_ms, pings, distance_cm)
            for name, word in ROVERS.items()
        }

    return on_each(Path(__file__).parent / "linux", on)


def _rover(machine: Machine, word: str, driving_ms: int, pings: int, distance_cm: int) -> Rover:
    acted = [rise for rise, _ in _drive(machine, word, driving_ms)[ACTED]]
    # Only the same job repeats to the instant: the runs with a wall last as long as the one without.
    length = (_FIRST_PING + pings) * _LONGEST_ROUND_MS + _AFTERWARDS_MS
    sent = [fall for _, fall in _drive(machine, word, length)[TRIGGER]]
    if len(acted) < 3 or len(sent) < _FIRST_PING + pings:
        raise HocketError("the rover did not drive on Linux", f"it sent {len(sent)} pings")
    reactions = []
    for number in range(_FIRST_PING, _FIRST_PING + pings):
        rise = sent[number] + PING_DELAY_NS
        echo = [Edge(rise, ECHO, 1), Edge(rise + distance_cm * NS_PER_CM, ECHO, 0)]
        least = reaction(sent[number], _drive(machine, word, length, echo))
        # A wall that appears between two pings is seen by the later one.
        reactions += [least, least + sent[number] - sent[number - 1]]
    intervals = [later - earlier for earlier, later in pairwise(acted[1:])]
    return Rover(_three(intervals), _three(reactions))


def _drive(
    machine: Machine, word: str, length_ms: int, echo: Sequence[Edge] = ()
) -> dict[int, list[Interval]]:
    return machine.run(Job(f"./rover {word} {length_ms}", (TRIGGER, FORWARD, ACTED), echo)).high


def reaction(ping: int, seen: dict[int, list[Interval]]) -> int:
    """From that ping to the change of the motors, in ns. HocketError: the ping was at another instant,
    or nothing changed."""
    if all(fall != ping for _, fall in seen[TRIGGER]):
        raise HocketError("a run on Linux did not repeat", f"there was no ping at {ping} ns")
    changes = [fall for _, fall in seen[FORWARD] if fall > ping]
    if not changes:
        raise HocketError("the rover did not turn away on Linux", f"after the ping at {ping} ns")
    return changes[0] - ping


def _three(values: Sequence[int]) -> tuple[float, float, float]:
    return min(values) / 1e6, sum(values) / len(values) / 1e6, max(values) / 1e6
