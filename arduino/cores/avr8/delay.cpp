// delay() in a sketch with loops. (plain_delay.S is for other sketches.)
#include "arduino/api/Common.h"
#include "arduino/cores/avr8/core.h"
#include "arduino/runtime/system.h"

using hocket::uno::Clock;
using hocket::uno::kTicksPerMillisecond;

extern "C" {

uint32_t hocket_ticks(uint16_t ms);  // ticks.S

/// Sleeps in pieces that fit into half a turn of the clock (17 minutes). Each counts from the end
/// of the one before, so that no error accumulates.
void delay(unsigned long ms) {
  uint32_t until = Clock::now() + hocket_ticks(static_cast<uint16_t>(ms));
  hocket::uno::wait_until(until);
  for (auto pieces = static_cast<uint16_t>(ms >> 16); pieces != 0; --pieces) {
    until += 0x10000 * kTicksPerMillisecond;
    hocket::uno::wait_until(until);
  }
}

void yield(void) {
  hocket::sys::yield();
}

}  // extern "C"
