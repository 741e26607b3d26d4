// Jobs in a plain list, and ticks from 1 on.
#include "deadlines.h"

#include <algorithm>

#include "brute_force.h"

namespace hocket::test {

bool no_job_misses(const TaskSet& set) {
  struct Job {
    Ticks deadline;
    Ticks left;
  };
  std::vector<Job> jobs;
  const Ticks end = hyperperiod(set);
  for (Ticks now = 0; now < end; ++now) {
    for (const ServerSpec& s : set.servers) {
      if (now % s.period == 0) jobs.push_back({now + s.deadline, s.budget});
    }
    const auto first = std::min_element(jobs.begin(), jobs.end(), [](const Job& a, const Job& b) {
      return a.deadline < b.deadline;
    });
    if (first != jobs.end() && --first->left == 0) jobs.erase(first);
    for (const Job& job : jobs) {
      if (job.deadline <= now + 1) return false;
    }
  }
  return jobs.empty();
}

Ticks first_overload_by_counting(const TaskSet& set, const Account& account,
                                 std::vector<Section> sections) {
  Ticks latest = 0, earliest = kLargestNumber;
  double load = 0;
  for (std::size_t i = 0; i < set.servers.size(); ++i) {
    const ServerSpec& s = set.servers[i];
    latest = std::max(latest, s.deadline);
    earliest = std::min(earliest, s.deadline);
    load += static_cast<double>(enforced(set, i, account)) / static_cast<double>(s.period);
  }
  sections.push_back({account.blocking, latest, earliest});
  const Ticks ahead = account.lateness + account.masked + account.lock +
                      (account.several_cores ? account.interrupt : 0);
  // Up to a full core, slack at t + hyperperiod is no less than at t; beyond, some t has none.
  const bool for_ever = load > 1 + 1e-9;
  const Ticks end = latest + hyperperiod(set);
  Ticks due = account.lateness + account.masked;
  for (Ticks t = 1; for_ever || t <= end; ++t) {
    bool deadline = false;
    for (std::size_t i = 0; i < set.servers.size(); ++i) {
      const ServerSpec& s = set.servers[i];
      if (t < s.deadline || (t - s.deadline) % s.period != 0) continue;
      deadline = true;
      due += enforced(set, i, account) + (t == s.deadline ? ahead : 0);
    }
    Ticks blocking = 0;
    for (const Section& s : sections) {
      if (s.user <= t && t < s.holder) blocking = std::max(blocking, s.length);
    }
    if (deadline && due + blocking > t) return t;
  }
  return 0;
}

}  // namespace hocket::test
