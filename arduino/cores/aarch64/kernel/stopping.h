// Why all cores stop: the end of the run, or a restart of the sketch. Whichever is asked for first,
// on any core, is what happens; who comes later takes part in it, and never waits for the other.
#pragma once

#include "kernel/base/atomic.h"

namespace hocket::stopping {

enum class Why : uint32_t { Nothing, End, Restart };

namespace detail {
inline Atomic<uint32_t> why;
}

/// What is under way. Any context.
inline Why why() {
  return static_cast<Why>(detail::why.load(order::acquire));
}

/// Asks for it; false: something is under way already, and why() says what. Masked, no lock held.
inline bool ask(Why wanted) {
  uint32_t nothing = 0;
  return detail::why.compare_exchange(nothing, static_cast<uint32_t>(wanted),
                                      order::acquire_release, order::acquire);
}

/// Takes part in what is under way; comes back when that is nothing. First thing in a reschedule
/// interrupt's handler, or at the end of the ordinary section that it has come in (a core that
/// stopped there would keep a lock, which others wait for), and where ask() said no. Masked, no
/// lock held (run.cpp).
void take_part();

}  // namespace hocket::stopping
