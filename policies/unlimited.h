// The server of entities without a budget: supply is unlimited.
#pragma once

#include "policies/always_usable.h"

namespace hocket {

template <class Rep>
struct Unlimited : AlwaysUsable<Rep> {
  using typename AlwaysUsable<Rep>::Instant, typename AlwaysUsable<Rep>::Duration;
  static constexpr bool kLimited = false;

  static void reset() {}
  static Instant time() { return Instant(); }
  static Duration rest() { return Instant::quarter_turn(); }
  static void consume(Duration) {}
  static bool unblock(Instant) { return true; }
  static bool unblock_unhurried(Instant) { return true; }
  static void refresh(Instant) {}
};

}  // namespace hocket
