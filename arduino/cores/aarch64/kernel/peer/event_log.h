// The kernel's events, kept until a buffer is full, then sent to the peer in one piece.
#pragma once

#include "kernel/trace/event.h"

namespace hocket {

/// The kernel makes an event only when somebody wants it.
struct EventLog {
  static constexpr bool kAsksFirst = true;
  static void record(const Event& event);
  /// Sends what is kept. Nothing runs any more.
  static void flush();
  inline static bool wanted = false;
};

}  // namespace hocket
