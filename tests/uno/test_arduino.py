"""What the Uno has of the Arduino language, seen at its pins."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.campaign import long_form, one_in
from tests.uno.waves import edges, pulses

Run = Callable[..., Any]
Built = Callable[[Path], Path]

SKETCHES = Path(__file__).parent / "sketches"
ROOT = Path(__file__).resolve().parents[2]
MS = 1_000_000


def write(folder: Path, text: str) -> Path:
    folder.mkdir()
    (folder / f"{folder.name}.ino").write_text(text)
    return folder


def test_tones(uno: Run, tmp_path: Path) -> None:
    waves = tmp_path / "tones.vcd"
    assert uno(SKETCHES / "tones", "500ms", "--vcd", waves).status == 0
    gaps = [(at, after - at) for (at, _), (after, _) in pairwise(edges(waves, "D8"))]
    # 440 Hz for 100 ms: 88 half periods, 0.8 % off at most.
    first = [gap for at, gap in gaps if MS < at < 100 * MS]
    assert len([at for at, _ in edges(waves, "D8") if 0 < at < 110 * MS]) in (88, 89)
    assert first[1:-1] == pytest.approx([1e9 / 880] * len(first[1:-1]), rel=0.008)
    # Then 1000 Hz, exactly: 16,000 cycles. A tone on pin 4 does not begin meanwhile, and noTone(4) is
    # not for pin 8.
    second = [gap for at, gap in gaps if 151 * MS < at < 249 * MS]
    assert len(second) in range(190, 200)
    assert sum(second) / len(second) == pytest.approx(500_000, rel=0.0005)
    assert all(498_000 < gap < 502_000 for gap in second)  # reading the clock masks for a while
    third = [at for at, _ in edges(waves, "D4")]
    assert third[0] > 300 * MS
    assert third[2] - third[1] == pytest.approx(1e9 / 62, rel=0.008)


@pytest.mark.parametrize("hertz", [31_000, 56_000, 65_535])
def test_the_highest_tones_leave_the_clock_its_time(uno: Run, tmp_path: Path, hertz: int) -> None:
    text = f"""
    void setup() {{ pinMode(13, OUTPUT); }}
    void loop() {{
      unsigned long before = millis();
      digitalWrite(13, HIGH);
      tone(8, {hertz}u, 80);
      delay(100);
      digitalWrite(13, LOW);
      Serial.begin(115200);
      Serial.println(millis() - before);
      for (;;) delay(100);
    }}
    """
    waves = tmp_path / "tone.vcd"
    done = uno(write(tmp_path / "high", text), "200ms", "--vcd", waves)
    assert done.status == 0, done.said
    assert int(done.serial.split()[0]) in (99, 100, 101)  # it counts in steps of 1.024 ms
    begun, ended = [at for at, _ in edges(waves, "D13")][-2:]
    assert ended - begun == pytest.approx(100 * MS, rel=0.005)
    turns = [at for at, _ in edges(waves, "D8") if at > begun]
    assert turns[-1] - turns[0] == pytest.approx(80 * MS, rel=0.016)
    assert len(turns) == pytest.approx(2 * hertz * 0.08, abs=2)


def test_tones_cost_nothing_where_there_are_none(built: Built) -> None:
    names = symbols(built(ROOT / "examples" / "blink"))
    assert not names & {"tone", "__vector_7", "hocket_attach_external", "hocket_eeprom_read"}


def symbols(image: Path) -> set[str]:
    """Names that are defined, those that are only weak left out."""
    said = subprocess.run(["avr-nm", image], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in said.splitlines()]
    return {row[2] for row in rows if len(row) == 3 and row[1] not in "wvWV"}


@long_form
def test_pin_changes(uno: Run) -> None:
    """Rising, falling and both; a handler with an argument; none after detachInterrupt()."""
    done = uno(SKETCHES / "pin-change", "2100ms")
    assert done.status == 0, done.said
    assert done.serial.startswith("2 1 4 1\n2 1 4 2\n")


def test_only_the_interrupts_in_use_are_linked(built: Built, tmp_path: Path) -> None:
    head = "void f() {}\nvoid loop() {}\nvoid setup() { attachInterrupt(digitalPinToInterrupt("
    two = symbols(built(write(tmp_path / "two", head + "2), f, RISING); }\n")))
    assert "__vector_1" in two
    assert not [name for name in two if name.startswith("hocket_pin_change")]
    nine = symbols(built(write(tmp_path / "nine", head + "9), f, RISING); }\n")))
    assert "hocket_pin_change_B" in nine
    assert not nine & {"__vector_1", "hocket_pin_change_C", "hocket_pin_change_D"}


@pytest.mark.parametrize("loops", [False, True])
def test_only_loops_wait_for_the_bus(built: Built, tmp_path: Path, loops: bool) -> None:
    """A transaction without other loops sets the registers and no more."""
    text = "#include <SPI.h>\nvoid setup() { SPI.begin(); SPI.beginTransaction(SPISettings());"
    text += " SPI.transfer(7); SPI.endTransaction(); }\n"
    text += "void loop(1, 1, 100) { delay(9); }\n" if loops else "void loop() {}\n"
    found = symbols(built(write(tmp_path / "bus", text)))
    assert ("hocket_spi_take" in found) is loops and ("hocket_spi_give" in found) is loops


BY_VARIABLE = """
int pins[] = {9, A1, 7, 2}, three = 3;
volatile int nine, seven, one, two;
void on_nine() { nine++; }
void on_seven() { seven++; }
void on_one(void* step) { one += *(int*)step; }
void on_two() { two++; }
void pulse() {
  for (int pin : pins) digitalWrite(pin, HIGH), digitalWrite(pin, LOW);
}
void setup() {
  Serial.begin(115200);
  for (int pin : pins) pinMode(pin, OUTPUT);
  attachInterrupt(digitalPinToInterrupt(pins[0]), on_nine, CHANGE);
  attachInterruptParam(digitalPinToInterrupt(pins[1]), on_one, FALLING, &three);
  attachInterrupt(digitalPinToInterrupt(pins[2]), on_seven, RISING);
  attachInterrupt(digitalPinToInterrupt(pins[3]), on_two, CHANGE);
  for (int i = 0; i < 10; i++) {
    pulse();
    if (i == 4) detachInterrupt(digitalPinToInterrupt(pins[0]));
    if (i == 7) attachInterrupt(digitalPinToInterrupt(pins[2]), on_seven, LOW);
  }
  int counts[] = {nine, one, seven, two};
  for (int count : counts) Serial.println(count);
}
void loop() {}
"""


@pytest.mark.parametrize("more", ["", "void loop(1, 1, 100) { delay(9); }\n"])
def test_interrupts_of_pins_that_are_variables(uno: Run, tmp_path: Path, more: str) -> None:
    """The three ports share their code; a level of a pin that has none detaches."""
    done = uno(write(tmp_path / "some", BY_VARIABLE + more), "30ms")
    assert done.status == 0 and "calls itself" not in done.said, done.said
    if not more:  # beside loops storm control holds some of them back
        assert done.serial.split()[:4] == ["10", "30", "8", "20"]


@pytest.mark.parametrize("more", ["", "void loop(1, 1, 100) { delay(9); }\n"])
def test_a_number_of_an_interrupt_that_is_kept(uno: Run, tmp_path: Path, more: str) -> None:
    """Of a pin that shares its port's interrupt, and of one that the sketch names nowhere."""
    text = """
        volatile int seven, two;
        void on_seven() { seven++; }
        void on_two() { two++; }
        int kept = digitalPinToInterrupt(7), second = 0, none = 5;
        void setup() {
          Serial.begin(115200);
          pinMode(7, OUTPUT);
          pinMode(2, OUTPUT);
          attachInterrupt(kept, on_seven, CHANGE);
          attachInterrupt(second, on_two, CHANGE);
          attachInterrupt(none, on_two, CHANGE);
          const int pins[] = {7, 2, 2};
          for (int pin : pins) digitalWrite(pin, !digitalRead(pin)), delay(1);
          Serial.println(seven * 10 + two);
          second = none = kept = -1;
        }
    """
    done = uno(write(tmp_path / "kept", text + (more or "void loop() {}\n")), "30ms")
    assert done.serial.split()[0] == "12", done.said
    said = done.report["notices"]
    assert any(
        "attached a handler to interrupt 5, which belongs to no pin" in each for each in said
    )


def test_vectors_of_the_sketch(uno: Run) -> None:
    """ISR() with its attributes; a vector of the sketch goes before the one of attachInterrupt()."""
    done = uno(SKETCHES / "vectors", "30ms")
    assert done.status == 0, done.said
    ticks, changes = map(int, done.serial.split()[:2])
    assert ticks == pytest.approx(1000, abs=3)  # each 256 cycles for 16 ms
    assert changes == 20


def test_a_library_with_vectors_of_its_own(uno: Run, tmp_path: Path) -> None:
    """Arduino's SoftwareSerial has all vectors of changing pins; attachInterrupt() goes on with pin 2."""
    waves = tmp_path / "waves.vcd"
    sketch = write(
        tmp_path / "radio",
        "#include <SoftwareSerial.h>\nSoftwareSerial radio(8, 9);\nint pin = 2;\nvoid edge() {}\n"
        "void setup() {\n  attachInterrupt(digitalPinToInterrupt(pin), edge, CHANGE);\n"
        '  radio.begin(4800);\n  radio.print("U");\n}\nvoid loop() {}\n',
    )
    assert uno(sketch, "20ms", "--vcd", waves).status == 0
    sent = [after - at for (at, _), (after, _) in pairwise(edges(waves, "D9")[1:])]
    assert len(sent) == 9  # 0x55: a start bit, and each bit differs from the one before
    assert sent == pytest.approx([1e9 / 4800] * 9, rel=0.03)


def test_strings_by_value(uno: Run) -> None:
    """What a function does to its copy does nothing to the original, nor to memory that has gone."""
    done = uno(SKETCHES / "strings", "200ms")
    assert done.status == 0, done.said
    assert done.serial.splitlines()[:2] == [
        "this! is a text that needs memory of its own123.50",
        "this",
    ]


@long_form
def test_one_heap_for_all_loops(uno: Run, tmp_path: Path) -> None:
    """Loops on stacks of their own have memory, too, and do not come between each other's calls. The
    plain loop is beside them."""
    done = uno(SKETCHES / "heap", "800ms")
    assert done.status == 0, done.said
    lines = [line.split() for line in done.serial.splitlines()[:7]]
    assert [line[0] for line in lines] == ["right"] * 7
    assert all(int(count) >= 100 for count in lines[-1][1:])
    none_left = write(
        tmp_path / "sketch", "void setup() { for (;;) new int[50]; }\nvoid loop() {}\n"
    )
    done = uno(none_left, "100ms")
    assert done.status == 1
    assert [fault["kind"] for fault in done.report["faults"]] == ["stopped"]


@long_form
def test_one_converter_for_all_loops(uno: Run) -> None:
    """Loops come between each other's conversions; each has the voltage of its own pin."""
    done = uno(SKETCHES / "knobs", "500ms")
    assert done.status == 0, done.said
    assert done.serial.startswith("0 1\n0 1\n")


def test_eeprom(uno: Run) -> None:
    done = uno(SKETCHES / "memory", "900ms")
    assert done.status == 0, done.said
    length, erased, ms, added, counted, number, fraction, again, beyond, untouched, good = (
        done.serial.split()[:11]
    )
    assert (length, erased) == ("1024", "255")
    assert ms == "3"  # the second write waits for the first: 3.3 ms
    assert (added, counted) == ("10", "9")
    assert (number, fraction) == ("-123456", "1.50")
    assert again == "0"  # what is there already is not written
    assert beyond == "255"
    assert untouched == str(1024 - 2 - 7)  # one byte of the number is 255
    assert good == "10"  # two loops wrote at the same time


def test_servos(uno: Run, tmp_path: Path) -> None:
    waves = tmp_path / "servos.vcd"
    assert uno(SKETCHES / "servos", "300ms", "--vcd", waves).status == 0
    left, right = pulses(waves, "D9"), pulses(waves, "D10")
    assert len(left) in (5, 6) and len(right) in (8, 9)
    # To 2 us each, 20 ms apart, and the first one's end is the second one's begin.
    assert [length for _, length in left] == pytest.approx([1_000_000] * len(left), abs=2_000)
    assert [length for _, length in right] == pytest.approx([2_400_000] * len(right), abs=2_000)
    for (before, _), (after, _) in pairwise(left):
        assert after - before == pytest.approx(20 * MS, abs=6_000)
    assert right[0][0] - (left[0][0] + left[0][1]) < 20_000
    assert left[-1][0] < 103 * MS and right[-1][0] < 163 * MS  # detached
    assert len(pulses(waves, "D3")) > 30  # PWM has its timer back


@pytest.mark.parametrize("loop", ["loop()", "loop(1, 10, 100)"])
def test_the_first_pulse_of_a_servo_has_what_was_written(
    uno: Run, tmp_path: Path, loop: str
) -> None:
    """As on the stock core: it comes a frame after attach(), so a servo does not jump to its middle."""
    text = f"""#include <Servo.h>
    Servo arm;
    void setup() {{
      pinMode(13, OUTPUT);
      digitalWrite(13, HIGH);
      arm.attach(9);
      digitalWrite(13, LOW);
      arm.write(20);
    }}
    void {loop} {{}}
    """
    waves = tmp_path / "first.vcd"
    assert uno(write(tmp_path / "first", text), "70ms", "--vcd", waves).status == 0
    (attached, length), *_ = pulses(waves, "D13")
    servo = pulses(waves, "D9")
    assert servo[0][0] == pytest.approx(attached + length + 20 * MS, abs=100_000)
    # 544 us and 20 of 180 degrees of the way to 2,400.
    assert [width for _, width in servo] == pytest.approx([750_000] * len(servo), abs=2_000)


def test_servos_of_any_width(uno: Run, tmp_path: Path) -> None:
    """Not only of whole steps of the timer: twelve a frame, at many distances from such a step."""
    widths = [544, 1000, 1001, 1234, 1237, 1500, 1501, 1507, 1511, 1700, 2003, 2399]
    text = "#include <Servo.h>\nServo all[12];\nvoid setup() {\n"
    for place, width in enumerate(widths):
        text += f"  all[{place}].attach({place + 2}); all[{place}].writeMicroseconds({width});\n"
    waves = tmp_path / "widths.vcd"
    assert (
        uno(
            write(tmp_path / "widths", f"{text}}}\nvoid loop() {{}}\n"), "90ms", "--vcd", waves
        ).status
        == 0
    )
    for place, width in enumerate(widths):
        found = [length for _, length in pulses(waves, f"D{place + 2}")][
            1:
        ]  # the rest attaches meanwhile
        assert len(found) >= 2
        assert found == pytest.approx([width * 1000] * len(found), abs=2_000), width


@one_in(2)
@pytest.mark.parametrize("baud", [300, 9600, 2_000_000])
def test_serial_rates(uno: Run, tmp_path: Path, baud: int) -> None:
    """From the lowest rate, which needs the divider at normal speed, to the highest."""
    text = f"""
    void setup() {{
      Serial.begin({baud});
      const unsigned long begin = micros();
      Serial.print("123456789\\n");
      Serial.flush();
      Serial.println(micros() - begin);
    }}
    void loop() {{}}
    """
    done = uno(write(tmp_path / "rates", text), "1s")
    assert done.status == 0, done.said
    sent, taken = done.serial.splitlines()[:2]
    assert sent == "123456789"
    # Ten bits for each byte (eleven in simavr 1.6), and the calls.
    assert 0.97 * 100e6 / baud < int(taken) < 1.03 * 110e6 / baud + 400


SLOW, FAST = (
    2_040_000,
    1_024_000,
)  # ns: timers that count up and down, 510 counts, and one that counts up


# The last one writes its pins again and again, as a controller does, and so their ports.
@one_in(3)
@pytest.mark.parametrize(
    ("pins", "loop"),
    [
        ({3: SLOW, 11: SLOW, 5: FAST, 6: FAST}, "delay(1);"),
        ({3: SLOW, 9: SLOW, 10: SLOW, 11: SLOW}, "delay(1);"),
        (
            {3: SLOW, 11: SLOW, 5: FAST, 6: FAST},
            "analogWrite(3, 64); analogWrite(11, 64); analogWrite(5, 64); analogWrite(6, 64);"
            " digitalWrite(4, millis() & 1); digitalWrite(8, millis() & 1);",
        ),
    ],
)
def test_pwm(uno: Run, tmp_path: Path, pins: dict[int, int], loop: str) -> None:
    """As with the stock core 490 Hz on pins 3, 9, 10 and 11, 977 Hz on 5 and 6, where there are no loops."""
    waves = tmp_path / "pwm.vcd"
    text = f"void loop() {{ {loop} }}\nvoid setup() {{\n"
    text += "".join(f"  analogWrite({pin}, 64);\n" for pin in pins) + "}\n"
    assert uno(write(tmp_path / "sketch", text), "30ms", "--vcd", waves).status == 0
    for pin, period in pins.items():
        whole = pulses(waves, f"D{pin}")[1:]
        assert len(whole) >= 10
        assert [length for _, length in whole] == pytest.approx([period / 4] * len(whole), rel=0.02)
        for (before, _), (after, _) in pairwise(whole):
            # simavr changes a pin between two instructions: of 4 cycles at most.
            assert after - before == pytest.approx(period, abs=500)


@long_form
def test_pwm_of_timer_1(uno: Run, tmp_path: Path) -> None:
    """All duties; a level and digitalWrite() take the pin back."""
    waves = tmp_path / "pwm.vcd"
    text = """
    int led = 9;
    void setup() {
      Serial.begin(115200);
      const unsigned long begin = millis();
      for (int duty = 1; duty < 255; duty += 23) { analogWrite(led, duty); delay(10); }
      analogWrite(led, 254); delay(10);
      analogWrite(led, 255); delay(10);
      analogWrite(led, 1); delay(10);
      digitalWrite(9, LOW);
      Serial.println(millis() - begin);
    }
    void loop() {}
    """
    done = uno(write(tmp_path / "sketch", text), "300ms", "--vcd", waves)
    assert done.status == 0, done.said
    assert 150 <= int(done.serial.split()[0]) <= 151
    seen = pulses(waves, "D9")
    duties = [1 + 23 * i for i in range(12)] + [254, 1]
    ends = 150 * MS
    assert seen[-1][0] < ends + MS
    for duty in duties:
        length = duty * 8_000  # two counts of 4 us
        assert len([1 for _, high in seen if abs(high - length) <= 1_000]) >= 3, duty


@long_form
def test_fade(uno: Run, tmp_path: Path) -> None:
    """Arduino's own, on pin 9: every level up and down again, as a pulse of its length."""
    waves = tmp_path / "fade.vcd"
    fade = Path("/usr/share/arduino/examples/01.Basics/Fade")
    assert uno(fade, "3s", "--vcd", waves).status == 0
    lengths = [length for _, length in pulses(waves, "D9")]
    assert len(lengths) > 1000
    for level in range(5, 255, 5):
        assert any(abs(length - level * 8_000) < 1_000 for length in lengths), level


@long_form
def test_pins_without_pwm_beside_loops_are_named(uno: Run, tmp_path: Path) -> None:
    text = "#define FAN 10\nint led = 9, computed = 8;\nvoid setup() { computed++; }\nvoid loop(1, 5, 50) {\n"
    text += "  static byte v = 100;\n  analogWrite(led, v);\n  analogWrite(FAN, v);\n  analogWrite(3, v);\n"
    text += "  analogWrite(computed, 0);\n  analogWrite(computed, v);\n  delay(10);\n}\n"
    done = uno(write(tmp_path / "named", text), "60ms")
    warned = [line for line in done.said.splitlines() if "warning: analogWrite()" in line]
    assert [line.split(":")[1] for line in warned] == ["6", "7"]
    assert all("PWM beside loops is on pins 3, 5, 6 and 11" in line for line in warned)
    assert [notice for notice in done.report["notices"] if "pin 9" in notice]
    plain = write(tmp_path / "plain", text.replace("loop(1, 5, 50)", "loop()"))
    done = uno(plain, "60ms")
    assert "warning" not in done.said and not done.report["notices"]


def test_timer_1_is_a_plain_sketchs(uno: Run, tmp_path: Path) -> None:
    """Its mode and its vector, beside a clock that goes on: what most tutorials on timers do."""
    text = "volatile int n;\nISR(TIMER1_COMPA_vect) { ++n; }\nvoid setup() {\n  Serial.begin(115200);\n"
    text += "  noInterrupts(); TCCR1A = 0; TCCR1B = 0; TCNT1 = 0; OCR1A = 1999;\n"
    text += "  TCCR1B |= 1 << WGM12 | 1 << CS11; TIMSK1 |= 1 << OCIE1A; interrupts();\n"
    text += "  for (int i = 0; i < 3; i++) { delay(20); Serial.println(n); }\n}\nvoid loop() {}\n"
    done = uno(write(tmp_path / "own", text), "80ms")
    assert done.status == 0, done.said
    assert [int(word) for word in done.serial.split()[:3]] == pytest.approx([20, 40, 60], abs=1)


def test_timers_run_as_the_stock_core_leaves_them(uno: Run, tmp_path: Path) -> None:
    """Libraries set a compare unit's mode bits and its value, and nothing else, for PWM. Beside loops that
    goes for timers 0 and 2."""
    turn_on = "TCCR0A |= 1 << COM0A1; OCR0A = 64; TCCR2A |= 1 << COM2B1; OCR2B = 64;"
    plain = turn_on + " TCCR1A |= 1 << COM1A1; OCR1A = 64;"
    for name, code, loop, pins in (
        ("plain", plain, "loop()", {6: FAST, 3: SLOW, 9: SLOW}),
        ("loops", turn_on, "loop(1, 1, 10)", {6: FAST, 3: SLOW}),
    ):
        waves = tmp_path / f"{name}.vcd"
        outputs = "".join(f" pinMode({pin}, OUTPUT);" for pin in pins)
        text = f"void setup() {{{outputs} {code} }}\nvoid {loop} {{ delay(5); }}\n"
        assert uno(write(tmp_path / name, text), "30ms", "--vcd", waves).status == 0
        for pin, period in pins.items():
            whole = pulses(waves, f"D{pin}")[1:]
            assert len(whole) >= 10, (name, pin)
            assert [length for _, length in whole] == pytest.approx(
                [period / 4] * len(whole), rel=0.02
            )


def test_init_variant_and_yield_of_the_sketch_are_called(uno: Run, tmp_path: Path) -> None:
    text = 'int begun, yields;\nextern "C" void initVariant() { begun = 1; }\nvoid yield() { ++yields; }\n'
    text += "void setup() {\n  delay(3);\n  Serial.begin(115200);\n"
    text += "  Serial.println(begun); Serial.println(yields > 50); }\n"
    done = uno(write(tmp_path / "variant", text + "void loop() {}\n"), "40ms")
    assert done.status == 0, done.said
    assert done.serial.split()[:2] == ["1", "1"]


def test_a_main_of_the_sketchs_own(uno: Run, tmp_path: Path) -> None:
    text = "#include <Arduino.h>\nint main() {\n  init();\n  Serial.begin(115200);\n"
    text += (
        "  for (int i = 0; i < 3; i++) { Serial.println(millis()); delay(10); }\n  for (;;) {}\n}\n"
    )
    done = uno(write(tmp_path / "main", text), "60ms")
    assert done.status == 0, done.said
    assert [int(word) for word in done.serial.split()[:3]] == pytest.approx([0, 10, 20], abs=1)


def test_a_timer_matches_where_its_clock_is_turned_on(uno: Run, tmp_path: Path) -> None:
    """Counter and compare registers are 0 after init(): both match, in whichever order it set the timer up
    (data sheet, 18.5). A counter that was written while it stood does not (18.5.2)."""
    text = (
        "void begin(bool first) {\n  TCCR2B = 0; TIFR2 = 7;\n  if (first) TCCR2A = 1;\n"
        "  TCCR2B = 4;\n  TCCR2A = 1;\n  delayMicroseconds(20);\n}\n"
        "void setup() {\n  delayMicroseconds(20);\n  byte found = TIFR2;\n  Serial.begin(115200);\n"
        "  Serial.println(found);\n"
        "  for (byte first = 0; first < 2; first++) {\n"
        "    TCCR2A = TCCR2B = 0; TCNT2 = 0; begin(first); Serial.println(TIFR2);\n"
        "  }\n}\nvoid loop() {}\n"
    )
    done = uno(write(tmp_path / "matches", text), "20ms")
    assert done.status == 0, done.said
    assert [int(word) for word in done.serial.split()[:3]] == [6, 0, 0]


def test_the_clocks_variables_are_the_stock_cores(uno: Run, tmp_path: Path) -> None:
    """What tests of a wrap-around write, and `delay()` with interrupts masked takes its time."""
    text = "extern volatile unsigned long timer0_millis, timer0_overflow_count;\n"
    text += "void setup() {\n  Serial.begin(115200);\n  pinMode(8, OUTPUT);\n"
    text += "  noInterrupts(); timer0_millis = 4294967290UL; interrupts();\n"
    text += "  delay(10); Serial.println(millis()); Serial.println(timer0_overflow_count > 5);\n"
    text += "  Serial.flush(); digitalWrite(8, HIGH); noInterrupts(); delay(20);\n"
    text += "  interrupts(); digitalWrite(8, LOW);\n"
    waves = tmp_path / "clock.vcd"
    done = uno(write(tmp_path / "wrap", text + "}\nvoid loop() {}\n"), "100ms", "--vcd", waves)
    assert done.status == 0, done.said
    wrapped, counted = map(int, done.serial.split()[:2])
    assert wrapped in (3, 4, 5) and counted == 1
    ((_, length),) = pulses(waves, "D8")
    assert length == pytest.approx(20 * MS, rel=0.002)


@pytest.mark.parametrize("us", [6, 50, 1_500, 9_000])
def test_pulse_in_counts_turns_and_asks_the_clock(uno: Run, tmp_path: Path, us: int) -> None:
    """To 3 us, beside the clock's interrupts, which a count alone would lose, and with interrupts masked."""
    text = f"""
    void setup() {{
      Serial.begin(115200);
      pinMode(9, OUTPUT);
      ICR1 = 20000; OCR1A = {us}; TCCR1A = 1 << COM1A1; TCCR1B = 1 << WGM13 | 1 << CS11;  // up and down
      for (int i = 0; i < 3; i++) Serial.println(pulseIn(9, HIGH));
      noInterrupts();
      const unsigned long masked = pulseIn(9, HIGH);
      interrupts();
      Serial.println(masked);
      Serial.println(pulseIn(10, HIGH, 2000));
      millis();
    }}
    void loop() {{}}
    """
    done = uno(write(tmp_path / "pulses", text), "200ms")
    assert done.status == 0, done.said
    found = [int(word) for word in done.serial.split()[:5]]
    assert found == pytest.approx([us] * 4 + [0], abs=4), found


def test_a_byte_of_spi_takes_its_eight_bits(uno: Run, tmp_path: Path) -> None:
    text = """
    #include <SPI.h>
    void at(uint32_t hertz) {
      SPI.beginTransaction(SPISettings(hertz, MSBFIRST, SPI_MODE0));
      const unsigned long begin = micros();
      for (int i = 0; i < 50; i++) SPI.transfer(i);
      Serial.println((micros() - begin) / 50.0);
      SPI.endTransaction();
    }
    void setup() {
      Serial.begin(115200);
      SPI.begin();
      for (uint32_t hertz = 125000; hertz <= 8000000; hertz *= 2) at(hertz);
    }
    void loop() {}
    """
    done = uno(write(tmp_path / "rate", text), "100ms")
    assert done.status == 0, done.said
    found = [float(line) for line in done.serial.splitlines()[:7]]
    bits = [
        8_000_000 / (125_000 * 2**step) for step in range(7)
    ]  # us, and what the call takes on top
    assert len(found) == len(bits)
    assert all(want <= us <= want + 1.5 for us, want in zip(found, bits, strict=True)), found
