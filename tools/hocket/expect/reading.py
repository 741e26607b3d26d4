"""Reads the expectations of a scenario that has the schema's shape. Reports all their errors together.

expect:
  - {pin: 13, is: high, by: 1.02 s}      subject, required state, time
never:
  - {serial: panic}
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from hocket.errors import HocketError
from hocket.expect.conditions import Condition, State, Text
from hocket.expect.edges import Duty, EdgeCount, Frequency
from hocket.expect.evidence import Expectation, instant
from hocket.expect.facts import AllSeen
from hocket.expect.limits import COUNT, Limit, Measure, read_limit
from hocket.expect.over_time import (
    After,
    Held,
    InOrder,
    Never,
    Reached,
    ReachedAfter,
    SentSoon,
    Window,
)
from hocket.expect.subjects import Mistake, Subjects
from hocket.scenario import units
from hocket.scenario.boards import Board
from hocket.scenario.document import Document
from hocket.scenario.flatten import MOST_PROBLEMS
from hocket.scenario.structure import meant

MOST_TIMES = 10_000  # times of a text kept by the program (simulation/program/text_notes.h)
Where = tuple[str | int, ...]

_WHEN = ("by", "at", "from", "until", "during", "while", "after", "within")
_EDGES = ("edges", "kind", "frequency", "duty")
# The keys that name the subject of an item. The reader of each subject checks the other keys.
_SUBJECTS = ("first", "serial", "loop", "interrupt", "pin", "part")


def read_expectations(
    document: Document, board: Board, problems: list[HocketError]
) -> tuple[Expectation, ...]:
    """Returns the expectations of `expect` and `never`, and of the parts that expect texts. Errors are added
    to `problems`."""
    value: Any = document.value
    found: list[Expectation] = []
    subjects = Subjects(board, value.get("parts") or {})
    for key in ("expect", "never"):
        for index, item in enumerate(value.get(key, [])):
            if item is None:  # wrong shape, already reported
                continue
            reader = _Item(subjects, item, document.line((key, index)))
            try:
                found += reader.never() if key == "never" else reader.expected()
            except Mistake as mistake:
                where = (key, index, *((mistake.key,) if mistake.key in item else ()))
                problems.append(document.error(where, mistake.fact, mistake.next_step))
            if len(problems) >= MOST_PROBLEMS:
                return ()
    for name, part in subjects.parts.items():
        if part["type"] in ("serial", "serial_pins", "fifo", "w5500") and "expect" in part:
            line = document.line(("parts", name, "expect"))
            found.append(AllSeen(line=line, name=name, fact="all_seen", limit=True, part=name))
    return tuple(found)


class _Item:
    """One expectation as written."""

    def __init__(self, subjects: Subjects, item: Mapping[str, Any], line: int) -> None:
        self.subjects = subjects
        self.item = item
        self.line = line

    def expected(self) -> Iterator[Expectation]:
        if "is" in self.item or self.of_a_number():
            yield self.state()
            return
        kind = next((key for key in _SUBJECTS if key in self.item), "all loops")
        if kind == "first":
            yield self.order()
        elif kind == "serial":
            yield self.text()
        elif kind in ("pin", "part") and self.of_edges():
            yield from self.edges()
        elif kind == "pin":
            raise Mistake(
                "pin",
                "this expects nothing of the pin",
                "add is: high, edges: 10 or frequency: 50 Hz",
            )
        else:
            yield from self.subjects.facts(self.item, kind, self.line)

    def of_a_number(self) -> bool:
        """Returns whether the item expects a part's number at a time. This is also assumed for a number that
        is no fact."""
        says = self.subjects.says(self.item)
        if says is None or says == "is":
            return False
        timed = any(key in self.item for key in _WHEN)
        return timed or not self.subjects.has_fact(self.item["part"], says)

    # -- times

    def time(self, key: str) -> int | None:
        return self._time(self.item[key], key) if key in self.item else None

    @staticmethod
    def _time(value: Any, key: str) -> int:
        try:
            time = units.parse(value, "time")
        except units.UnitError as error:
            raise Mistake(key, f"{key}: {error.fact}", error.next_step) from None
        if time < 0:
            raise Mistake(key, f"{key} is {value}, before the start", "write 0 or more")
        return time

    def window(self) -> Window:
        if "during" in self.item:
            for other in ("from", "until"):
                self.not_both("during", other)
            begin, last = (self._time(each, "during") for each in self.item["during"])
            end: int | None = last
        else:
            begin, end = self.time("from") or 0, self.time("until")
        if end is not None and end <= begin:
            raise Mistake(
                "during" if "during" in self.item else "until",
                f"the time ends at {instant(end)}, "
                + ("before" if end < begin else "where")
                + " it has begun",
                "put the earlier time first",
            )
        return Window(begin, end)

    def after(self) -> After | None:
        if "after" not in self.item:
            if "within" in self.item:
                raise Mistake("within", "within has no event to count from", "add after: {…}")
            return None
        within = self.time("within")
        if within is None:
            raise Mistake("after", "after has no time to count to", "add within: 20 ms")
        return After(self.subjects.condition(self.item["after"], "after"), within)

    def during(self) -> State | None:
        return self.subjects.state(self.item["while"], "while") if "while" in self.item else None

    # -- combinations of keys

    def only(self, *known: str) -> None:
        for key in self.item:
            if key not in known:
                raise Mistake(
                    key,
                    f"{key} says nothing here" + meant(key, known),
                    f"keys are {', '.join(known)}",
                )

    def not_both(self, one: str, *others: str) -> None:
        for other in others:
            if one in self.item and other in self.item:
                raise Mistake(
                    other, f"this has both {one} and {other}", f"keep one of {one} or {other}"
                )

    # -- kinds

    def state(self) -> Expectation:
        subject = "part" if "part" in self.item else "pin"
        says = self.subjects.says(self.item) or "is"
        self.only(subject, says, *_WHEN)
        state = self.subjects.state(self.item, says)
        window, after, during = self.window(), self.after(), self.during()
        by, at = self.time("by"), self.time("at")
        self.not_both("at", "by", "from", "until", "during", "after", "while")
        self.not_both("by", "until", "during", "after", "while")
        self.not_both("after", "while")
        if by is not None:
            if by < window.begin:
                raise Mistake("by", "by comes before from", "put the earlier time into from")
            return Reached(line=self.line, window=window, state=state, by=by)
        if after is not None:
            return ReachedAfter(line=self.line, window=window, state=state, after=after)
        if at is None and during is None and window == Window() and "from" not in self.item:
            raise Mistake(
                says,
                f"this does not say when {state.what} is to be {state.word}",
                "add by: 1 s, at: 1 s, from: 1 s, during: [1 s, 2 s], while: {…}"
                " or after: {…}, within: 20 ms",
            )
        return Held(line=self.line, window=window, state=state, at=at, during=during)

    def text(self) -> Expectation:
        self.only("serial", "port", "times", "by", "from", "until", "during", "after", "within")
        text = self.subjects.text(self.item, "serial")
        window, after, by = self.window(), self.after(), self.time("by")
        self.not_both("by", "until", "during", "after")
        if by is not None and by < window.begin:
            raise Mistake("by", "by comes before from", "put the earlier time into from")
        times = self.limit("times", COUNT) if "times" in self.item else None
        return SentSoon(line=self.line, window=window, text=text, times=times, by=by, after=after)

    def limit(self, key: str, measure: Measure) -> Limit:
        try:
            return read_limit(self.item[key], measure)
        except units.UnitError as error:
            raise Mistake(key, f"{key}: {error.fact}", error.next_step) from None

    def of_edges(self) -> bool:
        """Returns whether the item is about the edges of its pin. Some parts count them over the whole run as
        a fact."""
        asked = [key for key in _EDGES if key in self.item]
        if "pin" in self.item or not asked:
            return bool(asked)
        name = self.item["part"]
        window = any(key in self.item for key in ("kind", "from", "until", "during"))
        own = all(self.subjects.has_fact(name, key) for key in asked)
        return self.subjects.has_pin(name) and (window or not own)

    def edges(self) -> Iterator[Expectation]:
        subject = "part" if "part" in self.item else "pin"
        self.only(subject, *_EDGES, "from", "until", "during")
        what, signal = self.subjects.signal(self.item)
        window = self.window()
        if "kind" in self.item and "edges" not in self.item:
            raise Mistake("kind", "kind says which edges to count", "add edges: 10")
        if "edges" in self.item:
            yield EdgeCount(
                line=self.line,
                what=what,
                signal=signal,
                window=window,
                limit=self.limit("edges", COUNT),
                kind=self.item.get("kind", "both"),
            )
        for key, kind, of in (("frequency", "frequency", Frequency), ("duty", "share", Duty)):
            if key in self.item:
                limit = self.limit(key, Measure(kind))
                if limit.high is not None and limit.high <= 0:
                    raise Mistake(
                        key, f"no signal has a {key} of {limit.text}", "to see none, add edges: 0"
                    )
                yield of(line=self.line, what=what, signal=signal, window=window, limit=limit)

    def order(self) -> Expectation:
        self.only("first", "then", "within", "from", "until", "during")
        if "then" not in self.item:
            raise Mistake("first", "this says what comes first, and not what then", "add then: {…}")
        written = self.item["then"]
        then = written if isinstance(written, list) else [written]
        return InOrder(
            line=self.line,
            window=self.window(),
            order=(
                self.subjects.condition(self.item["first"], "first"),
                *(self.subjects.condition(each, "then") for each in then),
            ),
            within=self.time("within"),
        )

    def never(self) -> Iterator[Expectation]:
        subject = next((key for key in ("serial", "part", "pin") if key in self.item), "")
        says = self.subjects.says(self.item) if subject in ("part", "pin") else None
        if not subject or (subject != "serial" and says is None):
            raise Mistake(
                subject,
                "never takes a state or a text",
                "write {pin: 3, is: high} or {serial: panic}; facts and numbers go under expect",
            )
        own = ("serial", "port") if subject == "serial" else (subject, says or "is")
        self.only(*own, "from", "until", "during", "while", "after", "within")
        read: Callable[[Mapping[str, Any], str], Condition] = (
            self.subjects.text if subject == "serial" else self.subjects.state
        )
        yield Never(
            line=self.line,
            window=self.window(),
            condition=read(self.item, subject),
            during=self.during(),
            after=self.after(),
        )


__all__ = ["MOST_TIMES", "Text", "read_expectations"]
