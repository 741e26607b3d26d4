// HOCKET_TICK() on the Uno: stores the length of a tick in the image, as a number. The sketch is
// linked with the kernel that has the periodic time base (machine.h).
#pragma once

#include "arduino/cores/avr8/tick_costs.h"
#include "arduino/runtime/loops.h"

namespace hocket::uno {

consteval uint16_t tick_length(Span period) {
  constexpr uint64_t kTickNs = 500;
  const bool possible = period.ns % kTickNs == 0 && period.ns >= kShortestTick * kTickNs &&
                        period.ns <= kLongestTick * kTickNs;
  return possible ? static_cast<uint16_t>(period.ns / kTickNs) : 0;
}

}  // namespace hocket::uno

#define HOCKET_TICK(period)                                                  \
  [[gnu::used]] static void hocket_tick_length() {                           \
    using namespace ::hocket::annotation;                                    \
    constexpr uint16_t length = ::hocket::uno::tick_length(period);          \
    static_assert(length > 0, "HOCKET_TICK(period) on " HOCKET_BOARD_IS      \
                              ": a tick is a whole number of half "          \
                              "microseconds, from 100 us to 16 ms");         \
    asm volatile(".global hocket_tick\n.set hocket_tick, %0" ::"i"(length)); \
  }
