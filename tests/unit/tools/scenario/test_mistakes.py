"""What the scenario loader says of files that are wrong, or no scenarios at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hocket.errors import HocketError, SeveralErrors
from hocket.scenario import load

Write = Callable[[str], Path]

BAD = [
    # (text, line, fact, next step begins)
    ("parts: [\n", 2, "this is not well-formed YAML", "check indentation"),
    (
        "parts:\n  a: {type: led, pin: 3}\n  a: {type: led, pin: 4}\n",
        3,
        "there is a second a here",
        "rename",
    ),
    (
        "parts:\n  a: {type: lde, pin: 3}\n",
        2,
        "there is no part type lde: did you mean led?",
        "write type: led, or another one of docs/reference/parts.md",
    ),
    (
        "parts:\n  a: {type: zzzzzzzz, pin: 3}\n",
        2,
        "there is no part type zzzzzzzz",
        "types are a4988, ahrs, bme280, button",
    ),
    (
        "parts:\n  a:\n    type: led\n    pni: 3\n",
        4,
        "a has no key pni: did you mean pin?",
        "keys are type, pin",
    ),
    (
        "prats: {}\n",
        1,
        "the scenario has no key prats: did you mean parts?",
        "keys are about, board, cores, for, parts, expect, never",
    ),
    ("cores: 2.0\nparts: {}\n", 1, "cores is 2.0, which does not fit here", "write a whole number"),
    (
        "parts:\n  a: {type: serial, port: 1.0}\n",
        2,
        "port of a is 1.0, which does not fit here",
        "write a whole number",
    ),
    (
        "parts:\n  a: {type: generator, pin: 3, frequency: 1 kHz, count: 5.0}\n",
        2,
        "count of a is 5.0, which does not fit here",
        "write a whole number",
    ),
    (
        "parts:\n  s: {type: hcsr04, trigger: 3, echo: 3, distance: 1 m}\n",
        2,
        "trigger and echo of s are both on pin 3",
        "give each its own pin",
    ),
    (
        "parts:\n  m:\n    type: motors\n    left: {forward: 4, backward: 4}\n"
        "    right: {forward: 5, backward: 6}\n    speed: 1 m/s\n",
        4,
        "forward and backward of left of m are both on pin 4",
        "give each its own pin",
    ),
    ("parts:\n  a: {pin: 3}\n", 2, "a lacks type", "add type"),
    ("parts:\n  a:\n    type: led\n", 2, "a lacks pin", "add pin: … (the pin it is on)"),
    (
        "board: due\nparts: {}\n",
        1,
        "board cannot be due",
        "write sim or virt or uno or nano or mega or rpi3",
    ),
    (
        "parts: {}\nboard: uno\n",
        2,
        "this scenario is for the board uno, not for sim",
        "add --board uno, or remove this line",
    ),
    (
        "parts:\n  a: {type: led, pin: 70}\n",
        2,
        "pin of a is pin 70, which the board sim does not have",
        "its pins are 0 to 53",
    ),
    (
        "parts:\n  a: {type: led, pin: A16}\n",
        2,
        "pin of a is pin A16, which the board sim does not have",
        "its pins are",
    ),
    (
        "parts:\n  a: {type: led, pin: -1}\n",
        2,
        "pin of a is pin -1, which the board sim does not have",
        "its pins are",
    ),
    (
        "parts:\n  a: {type: led, pin: [3]}\n",
        2,
        "pin of a is a list, which does not fit here",
        "write a whole number or a text",
    ),
    (
        "parts:\n  a: {type: potentiometer, pin: 3, position: 0}\n",
        2,
        "pin of a is pin 3, which has no analog input",
        "use one of A0 to A15",
    ),
    (
        "parts:\n  m:\n    type: motors\n    speed: 1 m/s\n    left: {forward: 1, backward: 2, speed: 22}\n"
        "    right: {forward: 3, backward: 4}\n",
        5,
        "speed of left of m is pin 22, which has no PWM",
        "use one of 2, 3, 4",
    ),
    (
        "parts:\n  a:\n    type: generator\n    pin: 7\n    frequency: 1 kHz\n"
        "  b:\n    type: button\n    pin: D7\n    pressed: [{at: 1 s, for: 1 s}]\n",
        8,
        "pin of a and pin of b both drive pin 7",
        "move one of them",
    ),
    (
        "parts:\n  w: {type: wire, pins: [7, 8]}\n  a: {type: generator, pin: 7, frequency: 1 kHz}\n"
        "  b: {type: generator, pin: 8, frequency: 1 kHz}\n",
        4,
        "pin of a and pin of b both drive pins 7 and 8, which a wire connects",
        "move one of them",
    ),
    (
        "parts:\n  k: {type: keypad, rows: [2, 3], columns: [4, 3], "
        "pressed: [{key: '1', at: 0, for: 1 s}]}\n",
        2,
        "rows and columns of k are both on pin 3",
        "give each its own pin",
    ),
    (
        "parts:\n  k: {type: keypad, rows: [2, 2], columns: [4], pressed: [{key: '1', at: 0, for: 1 s}]}\n",
        2,
        "rows of k names pin 2 twice",
        "give each its own pin",
    ),
    (
        "parts:\n  w: {type: wire, pins: [2, 4]}\n"
        "  k: {type: keypad, rows: [2], columns: [4], pressed: [{key: '1', at: 0, for: 1 s}]}\n",
        3,
        "pins 2 and 4 of k are connected by a wire",
        "give each its own pin, or remove the wire",
    ),
    (
        "parts:\n  k: {type: keypad, rows: [2], columns: [4], pressed: [{key: 'A', at: 0, for: 1 s}]}\n",
        2,
        "k has no key A",
        "its keys are 1",
    ),
    (
        "parts:\n  k: {type: keypad, rows: [2], columns: [4], pressed: [{key: 1, at: 0, for: 1 s}]}\n",
        2,
        "key of pressed of k is 1, which does not fit here",
        "put it in double quotes",
    ),
    (
        "parts:\n  k:\n    type: keypad\n    rows: [2]\n    columns: [4]\n    pressed:\n"
        "      - {key: '1', at: 0, for: 1 s}\n      - {key: '1', at: 1 s, for: 1 s}\n",
        8,
        "key 1 of k is pressed at 1 s, before it is released",
        "begin after",
    ),
    (
        "parts:\n  k: {type: keypad, rows: [2, 3], columns: [4], keys: [A], "
        "pressed: [{key: A, at: 0, for: 1 s}]}\n",
        2,
        "keys of k has 1 texts, and the keypad 2 rows",
        "give one text for each row",
    ),
    (
        "parts:\n  k: {type: keypad, rows: [2], columns: [4], keys: [AB], "
        "pressed: [{key: A, at: 0, for: 1 s}]}\n",
        2,
        "row 1 of keys of k has 2 keys, and the keypad 1 columns",
        "give one character",
    ),
    (
        "parts:\n  k: {type: keypad, rows: [2, 3], columns: [4], keys: [A, A], "
        "pressed: [{key: A, at: 0, for: 1 s}]}\n",
        2,
        "k has two keys A",
        "give each key",
    ),
    (
        "parts:\n  k: {type: keypad, rows: [2, 3, 4, 5, 6], columns: [7], "
        "pressed: [{key: A, at: 0, for: 1 s}]}\n",
        2,
        "k has 5 rows of 1 keys, and they have no names",
        "add keys: 5 texts of 1 characters",
    ),
    (
        "parts:\n  d: {type: hd44780, rs: 1, enable: 2, data: [3, 4, 5, 6, 7]}\n",
        2,
        "data of d has 5 pins",
        "give 4 (D4 to D7) or 8",
    ),
    (
        "parts:\n  d: {type: hd44780, rs: 1, enable: 2, data: [3, 4, 5, 6], columns: 40, lines: 4}\n",
        2,
        "d has 4 lines of 40 characters, and one controller shows 80",
        "use at most 20 columns",
    ),
    (
        "parts:\n  w: {type: wire, pins: [7, D7]}\n",
        2,
        "pin D7 is on the wire w twice",
        "name each pin once",
    ),
    (
        "parts:\n  s: {type: hcsr04, trigger: 1, echo: 2, distance: 300}\n",
        2,
        "distance of s: 300 has no unit",
        "write a length with its unit",
    ),
    (
        "parts:\n  s: {type: hcsr04, trigger: 1, echo: 2, distance: 3 s}\n",
        2,
        "distance of s: s is a unit of time; a length is needed here",
        "write a length",
    ),
    (
        "parts:\n  s: {type: hcsr04, trigger: 1, echo: 2, distance: 3 feet}\n",
        2,
        "distance of s: feet is not a unit; a length is needed here",
        "write a length",
    ),
    (
        "parts:\n  s: {type: hcsr04, trigger: 1, echo: 2, distance: near}\n",
        2,
        "distance of s: near is not a length",
        "write a length",
    ),
    (
        "parts:\n  s: {type: hcsr04, trigger: 1, echo: 2, distance: -3 cm}\n",
        2,
        "distance of s is -3 cm, below 0",
        "give at least 0",
    ),
    (
        "parts:\n  s: {type: hcsr04, trigger: 1, echo: 2, distance: 1 m, range: 7 m}\n",
        2,
        "range of s is 7 m, above 6 m",
        "give at most 6 m",
    ),
    (
        "parts:\n  s: {type: hcsr04, trigger: 1, echo: 2}\n",
        2,
        "s lacks distance or vehicle",
        "add one of",
    ),
    (
        "parts:\n  s:\n    type: hcsr04\n    trigger: 1\n    echo: 2\n    distance: 1 m\n    vehicle: m\n",
        7,
        "s has both distance and vehicle",
        "keep one of",
    ),
    (
        "parts:\n  s: {type: hcsr04, trigger: 1, echo: 2, vehicle: weels}\n",
        2,
        "vehicle of s is weels, and there is no such part",
        "add a part of type motors",
    ),
    (
        "parts:\n  l: {type: led, pin: 5}\n  s: {type: hcsr04, trigger: 1, echo: 2, vehicle: l}\n",
        3,
        "vehicle of s is l, which is of type led, not motors",
        "add a part of type motors",
    ),
    (
        "parts:\n  s:\n    type: hcsr04\n    trigger: 1\n    echo: 2\n    distance:\n"
        "      - {at: 0s, is: 1 m}\n"
        "      - {at: 2s, is: 2 m}\n      - {at: 1s, is: 3 m}\n",
        9,
        "the times of distance of s do not ascend: 1s is not after the one before",
        "put them in order",
    ),
    (
        "parts:\n  s:\n    type: hcsr04\n    trigger: 1\n    echo: 2\n    distance:\n"
        "      - {at: 1s, is: 1 m}\n",
        7,
        "the first point of distance of s does not say where it is at 0 s",
        "begin with",
    ),
    (
        "parts:\n  b:\n    type: button\n    pin: 3\n    pressed:\n"
        "      - {at: 1 s, for: 1 s}\n      - {at: 1.5 s, for: 1 s}\n",
        7,
        "the times of pressed of b do not ascend: 1.5 s is not after the one before has ended",
        "put them in order",
    ),
    (
        "parts:\n  g: {type: generator, pin: 3}\n",
        2,
        "g lacks edges or frequency or gaps",
        "add one of",
    ),
    (
        "parts:\n  g: {type: generator, pin: 3, edges: [1 ms], duty: 5 %}\n",
        2,
        "g has duty without frequency",
        "add frequency",
    ),
    (
        "parts:\n  g: {type: generator, pin: 3, gaps: {shortest: 2 ms, longest: 1 ms}}\n",
        2,
        "shortest of gaps of g is above its longest",
        "make shortest",
    ),
    (
        "parts:\n  s: {type: servo, pin: 9, min_pulse: 2500 us}\n",
        2,
        "min_pulse of s is above its max_pulse",
        "make min_pulse",
    ),
    (
        "parts:\n  g: {type: generator, pin: 3, frequency: 1 kHz, count: 0}\n",
        2,
        "count of g is 0, below 1",
        "give a number",
    ),
    ("parts:\n  s: {type: serial, port: 4}\n", 2, "port of s is 4, above 3", "give a number"),
    (
        "parts:\n  s: {type: serial, port: 1, expect: [5]}\n",
        2,
        "expect of s is 5, which does not fit here",
        "put it in double quotes",
    ),
    (
        "parts:\n  s:\n    type: serial\n    port: 1\n    send:\n      - {at: 0, text: x, hex: '58'}\n",
        6,
        "send of s has both hex and text",
        "keep one of",
    ),
    (
        "parts:\n  s: {type: serial, port: 1, send: [{at: 0}]}\n",
        2,
        "send of s lacks hex or text",
        "add one of",
    ),
    (
        "parts:\n  s: {type: serial, port: 1, send: [{at: 0, hex: f07}]}\n",
        2,
        "hex of send of s is f07, which is not a list of bytes",
        "write two digits for each byte",
    ),
    (
        "parts:\n  l: {type: loopback, port: 1}\n  s: {type: serial, port: 1, send: [{at: 0, text: x}]}\n",
        3,
        "l and s both send to serial port 1",
        "put one of them",
    ),
    (
        "parts:\n  h: {type: helicopter, port: 4}\n",
        2,
        "port of h is 4, above 3",
        "give a number that is at most 3",
    ),
    (
        "parts:\n  h:\n    type: helicopter\n    port: 3\n    gusts: 2 m\n",
        5,
        "gusts of h: m is a unit of length; a speed is needed here",
        "write a speed with its unit",
    ),
    (
        "parts:\n  h: {type: helicopter, port: 3}\n  a: {type: ahrs, port: 3, aircraft: h}\n",
        2,
        "a and h both send to serial port 3",
        "put one of them",
    ),
    (
        "parts:\n  led: {type: led, pin: 3}\n  a: {type: gps, port: 2, aircraft: led}\n",
        3,
        "aircraft of a is led, which is of type led, not helicopter",
        "add a part of type helicopter",
    ),
    (
        "parts:\n  h: {type: helicopter, port: 3}\n  a:\n    type: ahrs\n    port: 1\n"
        "    aircraft: h\n    rate: 2 kHz\n",
        7,
        "rate of a is 2 kHz, above 1 kHz",
        "give at most 1 kHz",
    ),
    (
        "parts:\n  h: {type: helicopter, port: 3, broken: 101 %}\n",
        2,
        "broken of h is 101 %, above 100 %",
        "give at most 100 %",
    ),
    ("parts:\n  g: {type: ground_station, port: 0}\n", 2, "g lacks commands", "add commands"),
    (
        "parts:\n  g:\n    type: ground_station\n    port: 0\n    commands:\n"
        "      - {at: 1 s, north: 1 m}\n      - {at: 1 s, north: 2 m}\n",
        7,
        "the times of commands of g do not ascend: 1 s is not after the one before",
        "put them in order",
    ),
    (
        "parts:\n  g:\n    type: ground_station\n    port: 0\n    commands:\n"
        "      - {at: 1 s, height: -1 m}\n",
        6,
        "height of commands of g is -1 m, below 0",
        "give at least 0",
    ),
    (
        "parts:\n  m:\n    type: motors\n    left: {forward: 1, backward: 2}\n"
        "    right: {forward: 3, backward: 4}\n    speed: 1 m/s\n    obstacle: 1 m\n"
        "    appears: {at: 1 s, ahead: 1 m}\n",
        8,
        "m has both obstacle and appears",
        "keep one of",
    ),
    (
        "parts:\n  m:\n    type: motors\n    left: {forward: 1, backward: 2}\n"
        "    right: {forward: 3, backward: 4}\n    speed: 1 m/s\n    obstacle_width: 1 m\n",
        2,
        "m lacks appears or obstacle",
        "add one of",
    ),
    ("parts:\n  7up: {type: led, pin: 3}\n", 2, "7up cannot be a part's name", "use up to 64"),
    (
        "parts:\n  c: {type: ds3231, time: '2026-11-23'}\n",
        2,
        "time of c cannot be 2026-11-23",
        "time: what it shows at the start of the run, as in",
    ),
    (
        "parts:\n  s: {type: ssd1306, picture: screen.bmp}\n",
        2,
        "picture of s cannot be screen.bmp",
        "picture: file for what it shows at the end, .png or .pbm",
    ),
    (
        "parts:\n  air: {type: bme280, address: 0x68}\n",
        2,
        "address of air cannot be 0x68: did you mean 0x76?",
        "write 0x76 or 0x77",
    ),
    (
        "parts:\n  a: {type: led, pin: 2001-01-01}\n",
        2,
        "this value is neither a text nor a number",
        "put it in double quotes",
    ),
    ("parts:\n  1: {type: led, pin: 3}\n", 1, "a key here is not text", "write keys as words"),
    (
        "parts:\n\tlamp: {type: led, pin: 13}\n",
        2,
        "this is not well-formed YAML",
        "use spaces, not tabs",
    ),
]


@pytest.mark.parametrize(("text", "line", "fact", "step"), BAD, ids=[bad[2][:40] for bad in BAD])
def test_mistakes_are_answered(write: Write, text: str, line: int, fact: str, step: str) -> None:
    file = write(text)
    with pytest.raises(HocketError) as caught:
        load(file)
    error = caught.value
    assert error.fact == fact
    assert error.line == line
    assert error.next_step.startswith(step)
    assert Path(str(error.file)) == file
    assert error.exit_code == 2


def test_aliases_that_multiply_are_refused(write: Write) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 12)]
    with pytest.raises(HocketError, match="too large"):
        load(write("\n".join(lines)))
    with pytest.raises(HocketError):
        load(write("parts: &a {x: &b [*a, *b]}\n"))


def test_of_too_many_parts_none_is_judged(write: Write) -> None:
    """Each would be held against every type of part: seconds for a file that is refused anyway."""
    many = "".join(f"  k{i}: {{type: lamp{i}}}\n" for i in range(300))
    with pytest.raises(HocketError) as caught:
        load(write(f"parts:\n{many}"))
    assert str(caught.value).splitlines()[1:] == ["  next:  give at most 256"]


def test_a_message_moves_no_terminal(write: Write) -> None:
    with pytest.raises(HocketError) as caught:
        load(write('for: "\\e]0;title\\a\\x9b2J"\n'))
    assert "for: \\x1b]0;title\\x07\\x9b2J is not a time" in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(HocketError, match="no such scenario file"):
        load(tmp_path / "none.yaml")
    with pytest.raises(HocketError, match="cannot be read"):
        load(tmp_path)
    binary = tmp_path / "b.yaml"
    binary.write_bytes(b"parts: {}\n\xff\xfe")
    with pytest.raises(HocketError, match="not UTF-8") as caught:
        load(binary)
    assert caught.value.line == 2


def test_a_mistake_in_the_shape_hides_no_other_one_and_makes_none(write: Write) -> None:
    """What speaks of a part that could not be read is not judged, nor what speaks of that."""
    file = write(
        "cores: two\n"
        "for: 2 sec\n"
        "parts:\n"
        "  start: {type: buton, pin: 2}\n"
        "  led: {type: led, pin: 77}\n"
        "  other: {type: led, pni: 3}\n"
        "  good: {type: led, pin: 13}\n"
        "  lcd: {type: hd44780_i2c, expander: start}\n"
        "  2bad: {type: led, pin: 3}\n"
        "expect:\n"
        "  - {part: start, is: pressed, by: 1 s}\n"
        "  - {part: lcd, is: lit}\n"
        "  - {part: good, is: bright, by: 1 s}\n"
        "  - {part: nobody, is: lit, by: 1 s}\n"
        "  - []\n"
        "never:\n"
        "  - {part: good, is: lit, at: 1 parsec}\n"
    )
    with pytest.raises(SeveralErrors) as caught:
        load(file)
    assert [error.line for error in caught.value.errors] == [1, 2, 4, 5, 6, 8, 9, 13, 14, 15, 17]


@pytest.mark.parametrize(
    "text", ["prats:\n  a: {type: led, pin: 3}\nexpect:\n  - {part: a, is: lit, by: 1 s}\n",
             "parts: []\nexpect:\n  - {part: a, is: lit, by: 1 s}\n"],
)  # fmt: skip
def test_parts_that_could_not_be_read_at_all_are_not_missed(write: Write, text: str) -> None:
    with pytest.raises(HocketError) as caught:
        load(write(text))
    assert not isinstance(caught.value, SeveralErrors)
    assert caught.value.line == 1
