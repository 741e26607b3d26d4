"""What one loop does in the midst of another's call: an interrupt that is detached or attached inside of a
transaction on the SPI bus, and two loops that read Serial."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.uno.conftest import Run

TRANSACTION = """
#include <SPI.h>
volatile unsigned seen;
void count() { ++seen; }
byte inside = 9;
void setup() {
  Serial.begin(115200);
  SPI.begin();
  SPI.usingInterrupt(digitalPinToInterrupt(2));
  if (ATTACHED) attachInterrupt(digitalPinToInterrupt(2), count, RISING);
}
void loop(1, 10, 100) {
  SPI.beginTransaction(SPISettings());
  delay(60);
  SPI.endTransaction();
  seen = 0;
  delay(30);
  Serial.print(inside); Serial.print(' ');
  Serial.print(EIMSK & 1); Serial.print(' ');
  Serial.println(seen != 0);
  delay(1000);
}
void loop(2, 10, 100) {
  delay(30);
  if (ATTACHED) detachInterrupt(digitalPinToInterrupt(2));
  else attachInterrupt(digitalPinToInterrupt(2), count, RISING);
  inside = EIMSK & 1;
  delay(1000);
}
"""
EDGES = "parts:\n  edges: {type: generator, pin: 2, frequency: 500 Hz}\n"


@pytest.mark.parametrize("attached", [True, False])
def test_a_transactions_end_leaves_what_another_loop_has_done(
    uno: Run, tmp_path: Path, attached: bool
) -> None:
    """Who detaches in it is detached behind it; who attaches in it is let in behind it, and not before."""
    folder = tmp_path / "transaction"
    folder.mkdir()
    text = TRANSACTION.replace("ATTACHED", str(attached).lower())
    (folder / "transaction.ino").write_text(text)
    (folder / "scenario.yaml").write_text(EDGES)
    done = uno(folder, "200ms")
    assert done.status == 0, done.said
    on = 0 if attached else 1
    assert done.serial.split()[:3] == ["0", str(on), str(on)]


READERS = """
#define SERIAL_RX_BUFFER_SIZE 256
unsigned got[2];
bool told;
void setup() { Serial.begin(115200); }
void loop(1, 1, 8) {
  if (Serial.read() >= 0) ++got[0];
  if (!told && millis() >= 2000) {
    told = true;
    Serial.print(got[0]); Serial.print(' '); Serial.println(got[1]);
  }
}
void loop(2, 4, 20) { if (Serial.read() >= 0) ++got[1]; }
"""
SENT = 22_000


def test_two_loops_that_read_get_each_byte_once(uno: Run, tmp_path: Path) -> None:
    """One is preempted again and again between its look at the buffer and its taking of the last byte."""
    folder = tmp_path / "readers"
    folder.mkdir()
    (folder / "readers.ino").write_text(READERS)
    text = "0123456789" * (SENT // 10)
    (folder / "scenario.yaml").write_text(
        f"parts:\n  peer: {{type: serial, port: 0, send: [{{at: 20 ms, text: '{text}'}}]}}\n"
    )
    done = uno(folder, "2100ms")
    assert done.status == 0, done.said
    got = [int(word) for word in done.serial.split()[:2]]
    port = done.report["serial"][0]
    assert min(got) > 1000  # both have read
    assert port["bytes_lost"] == 0 and sum(got) == port["bytes_received"] == SENT
