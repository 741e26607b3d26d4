// Counts events that happen once per period, in constant time for any number of periods.
#pragma once

#include "kernel/base/types.h"

namespace hocket {

/// How many of the instants 0, period, 2 · period … lie before `span`.
template <class Rep>
constexpr uint64_t instants_before(Rep span, Rep period) {
  return span <= 0 ? 0 : static_cast<uint64_t>((span - 1) / period) + 1;
}

/// For releases at 0, period, 2 · period …: how many of their deadlines have passed at `span`. A
/// deadline exactly at `span` has not passed.
template <class Rep>
constexpr uint64_t deadlines_before(Rep span, Rep period, Rep deadline) {
  return span <= deadline ? 0 : instants_before<Rep>(span - deadline, period);
}

}  // namespace hocket
