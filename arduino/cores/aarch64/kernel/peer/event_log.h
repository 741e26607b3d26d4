// The kernel's events, kept until a buffer is full, then sent to the peer in one piece.
#pragma once

#include "kernel/trace/event.h"

namespace hocket {

/// Does nothing when nobody wants them.
struct EventLog {
  static void record(const Event& event) {
    if (wanted) [[unlikely]]
      keep(event);
  }
  static void keep(const Event& event);
  /// Sends what is kept. Nothing runs any more.
  static void flush();
  inline static bool wanted = false;
};

}  // namespace hocket
