// Response-time and supply bounds, in whole ticks.
#include "response_time.h"

#include <algorithm>

namespace hocket::test {

std::optional<Ticks> response_bound(const TaskSet& set, std::size_t server) {
  const ServerSpec& own = set.servers.at(server);
  const std::vector<std::size_t> higher = higher_ranked(set, server);
  Ticks response = own.budget + set.late;
  while (response <= own.period) {
    Ticks demand = own.budget + set.late;
    for (std::size_t j : higher) {
      const ServerSpec& s = set.servers[j];
      demand += (response + s.period - 1) / s.period * s.budget + set.late;
    }
    if (demand == response) return response;
    response = demand;
  }
  return std::nullopt;
}

bool admissible(const TaskSet& set) {
  for (std::size_t i = 0; i < set.servers.size(); ++i) {
    const std::optional<Ticks> bound = response_bound(set, i);
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
