// The clock in 64 bits, whatever instants have: for spans that outlast a turn of a circular clock.
//
// A port whose Ticks wrap counts its turns anyway, to extend its counter; here it says all it
// knows.
#pragma once

#include "kernel/base/time.h"

namespace hocket {

/// Ticks since the board started; never wraps in a product's life. Any context.
template <class Port>
uint64_t wide_now() {
  if constexpr (kCircularTime<typename Port::Ticks>) {
    static_assert(
        requires { static_cast<uint64_t>(Port::long_now()); },
        "a port whose Ticks wrap needs long_now() for clocks and chronometers");
    return Port::long_now();
  } else {
    return static_cast<uint64_t>(Port::now());
  }
}

}  // namespace hocket
