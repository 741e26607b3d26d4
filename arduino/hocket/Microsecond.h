// Microsecond: what the time services count in, as EPOS does. 64 bits never wrap.
#pragma once

#include <stdint.h>

#include "arduino/runtime/system.h"

using Microsecond = uint64_t;

namespace hocket::services {

inline constexpr uint64_t kNever = UINT64_MAX;  // as an instant of sys::park_until_ns()

/// The instant so long after another one; never, when no clock gets there.
constexpr uint64_t later(uint64_t instant_ns, Microsecond span) {
  if (span > UINT64_MAX / 1000) return kNever;
  const uint64_t ns = span * 1000;
  return ns > UINT64_MAX - instant_ns ? kNever : instant_ns + ns;
}

}  // namespace hocket::services
