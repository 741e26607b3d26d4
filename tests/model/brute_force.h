// Admission by trying: every periodic job of the set, released at once and run by fixed priorities.
//
// Knows nothing of servers, refills or response-time analysis: for deadlines up to the period the
// synchronous release is the critical instant (Liu and Layland 1973), so a set in which no job
// misses over one hyperperiod misses none ever.
#pragma once

#include "task_set.h"

namespace hocket::test {

/// The hyperperiod: least common multiple of the periods (1 for an empty set).
Ticks hyperperiod(const TaskSet& set);

struct BruteForceAnswer {
  bool accepted = true;
  /// Per server: longest response of any job in the hyperperiod; -1 when a job missed its deadline
  /// or a higher-ranked server's did.
  std::vector<Ticks> response;
  /// Accepted: -1. Refused: the largest budget with which the highest-ranked server that misses
  /// meets its deadline, higher-ranked servers as they are and lower-ranked ones left out; 0: none
  /// does.
  Ticks largest_budget_that_fits = -1;
};

/// The works, horizon, late, refills and min of the set are not looked at.
BruteForceAnswer admit_by_trying(const TaskSet& set);

}  // namespace hocket::test
