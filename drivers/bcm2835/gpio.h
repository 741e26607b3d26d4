// The Raspberry Pi's GPIO: functions, levels, pull resistors, edges of 54 pins.
//
// Invariants
// - Writing and reading a pin touches that pin only (set and clear registers). Changes of registers
//   that pins share (function, edges) are made masked, on one core at a time.
// - An edge is remembered until it is cleared, and interrupts as long as it is remembered: GPU
//   source 49 for pins 0-27, 50 for 28-45, 51 for 46-53.
// - QEMU 7.2 models functions and outputs, but no inputs, pulls or edges.
//
// Source: Broadcom BCM2835 ARM Peripherals, chapter 6: 6.1 registers, 6.2 alternative functions.
#pragma once

#include "drivers/mmio.h"

namespace hocket::drivers {

/// `kBase`: 0x3f200000 on a Pi 3.
template <uintptr_t kBase, class Bus = MemoryBus>
class Bcm2835Gpio {
 public:
  static constexpr unsigned kPins = 54;

  enum class Function : uint8_t {
    Input = 0,
    Output = 1,
    Alternate0 = 4,
    Alternate1 = 5,
    Alternate2 = 6,
    Alternate3 = 7,
    Alternate4 = 3,
    Alternate5 = 2,
  };
  enum class Pull : uint8_t { None = 0, Down = 1, Up = 2 };

  /// Sets the function of a pin. Returns false if there is no such pin (also below).
  static bool set_function(unsigned pin, Function function) {
    if (pin >= kPins) return false;
    const unsigned shift = pin % 10 * 3;
    const uint32_t others = Functions::read(pin / 10) & ~(7u << shift);
    Functions::write(pin / 10, others | static_cast<uint32_t>(function) << shift);
    return true;
  }

  static bool write(unsigned pin, bool high) {
    if (pin >= kPins) return false;
    if (high) {
      Set::write(pin / 32, bit(pin));
    } else {
      Clear::write(pin / 32, bit(pin));
    }
    return true;
  }

  /// The level at the pin itself; low if there is no such pin.
  static bool read(unsigned pin) { return pin < kPins && (Levels::read(pin / 32) & bit(pin)) != 0; }

  /// Bound: about 300 accesses, because the chip needs 150 cycles twice (6.1, GPPUDCLK).
  static bool set_pull(unsigned pin, Pull pull) {
    if (pin >= kPins) return false;
    PullControl::write(static_cast<uint32_t>(pull));
    settle();
    PullClock::write(pin / 32, bit(pin));
    settle();
    PullControl::write(0);
    PullClock::write(pin / 32, 0);
    return true;
  }

  /// Selects which edges are remembered from now on (both may be false).
  static bool set_edges(unsigned pin, bool rising, bool falling) {
    if (pin >= kPins) return false;
    const unsigned word = pin / 32;
    change<Rising>(word, bit(pin), rising);
    change<Falling>(word, bit(pin), falling);
    Events::write(word, bit(pin));
    return true;
  }

  /// The pins of a word (0: 0-31, 1: 32-53) with a remembered edge.
  static uint32_t pending(unsigned word) { return Events::read(word); }
  /// Clears those edges. Pass what pending() returned, so that no later edge is lost.
  static void clear(unsigned word, uint32_t pins) { Events::write(word, pins); }

 private:
  using Functions = Registers<Bus, uint32_t, kBase + 0x00>;
  using Set = Registers<Bus, uint32_t, kBase + 0x1c>;
  using Clear = Registers<Bus, uint32_t, kBase + 0x28>;
  using Levels = Registers<Bus, uint32_t, kBase + 0x34>;
  using Events = Registers<Bus, uint32_t, kBase + 0x40>;
  using Rising = Registers<Bus, uint32_t, kBase + 0x4c>;
  using Falling = Registers<Bus, uint32_t, kBase + 0x58>;
  using PullControl = Register<Bus, uint32_t, kBase + 0x94>;
  using PullClock = Registers<Bus, uint32_t, kBase + 0x98>;

  static constexpr uint32_t bit(unsigned pin) { return 1u << (pin % 32); }

  template <class Row>
  static void change(unsigned word, uint32_t pins, bool on) {
    const uint32_t now = Row::read(word);
    Row::write(word, on ? now | pins : now & ~pins);
  }

  /// Waits for at least 150 cycles: a bus access takes more than one.
  static void settle() {
    for (unsigned i = 0; i < 150; ++i) Levels::read(0);
  }
};

/// Connects the PL011 to pins 14 (out) and 15 (in), as on the Pi's header. Its clock is 48 MHz,
/// unless the firmware's configuration says otherwise (init_uart_clock).
template <class Gpio>
void connect_pl011_to_header() {
  Gpio::set_function(14, Gpio::Function::Alternate0);
  Gpio::set_function(15, Gpio::Function::Alternate0);
  Gpio::set_pull(14, Gpio::Pull::None);
  Gpio::set_pull(15, Gpio::Pull::Up);  // an open line reads as idle
}

}  // namespace hocket::drivers
