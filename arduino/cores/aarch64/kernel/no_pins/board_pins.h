// A kernel for sketches that attach no handlers to pins: nothing of it is in the image.
#pragma once

#include "kernel/sched/vcpu_policy.h"

namespace hocket {

struct PinsOfBoard {};

inline constexpr bool kPinsHaveInterrupts = false;
inline uint64_t untaken_edges(unsigned) {
  return 0;
}

template <class Ticks, unsigned kSlots, unsigned kRefills, class Observer, class Charges>
using PolicyWithPins = VcpuPolicy<Ticks, kSlots, kRefills, Observer, Charges>;

}  // namespace hocket
