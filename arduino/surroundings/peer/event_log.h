// The kernel's events, buffered and sent to the peer when the buffer is full.
#pragma once

#include "kernel/trace/event.h"

namespace hocket {

/// The kernel makes an event only if the run asks for the log.
struct EventLog {
  static constexpr bool kAsksFirst = true;
  static void record(const Event& event);
  /// Sends the buffered events. Only when nothing runs any more.
  static void flush();
  inline static bool wanted = false;
};

}  // namespace hocket
