// Response-time and supply bounds, in whole ticks.
#include "response_time.h"

#include <algorithm>

namespace hocket::test {

namespace {

std::vector<ServerSpec> higher_specs(const TaskSet& set, std::size_t server) {
  std::vector<ServerSpec> specs;
  for (std::size_t i : higher_ranked(set, server)) specs.push_back(set.servers[i]);
  return specs;
}

/// What may be due within a window that begins with a release of all.
Ticks due_within(Ticks window, const ServerSpec& own, const std::vector<ServerSpec>& above,
                 const Account& account) {
  Ticks due = account.masked + account.blocking + enforced(own, account) + account.lock;
  for (const ServerSpec& higher : above) {
    const Ticks releases = (window + account.lateness + higher.period - 1) / higher.period;
    due += releases * enforced(higher, account);
    due += account.lateness + account.masked + account.lock +
           (account.several_cores ? account.interrupt : 0);
  }
  return due;
}

}  // namespace

Ticks enforced(const ServerSpec& server, const Account& account) {
  const Ticks activation = account.entry + account.switching;
  const Ticks end = account.entry + account.switching;
  return server.budget + activation + end + (account.several_cores ? account.interrupt : 0);
}

std::optional<Ticks> response_bound(const TaskSet& set, std::size_t server,
                                    const Account& account) {
  const ServerSpec& own = set.servers.at(server);
  const std::vector<ServerSpec> above = higher_specs(set, server);
  Ticks response = due_within(0, own, above, account);
  while (response + account.lateness <= own.period) {
    const Ticks due = due_within(response, own, above, account);
    if (due == response) return response + account.lateness;
    response = due;
  }
  return std::nullopt;
}

std::optional<Ticks> response_by_trying(const TaskSet& set, std::size_t server,
                                        const Account& account, Ticks end) {
  const std::vector<ServerSpec> above = higher_specs(set, server);
  for (Ticks done = 0; done <= end; ++done) {
    if (due_within(done, set.servers.at(server), above, account) <= done)
      return done + account.lateness;
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
  const Ticks units = window / s.period * s.budget + std::min(s.budget, window % s.period);
  return std::min(length, units + set.late);
}

}  // namespace hocket::test
