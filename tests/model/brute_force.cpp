// Synchronous periodic jobs under fixed priorities, tick by tick over the hyperperiod.
#include "brute_force.h"

#include <algorithm>
#include <numeric>

namespace hocket::test {
namespace {

struct OpenJob {
  Ticks remaining = 0;
  Ticks released = 0;
};

/// Longest response of the last of `ranked`, or -1 when any of its jobs misses. Jobs of one server
/// never overlap as long as none missed; the servers above it are known to miss nothing.
Ticks longest_response(const std::vector<ServerSpec>& ranked, Ticks end) {
  std::vector<OpenJob> jobs(ranked.size());
  Ticks longest = 0;
  for (Ticks now = 0; now < end; ++now) {
    for (std::size_t i = 0; i < ranked.size(); ++i) {
      if (now % ranked[i].period == 0) jobs[i] = {ranked[i].budget, now};
    }
    const auto job =
        std::find_if(jobs.begin(), jobs.end(), [](const OpenJob& j) { return j.remaining > 0; });
    if (job != jobs.end()) --job->remaining;
    const OpenJob& last = jobs.back();
    const Ticks age = now + 1 - last.released;
    if (last.remaining > 0 && age >= ranked.back().deadline) return -1;
    if (job != jobs.end() && &*job == &last && last.remaining == 0)
      longest = std::max(longest, age);
  }
  return longest;
}

}  // namespace

Ticks hyperperiod(const TaskSet& set) {
  Ticks all = 1;
  for (const ServerSpec& s : set.servers) all = std::lcm(all, s.period);
  return all;
}

BruteForceAnswer admit_by_trying(const TaskSet& set) {
  BruteForceAnswer answer;
  answer.response.assign(set.servers.size(), -1);
  const Ticks end = hyperperiod(set);
  std::vector<ServerSpec> ranked;
  for (std::size_t i : by_rank(set)) {
    ranked.push_back(set.servers[i]);
    answer.response[i] = longest_response(ranked, end);
    if (answer.response[i] >= 0) continue;
    answer.accepted = false;
    Ticks budget = ranked.back().budget;
    do {
      ranked.back().budget = --budget;
    } while (budget > 0 && longest_response(ranked, end) < 0);
    answer.largest_budget_that_fits = budget;
    break;
  }
  return answer;
}

}  // namespace hocket::test
