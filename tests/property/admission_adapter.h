// The kernel's admission test for one core behind a plain interface.
#pragma once

#include <cstdint>
#include <vector>

#include "deadlines.h"
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

struct DeadlineAnswer {
  bool accepted = false;
  std::int64_t first_overload = 0;  ///< 0: none
  std::int64_t due = 0;             ///< by then
  /// Per server, the largest budget beside the others as they are; 0: none.
  std::vector<std::int64_t> largest_budget;
};

/// The same by earliest deadline first.
DeadlineAnswer admit_by_deadline(const TaskSet& set, const Account& account = {},
                                 const std::vector<Section>& sections = {});

/// On which core each server goes, by the same; -1: it fits on none. Nothing costs anything.
std::vector<int> place_by_deadline(const TaskSet& set, unsigned cores);

enum class Order : std::uint8_t { Priority, Deadline };

struct Placed {
  bool all = false;  ///< every server has a core
  /// Per core: its servers, in order of rank.
  std::vector<std::vector<std::size_t>> core;
  struct Refused {
    std::size_t server;
    int core;              ///< where most of it would fit
    std::int64_t largest;  ///< the budget with which it would; 0: with none
  };
  std::vector<Refused> refused;
};

/// Places the servers on so many cores; `pin` is a core for each of them, or -1.
Placed place(const TaskSet& set, const Account& account, Order order, unsigned cores,
             const std::vector<int>& pin);

/// The servers' numbers times `factor`: in a unit that is smaller beside what the kernel costs.
TaskSet stretched(TaskSet set, Ticks factor);

}  // namespace hocket::test
