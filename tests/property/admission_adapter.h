// The kernel's admission test for one core behind a plain interface.
#pragma once

#include <cstdint>
#include <vector>

#include "response_time.h"
#include "task_set.h"

namespace hocket::test {

struct AdmissionAnswer {
  bool accepted = false;
  /// Response bound per server, in the set's order; kNoBound when it has none. Compared for a
  /// server that meets its deadline and whose higher-ranked servers all do, or for all.
  std::vector<std::int64_t> response;
  /// Refused: the largest budget with which the highest-ranked server that misses would meet its
  /// deadline beside its higher-ranked servers; 0: none would. Accepted: not looked at.
  std::int64_t largest_budget_that_fits = -1;
};
inline constexpr std::int64_t kNoBound = INT64_MAX;

/// Looks at the servers of the set only: budget, period, deadline, rank. Their numbers may be up to
/// 2^62.
AdmissionAnswer admit_one_core(const TaskSet& set, const Account& account = {});

}  // namespace hocket::test
