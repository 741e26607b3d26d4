"""No budget limits what an ISR() of the sketch's own or of a library takes, nor what a loop masks. A loop
that overruns several refills by that makes the kernel's next switch longer than declared: the notice says
what it was."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tests.uno.conftest import Run

LOOPS = """
volatile unsigned n;
void loop(1, 3000us, 20ms) { received(); delay(2); }
void loop(2, 2000us, 10ms) { for (;;) n = n + 1; }
void loop(3, 4000us, 40ms) { for (;;) n = n + 1; }
"""
# Bytes one after the other at 57600 bits a second: the library's handler takes each of them whole.
RECEIVES = """#include <SoftwareSerial.h>
SoftwareSerial line(8, 9);
void setup() { line.begin(57600); }
void received() { while (line.available()) line.read(); }
"""
LINE = """parts:
  device:
    type: serial_pins
    tx: 8
    rx: 9
    baud: 57600
    send:
"""
TEXT = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqr"


MASKS = """volatile unsigned n;
void setup() {}
void loop(1, 600us, 6ms) {
  noInterrupts();
  delayMicroseconds(9000);
  interrupts();
  delay(3);
}
void loop(2, 2000us, 10ms) { for (;;) n = n + 1; }
void loop(3, 4000us, 40ms) { for (;;) n = n + 1; }
"""


def of_switch(report: dict[str, Any]) -> str:
    """The notice of an exceeded switch."""
    assert "context_switch_us" in report["overheads"]["exceeded"]
    (notice,) = (text for text in report["notices"] if text.startswith("A context switch took"))
    return str(notice)


def test_a_switch_that_a_handler_makes_longer_names_the_handler(uno: Run, tmp_path: Path) -> None:
    folder = tmp_path / "receives"
    folder.mkdir()
    (folder / "receives.ino").write_text(RECEIVES + LOOPS)
    sent = "".join(
        f'      - {{at: {20 + 17 * i} ms, text: "{TEXT[: 38 + i % 7]}"}}\n' for i in range(25)
    )
    (folder / "scenario.yaml").write_text(LINE + sent)
    notice = of_switch(uno(folder, "500ms").report)
    assert re.search(r"took [5-9]\.\d+ ms .* that of PCINT0 up to 164\.\d+ us each time", notice)
    assert notice.endswith("Make that handler shorter, or let it come less often.")


def test_a_switch_that_masked_code_makes_longer_says_so(uno: Run, tmp_path: Path) -> None:
    """15 times its budget with interrupts masked: the switch behind it took 529 us, 206 are declared."""
    folder = tmp_path / "masks"
    folder.mkdir()
    (folder / "masks.ino").write_text(MASKS)
    report = uno(folder, "100ms").report
    assert "Interrupts were masked by a loop for 9 ms before it" in of_switch(report)
    (section,) = (text for text in report["notices"] if text.startswith("Interrupts were masked"))
    assert "in loop 1 (" in section and "before it" not in section
