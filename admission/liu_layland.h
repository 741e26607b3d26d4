// The utilisation up to which rate-monotonic virtual CPUs always fit a core.
//
// Source: Liu, Layland 1973, theorem 5: n(2^{1/n} − 1).
#pragma once

#include "kernel/base/types.h"

namespace hocket {

namespace detail {

/// n(2^{1/n} − 1) in millionths for n = 1, 2, …
struct LiuLaylandTable {
  static constexpr unsigned kEntries = 32;
  uint32_t ppm[kEntries] = {};

  consteval LiuLaylandTable() {
    for (unsigned n = 1; n <= kEntries; ++n) {
      ppm[n - 1] = static_cast<uint32_t>(n * (root_of_two(n) - 1) * 1e6);
    }
  }
  /// x with x^n = 2, by bisection.
  static consteval double root_of_two(unsigned n) {
    double low = 1;
    double high = 2;
    for (unsigned step = 0; step < 50; ++step) {
      const double middle = (low + high) / 2;
      double power = 1;
      for (unsigned i = 0; i < n; ++i) power *= middle;
      (power <= 2 ? low : high) = middle;
    }
    return high;
  }
};
inline constexpr LiuLaylandTable kLiuLayland;
inline constexpr uint32_t kLn2Ppm = 693'147;

}  // namespace detail

/// In millionths, for n virtual CPUs. Beyond the table, the limit ln 2.
constexpr uint32_t liu_layland_ppm(unsigned n) {
  if (n == 0) return 1'000'000;
  return n <= detail::LiuLaylandTable::kEntries ? detail::kLiuLayland.ppm[n - 1] : detail::kLn2Ppm;
}

}  // namespace hocket
