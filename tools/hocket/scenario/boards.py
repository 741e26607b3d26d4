"""The pins of the boards that scenarios are for, as the checker needs them.

The same facts are in `boards/sim/devices/pinout.h`; a test compares the two.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Board:
    """Pins are numbered from 0; analog input An is pin analog_base + n."""

    name: str
    pins: int
    analog_base: int
    led: int
    pwm: frozenset[int]

    def pin(self, text: int | str) -> int | None:
        """The number of a pin written as `11`, `D11`, `A0` or `LED_BUILTIN`; None if there is none."""
        if isinstance(text, int):
            return text if 0 <= text < self.pins else None
        if text == "LED_BUILTIN":
            return self.led
        written = re.fullmatch(r"([AD]?)([0-9]{1,4})", text)
        if written is None:
            return None
        number = int(written[2]) + (self.analog_base if written[1] == "A" else 0)
        return number if number < self.pins else None

    def has(self, pin: int, use: str) -> bool:
        """Whether a pin can be used as "digital", "analog" or "pwm"."""
        if use == "analog":
            return pin >= self.analog_base
        return use == "digital" or pin in self.pwm

    def name_of(self, pin: int) -> str:
        """`A0` for an analog pin, `11` for another."""
        return f"A{pin - self.analog_base}" if pin >= self.analog_base else str(pin)

    def pins_with(self, use: str) -> str:
        """For messages: which pins can do it."""
        if use == "analog":
            return f"A0 to A{self.pins - self.analog_base - 1}"
        if use == "digital":
            return f"0 to {self.analog_base - 1} and {self.pins_with('analog')}"
        return ", ".join(str(pin) for pin in sorted(self.pwm))


SIM = Board(
    name="sim",
    pins=70,
    analog_base=54,
    led=13,
    pwm=frozenset(range(2, 14)) | frozenset(range(44, 47)),
)

# In QEMU the same parts are around the board, at the same pins (boards/aarch64/world).
BOARDS = {name: replace(SIM, name=name) for name in ("sim", "virt", "rpi3")}
