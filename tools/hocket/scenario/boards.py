"""The pins of the boards that support scenarios, for the checks.

They are those of the boards' descriptions. The simulated parts have a Mega's numbers
(`simulation/devices/pinout.h`); a test compares the two.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from hocket.boards import BOARDS as DESCRIBED
from hocket.boards import DEFAULT_BOARD
from hocket.boards import Board as Described


@dataclass(frozen=True)
class Board:
    """The pins of a board. Pins are numbered from 0. Analog input An is pin analog_base + n of the simulated
    parts. A board with fewer digital pins than that also numbers its analog inputs after its digital pins."""

    name: str
    pins: int
    analog_base: int
    led: int
    pwm: frozenset[int]
    digital: int = 54  # pins that are digital only
    analog_only: frozenset[int] = frozenset()  # analog inputs that are no digital pins
    busy: frozenset[int] = frozenset()  # of Serial, the buses and the LED, in the parts' numbers
    buses: Mapping[str, int] = field(default_factory=dict)  # the lines of buses and ports
    picture: str = ""  # for the lab
    wired: bool = False  # its simulator runs a second board

    def pin(self, text: float | str) -> int | None:
        """Returns the number of a pin written as `11`, `D11`, `A0` or `LED_BUILTIN`, or None if there is
        none."""
        if not isinstance(text, str):  # a whole number, which YAML may also write as 2.0
            return self._simulated(int(text))
        if text == "LED_BUILTIN":
            return self.led
        written = re.fullmatch(r"([AD]?)([0-9]{1,4})", text)
        if written is None:
            return None
        return self._simulated(int(written[2]) + (self.digital if written[1] == "A" else 0))

    def _simulated(self, number: int) -> int | None:
        """Returns the simulated parts' number of one of the board's own pin numbers."""
        if number >= self.digital:
            number += self.analog_base - self.digital
        return number if 0 <= number < self.pins else None

    def own_number(self, pin: int) -> int:
        """Returns the board's own number of one of the simulated parts' pin numbers."""
        return pin - self.analog_base + self.digital if pin >= self.analog_base else pin

    def has(self, pin: int, use: str) -> bool:
        """Returns whether a pin can be used as "digital", "analog" or "pwm"."""
        if use == "analog":
            return pin >= self.analog_base
        return pin not in self.analog_only if use == "digital" else pin in self.pwm

    def name_of(self, pin: int) -> str:
        """Returns `A0` for an analog pin, `11` for another."""
        return f"A{pin - self.analog_base}" if pin >= self.analog_base else str(pin)

    def pins_with(self, use: str) -> str:
        """Returns, for messages, the pins with this use."""
        if use == "analog":
            return f"A0 to A{self.pins - self.analog_base - 1}"
        if use == "digital":
            both = self.pins - self.analog_base - len(self.analog_only)
            return f"0 to {self.digital - 1}" + (f" and A0 to A{both - 1}" if both else "")
        return ", ".join(str(pin) for pin in sorted(self.pwm))


ANALOG_BASE = 54  # of the simulated parts


def _as_parts_know_it(described: Described) -> Board:
    """Returns the board as the parts know it: with its analog inputs after 54 digital pins."""
    first = described.pins
    return Board(
        name=described.name,
        pins=ANALOG_BASE + described.analog_inputs,
        analog_base=ANALOG_BASE,
        led=_of_parts(described.led_pin, first),
        pwm=frozenset(_of_parts(pin, first) for pin in described.pwm_pins),
        digital=first,
        analog_only=frozenset(_of_parts(pin, first) for pin in described.analog_only_pins),
        busy=frozenset(_of_parts(pin, first) for pin in described.busy_pins),
        buses={line: _of_parts(pin, first) for line, pin in _lines_of(described)},
        picture=described.picture,
        wired=described.wired,
    )


def _lines_of(described: Described) -> list[tuple[str, int]]:
    """Returns the lines of the buses and ports with the board's own numbers of their pins."""
    ports = len(described.serial_pins) // 2
    serial = [f"{line}{port or ''}" for port in range(ports) for line in ("RX", "TX")]
    return [
        *zip(("SDA", "SCL"), described.i2c_pins, strict=False),
        *zip(("MOSI", "MISO", "SCK"), described.spi_pins, strict=False),
        *zip(serial, described.serial_pins, strict=False),
    ]


def _of_parts(pin: int, digital: int) -> int:
    return pin if pin < digital else pin - digital + ANALOG_BASE


BOARDS = {described.name: _as_parts_know_it(described) for described in DESCRIBED}
SIM = BOARDS[DEFAULT_BOARD]
