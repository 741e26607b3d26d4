// Why all cores stop: the end of the run, or a restart of the sketch. The first request on any core
// wins; later requesters take part in it and never wait for their own.
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

/// Requests it. Returns false if something is already under way; why() says what. Masked, no lock
/// held.
inline bool ask(Why wanted) {
  uint32_t nothing = 0;
  return detail::why.compare_exchange(nothing, static_cast<uint32_t>(wanted),
                                      order::acquire_release, order::acquire);
}

/// Takes part in what is under way; returns if that is nothing. Must be the first action of a
/// reschedule interrupt's handler. If the interrupt came in an ordinary section, it is called at
/// the end of that section instead (a core that stopped inside would keep a lock that others wait
/// for). Also called after ask() has returned false. Masked, no lock held (run.cpp).
void take_part();

}  // namespace hocket::stopping
