// Storm control (storm.h).
#include "arduino/cores/avr8/storm.h"

#include <avr/io.h>

#include "arduino/cores/avr8/core.h"
#include "ports/avr8/port.h"

// Without declared loops nobody has a share to keep: handlers take what they take.
extern "C" bool hocket_loops_run __attribute__((weak));
asm(".weak hocket_loops_run");

namespace hocket::uno {

extern "C" {
Storm hocket_storm;
// Numbers, not places: ticks, and units of StormTime (sketch.ld; interruptsVcpu()).
extern const uint8_t hocket_handlers_budget[], hocket_handlers_period[];
}

namespace {

constexpr uint8_t kExternal = (1 << kFirstPort) - 1;
// The way in and out, outside of the two readings: up to 160 cycles. A match of timer 0: 100.
constexpr uint16_t kFrame = 20;
constexpr uint16_t kLook = 13;

/// Masked. An overflow that has not been counted counts.
StormTime storm_time(uint16_t counter) {
  auto turns = static_cast<uint8_t>(hocket_clock_turns[0]);
  const auto high = static_cast<uint8_t>(counter >> 8);
  if ((TIFR1 & 1 << TOV1) != 0 && high < 0x80) ++turns;
  return static_cast<StormTime>(turns << 8 | high);
}

uint16_t budget() {
  return reinterpret_cast<uint16_t>(hocket_handlers_budget);
}
uint16_t period() {
  return reinterpret_cast<uint16_t>(hocket_handlers_period);
}

void hold() {
  Storm& storm = hocket_storm;
  const uint8_t open = static_cast<uint8_t>((EIMSK & kExternal) | PCICR << kFirstPort);
  const uint8_t closing = open & storm.attached;
  EIMSK = static_cast<uint8_t>(EIMSK & ~(closing & kExternal));
  PCICR = static_cast<uint8_t>(PCICR & ~(closing >> kFirstPort));
  storm.held |= closing;
  ++storm.times;
  if ((TCCR0B & 7) == 0) TCCR0B = 1 << CS01 | 1 << CS00;
  TIFR0 = 1 << OCF0A;
  TIMSK0 |= 1 << OCIE0A;
}

/// Masked: whether the budget has come back.
bool refilled(StormTime now) {
  Storm& storm = hocket_storm;
  const auto elapsed = static_cast<StormTime>(now - storm.since);
  if (elapsed < period()) return false;
  // In a storm one a period, however late this one is seen.
  storm.since = storm.held != 0 ? static_cast<StormTime>(storm.since + period()) : now;
  storm.used = storm.used > budget() ? storm.used - budget() : 0;
  return true;
}

}  // namespace

extern "C" void hocket_handler_ended(uint16_t began) {
  if (&hocket_loops_run == nullptr) return;
  Storm& storm = hocket_storm;
  const uint16_t counter = TCNT1;
  const auto took = static_cast<uint16_t>(counter - began + kFrame);
  const auto used = static_cast<uint16_t>(storm.used + took);
  storm.used = used < took ? 0xffff : used;
  if (storm.used < budget()) return;
  refilled(storm_time(counter));
  if (storm.used >= budget()) hold();
}

HOCKET_AVR8_HANDLER(TIMER0_COMPA_vect) {
  Storm& storm = hocket_storm;
  storm.used += kLook;
  if (!refilled(storm_time(TCNT1)) || storm.used >= budget()) return;
  TIMSK0 &= static_cast<uint8_t>(~(1 << OCIE0A));
  EIMSK |= storm.held & kExternal;
  PCICR |= storm.held >> kFirstPort;
  storm.held = 0;
}

}  // namespace hocket::uno
