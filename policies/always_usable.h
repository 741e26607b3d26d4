// The common part of servers without refills: an entity never waits for supply, and no supply is
// kept for later.
#pragma once

#include "kernel/base/time.h"

namespace hocket {

template <class Rep>
struct AlwaysUsable {
  using Instant = BasicInstant<Rep>;
  using Duration = BasicDuration<Rep>;
  static constexpr bool kAlwaysUsable = true, kServesIo = false, kFew = false;

  static bool usable(Instant) { return true; }
  static void use_up(Duration) {}
  static void stop(Duration) {}
  static void join_crumbs(Duration) {}
};

}  // namespace hocket
