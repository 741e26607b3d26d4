// What servers without refills have in common: supply never has to be waited for, and nothing of it
// is kept for later.
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
