// What a sketch's image says about its loops (arduino/cores/avr8/board_loops.h).
#pragma once

#include <string>
#include <vector>

#include "arduino/cores/avr8/layout.h"
#include "boards/uno/costs.h"
#include "simulation/uno/firmware.h"

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
  uint16_t memory;            // where its thread, then its stack is; 0: the plain loop()
  uint8_t priority, tickets;  // as in its record
  std::string file;
};

/// The symbol of hocket::sys::spin_lock(uint32_t*): in images that use spinlocks.
inline constexpr const char* kSpinLock = "_ZN6hocket3sys9spin_lockEPm";

struct Declared {
  port::Costs<Ticks> costs() const {
    return costs_of({.by_deadline = compares_deadlines(kernel.policy),
                     .loops = static_cast<unsigned>(loops.size()),
                     .devices = has_devices,
                     .handlers = has_handlers});
  }
  std::vector<Loop> loops;  // in order of their numbers: the plain loop() first
  bool has_kernel = false;
  bool has_spinlocks = false;
  bool has_wire = false;
  bool has_devices = false;    // whose time is given back (device_time.h)
  bool has_handlers = false;   // of attachInterrupt()
  bool handlers_wake = false;  // loops: those of attachInterrupt() or of alarms
  Layout kernel{};
  struct {
    Ticks budget = 0, period = 0;
    unsigned lines = 1;  // that they may be attached to: pins 2 and 3, and the three ports
  } handlers;            // of attachInterrupt(), together
  Ticks tick = 0;        // of the periodic time base; 0: the one-shot one
  struct {
    Ticks budget = 0, period = 0;  // 0: there are none
  } alarms;                        // whose handlers are called in the timer's interrupt, together
  struct {
    uint32_t rate = 0;     // the highest that it begins with; 0: it does not
    bool constant = true;  // or one was not known while compiling
    bool reads = false;
  } serial;
};

/// The records of a section (arduino/cores/avr8/layout.h). What cannot be is refused: all numbers
/// are in the ranges that the compiler holds a sketch to, and no loop's memory is outside of the
/// processor's. Throws BadFirmware.
Declared read_records(const std::vector<uint8_t>& section);

/// The same of an image, with its plain loop(). Throws BadFirmware.
Declared read_declared(const Firmware& firmware);

}  // namespace hocket::uno
