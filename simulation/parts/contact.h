// The contact of a switch, which bounces: after each change it opens and closes one to five times
// more.
#pragma once

#include <algorithm>
#include <vector>

#include "simulation/parts/part.h"

namespace hocket::sim {

/// When a contact that has changed at `now` changes again, back and forth: an even number of random
/// instants (ns) within the window behind it, in order; none when the window is too short for that.
inline std::vector<Nanos> bounces(Random& random, Nanos now, Nanos window) {
  constexpr Nanos kShortest = 100;
  if (window < kShortest) return {};
  std::vector<Nanos> instants(2 * random.between(1, 5));
  for (Nanos& instant : instants) instant = now + random.between(1, window - 1);
  std::sort(instants.begin(), instants.end());
  return instants;
}

}  // namespace hocket::sim
