"""Each kind of expectation has a run that meets it and one that does not, with what is said of it."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.tools.expect.conftest import Read

from hocket.expect import Evidence
from hocket.expect.evidence import Sent, Wiring

MS = 10**6
# Pin 13 is high from 20 ms to 40 ms and from 60 ms on; pin 12 is its opposite; pin 4 rises at 65 ms; pin 9
# has five pulses of 1 ms, 10 ms apart. "ping" is sent at 10 ms and 50 ms, "pong" at 12 ms. It ends at 100 ms.
RUN = Evidence(
    end=100 * MS,
    signals={
        "D13": [(0, "z"), (1 * MS, "0"), (20 * MS, "1"), (40 * MS, "0"), (60 * MS, "1")],
        "D12": [(0, "1"), (20 * MS, "0"), (40 * MS, "1"), (60 * MS, "0")],
        "D4": [(0, "0"), (65 * MS, "1")],
        "D9": [(0, "0")]
        + [(t * MS, v) for n in range(5) for t, v in ((10 * n + 5, "1"), (10 * n + 6, "0"))],
        "D2": [(0, "1"), (5, "0"), (8, "1")],
    },
    texts={
        ("ping", 0): Sent(2, (10 * MS, 50 * MS)),
        ("pong", 0): Sent(1, (12 * MS,)),
        ("flood", 0): Sent(20_000, (1 * MS, 2 * MS)),
        ("up", 1): Sent(1, (3 * MS,)),
    },
    report={
        "parts": {
            "sonar": {"pings": 6, "last_distance_cm": 49.05, "no_echoes": 0},
            "wheels": {"collided": False, "reaction_us": None, "min_distance_cm": 94.19},
            "lamp": {"edges": 3, "lit_at_end": True},
            "uav": {"upset": True, "upset_because": "tilt"},
        },
        "loops": [
            {
                "id": 1,
                "deadline_misses": 0,
                "max_response_us": 4000.5,
                "releases": 10,
                "stack_used": 400,
            },
            {
                "id": 2,
                "deadline_misses": 3,
                "max_response_us": 9000,
                "releases": 10,
                "stack_used": 900,
            },
            {
                "id": 3,
                "deadline_misses": 0,
                "max_response_us": None,
                "releases": 0,
                "stack_used": 0,
            },
            {"id": 4, "deadline_misses": None, "max_response_us": None, "releases": None},
        ],
        "interrupts": [
            {"pin": 2, "edges": 7, "lost": 1, "max_delay_us": 31.5},
            {"pin": 3, "edges": 0, "lost": 0, "max_delay_us": 0},
        ],
    },
)

HIGH = {"pin": 13, "is": "high"}
LIT = {"part": "lamp", "is": "lit"}

EXPECT: list[tuple[dict[str, Any], bool, str]] = [
    # states by a time
    (HIGH | {"by": "20 ms"}, True, "pin 13 was to be high by 20 ms; it was high at 20 ms"),
    (HIGH | {"by": "19 ms"}, False, "pin 13 was to be high by 19 ms; it was not high until 20 ms"),
    (
        HIGH | {"from": "40 ms", "by": "59 ms"},
        False,
        "pin 13 was to be high by 59 ms from 40 ms on; it was low until 60 ms",
    ),
    (
        {"pin": 4, "is": "floating", "by": "90 ms"},
        False,
        "pin 4 was to be floating by 90 ms; it was not floating until the run's end at 100 ms",
    ),
    (
        {"pin": 7, "is": "high", "by": "90 ms"},
        False,
        "pin 7 was to be high by 90 ms; nothing in this run used pin 7",
    ),
    (LIT | {"by": "2 s"}, True, "lamp was to be lit by 2 s; it was lit at 20 ms"),
    (
        {"part": "dim", "is": "lit", "by": "10 ms"},
        False,
        "dim was to be lit by 10 ms; it was dark until 20 ms",
    ),
    (
        LIT | {"from": "1 s", "by": "2 s"},
        False,
        "lamp was to be lit by 2 s from 1 s on; the run ended at 100 ms",
    ),
    # at an instant, in a time, while
    (
        HIGH | {"at": "40 ms"},
        False,
        "pin 13 was to be high at 40 ms; it was low from 40 ms to 60 ms",
    ),
    (HIGH | {"at": "100 ms"}, True, "pin 13 was to be high at 100 ms; it was high"),
    (HIGH | {"at": "101 ms"}, False, "pin 13 was to be high at 101 ms; the run ended at 100 ms"),
    (
        HIGH | {"during": ["20 ms", "40 ms"]},
        True,
        "pin 13 was to be high from 20 ms to 40 ms; it was high",
    ),
    (
        HIGH | {"during": ["20 ms", "41 ms"]},
        False,
        "pin 13 was to be high from 20 ms to 41 ms; it was low from 40 ms to 60 ms",
    ),
    (HIGH | {"from": "60 ms"}, True, "pin 13 was to be high from 60 ms on; it was high"),
    (
        {"pin": 4, "is": "low", "until": "70 ms"},
        False,
        "pin 4 was to be low until 70 ms; it was high from 65 ms to the run's end at 100 ms",
    ),
    (
        {"part": "dim", "is": "lit", "while": LIT},
        True,
        "dim was to be lit while lamp was lit; it was lit",
    ),
    (
        {"pin": 4, "is": "low", "while": LIT},
        False,
        "pin 4 was to be low while lamp was lit; it was high from 65 ms to the run's end at 100 ms",
    ),
    (
        LIT | {"while": {"pin": 4, "is": "floating"}},
        False,
        "lamp was to be lit while pin 4 was floating; there was no time in which pin 4 was floating",
    ),
    # soon after something
    (
        {"pin": 12, "is": "high", "after": {"serial": "ping"}, "within": "30 ms"},
        True,
        'pin 12 was to be high within 30 ms after "ping" was sent; it was, 2 times, after 0 s at most',
    ),
    (
        HIGH | {"after": {"serial": "ping"}, "within": "9 ms"},
        False,
        'pin 13 was to be high within 9 ms after "ping" was sent; "ping" was sent at 10 ms, and it was low '
        "until 20 ms",
    ),
    (
        HIGH | {"after": {"serial": "ping"}, "within": "10 ms"},
        True,
        'pin 13 was to be high within 10 ms after "ping" was sent; it was, 2 times, after 10 ms at most',
    ),
    (
        HIGH | {"after": {"serial": "panic"}, "within": "9 ms"},
        False,
        'pin 13 was to be high within 9 ms after "panic" was sent; there was no time at which "panic" '
        "was sent",
    ),
    (
        {"pin": 4, "is": "low", "after": {"pin": 4, "is": "high"}, "within": "1 s"},
        False,
        "pin 4 was to be low within 1 s after pin 4 was high; the run ended at 100 ms, too soon after",
    ),
    # texts
    ({"serial": "pong"}, True, '"pong" was to be sent; it was sent once, at 12 ms'),
    ({"serial": "up", "port": 1}, True, '"up" on port 1 was to be sent; it was sent once, at 3 ms'),
    ({"serial": "up\n"}, False, '"up\\n" was to be sent; it was not sent at all'),
    (
        {"serial": "pong", "by": "12 ms"},
        True,
        '"pong" was to be sent by 12 ms; it was sent once, at 12 ms',
    ),
    (
        {"serial": "pong", "by": "11 ms"},
        False,
        '"pong" was to be sent by 11 ms; it was sent at 12 ms',
    ),
    ({"serial": "nix", "by": "11 ms"}, False, '"nix" was to be sent by 11 ms; it was never sent'),
    (
        {"serial": "ping", "times": "at least 3", "by": "90 ms"},
        False,
        '"ping" was to be sent at least 3 times by 90 ms; it was sent 2 times, first at 10 ms',
    ),
    (
        {"serial": "ping", "times": 2, "during": ["10 ms", "50 ms"]},
        False,
        '"ping" was to be sent 2 times from 10 ms to 50 ms; it was sent once, at 10 ms',
    ),
    (
        {"serial": "ping", "times": 2, "by": "2 s"},
        False,
        '"ping" was to be sent 2 times by 2 s; it was sent 2 times when the run ended at 100 ms',
    ),
    (
        {"serial": "flood", "times": "at least 100"},
        True,
        '"flood" was to be sent at least 100 times; it was sent 20000 times, first at 1 ms',
    ),
    (
        {"serial": "flood", "during": ["5 ms", "9 ms"]},
        False,
        '"flood" was to be sent from 5 ms to 9 ms; it was sent 20000 times, too often to look at each',
    ),
    (
        {"serial": "pong", "after": {"serial": "ping"}, "within": "2 ms"},
        False,
        '"pong" was to be sent within 2 ms after "ping" was sent; "ping" was sent at 50 ms, and it was not '
        "sent at all then",
    ),
    (
        {"serial": "pong", "after": {"serial": "ping"}, "within": "2 ms", "until": "50 ms"},
        True,
        '"pong" was to be sent within 2 ms after "ping" was sent until 50 ms; it was, once',
    ),
    # edges
    ({"pin": 9, "edges": "10 ± 1"}, True, "pin 9 was to have 10 ± 1 edges; it had 10"),
    (
        {"pin": 9, "edges": 3, "kind": "rising", "during": ["5 ms", "25 ms"]},
        False,
        "pin 9 was to have 3 rising edges from 5 ms to 25 ms; it had 2",
    ),
    (
        {"pin": 9, "frequency": "100 Hz ± 1 %"},
        True,
        "pin 9 was to have a frequency of 100 Hz ± 1 %; it had 100 Hz",
    ),
    (
        {"pin": 9, "duty": "7.5 % ± 0.5 %"},
        False,
        "pin 9 was to have a duty of 7.5 % ± 0.5 %; it had 10 %",
    ),
    (
        {"part": "arm", "frequency": "50 Hz"},
        False,
        "arm was to have a frequency of 50 Hz; it had 100 Hz",
    ),
    (
        {"pin": 4, "duty": "50 %"},
        False,
        "pin 4 was to have a duty of 50 %; it had one rising edge only",
    ),
    (
        {"pin": 8, "edges": 0},
        False,
        "pin 8 was to have 0 edges; nothing in this run used pin 8",
    ),
    # order
    (
        {"first": LIT, "then": {"pin": 4, "is": "high"}, "within": "50 ms"},
        True,
        "first lamp was to be lit, then pin 4 high, within 50 ms; it took 45 ms, from 20 ms to 65 ms",
    ),
    (
        {"first": LIT, "then": [{"serial": "ping"}, {"pin": 4, "is": "high"}]},
        False,
        'first lamp was to be lit, then "ping", then pin 4 high; "ping" was sent at 10 ms, before lamp was '
        "lit, at 20 ms",
    ),
    (
        {"first": LIT, "then": {"part": "dim", "is": "lit"}},
        False,
        "first lamp was to be lit, then dim lit; dim was lit at 20 ms, at the same time as lamp was lit",
    ),
    (
        {"first": LIT, "then": {"serial": "bang"}},
        False,
        'first lamp was to be lit, then "bang"; there was no time at which "bang" was sent',
    ),
    (
        {"first": {"part": "start", "is": "pressed"}, "then": LIT, "within": "1 ms"},
        False,
        "first start was to be pressed, then lamp lit, within 1 ms; it took 19.999995 ms, from 5 ns to 20 ms",
    ),
    # facts
    ({"part": "sonar", "pings": "≥ 6"}, True, "pings of sonar were to be at least 6; they were 6"),
    (
        {"part": "sonar", "last_distance": "50 cm ± 1 cm"},
        True,
        "last_distance of sonar was to be 50 cm ± 1 cm; it was 49.05 cm",
    ),
    (
        {"part": "sonar", "last_distance_cm": "above 50"},
        False,
        "last_distance_cm of sonar was to be above 50; it was 49.05 cm",
    ),
    (
        {"part": "wheels", "collided": True},
        False,
        "collided of wheels was to be true; it was false",
    ),
    (
        {"part": "wheels", "collided": False},
        True,
        "collided of wheels was to be false; it was false",
    ),
    (
        {"part": "wheels", "reaction": "below 20 ms"},
        False,
        "reaction of wheels was to be below 20 ms; there was nothing to measure, or this board cannot",
    ),
    ({"part": "lamp", "edges": 4}, False, "edges of lamp were to be 4; they were 3"),
    (
        {"part": "uav", "upset_because": "tilt"},
        True,
        'upset_because of uav was to be "tilt"; it was "tilt"',
    ),
    (
        {"part": "arm", "pulses": 4},
        False,
        "pulses of arm were to be 4; the report has no part arm",
    ),
    # loops and interrupts
    ({"loop": 1, "misses": 0}, True, "misses of loop 1 were to be 0; they were 0"),
    ({"loop": 2, "misses": 0}, False, "misses of loop 2 were to be 0; they were 3"),
    ({"misses": 0}, False, "misses of all loops were to be 0; loop 3 was never released"),
    ({"loop": 3, "misses": 0}, False, "misses of loop 3 were to be 0; loop 3 was never released"),
    (
        {"loop": 4, "misses": 0},
        False,
        "misses of loop 4 were to be 0; there was nothing to measure, or this board cannot",
    ),
    (
        {"loop": 9, "misses": 0},
        False,
        "misses of loop 9 were to be 0; there is no such loop: there are 1, 2, 3, 4",
    ),
    (
        {"loop": 1, "response": "below 4 ms"},
        False,
        "response of loop 1 was to be below 4 ms; it was 4000.5 us",
    ),
    ({"loop": 1, "stack": "< 500"}, True, "stack of loop 1 was to be below 500; it was 400"),
    ({"interrupt": 2, "lost": 0}, False, "lost of the interrupt of pin 2 was to be 0; it was 1"),
    (
        {"interrupt": 2, "delay": "below 50 us"},
        True,
        "delay of the interrupt of pin 2 was to be below 50 us; it was 31.5 us",
    ),
    (
        {"interrupt": 3, "lost": 0},
        False,
        "lost of the interrupt of pin 3 was to be 0; no edge came at pin 3",
    ),
    (
        {"interrupt": 5, "lost": 0},
        False,
        "lost of the interrupt of pin 5 was to be 0; no handler was attached to pin 5",
    ),
]

NEVER: list[tuple[dict[str, Any], bool, str]] = [
    ({"serial": "panic"}, True, '"panic" was never to be sent; it never was'),
    ({"serial": "pong"}, False, '"pong" was never to be sent; it was sent at 12 ms'),
    (
        {"serial": "ping", "from": "20 ms"},
        False,
        '"ping" was never to be sent from 20 ms on; it was sent at 50 ms',
    ),
    (
        {"pin": 13, "is": "floating", "from": "1 ms"},
        True,
        "pin 13 was never to be floating from 1 ms on; it never was",
    ),
    (
        {"pin": 4, "is": "high", "while": LIT},
        False,
        "pin 4 was never to be high while lamp was lit; both were from 65 ms to the run's end at 100 ms",
    ),
    (
        LIT | {"during": ["30 ms", "70 ms"]},
        False,
        "lamp was never to be lit from 30 ms to 70 ms; it was lit from 30 ms to 40 ms",
    ),
    (
        LIT | {"after": {"serial": "ping"}, "within": "10 ms"},
        False,
        'lamp was never to be lit within 10 ms after "ping" was sent; it was lit from 20 ms to 20.000001 ms',
    ),
    (
        LIT | {"after": {"serial": "ping"}, "within": "9 ms"},
        True,
        'lamp was never to be lit within 9 ms after "ping" was sent; it never was',
    ),
    (
        LIT | {"after": {"pin": 4, "is": "floating"}, "within": "9 ms"},
        False,
        "lamp was never to be lit within 9 ms after pin 4 was floating; there was no time at which pin 4 was "
        "floating",
    ),
    (
        LIT | {"while": {"pin": 4, "is": "floating"}},
        False,
        "lamp was never to be lit while pin 4 was floating; there was no time in which pin 4 was floating",
    ),
    (
        {"pin": 7, "is": "high"},
        False,
        "pin 7 was never to be high; nothing in this run used pin 7",
    ),
]


def said(item: dict[str, Any]) -> str:
    return " ".join(f"{key}={value}" for key, value in item.items())


@pytest.mark.parametrize(("item", "met", "words"), EXPECT, ids=[said(each[0]) for each in EXPECT])
def test_expected(read: Read, item: dict[str, Any], met: bool, words: str) -> None:
    (judged,) = read([item])
    verdict = judged.verdict(RUN)
    assert f"{judged.wanted()}; {verdict.seen}" == words
    assert verdict.met == met


@pytest.mark.parametrize(("item", "met", "words"), NEVER, ids=[said(each[0]) for each in NEVER])
def test_never(read: Read, item: dict[str, Any], met: bool, words: str) -> None:
    (judged,) = read([], [item])
    verdict = judged.verdict(RUN)
    assert f"{judged.wanted()}; {verdict.seen}" == words
    assert verdict.met == met


def test_several_in_one_item(read: Read) -> None:
    frequency, duty = read([{"pin": 9, "frequency": "100 Hz", "duty": "10 %"}])
    assert frequency.verdict(RUN).met and duty.verdict(RUN).met
    response, stack = read([{"loop": 1, "response": "below 5 ms", "stack": "below 300"}])
    assert response.verdict(RUN).met and not stack.verdict(RUN).met


# The lamps and the servo are on pins that the sketch never touches: it drives 8 and A0.
UNTOUCHED = Evidence(
    end=100 * MS,
    signals={"D13": [(0, "z")], "D12": [(0, "1")], "D9": [(0, "z")], "D8": [(0, "0")]},
    report={"parts": {"lamp": {"edges": 0, "lit_at_end": False}, "arm": {"pulses": 0}}},
    wiring=Wiring(("8", "A0"), ("9", "12", "13"), {"lamp": ("13",), "dim": ("12",), "arm": ("9",)}),
)
DARK = {"part": "lamp", "is": "dark"}
NEVER_DROVE = "lamp is on pin 13, and the sketch never drove it (it drove 8 and A0)"


@pytest.mark.parametrize(
    ("item", "seen"),
    [
        (DARK | {"until": "50 ms"}, NEVER_DROVE),
        (DARK | {"by": "50 ms"}, NEVER_DROVE),
        (DARK | {"at": "50 ms"}, NEVER_DROVE),
        ({"part": "lamp", "edges": 0}, NEVER_DROVE),
        ({"part": "lamp", "edges": 0, "until": "50 ms"}, NEVER_DROVE),
        ({"part": "lamp", "lit_at_end": False}, NEVER_DROVE),
        (
            {"part": "dim", "is": "dark", "at": "1 ms"},
            "dim is on pin 12, and the sketch never drove it (it drove 8 and A0)",
        ),
        (
            {"part": "arm", "pulses": 0},
            "arm is on pin 9, and the sketch never drove it (it drove 8 and A0)",
        ),
        ({"pin": 13, "edges": 0}, "the sketch never drove pin 13 (it drove 8 and A0)"),
        (
            {"pin": 13, "is": "low", "at": "1 ms"},
            "the sketch never drove pin 13 (it drove 8 and A0)",
        ),
    ],
    ids=lambda value: said(value) if isinstance(value, dict) else "",
)
def test_what_nobody_drove_is_never_as_expected(
    read: Read, item: dict[str, Any], seen: str
) -> None:
    (judged,) = read([item])
    verdict = judged.verdict(UNTOUCHED)
    assert (verdict.met, verdict.seen) == (False, seen)


def test_what_nobody_drove_did_not_keep_from_anything_either(read: Read) -> None:
    for item in (LIT, DARK, {"pin": 13, "is": "high"}):
        (judged,) = read([], [item])
        assert not judged.verdict(UNTOUCHED).met


def test_that_nobody_drives_a_pin_can_be_expected(read: Read) -> None:
    (judged,) = read([{"pin": 13, "is": "floating", "until": "50 ms"}])
    assert judged.verdict(UNTOUCHED).met


def test_a_pin_that_was_driven_and_left_alone_is_as_expected(read: Read) -> None:
    low, edges = read([{"pin": 8, "is": "low", "until": "50 ms"}, {"pin": 8, "edges": 0}])
    assert low.verdict(UNTOUCHED).met and edges.verdict(UNTOUCHED).met
