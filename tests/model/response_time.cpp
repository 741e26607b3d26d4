// Response-time and supply bounds, in whole ticks.
#include "response_time.h"

#include <algorithm>

namespace hocket::test {

namespace {

Ticks top_half(std::size_t server, const Account& account) {
  return server < account.top_half.size() ? account.top_half[server] : 0;
}

/// What may be due within a window that begins with a release of all.
Ticks due_within(const TaskSet& set, std::size_t own, Ticks window, const Account& account) {
  Ticks due = account.masked + account.blocking + enforced(set, own, account) + account.lock;
  const Ticks late = window + account.lateness;
  for (const auto& [length, distance] : account.handlers) {
    due += (late + distance - 1) / distance * length;
  }
  for (std::size_t i = 0; i < set.servers.size(); ++i) {
    if (i != own) due += top_half(i, account);
  }
  for (const std::size_t i : higher_ranked(set, own)) {
    const ServerSpec& higher = set.servers[i];
    const Ticks budget = enforced(set, i, account);
    due += higher.io ? taken_for_io(std::max(late, budget), budget, higher.period)
                     : (late + higher.period - 1) / higher.period * budget;
    due += account.lateness + account.masked + account.lock +
           (account.several_cores ? account.interrupt : 0);
  }
  return due;
}

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
  Ticks response = due_within(set, server, 0, account);
  while (response + account.lateness <= set.servers.at(server).period) {
    const Ticks due = due_within(set, server, response, account);
    if (due == response) return response + account.lateness;
    response = due;
  }
  return std::nullopt;
}

std::optional<Ticks> response_by_trying(const TaskSet& set, std::size_t server,
                                        const Account& account, Ticks end) {
  for (Ticks done = 0; done <= end; ++done) {
    if (due_within(set, server, done, account) <= done) return done + account.lateness;
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
