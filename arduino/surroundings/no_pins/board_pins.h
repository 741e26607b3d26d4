// Replaces the peer's pins in a kernel for sketches that attach no handlers, so that it has no code
// for them.
#pragma once

#include "kernel/base/types.h"

namespace hocket {

struct PinsOfBoard {};

inline constexpr bool kPinsHaveInterrupts = false;
inline constexpr unsigned kAlarmsOfPins = 0;

/// Replaces direct handlers: there are none.
namespace direct {
inline constexpr bool kThereAre = false;
inline bool runs() {
  return false;
}
inline void on_timer() {}
inline void keep_limit() {}
inline void end_by_trap(uint64_t) {}
[[noreturn]] inline void end_faulted() {
  __builtin_unreachable();
}
}  // namespace direct

template <class Chosen, class Ticks, unsigned kSlots, unsigned kRefills, class Observer,
          class Charges>
using PolicyWithPins = typename Chosen::template Policy<Ticks, kSlots, kRefills, Observer, Charges>;

}  // namespace hocket
