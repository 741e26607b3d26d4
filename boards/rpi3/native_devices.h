// The Raspberry Pi's own devices for a sketch: the pins of its header by their BCM numbers, and the
// PL011 on pins 14 and 15 as Serial.
#pragma once

#include "arduino/runtime/system.h"
#include "arduino/surroundings/native/ordinary_lock.h"
#include "arduino/surroundings/native/serial_port.h"
#include "drivers/bcm2835/gpio.h"
#include "drivers/pl011/pl011.h"

namespace hocket::native {

/// Pins 0 to 27 are on the header. Pins 14 and 15 belong to Serial.
struct Pins {
  using Gpio = drivers::Bcm2835Gpio<machine::device(0x3f20'0000)>;
  static constexpr unsigned kCount = 28;

  static void init() { drivers::connect_pl011_to_header<Gpio>(); }

  static bool usable(unsigned pin) { return pin < kCount && pin != 14 && pin != 15; }

  static bool mode(unsigned pin, sys::PinMode mode) {
    using sys::PinMode;
    if (!usable(pin) || mode == PinMode::OutputOpenDrain)
      return false;  // the chip has no open drain
    const native::OrdinaryLock<Board::Port> guard(lock_);
    if (mode == PinMode::Output) return Gpio::set_function(pin, Gpio::Function::Output);
    const auto pull = mode == PinMode::InputPullup     ? Gpio::Pull::Up
                      : mode == PinMode::InputPulldown ? Gpio::Pull::Down
                                                       : Gpio::Pull::None;
    return Gpio::set_function(pin, Gpio::Function::Input) && Gpio::set_pull(pin, pull);
  }
  /// Set and clear have separate registers, so no lock is needed.
  static bool write(unsigned pin, bool high) { return usable(pin) && Gpio::write(pin, high); }
  static int read(unsigned pin) { return pin < kCount && Gpio::read(pin) ? 1 : 0; }

 private:
  /// Pins share the function and pull registers, so this lock serialises changes.
  inline static Board::Port::Lock lock_{};
};

using Uart = drivers::Pl011<machine::device(0x3f20'1000)>;
inline constexpr uint32_t kUartClock = 48'000'000;
inline constexpr uint32_t kUartInterrupt = machine::Board::Controller::gpu(57);

}  // namespace hocket::native
