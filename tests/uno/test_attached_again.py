"""Edges at a pin of the Uno whose handler is attached anew, detached, for a level: each has one account.

What the sketch counts in its handlers is what the report says was delivered.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from tests.campaign import long_form, one_in
from tests.uno.conftest import Report, Run
from tests.uno.waves import edges

LEVEL_THEN_EDGES = """
volatile unsigned lows, rises;
void low() { lows++; }
void rise() { rises++; }
void setup() { Serial.begin(115200); attachInterrupt(0, low, LOW); }
void loop(1, 10, 100) {
  static byte turns;
  delay(20);
  if (++turns == 10) detachInterrupt(0);
  if (turns < 10) attachInterrupt(0, rise, RISING);
  if (turns == 10) { Serial.print("= "); Serial.print(lows); Serial.print(" "); Serial.println(rises); }
}
"""

DETACHED = """
volatile unsigned calls;
void tick() { calls++; if (calls & 1) detachInterrupt(0); }
void setup() { Serial.begin(115200); }
void loop(1, 5, 50) {
  static unsigned turns;
  if (++turns > 100) { if (turns == 101) { Serial.print("= "); Serial.println(calls); } delay(1000); return; }
  attachInterrupt(0, tick, CHANGE);
  delay(1);
  detachInterrupt(0);
  delay(1);
}
"""


def account(report: Report) -> Report:
    (entry,) = report["interrupts"]
    assert entry["edges"] == entry["delivered"] + entry["pending"] + entry["lost"], entry
    assert entry["lost"] == sum(entry["lost_because"].values()), entry
    assert 0 <= entry["pending"] <= 1, entry
    assert entry["may_have_merged"] <= entry["lost"] <= entry["edges"] < 1 << 40, entry
    return dict(entry)


def numbers(serial: str) -> list[list[int]]:
    """Of each line of the sketch's own."""
    return [
        [int(word) for word in line.split()] for line in re.findall(r"^= ([0-9 ]+)$", serial, re.M)
    ]


def sketch(folder: Path, text: str) -> Path:
    folder.mkdir()
    (folder / f"{folder.name}.ino").write_text(text)
    return folder


def scenario(folder: Path, text: str) -> Path:
    file = folder / "edges.yaml"
    file.write_text(f"parts:\n  g: {{type: generator, pin: 2, {text}}}\n")
    return file


def test_a_level_and_then_edges_have_one_account(uno: Run, tmp_path: Path) -> None:
    """The level's calls are edges that came and were delivered; those of before are not the next one's."""
    around = scenario(tmp_path, "frequency: 50 Hz, start: 5 ms")
    vcd = tmp_path / "w.vcd"
    folder = sketch(tmp_path / "again", LEVEL_THEN_EDGES)
    done = uno(folder, "400ms", "--scenario", around, "--vcd", vcd)
    assert done.status == 0, done.said
    entry = account(done.report)
    ((lows, rises),) = numbers(done.serial)
    assert lows > 50
    assert entry["delivered"] == lows + rises
    # Ten attachings, 20 ms apart: a rising edge in each, or none in one that comes as it is attached.
    came = [at for at, level in edges(vcd, "D2") if level == 1 and 20e6 < at < 200e6]
    assert len(came) - 2 <= rises <= len(came)


@one_in(2)
@pytest.mark.parametrize("frequency", [77_000, 9_100])
def test_edges_beside_a_handler_that_is_detached_again_and_again(
    uno: Run, tmp_path: Path, frequency: int
) -> None:
    around = scenario(tmp_path, f"frequency: {frequency} Hz")
    done = uno(sketch(tmp_path / "off", DETACHED), "1500ms", "--scenario", around)
    assert done.status == 0, done.said
    entry = account(done.report)
    ((calls,),) = numbers(done.serial)
    assert entry["delivered"] == calls > 150
    assert entry["pending"] == 0  # nothing is attached
    if frequency > 50_000:  # one comes while the handler that detaches itself runs
        assert entry["lost_because"]["detached"] > 20
    # Nothing is attached for two thirds of the run: those edges are nobody's.
    assert entry["edges"] < 0.5 * 2 * frequency


LEVEL = """
volatile unsigned calls;
void low() { calls++; delayMicroseconds(100); }
void setup() { Serial.begin(115200); }
void loop(1, 10, 100) {
  unsigned before;
  delay(20);  // the pin has been low for some ms
  attachInterrupt(0, low, LOW);
  delay(30);
  before = calls;
  delay(10);  // it is high
  Serial.print("= "); Serial.print(before); Serial.print(" "); Serial.println(calls - before);
  detachInterrupt(0);
  attachInterrupt(0, low, FALLING);
  before = calls;
  delay(30);  // low again
  Serial.print("= "); Serial.println(calls - before);
  delay(9999);
}
"""


@long_form
def test_a_level_calls_while_it_stands_and_no_longer(uno: Run, tmp_path: Path) -> None:
    """It stood already as its handler was attached; as an edge's handler the same pin has one call."""
    around = scenario(tmp_path, "edges: [1 ms, 10 ms, 40 ms, 80 ms]")
    done = uno(sketch(tmp_path / "level", LEVEL), "200ms", "--scenario", around)
    assert done.status == 0, done.said
    (first, rest), (falling,) = numbers(done.serial)
    assert first > 5
    assert rest <= 1  # one that was in the middle
    assert falling == 1
    entry = account(done.report)
    assert entry["delivered"] == first + rest + falling


MIXED = """
volatile unsigned calls;
void tick() {{ calls++; }}
void wants() {{ calls++; detachInterrupt(1); }}
uint16_t state = {seed};
uint16_t draw(uint16_t below) {{
  state ^= state << 7; state ^= state >> 9; state ^= state << 8;
  return state % below;
}}
const byte modes[] = {{LOW, CHANGE, FALLING, RISING}};
void setup() {{ Serial.begin(115200); }}
void loop(1, 30, 100) {{
  static unsigned turns;
  if (++turns > {turns}) {{
    if (turns == {turns} + 1) {{ detachInterrupt(1); Serial.print("= "); Serial.println(calls); }}
    delay(1000);
    return;
  }}
  switch (draw(4)) {{
    case 0: detachInterrupt(1); break;
    case 1: attachInterrupt(1, wants, modes[draw(4)]); break;
    default: attachInterrupt(1, tick, modes[draw(4)]);
  }}
  if (draw(3)) delayMicroseconds(draw(2000));
}}
void loop(2, 10, 50) {{
  noInterrupts(); delayMicroseconds(draw(200)); interrupts();
  delay(draw(3));
}}
"""


@one_in(6)
@pytest.mark.parametrize("seed", range(1, 7))
def test_modes_at_random_have_one_account(uno: Run, tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    text = MIXED.format(seed=dice.randrange(1, 60_000), turns=400)
    longest = dice.choice((0.02, 0.2, 2.0))
    around = tmp_path / "edges.yaml"
    around.write_text(
        "parts:\n  g: {type: generator, pin: 3, "
        f"gaps: {{shortest: 0.004 ms, longest: {longest} ms}}}}\n"
    )
    done = uno(sketch(tmp_path / "mixed", text), "3s", "--scenario", around)
    assert done.status == 0, done.said
    entry = account(done.report)
    ((calls,),) = numbers(done.serial)
    assert entry["delivered"] == calls > 100
    assert entry["pending"] == 0


STRANGE = """
volatile int mode = 77, number = 9;
void (*volatile none)() = nullptr;
void f() {}
void g(void*) {}
void setup() {
  attachInterrupt(0, f, mode);
  attachInterrupt(number, f, RISING);
  attachInterrupt(digitalPinToInterrupt(7), f, mode);
  attachInterrupt(1, none, RISING);
  mode = LOW;
  attachInterruptParam(digitalPinToInterrupt(A1), g, mode, nullptr);
}
void loop(1, 5, 50) { mode = 5; attachInterrupt(1, f, mode); delay(10); }
"""


def test_what_cannot_be_meant_is_told(uno: Run, tmp_path: Path) -> None:
    done = uno(sketch(tmp_path / "strange", STRANGE), "205ms")
    assert done.status == 0, done.said
    notices = "\n".join(done.report["notices"])
    assert "attached a handler to pin 2 with the mode 77, which does not exist" in notices
    assert "attached a handler to interrupt 9, which belongs to no pin" in notices
    assert "attached a handler to pin 7 with the mode 77, which this pin does not have" in notices
    assert "attached a null pointer to pin 3" in notices
    assert "attached a handler to pin A1 with the mode 0, which this pin does not have" in notices
    assert "loop 1 attached a handler to pin 3 with the mode 5" in notices
    assert "times)" in notices
