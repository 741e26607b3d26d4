// A trace unrolled to ticks: who ran in each, how much work was waiting, how much was received so
// far.
#pragma once

#include "trace.h"

namespace hocket::test {

/// Value of Timeline::foreground and ::background for a tick in which nobody ran.
inline constexpr int kIdle = -1;

struct Timeline {
  std::vector<int> foreground;               ///< [tick] server or kIdle
  std::vector<int> background;               ///< [tick] server or kIdle
  std::vector<std::vector<Ticks>> received;  ///< [server][t]: foreground ticks in [0, t)
  std::vector<std::vector<Ticks>> arrived;   ///< [server][t]: work that arrived at instants <= t
  std::vector<std::vector<Ticks>>
      backlog;         ///< [server][t]: work left when tick t starts, t <= horizon
  std::string broken;  ///< not empty: the trace contradicts itself; why

  Timeline(const TaskSet& set, const Trace& trace);

  Ticks received_in(std::size_t server, Ticks from, Ticks to) const {
    return received[server][static_cast<std::size_t>(to)] -
           received[server][static_cast<std::size_t>(from)];
  }
};

}  // namespace hocket::test
