// Parking: how loops wait for each other on every board (sys::park_until_ns(), sys::unpark()).
#pragma once

#include "kernel/base/types.h"

namespace hocket::runtime {

/// Parks the calling thread. Returns true when it got a permit, false when `until` has come.
/// `until` is in `Clock`'s unit; UINT64_MAX: never. `Clock` is the board's part. Where the kernel's
/// instants never wrap it has instant(until), which converts from nanoseconds. Where they wrap it
/// has long_now(), in ticks of 64 bits as `until` is, and next_piece(now, until), the next instant
/// to wait for.
template <class System, class Clock>
HOCKET_IN_LINE bool park_until(uint64_t until) {
  using Instant = typename System::Instant;
  if (until == UINT64_MAX) {
    System::suspend_self();
    return true;
  }
  if constexpr (!Instant::kCircular) {
    return System::suspend_self_until(Clock::instant(until));
  } else {
    for (;;) {
      const uint64_t now = Clock::long_now();
      const bool far = until > now;
      const uint32_t at = far ? Clock::next_piece(now, until) : static_cast<uint32_t>(now);
      const bool permit = System::suspend_self_until(Instant(static_cast<int32_t>(at)));
      if (permit || !far) return permit;
    }
  }
}

}  // namespace hocket::runtime
