// What must be true of what a workload's threads really got
// (docs/decisions/testing-the-scheduler.md, «Useful work»): each property looks at the machine's
// outcome, none at what a scheduler charged.
#pragma once

#include "machine.h"
#include "properties.h"

namespace hocket::test {

inline constexpr const char* kInTime = "useful work in time";
inline constexpr const char* kWholeBudget = "useful work of a whole budget";
inline constexpr const char* kDelivered = "edges delivered in time";
inline constexpr const char* kTaken = "never more taken than enforced";
inline constexpr const char* kHeld = "a short hold keeps its ceiling";

/// How many instances of each property were decided, and how near to its bound the worst came.
struct UsefulCoverage {
  long jobs = 0;
  long periods = 0;
  long windows = 0;
  long edges = 0;
  long starts = 0;
  long holds = 0;
  std::vector<double> tightness;  ///< of each victim in time: longest response / bound
  double nearest_edge = 0;        ///< of all: longest from edge to the round's end / bound
  double nearest_start = 0;  ///< of all: longest from a wake-up to the first instruction / bound
};

std::vector<Violation> check_useful_work(const Workload& set, const Outcome& outcome,
                                         UsefulCoverage& coverage);

}  // namespace hocket::test
