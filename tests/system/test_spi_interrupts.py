"""SPI.usingInterrupt() on the Uno: an interrupt is kept out of transactions, and comes back behind them."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.interrupts import on, run

AGAIN = """
#include <SPI.h>
volatile byte hits;
void hit() { hits++; }
void setup() {
  Serial.begin(115200);
  SPI.begin();
  SPI.usingInterrupt(WHICH);
  attachInterrupt(digitalPinToInterrupt(2), hit, RISING);
}
void loop(1, 10, 100) {
  SPI.endTransaction();  // none has begun
  SPI.beginTransaction(SPISettings());
  SPI.beginTransaction(SPISettings(1000000, MSBFIRST, SPI_MODE0));
  SPI.transfer(1);
  SPI.endTransaction();
  delay(40);
}
void loop(2, 10, 100) {
  delay(100);
  SPI.beginTransaction(SPISettings());
  SPI.endTransaction();
  Serial.println(hits);
}
"""


@pytest.mark.parametrize("which", ["digitalPinToInterrupt(2)", "255"])
def test_a_transaction_that_begins_again_lets_its_interrupt_come_back(
    tmp_path: Path, which: str
) -> None:
    scenario = "parts: {g: {type: generator, pin: 2, frequency: 20 Hz}}\n"
    sketch = AGAIN.replace("WHICH", which)
    status, said, report = run(tmp_path, "again", sketch, scenario, "650ms", *on("uno"))
    assert status == 0, said
    assert said.split("\n")[:6] == ["2", "4", "6", "8", "10", "12"], said
    (pin,) = report["interrupts"]
    assert pin["lost"] == 0


# Handlers take more than their budget; 1.3 ms of each 6 ms are a transaction.
STORM = """
#include <SPI.h>
volatile unsigned hits, inside;
volatile byte transaction;
void hit() {
  hits++;
  if (transaction) inside++;
  delayMicroseconds(40);
}
void setup() {
  Serial.begin(115200);
  SPI.begin();
  SPI.usingInterrupt(digitalPinToInterrupt(2));
  attachInterrupt(digitalPinToInterrupt(2), hit, RISING);
}
void loop(1, 40, 100) {
  SPI.beginTransaction(SPISettings(125000, MSBFIRST, SPI_MODE0));
  transaction = 1;
  for (byte i = 0; i < 20; i++) SPI.transfer(i);
  transaction = 0;
  SPI.endTransaction();
  delay(5);
}
void loop(2, 10, 100) {
  delay(100);
  Serial.println(inside);
  Serial.println(hits);
  hits = 0;
}
"""


def test_an_interrupt_that_is_held_back_is_kept_out_of_transactions(tmp_path: Path) -> None:
    """Its budget comes back within one as well."""
    scenario = "parts: {g: {type: generator, pin: 2, frequency: 5 kHz}}\n"
    status, said, report = run(tmp_path, "storm", STORM, scenario, "450ms", *on("uno"))
    assert status == 0, said
    numbers = [int(line) for line in said.split("\n")[:8]]
    assert numbers[::2] == [0, 0, 0, 0], said
    assert min(numbers[1::2]) > 50, said
    assert all(loop["deadline_misses"] == 0 for loop in report["loops"])
