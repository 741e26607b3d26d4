"""Conditions that hold for a while or occur at an instant: states of pins and parts, and texts on Serial."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from hocket.expect.evidence import Changes, Evidence, NothingToSee, Sent, decimal
from hocket.expect.limits import Limit
from hocket.expect.spans import Span, Spans

Segment = tuple[int, int, str]  # begin, end (exclusive), state
Point = tuple[int, Fraction]  # time, number
Words = tuple[tuple[str, str], ...]  # values of a signal, and the state that they mean

LEVELS: Words = (("1", "high"), ("0", "low"), ("z", "floating"), ("x", "driven both ways"))
LIT: Words = (("1", "lit"), ("0zx", "dark"))
CLOSED: Words = (("1", "closed"), ("0", "open"))
LIT_WHEN_LOW: Words = (("0x", "lit"), ("1z", "dark"))


class Condition(ABC):
    @abstractmethod
    def instants(self, run: Evidence) -> list[int]:
        """Returns the instants at which the condition began or occurred. A state from the start is not
        included."""

    @abstractmethod
    def firsts(self, run: Evidence) -> Iterator[int]:
        """Yields the first instant of each period in which the condition holds, including one from the
        start."""

    @abstractmethod
    def past(self) -> str:
        """Returns the condition in the past: `lamp was lit`."""

    @abstractmethod
    def infinitive(self) -> str:
        """Returns the condition as a requirement: `lamp was to be lit`. `never` can follow `was`."""

    def signals(self) -> Iterable[str]:
        return ()

    def texts(self) -> Iterable[str]:
        return ()


@dataclass(frozen=True)
class State(Condition):
    """`what` is in the state `word`."""

    what: str
    word: str

    @abstractmethod
    def segments(self, run: Evidence) -> list[Segment]:
        """Returns consecutive states, from 0 until after the run's last instant."""

    def spans(self, run: Evidence) -> Spans:
        return Spans.of(
            (begin, end) for begin, end, word in self.segments(run) if word == self.word
        )

    def instants(self, run: Evidence) -> list[int]:
        return [begin for begin, _ in self.spans(run) if begin > 0]

    def firsts(self, run: Evidence) -> Iterator[int]:
        return (begin for begin, _ in self.spans(run))

    def at(self, run: Evidence, instant: int) -> Segment:
        return next(each for each in self.segments(run) if each[0] <= instant < each[1])

    def past(self) -> str:
        return f"{self.what} was {self.word}"

    def infinitive(self) -> str:
        return f"{self.what} was to be {self.word}"


@dataclass(frozen=True)
class Wave(State):
    """A state that a signal shows."""

    signal: str
    words: Words

    def segments(self, run: Evidence) -> list[Segment]:
        names = {value: word for values, word in self.words for value in values}
        changes = changes_of(run, self.signal, self.what, of_nobody=self.word == "floating")
        ends = [*(when for when, _ in changes[1:]), run.end + 1]
        return _joined(
            (begin, end, names[value]) for (begin, value), end in zip(changes, ends, strict=True)
        )

    def signals(self) -> Iterable[str]:
        return (self.signal,)


@dataclass(frozen=True)
class OfPart(Wave):
    """A state that a part's own signal shows. The part must have been used."""

    part: str

    def segments(self, run: Evidence) -> list[Segment]:
        run.wiring.check_part(self.part)
        return super().segments(run)


@dataclass(frozen=True)
class Measured(State):
    """A number of a part within a limit. word: the limit as written. Between two changes the number moves
    linearly: the part records the instant at which it begins to move.

        what    `angle of arm`
        signal  its name in the wave file
        unit    its unit in the wave file, and the size of that unit in the base of the limit
    """

    part: str
    signal: str
    limit: Limit
    unit: tuple[str, int]

    def segments(self, run: Evidence) -> list[Segment]:
        run.wiring.check_part(self.part)
        changes = changes_of(run, self.signal, self.what)
        points = [(when, Fraction(value)) for when, value in changes]
        points.append((run.end + 1, points[-1][1]))
        found: list[Segment] = []
        for begin, end in pairwise(points):
            found += self._on_the_way(begin, end)
        return _joined(found)

    def _on_the_way(self, begin: Point, end: Point) -> Iterator[Segment]:
        """Yields the segments from one point to just before the other. The number may enter the limit at most
        once, and leave it once."""
        (first, low), (last, high) = begin, end
        instants = range(first, last)

        def side(instant: int) -> int:
            """Returns 0 within the limit. Outside, negative before the limit and positive after it, in the
            direction of movement."""
            number = low + (high - low) * Fraction(instant - first, last - first)
            where = self.limit.side(number * self.unit[1])
            return where if low <= high else -where

        if not instants:  # changed again in the same nanosecond
            return
        if side(first) == side(last - 1):
            cuts = [first, last]
        else:
            cuts = [
                first,
                *(first + bisect_left(instants, side_, key=side) for side_ in (0, 1)),
                last,
            ]
        for cut, until in pairwise(cuts):
            if cut < until:
                yield cut, until, self.word if side(cut) == 0 else self._shown(low, high)

    def _shown(self, low: Fraction, high: Fraction) -> str:
        number = decimal(low) if low == high else f"{decimal(low)} to {decimal(high)}"
        return f"{number} {self.unit[0]}".rstrip()

    def signals(self) -> Iterable[str]:
        return (self.signal,)


def _joined(segments: Iterable[Segment]) -> list[Segment]:
    """Returns the segments without empty ones, and with consecutive segments of one state merged."""
    found: list[Segment] = []
    for begin, end, word in segments:
        if begin >= end:
            continue
        if found and found[-1][2] == word:
            found[-1] = (found[-1][0], end, word)
        else:
            found.append((begin, end, word))
    return found


@dataclass(frozen=True)
class Pressed(State):
    """A button that the scenario presses, whether or not its contact bounces."""

    presses: tuple[Span, ...]

    def segments(self, run: Evidence) -> list[Segment]:
        end = run.end + 1
        found: list[Segment] = []
        at = 0
        for begin, until in Spans.of(self.presses).within(0, end):
            if at < begin:
                found.append((at, begin, "released"))
            found.append((begin, until, "pressed"))
            at = until
        return [*found, (at, end, "released")] if at < end else found


@dataclass(frozen=True)
class Text(Condition):
    """A text that the sketch sends on a serial port."""

    text: str
    port: int = 0

    def sent(self, run: Evidence) -> Sent:
        return run.texts.get((self.text, self.port), Sent(0, ()))

    def times(self, run: Evidence, until: int) -> list[int]:
        """Returns the times at which the text was sent, up to and including this instant."""
        sent = self.sent(run)
        if sent.count > len(sent.times) and sent.times[-1] <= until:
            raise NothingToSee(f"it was sent {sent.count} times, too often to look at each")
        return [time for time in sent.times if time <= until]

    def instants(self, run: Evidence) -> list[int]:
        return self.times(run, run.end)

    def firsts(self, run: Evidence) -> Iterator[int]:
        return iter(self.sent(run).times)

    def past(self) -> str:
        return f"{self.name()} was sent"

    def infinitive(self) -> str:
        return f"{self.name()} was to be sent"

    def name(self) -> str:
        shown = self.text.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")
        return f'"{shown}"' + (f" on port {self.port}" if self.port else "")

    def texts(self) -> Iterable[str]:
        return (self.text,)


def changes_of(run: Evidence, signal: str, what: str, of_nobody: bool = False) -> Changes:
    """Returns the changes of a signal. of_nobody: the expectation is that no part drives it."""
    if signal not in run.signals:
        raise NothingToSee(f"nothing in this run used {what}")
    if not of_nobody:
        run.wiring.check_signal(signal, what)
    return run.signals[signal]
