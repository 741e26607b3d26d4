"""The system's calls with any arguments: each is answered, nothing breaks, and runs repeat."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from tests.commands import run_hocket

ROOT = Path(__file__).resolve().parents[2]

# Every call of arduino/runtime/system.h but fault() and the locks (a wrong use of those is a fault by
# contract). Two thirds of the numbers are such that something happens; the others are any.
CALLS = """
#include <Hocket.h>
#include "arduino/runtime/system.h"
using namespace hocket;

namespace {

struct Dice {
  uint64_t state;
  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  uint64_t below(uint64_t n) { return next() % n; }
  uint32_t number(uint32_t usual) {
    if (below(3) > 0) return below(usual);
    static const uint32_t edges[] = {0, 1, 0x7f, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff};
    return below(2) ? edges[below(8)] : next();
  }
  uint64_t soon() {  // or just passed
    const uint64_t now = sys::now_ns();
    return below(4) ? now + below(2000000) : now - below(now + 1);
  }
};

volatile uint64_t answers;

void call(Dice& dice) {
  uint8_t buffer[256];
  for (uint8_t& byte : buffer) byte = dice.next();
  const unsigned pin = dice.number(sys::pin_count());
  const unsigned port = dice.number(sys::serial_count());
  uint64_t answer = 0;
  switch (dice.below(39)) {
    case 0: answer = sys::now_ns() > 0; break;
    case 1: sys::sleep_until_ns(dice.soon()); break;
    case 2: sys::sleep_until_ns(dice.below(2)); break;
    case 3: sys::spin_ns(dice.below(20000)); break;
    case 4: sys::yield(); break;
    case 5: answer = sys::analog_base() + sys::analog_count(); break;
    case 6: answer = sys::pin_mode(pin, static_cast<sys::PinMode>(dice.number(5))); break;
    case 7: case 8: answer = sys::pin_write(pin, dice.below(2)); break;
    case 9: answer = sys::pin_read(pin); break;
    case 10: answer = sys::analog_read(pin, dice.number(17)); break;
    case 11: answer = sys::pwm_write(pin, dice.number(256), dice.number(256)); break;
    case 12: answer = sys::tone_start(pin, dice.number(5000), dice.number(20)); break;
    case 13: answer = sys::tone_stop(pin); break;
    case 14: answer = sys::servo_write(pin, dice.number(3000)); break;
    case 15: answer = sys::serial_begin(port, 100000 + dice.number(1900001), dice.number(70000)); break;
    case 16: answer = sys::serial_begin(port, dice.number(2000000) | 0x8000, 0); break;
    case 17: if (dice.below(20) == 0) sys::serial_end(port); break;
    case 18: answer = sys::serial_available(port) + sys::serial_room(port); break;
    case 19: answer = sys::serial_read(port); break;
    case 20: answer = sys::serial_peek(port); break;
    case 21: case 22: case 23:
      answer = sys::serial_write(port, buffer, dice.below(sizeof buffer + 1)); break;
    case 24: sys::serial_flush(port); break;
    case 25: answer = sys::serial_wait(port, dice.soon()); break;
    case 26: answer = sys::loop_id() + sys::core_id(); break;
    case 27: sys::hold_pin_handlers(dice.below(2)); break;
    case 28: answer = sys::entropy(); break;
    case 29: case 30: {
      sys::I2cTransfer transfer = {buffer, buffer + 128, static_cast<uint16_t>(dice.below(100)),
                                   static_cast<uint16_t>(dice.below(100)), 400000 + dice.number(1000000), 0,
                                   static_cast<uint8_t>(dice.below(4) + 0x4f), dice.below(2) == 1};
      answer = static_cast<unsigned>(sys::i2c_transfer(dice.number(sys::i2c_count()), transfer));
      answer += transfer.received + buffer[200];
      break;
    }
    case 31: {
      const sys::SpiTransfer transfer = {dice.below(2) ? buffer : nullptr, dice.below(2) ? buffer : nullptr,
                                         static_cast<uint32_t>(dice.below(sizeof buffer + 1)),
                                         1000000 + dice.number(10000000), static_cast<uint8_t>(dice.next()),
                                         dice.below(2) == 1};
      answer = sys::spi_transfer(dice.number(sys::spi_count()), transfer) + buffer[0];
      break;
    }
    case 32: sys::eeprom_write(dice.number(sys::eeprom_size()), dice.next()); break;
    case 33: answer = sys::eeprom_read(dice.number(sys::eeprom_size())); break;
    case 34: answer = sys::serial_line(pin, dice.number(sys::pin_count()), dice.below(2)) + 1; break;
    case 35: sys::serial_listen(port + dice.below(9), dice.below(2)); break;
    case 36:
      answer = sys::serial_overflowed(port + dice.below(9));
      answer += sys::serial_begin(port + 4, 50000, 0); break;
    case 37: answer = sys::serial_write(port + 4, buffer, dice.below(40)); break;
    default: answer = sys::serial_write(port, nullptr, 0); break;
  }
  answers = answers + answer;
}

template <int id>
void calls() {
  static Dice dice{sys::entropy() + id};
  for (int i = 0; i < 20; ++i) call(dice);
}

}  // namespace

void setup() { Serial.begin(2000000); Dice dice{sys::entropy()}; for (int i = 0; i < 40; ++i) call(dice); }
"""


def build(text: str, folder: Path) -> Path:
    sketch = folder / "calls"
    sketch.mkdir()
    (sketch / "calls.ino").write_text(text, encoding="utf-8")
    image = folder / "image"
    built = run_hocket("build", sketch, "-o", image)
    assert built.returncode == 0, built.stderr
    return image


def run(image: Path, facts: Path, *options: str | int) -> tuple[int, bytes, bytes]:
    words = [str(image), "--facts", str(facts), *map(str, options)]
    done = subprocess.run(words, capture_output=True, timeout=120, check=False)
    assert facts.exists(), done.stderr
    return done.returncode, done.stdout, facts.read_bytes()


@pytest.fixture(name="image", scope="module")
def _image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    loops = "".join(
        f"void loop({i}, {2 + i}ms, {40 + 7 * i}ms, onCore({i % 3})) {{ calls<{i}>(); }}\n"
        for i in range(1, 10)
    )
    return build(CALLS + loops, tmp_path_factory.mktemp("calls"))


@pytest.mark.parametrize("seed", range(1, 9))
def test_every_call_is_answered(image: Path, tmp_path: Path, seed: int) -> None:
    options = ("--cores", 3, "--for", 3_000_000_000, "--seed", seed)
    status, _, facts = run(image, tmp_path / "facts.json", *options)
    report = json.loads(facts)
    assert (status, report["end"], report["faults"]) == (0, "time", [])
    assert all(loop["iterations"] >= 3 for loop in report["loops"]), report["loops"]
    for loop in report["loops"]:  # and nobody gets more than the budget of two periods in one
        assert loop["max_cpu_per_period_us"] <= 2 * loop["budget_us"]


def test_the_same_seed_gives_the_same_bytes(image: Path, tmp_path: Path) -> None:
    options = ("--cores", 3, "--for", 500_000_000, "--seed", 4)
    first = run(image, tmp_path / "first.json", *options)
    for _ in range(60):  # each is loaded elsewhere: no figure may hang on an address
        assert first == run(image, tmp_path / "again.json", *options)
    assert first[2] != run(image, tmp_path / "third.json", *options[:-1], 5)[2]


def test_spinning_for_ever_does_not_come_back(tmp_path: Path) -> None:
    text = "void setup() { Serial.begin(115200); }\n" + (
        '#include "arduino/runtime/system.h"\n'
        'void loop() { Serial.println("once"); hocket::sys::spin_ns(~uint64_t{0}); }\n'
    )
    status, output, _ = run(build(text, tmp_path), tmp_path / "f.json", "--for", 1_000_000_000)
    assert (status, output) == (0, b"once\r\n")
