"""Libraries that handle pins' interrupts, written the ways such libraries are, unchanged on every board with
them: they count right beside loops that use up their budgets."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.campaign import one_in
from tests.interrupts import generators, interrupts, on, run_folder
from tests.sketches import kept

BOARDS = ["sim", "virt", "uno"]

# A handler for each interrupt's number, chosen by what the core says of its pins; the pin is read directly.
QUADRATURE = """
#pragma once
#if defined(__AVR__)
#define IO_REG_TYPE uint8_t
#define PIN_TO_BASEREG(pin) (portInputRegister(digitalPinToPort(pin)))
#define PIN_TO_BITMASK(pin) (digitalPinToBitMask(pin))
#define DIRECT_PIN_READ(base, mask) (((*(base)) & (mask)) ? 1 : 0)
#define CORE_NUM_INTERRUPT 2
#define CORE_INT0_PIN 2
#define CORE_INT1_PIN 3
#endif
#if !defined(CORE_NUM_INTERRUPT)
#error "Interrupts are unknown for this board"
#endif

class Quadrature {
 public:
  Quadrature(uint8_t pin1, uint8_t pin2) {
    pinMode(pin1, INPUT);
    pinMode(pin2, INPUT);
    state_.register1 = PIN_TO_BASEREG(pin1);
    state_.register2 = PIN_TO_BASEREG(pin2);
    state_.mask1 = PIN_TO_BITMASK(pin1);
    state_.mask2 = PIN_TO_BITMASK(pin2);
    state_.position = 0;
    delayMicroseconds(200);
    state_.last = look(state_);
    attach(pin1);
    attach(pin2);
  }
  int32_t read() {
    noInterrupts();
    int32_t position = state_.position;
    interrupts();
    return position;
  }

 private:
  struct State {
    volatile IO_REG_TYPE *register1, *register2;
    IO_REG_TYPE mask1, mask2;
    uint8_t last;
    int32_t position;
  };
  static uint8_t look(State& s) {
    return DIRECT_PIN_READ(s.register1, s.mask1) | DIRECT_PIN_READ(s.register2, s.mask2) << 1;
  }
  static void update(State* s) {
    static const int8_t moves[16] = {0, 1, -1, 2, -1, 0, -2, 1, 1, -2, 0, -1, 2, -1, 1, 0};
    uint8_t now = look(*s);
    s->position += moves[s->last | now << 2];
    s->last = now;
  }
  template <int n> static void isr() { update(args[n]); }
  void attach(uint8_t pin) {
    switch (pin) {
#ifdef CORE_INT0_PIN
      case CORE_INT0_PIN: args[0] = &state_; attachInterrupt(0, isr<0>, CHANGE); break;
#endif
#ifdef CORE_INT1_PIN
      case CORE_INT1_PIN: args[1] = &state_; attachInterrupt(1, isr<1>, CHANGE); break;
#endif
#ifdef CORE_INT2_PIN
      case CORE_INT2_PIN: args[2] = &state_; attachInterrupt(2, isr<2>, CHANGE); break;
#endif
#ifdef CORE_INT3_PIN
      case CORE_INT3_PIN: args[3] = &state_; attachInterrupt(3, isr<3>, CHANGE); break;
#endif
    }
  }
  State state_;
  static inline State* args[CORE_NUM_INTERRUPT];
};
"""
TACHOMETER = """
#pragma once
// Revolutions by the distance of two falling edges, and how many there were.
class Tachometer {
 public:
  void begin(uint8_t pin) {
    self = this;
    pinMode(pin, INPUT_PULLUP);
    attachInterrupt(digitalPinToInterrupt(pin), pulse, FALLING);
  }
  unsigned long pulses() { noInterrupts(); unsigned long n = count_; interrupts(); return n; }
  unsigned long distance() { noInterrupts(); unsigned long d = distance_; interrupts(); return d; }

 private:
  static void pulse() {
    unsigned long now = micros();
    self->distance_ = now - self->last_;
    self->last_ = now;
    ++self->count_;
  }
  static inline Tachometer* self;
  volatile unsigned long count_ = 0, last_ = 0, distance_ = 0;
};
"""
DEBOUNCED = """
#pragma once
// A button that tells once for each press: the first edge after 10 ms without one, if it closes
// the contact.
class Debounced {
 public:
  Debounced(uint8_t pin, void (*isr)()) : pin_(pin) {
    pinMode(pin, INPUT_PULLUP);
    attachInterrupt(digitalPinToInterrupt(pin), isr, CHANGE);
  }
  void tick() {
    unsigned long now = millis();
    if (now - last_ >= 10 && digitalRead(pin_) == LOW) pressed_ = true;
    last_ = now;
  }
  bool pressed() { bool was = pressed_; pressed_ = false; return was; }

 private:
  uint8_t pin_;
  volatile bool pressed_ = false;
  volatile unsigned long last_ = 0;
};
"""
BESIDE = """
volatile unsigned long work;
void loop(1, 20, 50) { for (int i = 0; i < 100; ++i) work = work + 1; }
"""


def lines(tmp_path: Path, board: str, folder: Path, scenario: str, time: str) -> list[str]:
    status, said, report = run_folder(tmp_path, folder, scenario, time, *on(board))
    assert status == 0, said
    for entry in interrupts(report).values():
        assert entry["lost"] == 0, entry
    return said.splitlines()


@one_in(4)
@pytest.mark.parametrize("board", BOARDS)
def test_a_quadrature_decoder_with_a_handler_for_each_number(tmp_path: Path, board: str) -> None:
    sketch = BESIDE + (
        '#include "quadrature.h"\nQuadrature knob(2, 3);\n'
        "void setup() { Serial.begin(115200); }\n"
        "void loop(2, 20, 100) { delay(1200); Serial.println(knob.read()); delay(5000); }\n"
    )
    scenario = generators([2], "frequency: 250 Hz, start: 10 ms, count: 200")
    scenario += (
        "  b: {type: generator, pin: 3, frequency: 250 Hz, phase: 25 %, start: 10 ms, count: 200}\n"
    )
    folder = kept("quadrature-user", sketch, quadrature=QUADRATURE)
    assert "-400" in lines(tmp_path, board, folder, scenario, "2s")


@one_in(4)
@pytest.mark.parametrize("board", BOARDS)
def test_a_tachometer(tmp_path: Path, board: str) -> None:
    sketch = BESIDE + (
        '#include "tachometer.h"\nTachometer wheel;\n'
        "void setup() { Serial.begin(115200); wheel.begin(2); }\n"
        "void loop(2, 20, 100) { delay(1500); Serial.println(wheel.pulses());\n"
        "  long off = labs((long)wheel.distance() - 2000); Serial.println(off < 60 ? "
        '"even" : "uneven"); delay(5000); }\n'
    )
    scenario = generators([2], "frequency: 500 Hz, start: 20 ms, count: 500")
    folder = kept("tachometer-user", sketch, tachometer=TACHOMETER)
    assert lines(tmp_path, board, folder, scenario, "2s")[:2] == ["250", "even"]


@one_in(4)
@pytest.mark.parametrize("board", BOARDS)
def test_a_button_that_bounces(tmp_path: Path, board: str) -> None:
    sketch = BESIDE + (
        '#include "debounced.h"\n'
        "extern Debounced button;\nvoid ticked() { button.tick(); }\nDebounced button(2, ticked);\n"
        "volatile unsigned presses;\n"
        "void setup() { Serial.begin(115200); }\n"
        "void loop(3, 2, 20) { if (button.pressed()) ++presses; delay(10); }\n"
        "void loop(2, 20, 100) { delay(1500); Serial.println(presses); delay(5000); }\n"
    )
    scenario = (
        "parts:\n  key:\n    type: button\n    pin: 2\n    bounce: 2 ms\n    pressed:\n"
        + "".join(f"      - {{at: {100 + 150 * i} ms, for: 60 ms}}\n" for i in range(8))
    )
    folder = kept("button-user", sketch, debounced=DEBOUNCED)
    (presses,) = lines(tmp_path, board, folder, scenario, "2s")[:1]
    assert presses == "8"


def test_a_librarys_own_assembly_of_a_kind_that_clang_cannot_read(tmp_path: Path) -> None:
    """`lo8(pm(label))` is the GNU assembler's; constructors' second names are not, so both in one."""
    sketch = """
class Table {
 public:
  Table(int base);
  int jump(uint8_t which) {
    int result = base_;
    asm volatile(
        "ldi r30, lo8(pm(L%=table))" "\\n\\t" "ldi r31, hi8(pm(L%=table))" "\\n\\t"
        "add r30, %1" "\\n\\t" "adc r31, __zero_reg__" "\\n\\t" "ijmp" "\\n"
        "L%=table:" "\\n\\t" "rjmp L%=end" "\\n\\t" "rjmp L%=one" "\\n\\t"
        "L%=one:" "\\n\\t" "adiw %0, 1" "\\n" "L%=end:" "\\n"
        : "+w"(result) : "r"(which) : "r30", "r31");
    return result;
  }
 private:
  int base_;
};
Table::Table(int base) : base_(base) {}
void setup() {
  Serial.begin(115200);
  Table table(40);
  Serial.println(table.jump(0));
  Serial.println(table.jump(1));
}
void loop() {}
"""
    folder = kept("own-assembly", sketch)
    assert lines(tmp_path, "uno", folder, "parts: {}\n", "100ms")[:2] == ["40", "41"]
