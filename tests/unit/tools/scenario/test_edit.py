"""Edits of a scenario's text: the values that were asked for, and the user's comments where they were."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.campaign import rounds

from hocket.errors import HocketError
from hocket.scenario import edit
from hocket.scenario.document import document_of

FILE = Path("scenario.yaml")

TEXT = """\
# My crossing.
for: 14 s

parts:   # all of them
  # The lamp that the cars see.
  cars: {type: led, pin: 8}  # green

  walk:
    type: led      # a lamp
    # where it is
    pin: 12
  # behind walk
  knob:
    type: potentiometer
    pin: A0
    position:      # turned slowly
      - {at: 0 s, is: 0 %}    # left
      - {at: 5 s, is: 100 %}  # right

expect:
  - {pin: 9, is: high, by: 5 s}   # yellow
"""


def value(text: str) -> Any:
    return document_of(FILE, text).value


def test_only_what_changes_is_written() -> None:
    moved = edit.set_value(TEXT, ["parts", "cars", "pin"], 7)
    assert moved == TEXT.replace("pin: 8", "pin: 7")
    coloured = edit.set_value(TEXT, ["parts", "cars", "colour"], "green")
    assert coloured == TEXT.replace("pin: 8}", "pin: 8, colour: green}")
    walk = edit.set_value(TEXT, ["parts", "walk", "colour"], "white")
    assert walk == TEXT.replace("    pin: 12\n", "    pin: 12\n    colour: white\n")
    fixed = edit.set_value(TEXT, ["parts", "knob", "position"], "50 %")
    at = TEXT.index("      - {at: 0")
    assert (
        fixed == TEXT[:at].replace("position: ", "position: 50 % ") + TEXT[TEXT.index("\nexpect") :]
    )


def test_a_part_comes_and_goes() -> None:
    led = {"type": "led", "pin": 3}
    added = edit.set_value(TEXT, ["parts", "new"], led)
    assert "100 %}  # right\n  new: {type: led, pin: 3}\n\nexpect:" in added
    assert edit.remove(added, ["parts", "new"]) == TEXT
    without = edit.remove(TEXT, ["parts", "walk"])
    assert "# green\n\n  # behind walk\n  knob:" in without
    assert "walk" not in value(without)["parts"]


def test_a_new_name_is_in_what_is_expected_of_the_part() -> None:
    text = f"{TEXT}  - {{part: walk, edges: 2, while: {{part: cars, is: lit}}}}  # walk\n"
    renamed = edit.rename_part(text, "walk", "go")
    assert renamed == text.replace("  walk:", "  go:").replace("part: walk", "part: go")
    assert "behind walk" in renamed


@pytest.mark.parametrize(
    "empty", ["", "# nothing yet", "# nothing yet\n", "parts:\n", "parts:  # none\n", "parts: {}  # none\n"]
)  # fmt: skip
def test_the_first_part_of_an_empty_file(empty: str) -> None:
    made = edit.set_value(empty, ["parts", "lamp"], {"type": "led", "pin": 13})
    assert value(made) == {"parts": {"lamp": {"type": "led", "pin": 13}}}
    assert made.endswith("  lamp: {type: led, pin: 13}\n")
    assert comments(made) == comments(empty)
    last = edit.remove(made, ["parts", "lamp"])
    assert value(last) == {"parts": {}}
    assert comments(last) == comments(empty)


def test_braces_over_several_lines_keep_their_comments() -> None:
    text = """\
parts: {
  lamp: {  # one
    type: led,  # two
    pin: 3,  # three
    colour: red  # four
  }
}
"""
    for key in ("type", "pin", "colour"):
        made = edit.remove(text, ["parts", "lamp", key])
        assert comments(made) == comments(text)
    made = edit.set_value(text, ["parts", "lamp", "lit_when"], "low")
    assert made == text.replace("red  #", "red, lit_when: low  #")
    made = edit.set_value(text, ["parts", "new"], {"type": "led", "pin": 4})
    assert comments(made) == comments(text)
    assert comments(edit.remove(made, ["parts", "new"])) == comments(text)


def test_lines_end_as_they_did() -> None:
    text = TEXT.replace("\n", "\r\n")
    made = edit.set_value(text, ["parts", "new"], {"type": "led", "pin": 3})
    assert "\n" not in made.replace("\r\n", "")
    assert edit.remove(made, ["parts", "new"]) == text


def test_what_would_change_another_value_is_refused() -> None:
    text = "parts:\n  one: &lamp {type: led, pin: 3}\n  two: *lamp\n"
    for keys in (["parts", "two", "pin"], ["parts", "one", "pin"]):
        with pytest.raises(HocketError, match="cannot be changed here") as error:
            edit.set_value(text, keys, 4)
        assert "alias" in error.value.cause
    with pytest.raises(HocketError, match="cannot be changed here"):
        edit.remove(text, ["parts", "one"])


def comments(text: str) -> list[str]:
    return re.findall(r"# ?[\w. ]*", text)


# --- Any sequence of edits ---

TEXTS = st.sampled_from(
    ["20 ms", "high", "true", "12", "a: b", "# no comment", "{", "", " x", "grün", '"', "\n", "\x07",
     "null", "1e3", "*a", "&a", "- a", "0x1f", "a, b", "]", "yes", "\U0001f642"]
)  # fmt: skip
SCALARS = st.one_of(TEXTS, st.integers(-5, 300), st.booleans(), st.just(0.5))
VALUES = st.one_of(
    SCALARS,
    st.lists(
        st.one_of(SCALARS, st.dictionaries(st.sampled_from(["at", "is"]), SCALARS)), max_size=3
    ),
)
KEYS = st.sampled_from(["type", "pin", "colour", "pressed"])
NAMES = st.sampled_from(["lamp", "knob", "b2", "x_y-z"])
PARTS = st.dictionaries(NAMES, st.dictionaries(KEYS, VALUES, min_size=1), max_size=4)


class Writer:
    """A scenario as people write them: each part in one of their forms, with comments wherever one can be.

    A comment says how long it must stay: `free`, or as long as its part (`in lamp`), its key (`in lamp.pin`),
    or that key's value (`of lamp.pin`) does.
    """

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.made = 0

    def maybe(self, what: str) -> str:
        """A comment at a line's end."""
        if not self.draw(st.booleans()):
            return ""
        self.made += 1
        return f"  # {what} {self.made}"

    def line(self, what: str, indent: int) -> str:
        """A line with a comment, or an empty one, or none."""
        kind = self.draw(st.integers(0, 3))
        if kind == 0:
            return "\n"
        if kind > 1:
            return ""
        self.made += 1
        return f"{' ' * indent}# {what} {self.made}\n"

    def key(self, name: str, key: str, value: object) -> str:
        where = f"{name}.{key}"
        head = f"    {key}:"
        if isinstance(value, list) and value and self.draw(st.booleans()):
            items = "".join(
                self.line(f"of {where}", 6) * (i > 0)
                + f"      - {edit.written(each)}{self.maybe(f'of {where}')}\n"
                for i, each in enumerate(value)
            )
            return f"{head}{self.maybe(f'in {where}')}\n{items}"
        if isinstance(value, str) and value.isalnum() and self.draw(st.booleans()):
            return f"{head} '{value}'{self.maybe(f'in {where}')}\n"
        return f"{head} {edit.written(value)}{self.maybe(f'in {where}')}\n"

    def part(self, name: str, part: dict[str, Any]) -> str:
        form = self.draw(st.sampled_from(["line", "lines", "block"]))
        if form == "line":
            return f"  {name}: {edit.written(part)}{self.maybe(f'in {name}')}\n"
        if form == "lines":
            inner = "".join(
                f"      {key}: {edit.written(each)},{self.maybe(f'in {name}')}\n"
                for key, each in part.items()
            )
            return f"  {name}: {{\n{inner}  }}{self.maybe(f'in {name}')}\n"
        inner = ""
        for i, (key, each) in enumerate(part.items()):
            inner += (self.line(f"in {name}", 4) if i > 0 else "") + self.key(name, key, each)
        return f"  {name}:{self.maybe(f'in {name}')}\n{inner}"

    def document(self, parts: dict[str, Any]) -> str:
        text = self.line("free", 0) + self.draw(st.sampled_from(["", "for: 3 s\n"]))
        if not parts:
            return text + self.draw(
                st.sampled_from(["", "parts: {}  # free 0\n", "parts:   # free 0\n"])
            )
        text += f"parts:{self.maybe('free')}\n"
        for name, part in parts.items():
            text += self.line("free", 2) + self.part(name, part)
        text += self.line("free", 2) + self.draw(
            st.sampled_from(["", "expect:  # free 0\n  - {loop: 1, misses: 0}"])
        )
        return text


@st.composite
def documents(draw: st.DrawFn) -> str:
    return Writer(draw).document(draw(PARTS))


def must_stay(comment: str, gone: list[str]) -> bool:
    """`in lamp.pin` goes with lamp and with lamp.pin; `of lamp.pin` also with that key's value."""
    kind, _, where = re.sub(r" ?\d+$", "", comment.removeprefix("# ")).partition(" ")
    if kind == "free":
        return True
    inside = any(where == each or where.startswith(f"{each}.") for each in gone)
    return not inside and not (kind == "of" and f"={where}" in gone)


@given(documents(), st.data())
@settings(max_examples=rounds(40, 5_000, "HOCKET_SCENARIO_EDITS"), deadline=None)
def test_any_edits_leave_what_was_asked_for_and_the_comments(
    text: str, data: st.DataObject
) -> None:
    model = value(text) or {}
    for _ in range(data.draw(st.integers(1, 6))):
        parts = model.get("parts") or {}
        places = [[name, key] for name, part in parts.items() for key in part]
        kind = data.draw(st.sampled_from(["add", "set", "remove part", "remove key", "rename"]))
        before, gone = comments_of(text), []
        if kind == "set" and parts:
            name, key = data.draw(st.sampled_from(sorted(parts))), data.draw(KEYS)
            to = data.draw(VALUES)
            text = edit.set_value(text, ["parts", name, key], to)
            parts[name][key], gone = to, [f"={name}.{key}"]
        elif kind == "remove part" and parts:
            name = data.draw(st.sampled_from(sorted(parts)))
            text = edit.remove(text, ["parts", name])
            del parts[name]
            gone = [name]
        elif kind == "remove key" and places:
            name, key = data.draw(st.sampled_from(places))
            text = edit.remove(text, ["parts", name, key])
            del parts[name][key]
            gone = [f"{name}.{key}"]
        elif kind == "rename" and parts:
            name = data.draw(st.sampled_from(sorted(parts)))
            to = (
                data.draw(st.sampled_from(sorted({"lamp", "knob", "b2", "x_y-z"} - {*parts})))
                if len(parts) < 4
                else name
            )
            text = edit.rename_part(text, name, to)
            assert [each for each in before if each not in comments_of(text)] == []
            text = edit.rename_part(text, to, name)  # its comments are known by that name
        else:
            new = {"type": "led", **data.draw(st.dictionaries(KEYS, VALUES))}
            name = (
                data.draw(st.sampled_from(sorted({"lamp", "knob", "b2", "x_y-z"} - {*parts})))
                if len(parts) < 4
                else None
            )
            if name is None:
                continue
            text = edit.set_value(text, ["parts", name], new)
            model["parts"] = {**parts, name: new}
        assert value(text) == model
        kept = comments_of(text)
        assert [each for each in before if must_stay(each, gone) and each not in kept] == []


def comments_of(text: str) -> list[str]:
    """Those that the writer made; a `#` in a value has no such form."""
    return re.findall(r"# (?:free|in|of)[\w. -]* ?\d+$", text, re.MULTILINE)
