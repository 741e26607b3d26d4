"""What can be so for a while, or happen at an instant: states of pins and parts, and texts on Serial."""

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

Segment = tuple[int, int, str]  # from, until just before, in which state
Point = tuple[int, Fraction]  # when, and which number
Words = tuple[tuple[str, str], ...]  # values of a signal, and the state that they mean

LEVELS: Words = (("1", "high"), ("0", "low"), ("z", "floating"), ("x", "driven both ways"))
LIT: Words = (("1", "lit"), ("0zx", "dark"))
CLOSED: Words = (("1", "closed"), ("0", "open"))
LIT_WHEN_LOW: Words = (("0x", "lit"), ("1z", "dark"))


class Condition(ABC):
    @abstractmethod
    def instants(self, run: Evidence) -> list[int]:
        """When it became so, or happened; not what was so from the start."""

    @abstractmethod
    def firsts(self, run: Evidence) -> Iterator[int]:
        """When it was so first after each pause, the start included."""

    @abstractmethod
    def past(self) -> str:
        """`lamp was lit`."""

    @abstractmethod
    def infinitive(self) -> str:
        """`lamp was to be lit`; `never` fits behind `was`."""

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
        """Its states one after the other, from 0 up to behind the run's last instant."""

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
    """A state that a signal of the part's own shows, as far as the part was used."""

    part: str

    def segments(self, run: Evidence) -> list[Segment]:
        run.wiring.check_part(self.part)
        return super().segments(run)


@dataclass(frozen=True)
class Measured(State):
    """A number of a part within a limit; `word` is the limit as it was written. From one change to the next
    the number moves steadily: the part marks the instant at which it begins to move.

    what    `angle of arm`
    signal  its name in the wave file
    unit    that the wave file has it in, and the size of that in the limit's base
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
        """From one point up to just before the other, which has the number's last value on the way. It comes
        into the limit once at most, and leaves it once."""
        (first, low), (last, high) = begin, end
        instants = range(first, last)

        def side(instant: int) -> int:
            """0: within; below before above where it grows, and the other way round where it falls."""
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
    """Without those that are empty; what follows on the same is one with it."""
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
    """A button as the scenario has it pressed, whether or not its contact bounces."""

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
        """When it was sent, up to this instant and at it."""
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
    """of_nobody: what is to be seen is that nobody drives it."""
    if signal not in run.signals:
        raise NothingToSee(f"nothing in this run used {what}")
    if not of_nobody:
        run.wiring.check_signal(signal, what)
    return run.signals[signal]
