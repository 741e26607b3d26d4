// A board by itself keeps no event log.
#pragma once

#include "kernel/trace/event.h"

namespace hocket {

struct EventLog {
  static constexpr bool kAsksFirst = false;
  static void record(const Event&) {}
  static void flush() {}
};

}  // namespace hocket
