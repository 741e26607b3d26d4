"""The pins of the boards that support scenarios, for the checks.

The same facts are in `simulation/devices/pinout.h`. A test compares the two.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace


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
        return use == "digital" or pin in self.pwm

    def name_of(self, pin: int) -> str:
        """Returns `A0` for an analog pin, `11` for another."""
        return f"A{pin - self.analog_base}" if pin >= self.analog_base else str(pin)

    def pins_with(self, use: str) -> str:
        """Returns, for messages, the pins with this use."""
        if use == "analog":
            return f"A0 to A{self.pins - self.analog_base - 1}"
        if use == "digital":
            return f"0 to {self.digital - 1} and {self.pins_with('analog')}"
        return ", ".join(str(pin) for pin in sorted(self.pwm))


SIM = Board(
    name="sim",
    pins=70,
    analog_base=54,
    led=13,
    pwm=frozenset(range(2, 14)) | frozenset(range(44, 47)),
)

# In QEMU the same parts surround the board, at the same pins (simulation/peer).
BOARDS = {name: replace(SIM, name=name) for name in ("sim", "virt", "rpi3")}
# On the Uno the kernel's clock takes timer 1, and with it PWM on pins 9 and 10.
BOARDS["uno"] = replace(SIM, name="uno", pins=60, digital=14, pwm=frozenset((3, 5, 6, 11)))
