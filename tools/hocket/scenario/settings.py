"""Values that are set for one run only: `loop 2 C = 12.4 ms`, `eye.noise = 2 cm`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hocket.durations import format_microseconds
from hocket.errors import HocketError
from hocket.scenario import units

if TYPE_CHECKING:
    from hocket.scenario.document import Document

_LOOP = re.compile(r"loop\s+(\d{1,3})\s+([CT])", re.IGNORECASE)
_PART = re.compile(r"[A-Za-z_][\w-]*(?:\.[\w-]+)+")
_EXAMPLES = "write for instance 'loop 2 C = 12 ms' or 'obstacle.speed = 2 m/s'"


@dataclass(frozen=True)
class Target:
    """What is set: the budget (C) or period (T) of a loop, or a property of a part, `part.property`."""

    loop: int | None = None
    which: str = ""
    path: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ".".join(self.path) if self.loop is None else f"loop {self.loop} {self.which}"


@dataclass(frozen=True)
class Declared:
    """A loop of the sketch. times: its C, T and D in ns as far as it states them. None, also as the number:
    known to the compiler only."""

    id: int | None
    times: tuple[int | None, ...] = ()


@dataclass(frozen=True)
class Setting:
    """A target and its value as written, in any unit that the target accepts."""

    target: Target
    value: str

    def __str__(self) -> str:
        return f"{self.target} = {self.value}"


def split(text: str, option: str) -> tuple[Target, str]:
    """Returns the target of an option's text, and the text after its `=`. Raises HocketError."""
    left, sign, right = (part.strip() for part in text.partition("="))
    if not sign or not right:
        raise HocketError(f"{option} {text!r} says no value", "a value follows =", _EXAMPLES)
    if matched := _LOOP.fullmatch(left):
        return Target(int(matched[1]), matched[2].upper()), right
    if _PART.fullmatch(left):
        return Target(path=tuple(left.split("."))), right
    raise HocketError(
        f"{option} {text!r}: {left!r} is nothing that can be set",
        "a loop has C and T, a part has the properties of its scenario",
        _EXAMPLES,
    )


def read_setting(text: str, option: str = "--set") -> Setting:
    """Parses a setting. Raises HocketError for an invalid one. Whether the target exists is checked when the
    setting is applied."""
    target, value = split(text, option)
    if target.loop is not None:
        _nanoseconds(Setting(target, value), option)
    return Setting(target, value)


def _nanoseconds(setting: Setting, option: str = "--set") -> int:
    try:
        value = units.parse(setting.value, "time")
    except units.UnitError as error:
        raise HocketError(
            f"{option} '{setting}': {error.fact}", next_step=error.next_step
        ) from None
    if value < 1:
        raise HocketError(f"{option} '{setting}' must be above zero", next_step=_EXAMPLES)
    return value


def loop_options(
    settings: Sequence[Setting],
    board: str,
    able: Sequence[str],
    loops: Sequence[Declared] = (),
) -> list[str]:
    """Returns the options that set budgets and periods in the board's program. loops: the sketch's. able: the
    boards that support it. Raises HocketError if the board is not one of them, if the sketch has no such
    loop, or if a budget would be longer than its period."""
    spans: dict[int, dict[str, int]] = {}
    for setting in settings:
        if setting.target.loop is not None:
            spans.setdefault(setting.target.loop, {})[setting.target.which] = _nanoseconds(setting)
    if spans and board not in able:
        raise HocketError(
            "budgets and periods can be set for one run on the board "
            f"{' or '.join(able)}, not on {board}",
            "on the other boards they are in the image",
            "leave --board out, or change the sketch",
        )
    options = []
    known = sorted(each.id for each in loops if each.id is not None)
    for loop, both in spans.items():
        if loops and len(known) == len(loops) and loop not in known:
            raise HocketError(
                f"this sketch has no loop {loop}",
                f"its loops are {', '.join(map(str, known))}",
                f"set one of these, as in 'loop {known[0]} C = 12 ms'",
            )
        for each in (each for each in loops if each.id == loop):
            _check_longest(each, both, settings)
        options += ["--loop", f"{loop}:{both.get('C', 0)}:{both.get('T', 0)}"]
    return options


def _check_longest(loop: Declared, wanted: Mapping[str, int], settings: Sequence[Setting]) -> None:
    """Raises HocketError if C would be longer than T, or than D. What only the compiler knows is not checked
    here: the board's program does so."""
    declared = (*loop.times, None, None, None)
    budget, period = wanted.get("C", declared[0]), wanted.get("T", declared[1])
    deadline = declared[2] if declared[2] != declared[1] else None
    named = ", ".join(f"--set '{each}'" for each in settings if each.target.loop == loop.id)
    for name, longest in (("T", period), ("D", deadline)):
        if budget is not None and longest is not None and budget > longest:
            most = format_microseconds(longest / 1000)
            what = "period" if name == "T" else "deadline"
            longer = f", or a longer T: --set 'loop {loop.id} T = …'" if name == "T" else ""
            raise HocketError(
                f"{named}: loop {loop.id} has a budget longer than its {what}",
                f"C cannot be longer than {name} = {most}",
                f"set a C of {most} or less{longer}",
            )


def apply(settings: Sequence[Setting], document: Document) -> None:
    """Changes a scenario's values. Raises HocketError for a part or a property that does not exist."""
    for setting in settings:
        if setting.target.loop is None:
            _apply(setting, document)


def _apply(setting: Setting, document: Document) -> None:
    top: Any = document.value if isinstance(document.value, dict) else {}
    parts = top.get("parts")
    name, *path = setting.target.path
    if not isinstance(parts, dict) or name not in parts:
        there = ", ".join(parts) if isinstance(parts, dict) and parts else "none"
        raise HocketError(
            f"--set '{setting}': there is no part {name}",
            f"the parts of {document.file} are: {there}",
            "name one of them",
        )
    at: Any = parts[name]
    for step in path[:-1]:
        at = _inside(at, step, setting)
    last = path[-1]
    if isinstance(at, list):
        _inside(at, last, setting)
        at[int(last)] = _plain(setting.value)
    elif isinstance(at, dict):
        at[last] = _plain(setting.value)  # whether the part has it is checked with the file
    else:
        raise _not_inside(setting, last)


def _inside(at: Any, step: str, setting: Setting) -> Any:
    if isinstance(at, dict) and step in at:
        return at[step]
    if isinstance(at, list) and step.isdigit() and int(step) < len(at):
        return at[int(step)]
    raise _not_inside(setting, step)


def _not_inside(setting: Setting, step: str) -> HocketError:
    return HocketError(
        f"--set '{setting}': {step} is not there",
        "a place is the names of a part and its properties; of a list the number, from 0",
        "write it as it stands in the scenario",
    )


def _plain(value: str) -> int | float | str:
    """Returns the value as YAML would read it."""
    if re.fullmatch(r"[+-]?\d{1,18}", value):
        return int(value)
    if re.fullmatch(r"[+-]?\d{1,15}\.\d{1,15}", value):
        return float(value)
    return value
