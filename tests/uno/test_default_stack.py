"""What a loop's stack holds on the Uno where the sketch says nothing: 192 bytes, and what takes more."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.uno.conftest import Run

HEAD = """
#include "hocket/Semaphore.h"
Semaphore turn(1);
volatile int v = -12345;
volatile float f = 3.14159;
void edge() { turn.v(); }
void setup() {
  Serial.begin(115200);
  pinMode(2, INPUT);
  attachInterrupt(digitalPinToInterrupt(2), edge, RISING);
}
"""
# Bytes at most, with a handler that gives on top.
FITS = {
    "delay(1);": 145,
    "Serial.println(v); delay(1);": 145,
    "Serial.println(f, 4); delay(1);": 165,
    "analogWrite(6, analogRead(A0) / 4); delay(1);": 145,
    "turn.p(); Serial.println(millis());": 145,
}
SCENARIO = "parts:\n  edges: {type: generator, pin: 2, frequency: 1 kHz}\n"


@pytest.mark.parametrize("body", FITS)
def test_fits(uno: Run, tmp_path: Path, body: str) -> None:
    folder = tmp_path / "fits"
    folder.mkdir()
    (folder / "fits.ino").write_text(f"{HEAD}void loop(1, 20, 50) {{ {body} }}\n")
    scenario = tmp_path / "edges.yaml"
    scenario.write_text(SCENARIO)
    done = uno(folder, "200ms", "--scenario", scenario)
    assert done.status == 0, done.said
    (loop,) = done.report["loops"]
    assert loop["stack_size"] == 192
    assert loop["stack_used"] <= FITS[body], loop


def test_a_number_as_text_takes_more_and_is_stopped_where_it_overflows(
    uno: Run, tmp_path: Path
) -> None:
    folder = tmp_path / "text"
    folder.mkdir()
    (folder / "text.ino").write_text(
        HEAD + "void loop(1, 20, 50) { Serial.println(String(f, 2)); delay(1); }\n"
    )
    done = uno(folder, "200ms")
    assert done.status != 0
    (fault,) = done.report["faults"]
    assert (fault["loop"], fault["kind"]) == (1, "stack overflow")
    (folder / "text.ino").write_text(
        HEAD
        + "void loop(1, 20, 50, stackBytes(450)) { Serial.println(String(f, 2)); delay(1); }\n"
    )
    done = uno(folder, "200ms")
    assert done.status == 0, done.said
    assert done.report["loops"][0]["stack_used"] <= 420
