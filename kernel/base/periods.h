// Counting what comes once a period, in constant time, however many periods have gone by.
#pragma once

#include "kernel/base/types.h"

namespace hocket {

/// How many of the instants 0, period, 2 · period … lie before `span`.
template <class Rep>
constexpr uint64_t instants_before(Rep span, Rep period) {
  return span <= 0 ? 0 : static_cast<uint64_t>((span - 1) / period) + 1;
}

/// How many deadlines of releases at 0, period, 2 · period … have passed at `span`; one that is met
/// at the last instant has not.
template <class Rep>
constexpr uint64_t deadlines_before(Rep span, Rep period, Rep deadline) {
  return span <= deadline ? 0 : instants_before<Rep>(span - deadline, period);
}

}  // namespace hocket
