"""The board's own interrupts take no loop's guaranteed time: characters of Serial that come and go, tones.

The victim counts turns of its own; how long one takes is measured in setup(), where nothing interrupts.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.campaign import one_in

Run = Callable[..., Any]

BUDGET_MS, PERIOD_MS, PERIODS = 50, 100, 20

TEXT = """
volatile unsigned long turns;
unsigned long zero, seen;
__attribute__((noinline)) void work() {{
  for (unsigned i = 0; i < 1000; ++i) turns = turns + 1;
}}
void setup() {{
  unsigned long began = micros();
  for (char i = 0; i < 10; ++i) work();
  unsigned long took = micros() - began;
  turns = 0;
  {begin}
  {also}
  Serial.println(took);
  zero = millis();  // the loops begin 4 ms later
}}
// At the end of its twentieth period: the last 2 ms are not its own any more.
void loop(1, 50, 100) {{
  work();
  if (seen == 0 && millis() - zero >= 2002) seen = turns;
}}
void loop(2, 8, 97, stackBytes(256)) {{
  {neighbour}
  static bool told = false;
  if (told || seen == 0) return;
  told = true;
  Serial.print(" turns "); Serial.println(seen);
}}
"""

NEIGHBOURS = {
    "prints": ('Serial.print("abcdefghijklmnopqrstuvwxyz");', ""),
    "a tone": ("delay(20);", "tone(8, 4000);"),
    "prints, and a tone": ('Serial.print("abcdefghijklmnopqrstuvwxyz");', "tone(8, 2000);"),
    "is asked": ("while (Serial.read() >= 0) {} delay(3);", ""),
}


def _sketch(folder: Path, neighbour: str, also: str, baud: int) -> Path:
    sketch = folder / "device"
    sketch.mkdir()
    begin = f"Serial.begin({baud});"
    (sketch / "device.ino").write_text(TEXT.format(begin=begin, also=also, neighbour=neighbour))
    return sketch


@one_in(9)
@pytest.mark.parametrize("baud", [9600, 115200])
@pytest.mark.parametrize("kind", NEIGHBOURS)
def test_a_victim_has_its_budget_of_useful_work(
    uno: Run, tmp_path: Path, kind: str, baud: int
) -> None:
    neighbour, also = NEIGHBOURS[kind]
    scenario = tmp_path / "asks.yaml"
    line = "x" * (baud // 10 // 50)  # as many as can come in 20 ms
    sent = ", ".join(f"{{at: {20 * i} ms, text: {line}}}" for i in range(1, 110))
    peer = f"peer: {{type: serial, port: 0, send: [{sent}]}}" if kind == "is asked" else "{}"
    scenario.write_text(f"parts:\n  {peer}\n")
    sketch = _sketch(tmp_path, neighbour, also, baud)
    done = uno(sketch, "2200ms", "--scenario", scenario)
    assert done.status == 0, done.said
    lines = done.serial.replace("abcdefghijklmnopqrstuvwxyz", "").split()
    turn_us = int(lines[0]) / 10_000
    turns = int(lines[lines.index("turns") + 1])
    owed_us = PERIODS * BUDGET_MS * 1000
    assert turns * turn_us >= owed_us
    # Nor did it get much more: what is enforced is C and what an activation costs, and who preempts
    # it pays for what device_time.h leaves.
    assert turns * turn_us <= owed_us * 1.06
