// The simulated board's pins: their functions, and the board's electrical constants.
//
// An Arduino Mega's numbering, because sketches written for it and for the Uno both fit:
//   0 … 53   digital
//   54 … 69  A0 … A15, analog inputs that are digital pins as well
// `tools/hocket/scenario/boards.py` states the same for the checker; a test compares the two.
#pragma once

#include <cstdint>

#include "simulation/devices/devices.h"

namespace hocket::sim::pinout {

inline constexpr unsigned kPins = 70;
inline constexpr unsigned kAnalogBase = 54;
inline constexpr unsigned kAnalogPins = 16;
inline constexpr unsigned kLedBuiltin = 13;
inline constexpr unsigned kSerialPorts = 4;
inline constexpr unsigned kI2cBuses = 1;
inline constexpr unsigned kSpiBuses = 1;

/// The supply and reference voltage, and the level from which a digital input reads high.
inline constexpr int64_t kSupplyMicrovolts = 5'000'000;
inline constexpr int64_t kThresholdMicrovolts = 2'500'000;
inline constexpr unsigned kConverterBits = 10;

constexpr bool exists(unsigned pin) {
  return pin < kPins;
}
constexpr bool is_analog(unsigned pin) {
  return pin >= kAnalogBase && pin < kPins;
}
constexpr bool has_pwm(unsigned pin) {
  return (pin >= 2 && pin <= 13) || (pin >= 44 && pin <= 46);
}

/// Exact PWM periods of a 16 MHz ATmega: 8-bit phase-correct with a prescaler of 64 (510 counts),
/// and fast PWM (256 counts) on the two pins of timer 0 of an Uno. ATmega328P data sheet, sections
/// 14 and 15.
constexpr Nanos pwm_period(unsigned pin) {
  return pin == 5 || pin == 6 ? 1'024'000 : 2'040'000;
}

inline constexpr Nanos kServoPeriod = 20'000'000;
inline constexpr uint32_t kHighestTone = 1'000'000;  // Hz
inline constexpr uint32_t kLowestBaud = 300;
inline constexpr uint32_t kHighestBaud = 2'000'000;

}  // namespace hocket::sim::pinout
