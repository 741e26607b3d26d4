"""E2: frequency and duty of analogWrite() on the pin are what was asked for, whatever a loop computes."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest
from tests.campaign import one_in

from hocket.bench import Context

Load = Callable[..., tuple[ModuleType, Context]]

# Board time, ms: a tenth of the experiment's where each instruction is emulated.
TIME = {"sim": 1_000, "virt": 100, "uno": 1_000}
# Hz of pins 3 and 5, as on an Arduino.
RATES = {"sim": (490.2, 976.6), "virt": (490.2, 976.6), "uno": (488.3, 976.6)}


@one_in(3)
@pytest.mark.parametrize("board", RATES)
def test_pulses_are_what_was_asked_for(load: Load, board: str) -> None:
    module, context = load("analog-write", board)
    figures = module.measure(context, module.Size(TIME[board]))
    assert [(f.pin, f.value) for f in figures] == [
        (pin, value) for value in module.VALUES for pin in module.PINS
    ]
    for figure in figures:
        rate = RATES[board][figure.pin != 3]
        assert figure.frequency == pytest.approx(rate, rel=0.001), figure
        assert figure.pulses >= 0.95 * rate * TIME[board] / 1_000 - 2
        # Half a step of 8 bits: the Uno counts from 0 to 255.
        assert figure.duty == pytest.approx(figure.asked(), abs=0.4), figure
        # On the Uno a pin is looked at between two instructions.
        assert figure.longest_us - figure.shortest_us <= 0.4, figure
