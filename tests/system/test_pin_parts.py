"""Parts at pins that a sketch drives bit by bit: the same sketch and the same outcome on every board."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.commands import run_hocket
from tests.interrupts import on, run

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.mark.parametrize("board", ["virt", "uno"])
def test_a_keypad_and_a_display_of_characters(board: str) -> None:
    """On sim: test_examples.py."""
    done = run_hocket("test", EXAMPLES / "code-lock", "--board", board)
    assert done.returncode == 0, done.stdout


def test_on_the_uno_a_pulled_up_input_stays_as_it_is(tmp_path: Path) -> None:
    """simavr alone makes it high whenever anything is written to its port."""
    sketch = """
    void setup() {
      Serial.begin(115200);
      pinMode(8, INPUT_PULLUP);
      pinMode(13, OUTPUT);
      delay(100);
      for (int i = 0; i < 4; i++) {
        PORTB = PORTB;
        Serial.print(digitalRead(8));
        digitalWrite(13, i & 1);
        Serial.print(digitalRead(8));
      }
      pinMode(8, OUTPUT);
      delay(100);  // the button has been released
      digitalWrite(8, LOW);
      pinMode(8, INPUT_PULLUP);
      Serial.println(digitalRead(8));
    }
    void loop() {}
    """
    scenario = "parts:\n  b: {type: button, pin: 8, pressed: [{at: 50 ms, for: 100 ms}]}\n"
    status, said, _ = run(tmp_path, "held", sketch, scenario, "300ms", *on("uno"))
    assert status == 0, said
    assert said.startswith("000000001"), said
