"""What a call of Wire may wait for: by the board, the number of loops, and what the sketch sets."""

from __future__ import annotations

from typing import Any

import pytest

from hocket.bus_waits import bus_lines, wire_wait

LOOPS: list[dict[str, Any]] = [
    {"id": 1, "response_bound_us": 5_000.0, "deadline_us": 20_000.0},
    {"id": 2, "response_bound_us": 30_000.0, "deadline_us": 100_000.0},
    {"id": 7, "response_bound_us": None, "deadline_us": None},
]


def wait(text: str, board: str = "sim") -> dict[str, Any]:
    return wire_wait(board, LOOPS, text)


def test_a_call_takes_its_own_transfer_and_one_of_each_other_loop() -> None:
    # 128 bytes each way, two addresses: 9 clocks each; two starts and a stop.
    clocks = 9 * (2 * 128 + 2) + 3
    assert wait("")["call_us"] == pytest.approx(3 * clocks * 10)
    assert wait("Wire.setClock(400'000UL);")["call_us"] == pytest.approx(3 * clocks * 2.5)
    uno = wait("", "uno")
    assert uno["call_us"] == pytest.approx(3 * (9 * 66 + 3) * 10 + 3 * 66 * 15)
    assert uno["bytes"] == 64


@pytest.mark.parametrize(
    ("text", "hertz"),
    [
        ("", 100_000),
        ("Wire.setClock(400000);", 400_000),
        ("Wire.setClock(400000L); other.setClock(10000);", 10_000),
        ("Wire.setClock(fast);", 100_000),
        ("Wire.setClock(fast ? 400000 : 10000);", 100_000),
        ("// Wire.setClock(1000);\n/* Wire.setClock(1000); */", 100_000),
        ("Wire.setClock(0x61A80);", 400_000),
        ("Wire.setClock(0);", 100_000),
        ("Wire.setClock(010abc);", 100_000),
    ],
)
def test_the_slowest_clock_of_the_sketch_counts(text: str, hertz: int) -> None:
    assert wait(text)["hertz"] == hertz


def test_a_device_that_holds_the_bus_up_is_given_up_in_time() -> None:
    free = wait("")
    assert free["held_up_us"] == free["call_us"] + 3 * 25_000
    assert wait("Wire.setWireTimeout(3000, true);")["held_up_us"] == free["call_us"] + 9_000
    uno = wait("Wire.setWireTimeout(3000);", "uno")
    assert uno["held_up_us"] == uno["call_us"] + 2 * 9_000
    assert wait("Wire.setWireTimeout();")["held_up_us"] == free["held_up_us"]
    assert wait("Wire.setWireTimeout(0);")["held_up_us"] is None


def test_loops_without_room_for_a_call_are_named() -> None:
    assert wait("")["no_room"] == [1]  # 69.8 ms
    assert wait("Wire.setClock(1000000);")["no_room"] == []
    (line,) = bus_lines({"bus_waits": [wait("")]})
    assert "69.8 ms" in line and "145 ms where a device" in line and line.endswith("loops 1")
    (line,) = bus_lines({"bus_waits": [wait("Wire.setClock(1000000); Wire.setWireTimeout(0);")]})
    assert "for good" in line and "No room" not in line


def test_of_spi_only_what_waits_is_said() -> None:
    (line,) = bus_lines({"bus_waits": [{"bus": "SPI"}]})
    assert line.startswith("SPI: ")
    assert bus_lines({}) == []
