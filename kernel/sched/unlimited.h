// The server of entities without a budget: there is always supply.
#pragma once

#include "kernel/base/time.h"

namespace hocket {

template <class Rep>
class Unlimited {
 public:
  using Instant = BasicInstant<Rep>;
  using Duration = BasicDuration<Rep>;
  static constexpr bool kLimited = false;

  static void reset() {}
  static bool usable(Instant) { return true; }
  static Instant time() { return Instant(); }
  static Duration rest() { return Instant::quarter_turn(); }
  static void consume(Duration) {}
  static bool unblock(Instant) { return true; }
  static void use_up(Duration) {}
  static bool unblock_unhurried(Instant) { return true; }
  static void stop(Duration) {}
  static void join_crumbs(Duration) {}
  static void refresh(Instant) {}
};

}  // namespace hocket
