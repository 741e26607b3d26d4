"""A loop that prints without end, and loops before it: each character moves the printer's limit, and no alarm
of the others is lost by it, at whatever instant the character comes."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.campaign import long_form
from tests.interrupts import on, run

PRINTS = """
volatile unsigned long work;
void setup() {{ Serial.begin(115200); }}
void loop(1, 1, 5) {{ work++; }}
void loop(2, 1, {period}) {{ work++; }}
void loop(3, 20, 200) {{ Serial.print('.'); }}
"""


@long_form
@pytest.mark.parametrize("period", [7, 9, 11])
def test_every_response_is_within_its_bound(tmp_path: Path, period: int) -> None:
    sketch = PRINTS.format(period=period)
    status, said, report = run(tmp_path, "prints", sketch, "parts: {}\n", "6s", *on("uno"))
    assert status == 0, said
    assert report["serial"][0]["bytes_sent"] > 5_000
    for loop in report["loops"]:
        assert loop["max_response_us"] <= loop["response_bound_us"], loop
        assert loop["deadline_misses"] == 0, loop
