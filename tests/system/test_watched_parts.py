"""What a watched run tells of its parts: in its last frame what the report has of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.watched import watched

from hocket.builder import Image
from hocket.running.programs import board_program
from hocket.scenario import read_scenario

SKETCH = """#include <EEPROM.h>
#include <Wire.h>
void setup() {
  Serial.begin(115200);
  Wire.begin();
  pinMode(9, OUTPUT);
  EEPROM.write(3, 77);
}
void loop(1, 5ms, 50ms) {
  static byte n = 0;
  digitalWrite(9, n % 2);
  Wire.beginTransmission(0x48); Wire.write(2); Wire.write(++n); Wire.endTransmission();
  Wire.beginTransmission(0x68); Wire.write(0); Wire.endTransmission();
  Wire.requestFrom(0x68, 1);
  Serial.println(Wire.read());
  delay(20);
}
"""
SCENARIO = """parts:
  expander: {type: i2c_registers, address: 0x48, registers: [{register: 5, is: 9}],
             changes: [{at: 90 ms, register: 5, is: 10}, {at: 200 ms, register: 6, is: 3}]}
  clock: {type: ds3231, time: "2026-11-25 12:00:00"}
  settings: {type: eeprom}
  scope: {type: probe, pin: 9}
  wire: {type: wire, pins: [4, 5]}
"""


@pytest.mark.parametrize("board", ["sim", "uno"])
def test_the_last_frame_says_what_the_report_says(
    image: Callable[..., Image], tmp_path: Path, board: str
) -> None:
    built = image("parts", SKETCH, board)
    yaml, flat, facts = (tmp_path / name for name in ("s.yaml", "flat", "facts.json"))
    yaml.write_text(SCENARIO, encoding="utf-8")
    flat.write_text(read_scenario(yaml, board).flat, encoding="utf-8")
    words = [*board_program(built, 1), "--cores", "1", "--scenario", flat, "--facts", facts]
    with watched([*words, "--for", "300000000"]) as run:
        status, _, errors = run.end()
        assert status == 0, errors
        seen: dict[str, dict[str, Any]] = {}
        for frame in run.messages:
            for name, shown in frame.get("parts", {}).items() if frame["is"] == "frame" else ():
                seen.setdefault(name, {}).update(shown)
    told = json.loads(facts.read_text())["parts"]
    assert set(seen) == set(told)
    assert seen == told
    assert told["expander"]["registers"]["5"] == 10  # nobody has read it since
    assert told["expander"]["bytes_written"] > 5
