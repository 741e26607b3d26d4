// The interrupts of timers and pins as the data sheet has them (13.2, 16.11.8, 16.11.9).
//
// libsimavr 1.6 differs in three ways. It clears all flags of a timer that are set, whatever is
// written: an overflow that was pending beside a cleared compare match was lost, and with it a turn
// of the sketch's clock. What has happened already does not come when it is enabled. And a
// one that is written to a pin's flag sets it.
#pragma once

#include <cstdint>

struct avr_t;

namespace hocket::uno {

/// Of one processor: the library calls back with pointers into this, so it must not move.
class InterruptFlags {
 public:
  /// Once, after avr_init().
  void join(avr_t* avr);

 private:
  static constexpr unsigned kTimers = 3;
  /// What the library does itself when a timer's flags are written.
  struct Write {
    void (*library)(avr_t* avr, uint16_t address, uint8_t value, void* timer);
    void* timer;
  };
  static void write_flags(avr_t* avr, uint16_t address, uint8_t value, void* write);

  Write writes_[kTimers] = {};
};

}  // namespace hocket::uno
