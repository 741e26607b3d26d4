// A sketch image's description of its loops (arduino/cores/avr8/board_loops.h).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "arduino/cores/avr8/image/firmware.h"
#include "arduino/cores/avr8/kernel_costs.h"
#include "arduino/cores/avr8/layout.h"

namespace hocket::uno {

using Layout = KernelLayout<uint16_t>;

struct Loop {
  unsigned id;
  bool periodic;
  bool background;
  unsigned core;
  unsigned line;
  uint64_t budget_ns, period_ns, deadline_ns;
  uint16_t stack_bytes;
  uint16_t memory;            // address of its state, then its stack; 0: the plain loop()
  uint8_t priority, tickets;  // as in its record
  std::string file;
};

/// The symbol of hocket::sys::spin_lock(uint32_t*), in images that use spinlocks.
inline constexpr const char* kSpinLock = "_ZN6hocket3sys9spin_lockEPm";

struct Declared {
  port::Costs<Ticks> costs() const {
    return costs_of({.by_deadline = compares_deadlines(kernel.policy),
                     .loops = static_cast<unsigned>(loops.size()),
                     .devices = has_devices,
                     .handlers = has_handlers,
                     .spinlocks = has_spinlocks},
                    chip_costs());
  }
  const ChipCosts& chip_costs() const { return *of_chip; }
  const ChipCosts* of_chip = &Chip::kCosts;
  std::vector<Loop> loops;  // sorted by number: the plain loop() first
  bool has_kernel = false;
  bool has_spinlocks = false;
  bool has_wire = false;
  bool has_servos = false;
  bool has_devices = false;    // whose time is given back (device_time.h)
  bool has_handlers = false;   // of attachInterrupt()
  bool handlers_wake = false;  // handlers of attachInterrupt() or of alarms wake loops
  Layout kernel{};
  struct {
    Ticks budget = 0, period = 0;
    unsigned lines = 1;  // to which they may be attached: pins 2 and 3, and three ports
  } handlers;            // common limit of attachInterrupt()
  Ticks tick = 0;        // length of the periodic tick; 0: one-shot time base
  struct {
    Ticks budget = 0, period = 0;  // 0: there are none
  } alarms;                        // common budget of handlers called in the timer interrupt
  struct Serial {
    uint32_t rate = 0;     // the highest rate used; 0: none
    bool constant = true;  // false: a rate is not known at compile time
    bool reads = false;
  };
  static constexpr unsigned kMostPorts = 4;
  std::array<Serial, kMostPorts> serial;  // by port
};

/// The records of a section (arduino/cores/avr8/layout.h). Rejects impossible ones: all numbers
/// must be in the ranges that the compiler enforces, and the loops' memory must be in the
/// processor's. Throws BadFirmware.
Declared read_records(const std::vector<uint8_t>& section, const avr::ChipModel& chip);

/// The same for an image, including its plain loop(). Throws BadFirmware.
Declared read_declared(const Firmware& firmware);

}  // namespace hocket::uno
