// What a kernel counts as it goes, where it keeps statistics.
#pragma once

#include "kernel/base/types.h"

namespace hocket {

/// Things counted since boot, per core.
struct Counters {
  uint32_t timer_interrupts = 0;
  uint32_t ipis = 0;
};

/// And per thread: a core's are the sum, its idle thread's included.
struct ThreadCounters {
  uint32_t switches = 0;     // to it
  uint32_t preemptions = 0;  // it had to give way, and could have run on
  uint32_t sleeps = 0;
};

}  // namespace hocket
