// The chips that are simulated: their memories, registers, interrupts and pins (data sheets of the
// ATmega328P, chapters 12 and 36, and of the ATmega640/1280/2560, chapters 14 and 33). A linked
// program says which of them it is for (firmware.h). Addresses are in data memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "arduino/cores/avr8/chips.h"

namespace hocket::avr {

/// A port of pins: its input register. The direction and output registers follow it.
struct PortModel {
  char name;
  uint16_t input;
  uint8_t pins;  // bits that are pins of the board
  constexpr uint16_t direction() const { return static_cast<uint16_t>(input + 1); }
  constexpr uint16_t output() const { return static_cast<uint16_t>(input + 2); }
};

struct TimerModel {
  uint16_t control_a, control_b, counter, compare[3], input;
  bool wide;
};

/// A pin's comparator, and the bit of the timer's control register A that gives the pin to it
/// (COMnx1).
struct PwmModel {
  unsigned pin;
  uint8_t timer, comparator;
  uint8_t bit;
};

struct UartModel {
  uint16_t status, control, format, rate, data;
  uint8_t receives, empty;  // numbers of the interrupts
};

/// A line of EIMSK, with a handler of attachInterrupt().
struct ExternalModel {
  char port;
  uint8_t bit;
  unsigned pin;
  uint16_t sense;  // the register that has its two bits
  uint8_t shift;
};

/// A line of PCICR: the port that interrupts, and by how much a pin's bit in the mask is higher
/// than in the port.
struct ChangeModel {
  char port;
  uint8_t shift;
  uint8_t interrupt;  // number of its interrupt
};

struct ChipModel {
  const char* name;      // the library's
  uint8_t architecture;  // as in an ELF file's flags
  uint32_t flash, data_begin, data_end;
  uint8_t return_bytes;
  uint8_t response;  // cycles from an interrupt's request to its vector
  unsigned pins, first_analog;
  const uint8_t* places;  // by pin: the index of its port, times 16, and its bit
  std::span<const PortModel> ports;
  std::span<const TimerModel> timers;
  std::span<const PwmModel> pwm;
  std::span<const UartModel> uarts;
  std::span<const ExternalModel> external;
  std::span<const ChangeModel> changes;
  std::span<const char* const> interrupts;  // names, at most 8 characters each, for the log
  uint8_t clock_timer;
  uint8_t alarm, reschedule, overflow;  // numbers of the clock's interrupts
  uint8_t refill;                       // that of timer 0's compare A (storm.h)
  uint8_t wire;                         // that of the two-wire interface
  uint8_t tone_pins[2];                 // of timer 2
  unsigned most_loops;
  const uno::ChipCosts* costs;

  const PortModel& port(char name) const;
  unsigned port_index(char name) const;
  /// The interrupt of a line: those of EIMSK first, then those of PCICR.
  unsigned lines() const { return static_cast<unsigned>(external.size() + changes.size()); }
  /// The line of an interrupt's number; lines(): none.
  unsigned line_of(unsigned interrupt) const;
  /// A pin's name in messages: "pin 7", "pin A0".
  std::string pin_name(unsigned pin) const;
  /// A pin's number in scenarios, whose A0 is 54.
  unsigned device_pin(unsigned pin) const {
    return pin < first_analog ? pin : pin - first_analog + 54;
  }
};

extern const ChipModel kAtmega328p, kAtmega2560;
/// Null: the architecture of none.
const ChipModel* chip_of(unsigned architecture);

}  // namespace hocket::avr
