// The contact of a switch, which bounces: after each change it opens and closes one to five more
// times.
#pragma once

#include <algorithm>
#include <vector>

#include "simulation/parts/part.h"

namespace hocket::sim {

/// The instants at which a contact that changed at `now` changes again, back and forth: an even
/// number of random instants (ns) within `window` after it, in order; none if the window is too
/// short.
inline std::vector<Nanos> bounces(Random& random, Nanos now, Nanos window) {
  constexpr Nanos kShortest = 100;
  if (window < kShortest) return {};
  std::vector<Nanos> instants(2 * random.between(1, 5));
  for (Nanos& instant : instants) instant = now + random.between(1, window - 1);
  std::sort(instants.begin(), instants.end());
  return instants;
}

}  // namespace hocket::sim
