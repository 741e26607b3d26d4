"""What goes wrong silently on an Uno is in the report of the run, where building cannot see it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.uno.conftest import Run


def _sketch(folder: Path, text: str) -> Path:
    folder.mkdir()
    (folder / f"{folder.name}.ino").write_text(text)
    return folder


TEXT = '"' + 100 * "x" + '"'
GROWS = """String all;
void setup() { Serial.begin(115200); }
void grow() {
  all += F(%s);
}
void %s {
  grow();
  Serial.println(all.length());
  delay(1);
}
"""


@pytest.mark.parametrize("loop", ["loop()", "loop(3, 5, 10)"])
def test_a_string_that_can_grow_no_further(uno: Run, tmp_path: Path, loop: str) -> None:
    """By avr-gcc and by clang."""
    full = uno(_sketch(tmp_path / "full", GROWS % (TEXT, loop)), "300ms")
    assert full.status == 0, full.said
    lengths = [int(line) for line in full.serial.splitlines() if line.isdigit()]
    assert lengths[-1] == lengths[-2] > 300  # it grows no further
    (notice,) = (each for each in full.report["notices"] if "bytes of memory" in each)
    who = loop.split(",")[0].replace("(3", " 3")
    assert notice.startswith(f"{who} asked for {(lengths[-1] + 100 | 15) + 1} bytes"), notice
    assert "and got none (full/full.ino:4, in " in notice
    refused = sum(at == lengths[-1] for at in lengths) - 1
    assert f"the first of {refused} times" in notice or f"of {refused + 1} times" in notice
    assert "A String that cannot grow" in notice


def test_a_string_that_has_room(uno: Run, tmp_path: Path) -> None:
    small = uno(_sketch(tmp_path / "small", GROWS % ('""', "loop()")), "50ms")
    assert not any("bytes of memory" in each for each in small.report["notices"])


COMPUTED = """
volatile int pins[] = {3, 11, 5};
void setup() {
  analogWrite(pins[2], 80);
  tone(8, 440);
  %s
}
void loop() { delay(10); }
"""


def test_pwm_and_tones_on_one_timer(uno: Run, tmp_path: Path) -> None:
    """The pin is computed, so that building says nothing."""
    quiet = uno(_sketch(tmp_path / "quiet", COMPUTED % ""), "20ms")
    assert quiet.status == 0, quiet.said
    assert not any("timer" in each for each in quiet.report["notices"])
    during = uno(_sketch(tmp_path / "during", COMPUTED % "analogWrite(pins[1], 80);"), "20ms")
    (notice,) = (each for each in during.report["notices"] if "timer" in each)
    assert notice.startswith(
        "setup() wrote a value between 0 and 255 to pin 11 while a tone sounded"
    )
    before = uno(
        _sketch(
            tmp_path / "before", COMPUTED % "noTone(8); analogWrite(pins[0], 80); tone(8, 440);"
        ),
        "20ms",
    )
    (notice,) = (each for each in before.report["notices"] if "timer" in each)
    assert notice.startswith("setup() began a tone while pin 3 or 11 had PWM, and this ended")


PLAIN = """
volatile int nowhere = 42;
volatile unsigned edges;
void edge() { edges++; delayMicroseconds(100); }
void attach() { attachInterrupt(digitalPinToInterrupt(nowhere), edge, CHANGE); }
void setup() {
  attachInterrupt(digitalPinToInterrupt(2), edge, CHANGE);
  attach();
}
void loop() {
  attach();
  noInterrupts();
  for (int i = 0; i < 300; i++) delayMicroseconds(10);
  interrupts();
  delay(5);
}
"""


def test_notices_of_a_sketch_without_loops(uno: Run, tmp_path: Path) -> None:
    """Nothing is said of budgets and of loops that are late: there are none."""
    scenario = tmp_path / "scenario.yaml"
    scenario.write_text("parts:\n  edges:\n    type: generator\n    pin: 2\n    frequency: 1 kHz\n")
    done = uno(_sketch(tmp_path / "plain", PLAIN), "50ms", "--scenario", scenario)
    attached = " attached a handler to interrupt -1, which belongs to no pin: that call did nothing"
    setup, loop, handlers, masked = done.report["notices"]
    assert setup == f"setup(){attached}"
    assert loop.startswith(f"loop(){attached} (")
    assert re.fullmatch(r"Handlers of interrupts took \d+\.\d % of the processor\.", handlers)
    assert masked.startswith("Interrupts were masked for 3.0")
    assert "in loop() (plain/plain.ino:1" in masked
    assert masked.endswith(
        "the 1.024 ms between two interrupts of the clock: millis() and micros() may be behind, as with "
        "the stock core."
    )
    (row,) = (line for line in done.serial.splitlines() if line.startswith("2    CHANGE"))
    assert row.split()[3] == "–"  # no budget
