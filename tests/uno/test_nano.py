"""The Nano: what differs from the Uno. Its programs are linked with the Uno's libraries
(tests/own_boards.py). The long form builds all examples."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.campaign import long_form
from tests.commands import ROOT
from tests.own_boards import environment
from tests.sketches import kept

from hocket.arduino.menu import ide_boards, platformio_boards

SKETCH = """\
void setup() {
  Serial.begin(115200);
  Serial.println(NUM_ANALOG_INPUTS);
  Serial.println(analogInputToDigitalPin(5));
  Serial.println(analogInputToDigitalPin(6));
  Serial.println(analogRead(A6));
  Serial.println(analogRead(7));
#if defined(ARDUINO_AVR_NANO) && defined(A7)
  Serial.println("Nano");
#endif
}
void loop(1, 2, 50) {
  digitalWrite(LED_BUILTIN, analogRead(A7) > 500);
  delay(20);
}
"""
SCENARIO = """\
parts:
  six: {type: potentiometer, pin: A6, position: 25 %}
  seven: {type: potentiometer, pin: A7, position: 75 %}
"""


def hocket(*words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.own_boards", "uno", *map(str, words)]
    return subprocess.run(
        command,
        env=environment(),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def test_two_more_analog_inputs(tmp_path: Path) -> None:
    sketch = kept("six", SKETCH)
    scenario = tmp_path / "scenario.yaml"
    scenario.write_text(SCENARIO, encoding="utf-8")
    words = ("run", sketch, "--board", "nano", "--for", "200ms", "--scenario")
    done = hocket(*words, scenario, "--json", tmp_path / "report.json")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[:6] == ["8", "19", "-1", "256", "768", "Nano"]
    assert json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["board"] == "nano"
    scenario.write_text("parts: {lamp: {type: led, pin: A6}}\n", encoding="utf-8")
    refused = hocket(*words, scenario)
    assert refused.returncode == 2
    assert "pin of lamp is pin A6, which is an analog input only" in refused.stderr
    assert "use one of 0 to 13 and A0 to A5" in refused.stderr


def test_its_names_in_the_arduino_ide_and_platformio() -> None:
    menu = ide_boards("avr8").splitlines()
    for line in (
        "name=Arduino Nano (Hocket)",
        "build.board=AVR_NANO",
        "vid.1=0x1A86",
        "pid.1=0x7523",
    ):
        assert f"nano.{line}" in menu
    assert "nano.upload.maximum_size=30720" in menu
    boards = platformio_boards()
    for name in ("nano", "nanoatmega328", "nanoatmega328new"):
        assert json.loads(boards[name])["build"]["hocket"] == "nano"


@long_form
def test_all_examples_are_built_for_it() -> None:
    for sketch in sorted((ROOT / "examples").glob("*/*.ino")):
        on_uno = hocket("build", sketch.parent, "--board", "uno")
        on_nano = hocket("build", sketch.parent, "--board", "nano")
        assert on_nano.returncode == on_uno.returncode, on_nano.stderr
