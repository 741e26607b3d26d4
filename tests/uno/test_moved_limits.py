"""An interrupt that is nobody's moves the limit of the loop it came to, and the clock's alarm with it: not
past the release of a loop that comes first.

The lower loop's budget ends just before the release of the upper one, as the alarm is set; what interrupts
take meanwhile puts it off to behind that.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.uno.conftest import Run
from tests.uno.test_serial_account import sketch, stream, works
from tests.uno.waves import edges

SETUP = "DDRB = 0x31; PORTB = 1;"
CAUSES = {
    "serial": ("Serial.begin(250000);", "while (Serial.read() >= 0) ++got;", 250_000),
    "pin": ("attachInterrupt(0, [] { for (char i = 0; i < 60; ++i) got++; }, RISING);", "", 0),
}
# Of the upper loop the period, of the lower one budget and period: what the clock's counter can hold, and
# what it comes round for.
LOOPS = {"near": (20, 16_500, 60), "far": (80, 73_500, 240)}


@pytest.mark.parametrize("where", LOOPS)
@pytest.mark.parametrize("cause", CAUSES)
def test_who_comes_first_is_released_in_time(
    uno: Run, tmp_path: Path, cause: str, where: str
) -> None:
    begin, reader, rate = CAUSES[cause]
    period, budget, longer = LOOPS[where]
    text = (
        f"void setup() {{ {begin} {SETUP} }}\n"
        f"void loop(1, 2000us, {period}ms, stackBytes(200)) {{ {works(13)} }}\n"
        f"void loop(2, {budget}us, {longer}ms, stackBytes(200)) {{ {works(12)} }}\n"
        f"void loop(3, 500us, 200ms) {{ {reader} }}\n"
    )
    if rate:
        scenario = stream(tmp_path, rate, 1)
    else:
        scenario = tmp_path / "storm.yaml"
        scenario.write_text("parts:\n  storm: {type: generator, pin: 2, frequency: 2500 Hz}\n")
    wave = tmp_path / "wave.vcd"
    done = uno(sketch(tmp_path / "moved", text), "1090ms", "--scenario", scenario, "--vcd", wave)
    assert done.status == 0, done.said
    for loop in done.report["loops"]:
        assert loop["deadline_misses"] == 0, loop
        assert loop["max_response_us"] <= loop["response_bound_us"], loop
    began = edges(wave, "D8")[1][0] + 4_000_000
    turns = [at for at, _ in edges(wave, "D13")[1:]]
    last = max(turns)
    between = period * 1_000_000
    for release in range(began, last - between, between):
        first = next(at for at in turns if at >= release)
        assert first - release < 400_000, (release, first)
    (upper, lower, _) = done.report["loops"]
    assert (
        lower["budget_exhausted"] >= 1080 // longer - 1
    )  # its limit moved, in each of its periods
    assert upper["releases"] >= 1080 // period - 1
