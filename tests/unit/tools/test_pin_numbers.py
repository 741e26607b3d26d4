"""Whether a sketch can compute the number of a pin-change interrupt, by its text (builder/pin_numbers.py)."""

from __future__ import annotations

from pathlib import Path

import pytest

from hocket.builder.pin_numbers import names_changing_pins
from hocket.paths import ROOT

OTHERS = (
    "attachInterrupt(digitalPinToInterrupt(pin), seen, RISING);",
    "int kept = digitalPinToInterrupt(7);",
    "int kept = digitalPinToInterrupt(2 + 1);",
    "#define OF(pin) digitalPinToInterrupt(pin)",
    "digitalPinToInterrupt(2); digitalPinToInterrupt( A0 );",
    "int (*of)(int) = digitalPinToInterrupt;",
)
NONE = (
    "attachInterrupt(number, seen, RISING);",
    "attachInterrupt(digitalPinToInterrupt( 3 ), seen, RISING);",
    "// digitalPinToInterrupt(pin)\nattachInterrupt(digitalPinToInterrupt(2), seen, RISING);",
    'print("digitalPinToInterrupt(pin)");',
)


@pytest.mark.parametrize("text", [*OTHERS, *NONE])
def test_by_the_text(tmp_path: Path, text: str) -> None:
    file = tmp_path / "some.cpp"
    file.write_text(text)
    own = ROOT / "arduino" / "variants" / "uno" / "pins_arduino.h"  # defines it
    assert names_changing_pins([str(own), str(file)]) is (text in OTHERS)


def test_a_file_that_is_gone_may_call_it(tmp_path: Path) -> None:
    assert names_changing_pins([str(tmp_path / "gone.h")])
