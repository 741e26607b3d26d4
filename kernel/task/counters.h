// What a kernel counts as it goes, where it keeps statistics.
#pragma once

#include "kernel/base/types.h"

namespace hocket {

/// Things counted since boot, per core.
struct Counters {
  uint32_t thread_switches = 0;
  uint32_t preemptions = 0;
  uint32_t timer_interrupts = 0;
  uint32_t ipis = 0;
  uint32_t sleeps = 0;
};

/// Whether a system keeps statistics: yes, unless its Config says otherwise.
template <class Config>
constexpr bool keeps_statistics() {
  if constexpr (requires { Config::kStatistics; }) {
    return Config::kStatistics;
  } else {
    return true;
  }
}

}  // namespace hocket
