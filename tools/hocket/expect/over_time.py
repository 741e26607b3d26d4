"""Expectations of states and texts: reached in time, held, never, in order."""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from hocket.expect.conditions import Condition, State, Text
from hocket.expect.evidence import Evidence, Expectation, NothingToSee, Verdict, instant
from hocket.expect.limits import Limit
from hocket.expect.spans import Span, Spans


@dataclass(frozen=True)
class Window:
    """A period with an exclusive end. None: until the end of the run."""

    begin: int = 0
    end: int | None = None

    def words(self) -> str:
        if self.end is None:
            return f" from {instant(self.begin)} on" if self.begin else ""
        return (
            f" from {instant(self.begin)} to {instant(self.end)}"
            if self.begin
            else f" until {instant(self.end)}"
        )

    def latest(self) -> int | None:
        """Returns the last instant that the run must reach. A window that begins at the end of the run would
        be empty."""
        return self.end if self.end is not None else (self.begin + 1 if self.begin else None)

    def bounds(self, run: Evidence) -> Span:
        """Returns the window's bounds. Raises NothingToSee if the run ended before the window did."""
        latest = self.latest()
        if latest is not None and latest > run.end:
            raise NothingToSee(f"the run ended at {instant(run.end)}")
        return self.begin, run.end + 1 if self.end is None else self.end


@dataclass(frozen=True)
class After:
    """The time `within` after each occurrence of a condition."""

    condition: Condition
    within: int

    def words(self) -> str:
        return f" within {instant(self.within)} after {self.condition.past()}"

    def instants(self, run: Evidence, window: Window) -> list[int]:
        """Returns the occurrences in the window. Raises NothingToSee if there are none."""
        begin, end = window.bounds(run)
        found = [each for each in self.condition.instants(run) if begin <= each < end]
        if not found:
            raise NothingToSee(
                f"there was no time at which {self.condition.past()}{window.words()}"
            )
        return found


@dataclass(frozen=True, kw_only=True)
class _OverTime(Expectation):
    line: int
    window: Window = field(default_factory=Window)

    @abstractmethod
    def conditions(self) -> Iterable[Condition]:
        """Returns the conditions that it examines."""

    @property
    def latest(self) -> int | None:
        return self.window.latest()

    def signals(self) -> Iterable[str]:
        return [name for each in self.conditions() for name in each.signals()]

    def texts(self) -> Iterable[str]:
        return [text for each in self.conditions() for text in each.texts()]


@dataclass(frozen=True, kw_only=True)
class Reached(_OverTime):
    """A state at some instant from the window's begin up to and including `by`."""

    state: State
    by: int

    def conditions(self) -> Iterable[Condition]:
        return (self.state,)

    @property
    def latest(self) -> int | None:
        return self.by

    @property
    def met_for_good(self) -> bool:
        return True

    def wanted(self) -> str:
        since = f" from {instant(self.window.begin)} on" if self.window.begin else ""
        return f"{self.state.infinitive()} by {instant(self.by)}{since}"

    def judge(self, run: Evidence) -> Verdict:
        begin = self.window.begin
        return reached(self.state, run, begin, self.by)


def reached(state: State, run: Evidence, begin: int, by: int) -> Verdict:
    """Judges whether the state was present at an instant from `begin` to `by`."""
    spans = state.spans(run)
    met = spans.first_within(begin, by + 1)
    if met is not None:
        return Verdict(True, f"it was {state.word} at {instant(met)}")
    if begin > run.end:
        return Verdict(False, f"the run ended at {instant(run.end)}")
    _, until, word = state.at(run, begin)
    later = spans.first_within(begin, run.end + 1)
    if later is None:
        only = f"{word}" if until > run.end else f"not {state.word}"
        return Verdict(False, f"it was {only} until the run's end at {instant(run.end)}")
    only = word if until >= later else f"not {state.word}"
    return Verdict(False, f"it was {only} until {instant(later)}")


@dataclass(frozen=True, kw_only=True)
class ReachedAfter(_OverTime):
    """A state within a time after each occurrence of a condition. Occurrences too close to the run's end are
    not judged."""

    state: State
    after: After

    def conditions(self) -> Iterable[Condition]:
        return (self.state, self.after.condition)

    def wanted(self) -> str:
        return f"{self.state.infinitive()}{self.after.words()}{self.window.words()}"

    def judge(self, run: Evidence) -> Verdict:
        judged = 0
        longest = 0
        spans = self.state.spans(run)
        for event in self.after.instants(run, self.window):
            by = event + self.after.within
            met = spans.first_within(event, by + 1)
            if met is not None:
                judged += 1
                longest = max(longest, met - event)
            elif by <= run.end:
                seen = reached(self.state, run, event, by).seen
                return Verdict(
                    False, f"{self.after.condition.past()} at {instant(event)}, and {seen}"
                )
        if judged == 0:
            return Verdict(False, f"the run ended at {instant(run.end)}, too soon after")
        return Verdict(True, f"it was, {_times(judged)}, after {instant(longest)} at most")


@dataclass(frozen=True, kw_only=True)
class SentSoon(_OverTime):
    """A text sent a number of times: in the window, or within a time after each occurrence of a condition."""

    text: Text
    times: Limit | None = None  # None: at least once
    by: int | None = None
    after: After | None = None

    def conditions(self) -> Iterable[Condition]:
        return (self.text, self.after.condition) if self.after else (self.text,)

    @property
    def latest(self) -> int | None:
        return self.by if self.by is not None else self.window.latest()

    @property
    def met_for_good(self) -> bool:
        return self.times is None or self.times.high is None

    def wanted(self) -> str:
        count = f" {_how_often(self.times)}" if self.times else ""
        when = f" by {instant(self.by)}" if self.by is not None else ""
        after = self.after.words() if self.after else ""
        return f"{self.text.infinitive()}{count}{when}{after}{self.window.words()}"

    def judge(self, run: Evidence) -> Verdict:
        if self.after:
            return self._judge_after(run, self.after)
        if self.by is not None:
            begin, last = self.window.begin, self.by
        else:
            begin, end = self.window.bounds(run)
            last = end - 1
        if self.by is None and begin == 0 and last == run.end:  # the whole run
            sent = self.text.sent(run)
            return self._verdict(sent.count, sent.times, run, last)
        found = [time for time in self.text.times(run, last) if time >= begin]
        return self._verdict(len(found), found, run, last)

    def _verdict(self, count: int, found: Sequence[int], run: Evidence, last: int) -> Verdict:
        wanted = self.times.holds(count) if self.times else count > 0
        settled = count > 0 if self.times is None else wanted and self.times.high is None
        if last > run.end and not settled:  # more might have been sent
            return Verdict(False, f"{_sent(count)} when the run ended at {instant(run.end)}")
        first = f"{'' if count == 1 else ' first'} at {instant(found[0])}" if found else ""
        if wanted or found or self.by is None:
            return Verdict(wanted, f"{_sent(count)}{first and ','}{first}")
        later = [time for time in self.text.sent(run).times if time > last]
        return Verdict(
            False, f"it was sent at {instant(later[0])}" if later else "it was never sent"
        )

    def _judge_after(self, run: Evidence, after: After) -> Verdict:
        judged = 0
        sent = self.text.times(run, run.end)
        for event in after.instants(run, self.window):
            last = event + after.within
            count = bisect_right(sent, last) - bisect_left(sent, event)
            enough = self.times is None and count > 0
            if not enough and last > run.end:
                continue
            judged += 1
            if not (enough or (self.times is not None and self.times.holds(count))):
                return Verdict(
                    False,
                    f"{after.condition.past()} at {instant(event)}, and {_sent(count)} then",
                )
        if judged == 0:
            return Verdict(False, f"the run ended at {instant(run.end)}, too soon after")
        return Verdict(True, f"it was, {_times(judged)}")


def _how_often(times: Limit) -> str:
    return "once" if times.text == "1" else f"{times.text} times"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _sent(count: int) -> str:
    return f"it was sent {_times(count)}" if count else "it was not sent at all"


@dataclass(frozen=True, kw_only=True)
class Held(_OverTime):
    """A state throughout a window, or at one instant. With `during`: only while another state is present."""

    state: State
    at: int | None = None
    during: State | None = None

    def conditions(self) -> Iterable[Condition]:
        return (self.state, self.during) if self.during else (self.state,)

    @property
    def latest(self) -> int | None:
        return self.at if self.at is not None else self.window.latest()

    @property
    def broken_for_good(self) -> bool:
        return True

    def wanted(self) -> str:
        when = f" at {instant(self.at)}" if self.at is not None else self.window.words()
        beside = f" while {self.during.past()}" if self.during else ""
        return f"{self.state.infinitive()}{beside}{when}"

    def judge(self, run: Evidence) -> Verdict:
        if self.at is not None and self.at > run.end:
            raise NothingToSee(f"the run ended at {instant(run.end)}")
        at = self.at
        bounds = Spans.of([self.window.bounds(run) if at is None else (at, at + 1)])
        if self.during:
            bounds = bounds & self.during.spans(run)
            if not bounds:
                raise NothingToSee(f"there was no time in which {self.during.past()}")
        wrong = bounds.without(self.state.spans(run)).first()
        if wrong is None:
            return Verdict(True, f"it was {self.state.word}")
        begin, end, word = self.state.at(run, wrong)
        return Verdict(False, f"it was {word} {_from_to(begin, end, run)}")


@dataclass(frozen=True, kw_only=True)
class Never(_OverTime):
    """A state or a text that never occurs: in the window, while another state is present, or within a time
    after a condition."""

    condition: Condition
    during: State | None = None
    after: After | None = None

    def conditions(self) -> Iterable[Condition]:
        others = [self.during, self.after.condition if self.after else None]
        return [self.condition, *(each for each in others if each)]

    @property
    def broken_for_good(self) -> bool:
        return True

    def wanted(self) -> str:
        beside = f" while {self.during.past()}" if self.during else ""
        after = self.after.words() if self.after else ""
        never = self.condition.infinitive().replace(" was to be ", " was never to be ")
        return f"{never}{beside}{after}{self.window.words()}"

    def judge(self, run: Evidence) -> Verdict:
        bounds = Spans.of([self.window.bounds(run)])
        if self.after:
            within = self.after.within
            events = self.after.instants(run, self.window)
            bounds = Spans.of((each, min(each + within, run.end) + 1) for each in events)
        if self.during:
            bounds = bounds & self.during.spans(run)
            if not bounds:
                raise NothingToSee(f"there was no time in which {self.during.past()}")
        if isinstance(self.condition, State):
            return self._judge_state(run, bounds, self.condition)
        times = self.condition.instants(run)
        wrong = next((t for t in times if t in bounds), None)
        if wrong is None:
            return self._never(run)
        return Verdict(False, f"it was sent at {instant(wrong)}")

    def _never(self, run: Evidence) -> Verdict:
        """Returns the verdict that the condition did not occur. With `after`, the run must include the whole
        time after the first occurrence."""
        if self.after:
            first = self.after.instants(run, self.window)[0]
            if first + self.after.within > run.end:
                raise NothingToSee(f"the run ended at {instant(run.end)}, too soon after")
        return Verdict(True, "it never was")

    def _judge_state(self, run: Evidence, bounds: Spans, state: State) -> Verdict:
        wrong = (bounds & state.spans(run)).spans
        if not wrong:
            return self._never(run)
        begin, end = wrong[0]
        who = "both were" if self.during else f"it was {state.word}"
        return Verdict(False, f"{who} {_from_to(begin, end, run)}")


def _from_to(begin: int, end: int, run: Evidence) -> str:
    if end > run.end:
        return f"from {instant(begin)} to the run's end at {instant(run.end)}"
    return f"from {instant(begin)} to {instant(end)}"


@dataclass(frozen=True, kw_only=True)
class InOrder(_OverTime):
    """Conditions that occur for the first time in this order, in the window."""

    order: tuple[Condition, ...]
    within: int | None = None

    def conditions(self) -> Iterable[Condition]:
        return self.order

    @property
    def met_for_good(self) -> bool:
        return True

    def wanted(self) -> str:
        first, *others = self.order
        then = "".join(f", then {_short(each)}" for each in others)
        soon = f", within {instant(self.within)}" if self.within is not None else ""
        return f"first {first.infinitive()}{then}{soon}{self.window.words()}"

    def judge(self, run: Evidence) -> Verdict:
        begin, end = self.window.bounds(run)
        times = [self._first(each, run, begin, end) for each in self.order]
        before, earlier = self.order[0], times[0]
        if earlier is None:
            return Verdict(False, f"there was no time at which {before.past()}")
        for each, time in zip(self.order[1:], times[1:], strict=True):
            if time is None:
                return Verdict(False, f"there was no time at which {each.past()}")
            if time <= earlier:
                which = "at the same time as" if time == earlier else "before"
                return Verdict(
                    False,
                    f"{each.past()} at {instant(time)}, {which} {before.past()}"
                    + (f", at {instant(earlier)}" if time < earlier else ""),
                )
            before, earlier = each, time
        took = earlier - (times[0] or 0)
        late = self.within is not None and took > self.within
        return Verdict(
            not late,
            f"it took {instant(took)}, from {instant(times[0] or 0)} to {instant(earlier)}",
        )

    @staticmethod
    def _first(condition: Condition, run: Evidence, begin: int, end: int) -> int | None:
        if isinstance(condition, State):
            return condition.spans(run).first_within(begin, end)
        return next((time for time in condition.firsts(run) if begin <= time < end), None)


def _short(condition: Condition) -> str:
    """Returns a short name: `pin 4 high`, `"pong"`."""
    if isinstance(condition, State):
        return f"{condition.what} {condition.word}"
    return condition.past().removesuffix(" was sent")
