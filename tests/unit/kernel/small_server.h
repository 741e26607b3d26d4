// A sporadic server with few refills, for the tests of it: made, woken, and its refills as pairs of
// an instant and an amount.
#pragma once

#include <utility>
#include <vector>

#include "check_failed.h"
#include "kernel/sched/sporadic_server.h"

namespace hocket::small_server {

using Pairs = std::vector<std::pair<int64_t, int64_t>>;
using Small = SporadicServer<int64_t, 4>;
using Instant = Small::Instant;
using Duration = Small::Duration;

inline Small make(int64_t budget, int64_t period, unsigned limit = 4) {
  Small server;
  server.reset(Duration(budget), Duration(period), Instant(0), limit);
  return server;
}

/// The owner, which stops first, becomes ready.
template <class Server>
void wake(Server& server, Instant at) {
  server.stop(Duration(1));
  server.unblock(at);
}

template <class Server>
Pairs pairs(const Server& server) {
  Pairs result;
  for (unsigned i = 0; i < server.count(); ++i) {
    result.emplace_back(server[i].time.ticks(), server[i].amount.ticks());
  }
  return result;
}

}  // namespace hocket::small_server
