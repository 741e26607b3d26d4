"""The scenario loader: what it makes of good files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hocket.errors import HocketError
from hocket.scenario import load
from hocket.scenario.boards import BOARDS, SIM

Write = Callable[[str], Path]

ROVER = """\
about: A rover drives towards a wall.
parts:
  wheels:
    type: motors
    left: {forward: 4, backward: 5}
    right: {forward: 6, backward: D7, speed: 9}
    speed: 2.5 m/s
    time_constant: 0
    obstacle: [{at: 0s, is: 300 cm}, {at: 5s, speed: -36 km/h}]
  sonar: {type: hcsr04, trigger: 11, echo: 2, vehicle: wheels}
  lamp: {type: led, pin: LED_BUILTIN}
  turn: {type: potentiometer, pin: A1, position: 12.5 %}
  gps: {type: serial, port: 1, send: [{at: 1 ms, text: "$\\n"}], expect: [ok]}
"""

ROVER_FLAT = """\
hocket-scenario 1
part serial gps
port 1
send at=1000000 text=240a
expect 6f6b
part led lamp
pin 13
part hcsr04 sonar
trigger 11
echo 2
vehicle wheels
part potentiometer turn
pin 55
position at=0 is=125000
part motors wheels
left.forward 4
left.backward 5
right.forward 6
right.backward 7
right.speed 9
speed 2500000000
time_constant 0
obstacle at=0 is=3000000000
obstacle at=5000000000 speed=-10000000000
"""


def test_a_scenario_becomes_lines(write: Write) -> None:
    assert load(write(ROVER)) == ROVER_FLAT


def test_the_order_of_parts_has_no_effect(write: Write) -> None:
    one = load(write("parts:\n  a: {type: led, pin: 3}\n  b: {type: probe, pin: 4}\n"))
    two = load(write("parts:\n  b: {type: probe, pin: 4}\n  a: {type: led, pin: 3}\n"))
    assert one == two


def test_no_parts_at_all(write: Write) -> None:
    assert load(write("parts: {}\n")) == "hocket-scenario 1\n"
    assert load(write("for: 1 s\n")) == "hocket-scenario 1\n"  # nothing is connected


def test_aliases_share_a_profile(write: Write) -> None:
    text = load(
        write(
            "parts:\n"
            "  a: {type: potentiometer, pin: A0, position: &p [{at: 0, is: 1 %}]}\n"
            "  b: {type: potentiometer, pin: A1, position: *p}\n"
        )
    )
    assert text.count("position at=0 is=10000") == 2


def test_other_boards_have_no_scenarios(write: Write) -> None:
    with pytest.raises(HocketError, match="the board due has no simulated parts"):
        load(write(ROVER), board="due")


def test_the_uno_calls_its_analog_pins_by_its_own_numbers() -> None:
    uno = BOARDS["uno"]
    assert [uno.pin(p) for p in (13, "D13", 14, "A0", 19, "A5")] == [13, 13, 54, 54, 59, 59]
    assert [uno.pin(p) for p in (-1, 20, "A6", "D20", 54)] == [None] * 5
    assert [SIM.pin(p) for p in (53, 54, "A15", 70)] == [53, 54, 69, None]


def test_of_a_file_without_end_the_beginning_is_read() -> None:
    with pytest.raises(HocketError, match="larger than 4 MiB"):
        load(Path("/dev/zero"))
