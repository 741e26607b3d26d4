"""At which rate a sketch begins SoftwareSerial, and what is said of it."""

from __future__ import annotations

import pytest

from hocket.masked_bytes import masked_bytes_lines, slowest_rate


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("SoftwareSerial gps(4, 3); void setup() { Serial.begin(300); gps.begin(38400); }", 38400),
        ("SoftwareSerial a(4, 3), b{5, 6}; void setup() { a.begin(4800); b.begin(57600); }", 4800),
        ("SoftwareSerial a(4, 3); void setup() { a.begin(57600); /* a.begin(300); */ }", 57600),
        ("SoftwareSerial a(4, 3); void setup() { a.begin(RATE); }", 9600),
        ("// a library of the sketch's begins it", 9600),
    ],
)
def test_the_slowest_rate_counts(text: str, rate: int) -> None:
    assert slowest_rate(text) == rate


def test_loops_without_room_for_a_byte_are_named() -> None:
    masked = {"library": "SoftwareSerial", "bits_per_second": 9600, "byte_us": 1041.667}

    def said(*no_room: int) -> str:
        (line,) = masked_bytes_lines({"masked_bytes": masked | {"no_room": list(no_room)}})
        return line

    assert "masked for 1.04 ms for each byte, at 9600 bits" in said() and "No room" not in said()
    assert said(1).endswith("its deadline: loop 1")
    assert said(1, 3).endswith("their deadlines: loops 1, 3")
    assert masked_bytes_lines({}) == []
