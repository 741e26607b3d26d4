// The interrupts of timers, pins and the watchdog as the data sheet has them
// (10.9.2, 13.2, 16.11.8, 16.11.9).
//
// libsimavr 1.6 differs in four ways. It clears all flags of a timer that are set, whatever is
// written: an overflow that was pending beside a cleared compare match was lost, and with it a turn
// of the sketch's clock. What has happened already does not come when it is enabled. And a
// one that is written to a pin's flag sets it, as it does with the watchdog's; and the watchdog's
// interrupt is taken back once it has come, where that is so only while the watchdog resets the
// processor as well.
#pragma once

#include <cstdint>

#include "arduino/cores/avr8/image/chip_model.h"

struct avr_irq_t;
struct avr_t;

namespace hocket::avr {

/// For one processor: the library calls back with pointers into this, so it must not move.
class InterruptFlags {
 public:
  /// Call once, after avr_init().
  void join(avr_t* avr, const ChipModel& chip);

 private:
  static constexpr unsigned kMostTimers = 6;
  /// The library's own callbacks for a register.
  struct Write {
    void (*library)(avr_t* avr, uint16_t address, uint8_t value, void* parameter);
    void* parameter;
  };
  static void write_flags(avr_t* avr, uint16_t address, uint8_t value, void* write);

  static void write_watchdog(avr_t* avr, uint16_t address, uint8_t value, void* write);
  static void watchdog_runs(avr_irq_t* irq, uint32_t begins, void* avr);

  Write writes_[kMostTimers] = {};
  Write watchdog_{};
};

}  // namespace hocket::avr
