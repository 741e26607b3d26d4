// The kernel's admission test for one core behind a plain interface, with zero overheads and
// jitter.
#pragma once

#include <cstdint>
#include <vector>

#include "task_set.h"

namespace hocket::test {

struct AdmissionAnswer {
  bool accepted = false;
  /// Response bound per server, in the set's order. Compared for a server that meets its deadline
  /// and whose higher-ranked servers all do; others are not looked at.
  std::vector<std::int64_t> response;
  /// Refused: the largest budget with which the highest-ranked server that misses would meet its
  /// deadline beside its higher-ranked servers; 0: none would. Accepted: not looked at.
  std::int64_t largest_budget_that_fits = -1;
};

/// Looks at the servers of the set only: budget, period, deadline, rank.
AdmissionAnswer admit_one_core(const TaskSet& set);

}  // namespace hocket::test
