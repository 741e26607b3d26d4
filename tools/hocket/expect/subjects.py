"""The subjects of expectations: pins, parts, texts, loops and interrupts, by their names in a scenario."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hocket.expect.conditions import (
    CLOSED,
    LEVELS,
    LIT,
    LIT_WHEN_LOW,
    Condition,
    Measured,
    OfPart,
    Pressed,
    State,
    Text,
    Wave,
    Words,
)
from hocket.expect.evidence import Expectation
from hocket.expect.facts import (
    INTERRUPT_FACTS,
    INTERRUPT_NAMES,
    LOOP_FACTS,
    LOOP_NAMES,
    UNITS,
    InterruptFact,
    LoopFact,
    PartFact,
    Wanted,
    find,
    measure_of,
    suffix,
)
from hocket.expect.limits import Limit, read_limit
from hocket.scenario import units
from hocket.scenario.boards import Board
from hocket.scenario.structure import meant, schema

_LEVEL_WORDS = ("high", "low", "floating")
_TRUTH = (
    "collided",
    "upset",
    "lit_at_end",
    "all_seen",
    "on",
    "inverted",
    "cursor",
    "blinks",
    "initialised",
    "closed_at_end",
    "present_at_end",
)
_TEXTS = (
    *("missing", "upset_because", "shows", "defined", "held_at_end", "colours", "colour", "rom"),
    *("heard", "segments", "sent", "uid", "last_written", "ip"),
)


class Mistake(Exception):
    """An error in an item: its key, what is wrong, and what to write."""

    def __init__(self, key: str, fact: str, next_step: str) -> None:
        super().__init__(fact)
        self.key = key
        self.fact = fact
        self.next_step = next_step


class Subjects:
    """The board's pins, and the scenario's parts by name."""

    def __init__(self, board: Board, parts: Mapping[str, Mapping[str, Any]]) -> None:
        self.board = board
        self.parts = parts

    # -- conditions

    def condition(self, item: Any, key: str) -> Condition:
        """Returns a state or a text, as in `first`, `then` and `after`."""
        if not isinstance(item, dict):
            raise Mistake(
                key,
                f"{key} is neither a state nor a text",
                "write {pin: 3, is: high} or {serial: text}",
            )
        if "serial" in item:
            self._only(item, key, ("serial", "port"))
            return self.text(item, key)
        return self.state(item, key, alone=True)

    def text(self, item: Mapping[str, Any], key: str) -> Text:
        text = item["serial"]
        if "\0" in text:
            raise Mistake(key, "the text has a NUL in it", "name a part of it without one")
        try:
            text.encode()
        except UnicodeEncodeError:
            raise Mistake(
                key, "the text contains a code that is not a character", "write text only"
            ) from None
        return Text(text, item.get("port", 0))

    def state(self, item: Any, key: str, alone: bool = False) -> State:
        """Returns a state. alone: the item must have no other keys."""
        says = self.says(item) if isinstance(item, dict) else None
        if says is None or ("pin" in item) == ("part" in item):
            raise Mistake(
                key, f"{key} is not a state", "write {pin: 3, is: high} or {part: lamp, is: lit}"
            )
        subject = "part" if "part" in item else "pin"
        if alone or key == "while":
            self._only(item, key, (subject, says))
        if says != "is":
            return self._measured(item["part"], says, item[says])
        word = item["is"]
        if subject == "pin":
            self._known("is", word, _LEVEL_WORDS, "a pin")
            what, signal = self.signal(item)
            return Wave(what, word, signal, LEVELS)
        return self._part_state(item["part"], word)

    def says(self, item: Mapping[str, Any]) -> str | None:
        """Returns the key of an item that gives its state: `is`, or a number that the part has at each
        instant. None: there is none."""
        if "is" in item:
            return "is"
        if "part" not in item:
            return None
        known = self._numbers(item["part"])
        return next((key for key in item if find(key, known, {}) is not None), None)

    def _numbers(self, name: str) -> tuple[str, ...]:
        return tuple(self._schema(self._part(name)).get("x-over-time", ()))

    def _measured(self, name: str, key: str, value: Any) -> Measured:
        number = find(key, self._numbers(name), {})
        assert number is not None
        limit = _limit(value, number, key)
        _, size, unit = UNITS.get(suffix(number), ("", 1, ""))
        return Measured(
            what=f"{key} of {name}",
            word=limit.text,
            part=name,
            signal=f"{name}.{number}",
            limit=limit,
            unit=(unit, size),
        )

    def _part_state(self, name: str, word: str) -> State:
        part = self._part(name)
        own = tuple(self._schema(part).get("x-states", ()))
        levels = _LEVEL_WORDS if "pin" in part else ()
        if not own and not levels:
            raise Mistake(
                "is",
                f"a part of type {part['type']} has no state",
                "ask for its facts (docs/reference/parts.md)",
            )
        self._known("is", word, (*own, *levels), name)
        if word in ("pressed", "released"):
            return Pressed(name, word, tuple(_presses(part)))
        if word in ("closed", "open"):
            return OfPart(name, word, f"{name}.closed", CLOSED, part=name)
        words = LEVELS if word in levels else _lit(part)
        _, signal = self.signal({"part": name})
        return Wave(name, word, signal, words)

    @staticmethod
    def _known(key: str, word: str, known: tuple[str, ...], of: str) -> None:
        if word not in known:
            raise Mistake(
                key,
                f"{of} cannot be {units.short(word)}" + meant(word, known),
                f"write {' or '.join(known)}",
            )

    @staticmethod
    def _only(item: Mapping[str, Any], key: str, known: tuple[str, ...]) -> None:
        for each in item:
            if each not in known:
                raise Mistake(
                    key,
                    f"{key} has no key {each}" + meant(each, known),
                    f"keys are {', '.join(known)}",
                )

    # -- pins and parts

    def signal(self, item: Mapping[str, Any]) -> tuple[str, str]:
        """Returns the name of the pin or part, and its signal's name in the wave file."""
        if "part" in item:
            written = self._part(item["part"])["pin"]
            what = item["part"]
        else:
            written = item["pin"]
            what = f"pin {written}"
        pin = self.pin(written, "part" if "part" in item else "pin")
        name = self.board.name_of(pin)
        return what, name if name.startswith("A") else f"D{name}"

    def pin(self, written: Any, key: str) -> int:
        pin = self.board.pin(written)
        if pin is None:
            raise Mistake(
                key,
                f"the board {self.board.name} does not have pin {units.short(str(written))}",
                f"its pins are {self.board.pins_with('digital')}, and LED_BUILTIN",
            )
        return pin

    def has_pin(self, name: Any) -> bool:
        return "pin" in self._part(name)

    def has_fact(self, name: Any, fact: str) -> bool:
        known = tuple(self._schema(self._part(name)).get("x-facts", ()))
        return find(fact, known, {}) is not None

    def _part(self, name: str) -> Mapping[str, Any]:
        if name not in self.parts:
            raise Mistake(
                "part",
                f"there is no part {units.short(name)}" + meant(name, self.parts),
                f"parts are {', '.join(sorted(self.parts)) or 'none: add it under parts'}",
            )
        return self.parts[name]

    @staticmethod
    def _schema(part: Mapping[str, Any]) -> Mapping[str, Any]:
        node: Mapping[str, Any] = schema()["$defs"]["parts"][part["type"]]
        return node

    # -- facts

    def facts(self, item: Mapping[str, Any], kind: str, line: int) -> Iterator[Expectation]:
        """Yields the expectations of facts. kind: "part", "loop", "interrupt" or "all loops"."""
        asked = [key for key in item if key != kind]
        if not asked:
            raise Mistake(kind, f"this says nothing of the {kind}", f"add {_EXAMPLES[kind]}")
        times = [key for key in asked if key in _TIMES]
        if times:
            raise self._timeless(item, kind, times[0])
        for key in asked:
            yield self._fact(item, kind, key, line)

    def _fact(self, item: Mapping[str, Any], kind: str, key: str, line: int) -> Expectation:
        if kind == "part":
            part = self._part(item["part"])
            known = tuple(self._schema(part).get("x-facts", ()))
            fact = self._find(key, known, {}, f"a {part['type']} has no fact {key}")
            limit = _wanted(item[key], fact, key)
            return PartFact(line=line, name=key, fact=fact, limit=limit, part=item["part"])
        if kind == "interrupt":
            fact = self._find(
                key, INTERRUPT_FACTS, INTERRUPT_NAMES, f"an interrupt has no fact {key}"
            )
            limit = _wanted(item[key], fact, key)
            number = self.board.own_number(self.pin(item["interrupt"], "interrupt"))
            shown = str(item["interrupt"])
            return InterruptFact(
                line=line, name=key, fact=fact, limit=limit, pin=number, shown=shown
            )
        unknown = (
            f"a loop has no fact {key}" if kind == "loop" else f"there is nothing called {key} here"
        )
        fact = self._find(key, LOOP_FACTS, LOOP_NAMES, unknown)
        limit = _wanted(item[key], fact, key)
        return LoopFact(line=line, name=key, fact=fact, limit=limit, loop=item.get("loop"))

    def _timeless(self, item: Mapping[str, Any], kind: str, key: str) -> Mistake:
        """Returns the error for a fact with a time."""
        what = {"part": item.get("part"), "loop": "a loop", "interrupt": "an interrupt"}.get(
            kind, kind
        )
        next_step = f"leave {key} out"
        numbers = self._numbers(item["part"]) if kind == "part" else ()
        if numbers:
            short = [each.removesuffix(suffix(each)) for each in numbers]
            next_step += f"; {' and '.join(short)} can be asked for at a time"
        elif kind == "part" and self.has_pin(item["part"]):
            word = (*self._schema(self._part(item["part"])).get("x-states", ()), "high")[0]
            states = f"{{part: {item['part']}, is: {word}, at: 1.5 s}}"
            duty = f"{{part: {item['part']}, duty: 7.4 % ± 0.2 %, during: [1 s, 1.5 s]}}"
            next_step += f"; what is so at its pin takes a time: {states}, {duty}"
        return Mistake(key, f"facts of {what} are of the whole run, and take no {key}", next_step)

    @staticmethod
    def _find(key: str, known: tuple[str, ...], names: dict[str, str], unknown: str) -> str:
        fact = find(key, known, names)
        if fact is None:
            all_names = (*names, *(each for each in known if each not in names.values()))
            raise Mistake(key, unknown + meant(key, all_names), f"facts are {', '.join(all_names)}")
        return fact


_TIMES = ("by", "at", "from", "until", "during", "while", "after", "within")
_EXAMPLES = {
    "part": "is: lit, by: 1 s, or one of its facts, such as edges: 10",
    "loop": "misses: 0, response: below 5 ms or stack: below 500",
    "interrupt": "lost: 0 or delay: below 50 us",
    "all loops": "misses: 0",
}


def _wanted(value: Any, fact: str, written: str) -> Wanted:
    if fact in _TRUTH:
        if isinstance(value, bool):
            return value
        raise Mistake(written, f"{written} is true or false", "write true or false")
    if fact in _TEXTS:
        if isinstance(value, str):
            return value
        raise Mistake(written, f"{written} is a text", "put it in double quotes")
    return _limit(value, fact, written)


def _limit(value: Any, fact: str, written: str) -> Limit:
    try:
        return read_limit(value, measure_of(fact, written))
    except units.UnitError as error:
        raise Mistake(written, f"{written}: {error.fact}", error.next_step) from None


def _lit(part: Mapping[str, Any]) -> Words:
    return LIT_WHEN_LOW if part.get("lit_when") == "low" else LIT


def _presses(part: Mapping[str, Any]) -> Iterator[tuple[int, int]]:
    for each in part.get("pressed", ()):
        at = units.parse(each["at"], "time")
        yield at, at + units.parse(each["for"], "time")
