// Response-time and supply bounds, in whole ticks.
#include "response_time.h"

#include <algorithm>

namespace hocket::test {

namespace {

Ticks top_half(std::size_t server, const Account& account) {
  return server < account.top_half.size() ? account.top_half[server] : 0;
}

/// What may be due within a window that begins with a release of all. What does not depend on the
/// window is looked up once: windows are tried by the hundred thousand.
class Due {
 public:
  Due(const TaskSet& set, std::size_t own, const Account& account)
      : late_(account.lateness),
        once_(account.masked + account.blocking + enforced(set, own, account) + account.lock),
        handlers_(account.handlers) {
    for (std::size_t i = 0; i < set.servers.size(); ++i) {
      if (i != own) once_ += top_half(i, account);
    }
    for (const std::size_t i : higher_ranked(set, own)) {
      const ServerSpec& higher = set.servers[i];
      higher_.push_back({higher.io, enforced(set, i, account), higher.period});
      once_ += account.lateness + account.masked + account.lock +
               (account.several_cores ? account.interrupt : 0);
    }
  }

  Ticks within(Ticks window) const {
    Ticks due = once_;
    const Ticks late = window + late_;
    for (const auto& [length, distance] : handlers_) {
      due += (late + distance - 1) / distance * length;
    }
    for (const Higher& higher : higher_) {
      due += higher.io ? taken_for_io(std::max(late, higher.budget), higher.budget, higher.period)
                       : (late + higher.period - 1) / higher.period * higher.budget;
    }
    return due;
  }

 private:
  struct Higher {
    bool io;
    Ticks budget;
    Ticks period;
  };
  Ticks late_;
  Ticks once_;
  std::vector<std::pair<Ticks, Ticks>> handlers_;
  std::vector<Higher> higher_;
};

}  // namespace

Ticks enforced(const TaskSet& set, std::size_t server, const Account& account) {
  const Ticks activation = account.entry + account.switching;
  const Ticks end = account.entry + account.switching;
  return set.servers[server].budget + activation + end +
         (account.several_cores ? account.interrupt : 0) + top_half(server, account);
}

Ticks taken_for_io(Ticks window, Ticks budget, Ticks period) {
  if (window <= budget) return window;
  __extension__ using Wide = __int128;
  return budget + static_cast<Ticks>(Wide{window - budget} * budget / period);
}

std::optional<Ticks> response_bound(const TaskSet& set, std::size_t server,
                                    const Account& account) {
  const Due due(set, server, account);
  Ticks response = due.within(0);
  while (response + account.lateness <= set.servers.at(server).period) {
    const Ticks next = due.within(response);
    if (next == response) return response + account.lateness;
    response = next;
  }
  return std::nullopt;
}

std::optional<Ticks> response_by_trying(const TaskSet& set, std::size_t server,
                                        const Account& account, Ticks end) {
  const Due due(set, server, account);
  for (Ticks done = 0; done <= end; ++done) {
    if (due.within(done) <= done) return done + account.lateness;
  }
  return std::nullopt;
}

bool admissible(const TaskSet& set, const Account& account) {
  for (std::size_t i = 0; i < set.servers.size(); ++i) {
    const std::optional<Ticks> bound = response_bound(set, i, account);
    if (!bound || *bound > set.servers[i].deadline) return false;
  }
  return true;
}

std::optional<Ticks> supply_bound(const TaskSet& set, std::size_t server, Ticks length) {
  const ServerSpec& s = set.servers.at(server);
  Ticks delay = 0;
  if (by_rank(set).front() != server) {
    const std::optional<Ticks> response = response_bound(set, server);
    if (!response) return std::nullopt;
    delay = *response - s.budget;
  }
  const Ticks window = length + delay;
  if (s.io) return std::min(length, taken_for_io(window, s.budget, s.period) + set.late);
  const Ticks units = window / s.period * s.budget + std::min(s.budget, window % s.period);
  return std::min(length, units + set.late);
}

}  // namespace hocket::test
