// What a kernel counts, if it keeps statistics.
#pragma once

#include "kernel/base/types.h"

namespace hocket {

/// Counted per core since boot.
struct Counters {
  uint32_t timer_interrupts = 0;
  uint32_t ipis = 0;
};

/// Counted per thread. A core's numbers are the sums over its threads, including the idle thread.
struct ThreadCounters {
  uint32_t switches = 0;     // to it
  uint32_t preemptions = 0;  // it was preempted, and could have run on
  uint32_t sleeps = 0;
};

}  // namespace hocket
