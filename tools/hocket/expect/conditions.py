"""What can be so for a while, or happen at an instant: states of pins and parts, and texts on Serial."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hocket.expect.evidence import Changes, Evidence, NothingToSee, Sent
from hocket.expect.spans import Span, Spans

Segment = tuple[int, int, str]  # from, until just before, in which state
Words = tuple[tuple[str, str], ...]  # values of a signal, and the state that they mean

LEVELS: Words = (("1", "high"), ("0", "low"), ("z", "floating"), ("x", "driven both ways"))
LIT: Words = (("1", "lit"), ("0zx", "dark"))
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
        found: list[Segment] = []
        changes = changes_of(run, self.signal, self.what, of_nobody=self.word == "floating")
        ends = [*(when for when, _ in changes[1:]), run.end + 1]
        for (begin, value), end in zip(changes, ends, strict=True):
            word = names[value]
            if begin >= end:  # changed again in the same nanosecond
                continue
            if found and found[-1][2] == word:
                found[-1] = (found[-1][0], end, word)
            else:
                found.append((begin, end, word))
        return found

    def signals(self) -> Iterable[str]:
        return (self.signal,)


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
