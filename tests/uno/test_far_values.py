"""Arguments beyond what the Uno's own numbers hold."""

from __future__ import annotations

from pathlib import Path

from tests.uno.conftest import Run

SKETCH = """
void setup() {
  Serial.begin(115200);
  Serial.println(pulseIn(8, HIGH, 0x80000000UL));
  Serial.println(pulseIn(8, HIGH, 0xffffffffUL));
  const int widths[] = {10, 15, 16, 26, 31, 32};
  for (int width : widths) {
    analogReadResolution(width);
    Serial.println(analogRead(A0));
  }
  analogWriteResolution(31);
  analogWrite(3, 32767);
  Serial.println(OCR2B);
}
void loop() {}
"""
SCENARIO = """
parts:
  knob: {type: potentiometer, pin: A0, position: 75 %}
  pulses: {type: generator, pin: 8, frequency: 100 Hz}
"""


def test_they_are_the_farthest_that_there_is(uno: Run, tmp_path: Path) -> None:
    folder = tmp_path / "far"
    folder.mkdir()
    (folder / "far.ino").write_text(SKETCH)
    (folder / "scenario.yaml").write_text(SCENARIO)
    done = uno(folder, "100ms")
    assert done.status == 0, done.said
    *pulses, ten, fifteen, sixteen, more, most, beyond, duty = map(int, done.serial.split()[:9])
    assert len(pulses) == 2 and all(4990 <= pulse <= 5010 for pulse in pulses)
    assert 766 <= ten <= 769 and fifteen == ten << 5
    assert sixteen == more == most == beyond == fifteen
    assert duty == 1  # the least that is not off
