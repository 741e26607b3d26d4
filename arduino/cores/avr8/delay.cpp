// Waiting in a sketch with loops. (plain_delay.S has that of others.)
#include "arduino/api/Common.h"
#include "arduino/cores/avr8/core.h"
#include "arduino/runtime/system.h"

using hocket::uno::Clock;
using hocket::uno::kTicksPerMillisecond;

extern "C" {

uint32_t hocket_ticks(uint16_t ms);  // ticks.S

/// In pieces that the clock's half turn (17 minutes) holds, each counted from the end of the last.
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
