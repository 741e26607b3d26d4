"""Plain sketches take at most 5 % more flash than with the stock core, also where they are little more than
the calls whose code is Hocket's own."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.uno.test_costs import Built

from hocket.sketch.folder import find_sketch
from hocket.stock_core import build_stock_sketch
from hocket.uno_images import flash_and_ram

SKETCHES = {
    # 16 % more while analogWrite() tried each timer by itself, and analogRead() had its resolution.
    "analog": """
        const int knob = A1, lamp = 10;
        int least = 1023, most = 0;
        void setup() {
          pinMode(13, OUTPUT);
          digitalWrite(13, HIGH);
          while (millis() < 4000) {
            int now = analogRead(knob);
            if (now > most) most = now;
            if (now < least) least = now;
          }
          digitalWrite(13, LOW);
        }
        void loop() {
          int now = map(constrain(analogRead(knob), least, most), least, most, 0, 255);
          analogWrite(lamp, now);
        }
    """,
    # 11 % more while a sum of a number made a String of it, and each copy had its own code.
    "texts": """
        String first, second, sum;
        void setup() {
          Serial.begin(9600);
          first = String("what the knob says: ");
          second = String("and a text");
        }
        void loop() {
          sum = first + 246;
          Serial.println(sum);
          sum = first + 123456789L;
          Serial.println(sum);
          sum = first + 'Z';
          Serial.println(sum);
          sum = first + "ten words";
          Serial.println(sum);
          sum = first + second;
          Serial.println(sum);
          first = sum;
          sum = first + analogRead(A0);
          sum += second;
          Serial.println(sum);
          while (true);
        }
    """,
    # 40 % more while each port had its own attachInterrupt() and its own handler.
    "edges": """
        volatile unsigned edges;
        int pin = 2;
        void edge() { edges++; }
        void setup() {
          Serial.begin(9600);
          attachInterrupt(digitalPinToInterrupt(pin), edge, CHANGE);
        }
        void loop() {
          delay(1000);
          Serial.println(edges);
        }
    """,
    # 18 % more while the interrupts of all pins were linked for a number that is 0 or 1.
    "numbers": """
        volatile unsigned edges;
        int number = -1;
        void edge() { edges++; }
        void on(int of) { number = of; attachInterrupt(number, edge, CHANGE); }
        void off() { detachInterrupt(number); number = -1; }
        void setup() {
          Serial.begin(9600);
          on(digitalPinToInterrupt(2));
          off();
          on(1);
        }
        void loop() {
          delay(1000);
          if (edges > 100) off();
          Serial.println(edges);
        }
    """,
    # 29 % more while tone() computed its clock and its length when the sketch ran.
    "a_tone": """
        void setup() {}
        void loop() {
          tone(8, 440);
          delay(100);
          noTone(8);
        }
    """,
    # 11 % more while begin() with a rate that is a constant linked the one for any rate.
    "a_port": """
        template <class Port> struct Line {
          Port& port;
          void begin() { port.begin(31250); }
        };
        Line<HardwareSerial> line = {Serial};
        void setup() {
          line.begin();
          if (line.port.available()) line.port.write(line.port.read());
        }
        void loop() {}
    """,
    # 5.1 % more while a number was read digit by digit as a floating-point number.
    "a_number_read": """
        void setup() { Serial.begin(9600); }
        void loop() {
          if (Serial.available()) Serial.println(Serial.parseFloat() * 2);
        }
    """,
}


@pytest.mark.parametrize("name", SKETCHES)
def test_flash(built: Built, tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    (folder / f"{name}.ino").write_text(SKETCHES[name])
    flash, _ = flash_and_ram(built(folder))
    stock, _ = flash_and_ram(
        build_stock_sketch(find_sketch(str(folder)), tmp_path / "of-stock").file
    )
    assert flash <= 1.05 * stock
