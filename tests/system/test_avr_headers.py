"""Headers of avr-libc that libraries include, where there is no avr-libc."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.interrupts import on, run

# The check values of the catalogue of parametrised CRC algorithms: of "123456789".
CHECKSUMS = """
#include <util/crc16.h>
#include <util/parity.h>
void setup() {
  Serial.begin(115200);
  uint16_t arc = 0, mcrf = 0xffff, xmodem = 0;
  uint8_t maxim = 0, smbus = 0;
  for (const char* c = "123456789"; *c; c++) {
    arc = _crc16_update(arc, *c);
    mcrf = _crc_ccitt_update(mcrf, *c);
    xmodem = _crc_xmodem_update(xmodem, *c);
    maxim = _crc_ibutton_update(maxim, *c);
    smbus = _crc8_ccitt_update(smbus, *c);
  }
  unsigned sums[] = {arc, mcrf, xmodem, maxim, smbus};
  for (unsigned sum : sums) Serial.println(sum, HEX);
  Serial.println(parity_even_bit(7) * 10 + parity_even_bit(5));
}
void loop() { delay(1000); }
"""


@pytest.mark.parametrize("board", ["sim", "virt", "uno"])
def test_checksums_have_their_check_values(tmp_path: Path, board: str) -> None:
    status, said, _ = run(tmp_path, "checksums", CHECKSUMS, "parts: {}\n", "50ms", *on(board))
    assert status == 0, said
    assert said.split()[:6] == ["BB3D", "6F91", "31C3", "A1", "F4", "10"]
