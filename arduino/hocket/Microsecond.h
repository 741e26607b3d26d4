// Microsecond: the unit of the time services, as in EPOS. 64 bits never wrap.
#pragma once

#include <stdint.h>

#include "arduino/runtime/system.h"

using Microsecond = uint64_t;

namespace hocket::services {

inline constexpr uint64_t kNever = UINT64_MAX;  // like an instant of sys::park_until_ns()

/// The instant `span` after another one; kNever if it exceeds 64 bits.
constexpr uint64_t later(uint64_t instant_ns, Microsecond span) {
  if (span > UINT64_MAX / 1000) return kNever;
  const uint64_t ns = span * 1000;
  return ns > UINT64_MAX - instant_ns ? kNever : instant_ns + ns;
}

}  // namespace hocket::services
