"""How long handlers of devices make others wait, and wait themselves, beside storms on pins."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from tests.uno.conftest import Run
from tests.uno.test_serial_account import declared, lengths
from tests.uno.waves import edges

# Ten places between the two pulses are free, so looking for the next one takes longest.
SERVOS = """#include <Servo.h>
Servo servos[12];
volatile unsigned seen;
void counts() { seen = seen + 1; }
void setup() {
  for (uint8_t i = 0; i < 12; i++) servos[i].attach(i < 10 ? i + 4 : i);
  for (uint8_t i = 1; i < 11; i++) servos[i].detach();
  attachInterrupt(digitalPinToInterrupt(2), counts, RISING);
}
void loop(1, 3ms, 20ms) {
  static unsigned k;
  k += 7;
  servos[0].writeMicroseconds(1000 + k % 1000);
  servos[11].writeMicroseconds(1000 + k % 777);
  delay(3);
}
void loop(2, 9ms, 40ms) { for (;;) ; }
"""


def test_the_end_of_a_servos_pulse_is_in_the_bound_of_an_edge(uno: Run, tmp_path: Path) -> None:
    folder = tmp_path / "servos"
    folder.mkdir()
    (folder / "servos.ino").write_text(SERVOS)
    (folder / "scenario.yaml").write_text(
        "parts:\n  g: {type: generator, pin: 2, gaps: {shortest: 100 us, longest: 900 us}}\n"
    )
    log = tmp_path / "log.hklog"
    done = uno(folder, "1s", "--trace", log)
    assert done.status == 0, done.said
    longest = max(lengths(log)["TIMER2_A"])
    (line,) = done.report["interrupts"]
    assert 8 * declared("kLongestDeviceMasked") < longest
    assert longest <= 8 * line["delay_terms"]["device_or_masked"]


# Sections that wait for longer than they may, beside edges on all lines and transactions on the SPI bus.
OVERDUE = """#include <SPI.h>
const uint8_t pins[] = {PINS};
volatile unsigned seen;
void counts() { seen = seen + 1; }
void setup() {
  SPI.begin();
  SPI.usingInterrupt(digitalPinToInterrupt(3));
  for (uint8_t pin : pins) attachInterrupt(digitalPinToInterrupt(pin), counts, CHANGE);
}
void loop(1, 3ms, 20ms) {
  SPI.beginTransaction(SPISettings());
  for (char i = 0; i < 9; i++) delayMicroseconds(200);
  SPI.endTransaction();
  delayMicroseconds(50);
}
void loop(2, 2ms, 10ms) { noInterrupts(); delay(1 + seen % 70); interrupts(); delay(seen % 20); }
void loop(3, 2ms, 60ms) { for (;;) ; }
"""
# A pin of each line, and its edges.
GAPS, FREQUENCY = "gaps: {{shortest: {} us, longest: {} us}}", "frequency: {} kHz"
ON_328P = {
    "2": GAPS.format(10, 900), "3": FREQUENCY.format(33), "8": FREQUENCY.format(12),
    "A0": GAPS.format(20, 3000), "5": FREQUENCY.format(3),
}  # fmt: skip
ON_2560 = {
    "2": GAPS.format(10, 900), "3": FREQUENCY.format(33), "18": FREQUENCY.format(12),
    "19": GAPS.format(15, 1000), "20": FREQUENCY.format(5), "21": GAPS.format(20, 2000),
    "11": FREQUENCY.format(7), "14": FREQUENCY.format(3), "A8": GAPS.format(20, 3000),
}  # fmt: skip


@pytest.mark.parametrize(
    ("board", "chip", "lines"),
    [("uno", "Atmega328p", ON_328P), ("mega", "Atmega2560", ON_2560)],
    ids=["uno", "mega"],
)
def test_a_match_takes_no_longer_than_is_charged(
    uno: Run, tmp_path: Path, board: str, chip: str, lines: dict[str, str]
) -> None:
    """Also one that ends sections and enables a line: the interrupted loop does not pay for it."""
    folder = tmp_path / "overdue"
    folder.mkdir()
    (folder / "overdue.ino").write_text(OVERDUE.replace("PINS", ", ".join(lines)))
    (folder / "scenario.yaml").write_text(
        "parts:\n"
        + "".join(f"  p{pin}: {{type: generator, pin: {pin}, {of}}}\n" for pin, of in lines.items())
    )
    log = tmp_path / "log.hklog"
    done = uno(folder, "1500ms", "--trace", log, "--board", board)
    assert done.status == 0, done.said
    without = 8 * (declared("kLook", chip) + declared("kLetIn", chip))
    most = max(lengths(log)["TIMER0_A"])
    assert without < most <= without + 8 * declared("kEnd", chip)
    # The run itself holds it against the declared one.
    overheads = done.report["overheads"]
    assert overheads["handlers_refill_seen_us"] == pytest.approx(most / 16, abs=1)
    assert overheads["handlers_refill_us"] == (without + 8 * declared("kEnd", chip)) / 16
    assert overheads["exceeded"] == []


# A tone's handler turns pin 11 each 500 us; a storm's vector comes before it.
BURSTS = """volatile unsigned seen;
void slow() { seen = seen + 1; delayMicroseconds(250); }
void setup() {
  tone(11, 1000);
  attachInterrupt(digitalPinToInterrupt(2), slow, CHANGE);
}
void loop(1, 3ms, 40ms) { delay(1); }
void loop(2, 2ms, 40ms) { for (;;) ; }
"""
BUDGET, LONGEST, FRAMES = 1_000, 300, 60  # us


def test_a_device_waits_for_two_budgets_of_handlers_and_one_that_overruns(
    uno: Run, tmp_path: Path
) -> None:
    """From outside, by the tone's wave."""
    folder = tmp_path / "bursts"
    folder.mkdir()
    (folder / "bursts.ino").write_text(BURSTS)
    comes = (
        20_000_000 + burst * 50_313_000 + edge * 11_000 for burst in range(8) for edge in range(300)
    )
    (folder / "scenario.yaml").write_text(
        f"parts:\n  g: {{type: generator, pin: 2, edges: [{', '.join(f'{at}ns' for at in comes)}]}}\n"
    )
    vcd = tmp_path / "bursts.vcd"
    done = uno(folder, "420ms", "--vcd", vcd)
    assert done.status == 0, done.said
    turns = [at / 1_000 for at, _ in edges(vcd, "D11")[2:]]
    waited = max(end - begin for begin, end in pairwise(turns)) - 500
    assert 1.5 * BUDGET < waited <= 2 * BUDGET + LONGEST + FRAMES
    assert done.report["overheads"]["exceeded"] == []
