"""What is said of expectations that are wrong; any item is an expectation, or told what is wrong with it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.part_pages import description_of, packets
from tests.unit.tools.expect.conftest import read_items

from hocket.errors import HocketError
from hocket.expect import Evidence
from hocket.expect.judging import check_duration
from hocket.expect.reading import MOST_TIMES
from hocket.scenario.structure import schema

ROOT = Path(__file__).resolve().parents[4]

LIT = {"part": "lamp", "is": "lit"}
WRONG: list[tuple[dict[str, Any], str, str]] = [
    (
        {"pin": 99, "is": "high", "by": "1 s"},
        "the board sim does not have pin 99",
        "its pins are 0 to 53",
    ),
    (
        {"pin": 3, "is": "hihg", "by": "1 s"},
        "a pin cannot be hihg: did you mean high?",
        "write high or low",
    ),
    (
        {"part": "lapm", "is": "lit", "by": "1 s"},
        "there is no part lapm: did you mean lamp?",
        "parts are arm",
    ),
    (
        {"part": "lamp", "is": "pressed", "by": "1 s"},
        "lamp cannot be pressed",
        "write lit or dark or high",
    ),
    (
        {"part": "wheels", "is": "high", "by": "1 s"},
        "a part of type motors has no state",
        "ask for its facts",
    ),
    (LIT, "this does not say when lamp is to be lit", "add by: 1 s, at: 1 s"),
    (LIT | {"by": "20"}, "by: 20 has no unit", "write a time with its unit"),
    (LIT | {"by": "-1 s"}, "by is -1 s, before the start", "write 0 or more"),
    (LIT | {"by": "1 s", "at": "1 s"}, "this has both at and by", "keep one of"),
    (LIT | {"by": "1 s", "from": "2 s"}, "by comes before from", "put the earlier time into from"),
    (
        LIT | {"during": ["1 s", "2 s"], "from": "1 s"},
        "this has both during and from",
        "keep one of",
    ),
    (
        LIT | {"during": ["2 s", "1 s"]},
        "the time ends at 1 s, before it has begun",
        "put the earlier",
    ),
    (LIT | {"after": {"serial": "x"}}, "after has no time to count to", "add within: 20 ms"),
    (LIT | {"within": "1 s"}, "within has no event to count from", "add after"),
    (LIT | {"by": "1 s", "time": 3}, "time says nothing here", "keys are part, is, by"),
    (LIT | {"while": {"serial": "x"}}, "while is not a state", "write {pin: 3, is: high}"),
    (LIT | {"while": LIT | {"by": "1 s"}}, "while has no key by", "keys are part, is"),
    ({"serial": "a\0b"}, "the text has a NUL in it", "name a part of it"),
    ({"serial": "a", "times": "many"}, "times: many is not a number", "write a number"),
    ({"serial": "a", "is": "high"}, "serial says nothing here", "keys are pin, is"),
    ({"first": LIT}, "this says what comes first, and not what then", "add then"),
    ({"first": LIT, "then": {"part": "lamp"}}, "then is not a state", "write {pin: 3"),
    (
        {"first": LIT, "then": {"serial": "x", "by": "1 s"}},
        "then has no key by",
        "keys are serial, port",
    ),
    ({"pin": 3}, "this expects nothing of the pin", "add is: high"),
    ({"pin": 3, "kind": "rising"}, "kind says which edges to count", "add edges: 10"),
    ({"pin": 3, "edges": 3, "by": "1 s"}, "by says nothing here", "keys are pin, edges"),
    ({"pin": 3, "frequency": "50"}, "frequency: 50 has no unit", "write a frequency with its unit"),
    ({"pin": 3, "frequency": "0 Hz"}, "no signal has a frequency of 0 Hz", "add edges: 0"),
    (
        {"part": "sonar", "pigns": 3},
        "a hcsr04 has no fact pigns: did you mean pings?",
        "facts are pings",
    ),
    ({"part": "sonar"}, "this says nothing of the part", "add is: lit"),
    ({"part": "wheels", "collided": "no"}, "collided is true or false", "write true or false"),
    ({"part": "uav", "upset_because": 3}, "upset_because is a text", "put it in double quotes"),
    (
        {"part": "wheels", "min_distance": 80},
        "min_distance: 80 has no unit",
        "write a length with its unit",
    ),
    (
        {"part": "arm", "turned": "90 deg ± 2 deg", "at": "3.5 s"},
        "facts of arm are of the whole run, and take no at",
        "leave at out; angle can be asked for at a time",
    ),
    (
        {"part": "arm", "angle": "90 deg ± 2 deg", "pulses": 3, "at": "3.5 s"},
        "pulses says nothing here",
        "keys are part, angle, by",
    ),
    (
        {"part": "arm", "angle": "90", "at": "3.5 s"},
        "angle: 90 has no unit",
        "write an angle with its unit",
    ),
    (
        {"part": "sonar", "angle": "90 deg", "at": "3.5 s"},
        "facts of sonar are of the whole run, and take no at",
        "leave at out",
    ),
    (
        {"first": {"part": "arm", "angle": "90 deg", "until": "1 s"}, "then": {"serial": "x"}},
        "first has no key until",
        "keys are part, angle",
    ),
    (
        {"part": "lamp", "lit_at_end": True, "from": "1 s"},
        "facts of lamp are of the whole run, and take no from",
        "{part: lamp, is: lit, at: 1.5 s}",
    ),
    (
        {"part": "sonar", "pings": 3, "until": "1 s"},
        "facts of sonar are of the whole run, and take no until",
        "leave until out",
    ),
    (
        {"loop": 1, "misses": 0, "by": "1 s"},
        "facts of a loop are of the whole run, and take no by",
        "leave by out",
    ),
    (
        {"misses": 0, "by": "1 s"},
        "facts of all loops are of the whole run, and take no by",
        "leave by out",
    ),
    ({"loop": 1, "mises": 0}, "a loop has no fact mises: did you mean misses?", "facts are misses"),
    ({"loop": 1}, "this says nothing of the loop", "add misses: 0"),
    (
        {"interrupt": 2, "lots": 0},
        "an interrupt has no fact lots: did you mean lost?",
        "facts are delay",
    ),
    ({"mises": 0}, "there is nothing called mises here: did you mean misses?", "facts are misses"),
]
WRONG_NEVER: list[tuple[dict[str, Any], str, str]] = [
    (
        {"part": "wheels", "collided": True},
        "never takes a state or a text",
        "facts and numbers go under",
    ),
    (
        {"loop": 1, "misses": 1},
        "never takes a state or a text",
        "facts and numbers go under expect",
    ),
    ({"serial": "x", "times": 3}, "times says nothing here", "keys are serial, port"),
    (LIT | {"by": "1 s"}, "by says nothing here", "keys are part, is"),
]


@pytest.mark.parametrize(("item", "fact", "next_step"), WRONG, ids=[each[1] for each in WRONG])
def test_mistakes(item: dict[str, Any], fact: str, next_step: str) -> None:
    found, (problem,) = read_items([item])
    assert found == ()
    assert problem.fact == fact
    assert next_step in problem.next_step
    assert problem.file == "s.yaml"


@pytest.mark.parametrize(
    ("item", "fact", "next_step"), WRONG_NEVER, ids=[str(each[0]) for each in WRONG_NEVER]
)
def test_mistakes_of_never(item: dict[str, Any], fact: str, next_step: str) -> None:
    found, (problem,) = read_items([], [item])
    assert found == ()
    assert problem.fact == fact
    assert next_step in problem.next_step


def test_all_mistakes_are_told() -> None:
    _, problems = read_items([WRONG[0][0], LIT | {"by": "1 s"}, WRONG[5][0]], [WRONG_NEVER[0][0]])
    assert [problem.fact for problem in problems] == [WRONG[0][1], WRONG[5][1], WRONG_NEVER[0][1]]


def test_pins_are_the_boards() -> None:
    (on_uno,), _ = read_items([{"pin": "A0", "is": "high", "by": "1 s"}], board="uno")
    (on_sim,), _ = read_items([{"pin": "A0", "is": "high", "by": "1 s"}])
    (number,), _ = read_items([{"pin": 14, "is": "high", "by": "1 s"}], board="uno")
    assert list(on_uno.signals()) == list(on_sim.signals()) == list(number.signals()) == ["A0"]
    (interrupt,), _ = read_items([{"interrupt": "A0", "lost": 0}], board="uno")
    run = Evidence(1, report={"interrupts": [{"pin": 14, "edges": 1, "lost": 0}]})
    assert interrupt.verdict(run).met


def test_what_a_run_is_too_short_for() -> None:
    found, _ = read_items(
        [
            LIT | {"by": "2 s"},
            LIT | {"at": "1 s"},
            LIT | {"from": "3 s"},
            {"serial": "x", "by": "4 s"},
        ],
        [LIT | {"during": ["1 s", "5 s"]}],
    )
    assert [each.latest for each in found] == [
        *(2 * 10**9, 10**9, 3 * 10**9 + 1, 4 * 10**9, 5 * 10**9)
    ]
    check_duration(found, 5 * 10**9, Path("s.yaml"))
    with pytest.raises(HocketError, match=r"the run ends at 4\.999999999 s"):
        check_duration(found, 5 * 10**9 - 1, Path("s.yaml"))
    with pytest.raises(HocketError, match="the run ends at 3 s"):  # where that one begins
        check_duration(found[2:3], 3 * 10**9, Path("s.yaml"))


def test_the_tool_and_the_boards_programs_agree() -> None:
    header = (ROOT / "simulation/program/text_notes.h").read_text()
    assert f"kMost = {MOST_TIMES:,}".replace(",", "'") in header


def test_facts_are_those_of_the_documentation() -> None:
    of_packets = packets()
    for name, part in schema()["$defs"]["parts"].items():
        assert part["x-facts"], name
        section = description_of(name)
        for fact in part["x-facts"]:
            measured = re.fullmatch(r"(min|mean|max)_((high|low|interval|period)_us)", fact)
            told = measured[2] if measured and name == "probe" else fact
            where = of_packets if fact.startswith("packets") else section
            assert f"`{told}`" in where, f"{name}: {fact}"


keys = st.sampled_from(
    sorted(
        {*schema()["$defs"]["expectation"]["properties"], "pings", "collided", "min_distance", "x"}
    )
)
WORDS = [
    "high",
    "lit",
    "pressed",
    "lamp",
    "start",
    "sonar",
    "1 s",
    "20 ms",
    "50 Hz ± 1 %",
    "≥ 3",
    "",
    "\0",
]
leaves = (
    st.sampled_from(WORDS)
    | st.integers(-3, 20)
    | st.booleans()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5)
)
texts = st.text(min_size=1, max_size=5)
OF_SCHEMA: dict[str, st.SearchStrategy[Any]] = {
    "pin": st.integers(-3, 80) | texts,
    "part": texts | st.sampled_from(["lamp", "start", "sonar", "wheels", "friend"]),
    "is": texts | st.sampled_from(["high", "lit", "pressed", "low"]),
    "serial": texts,
    "port": st.integers(0, 3),
    "loop": st.integers(0, 5),
    "kind": st.sampled_from(["rising", "falling", "both"]),
    "during": st.lists(leaves, min_size=2, max_size=2),
    "interrupt": st.integers(-3, 80) | texts,
}
conditions = st.sets(st.sampled_from(["pin", "part", "is", "serial", "port"]), min_size=1).flatmap(
    lambda names: st.fixed_dictionaries({name: OF_SCHEMA[name] for name in names})
)
OF_SCHEMA |= dict.fromkeys(("first", "while", "after"), conditions)
OF_SCHEMA["then"] = conditions | st.lists(conditions, min_size=1, max_size=3)
items = st.sets(keys, min_size=1, max_size=5).flatmap(
    lambda names: st.fixed_dictionaries({name: OF_SCHEMA.get(name, leaves) for name in names})
)


@given(st.lists(items, max_size=3), st.lists(items, max_size=2))
def test_any_item_of_the_schemas_shape_is_read_or_told_what_is_wrong(
    expect: list[Any], never: list[Any]
) -> None:
    found, problems = read_items(expect, never)
    for problem in problems:
        assert problem.fact and problem.next_step
    for each in found:
        verdict = each.verdict(Evidence(10**9))
        assert each.wanted() and verdict.seen
