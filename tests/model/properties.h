// What must be true of any correct schedule, whatever algorithm made it.
//
// Each check looks at the task set and the trace only: who had work, who ran, what was reported.
// None knows of refills. Where a check needs a premise (an admissible rank, punctual timers), it
// tests the premise first and counts in Coverage how often the premise held, so that a suite can
// insist that the check really checked something.
#pragma once

#include <functional>

#include "trace.h"

namespace hocket::test {

/// A scheduler under test: the model, the model with a defect, the kernel.
using Engine = std::function<Trace(const TaskSet&)>;

/// One broken property: which, and the numbers.
struct Violation {
  std::string property;
  std::string text;
};

/// How many instances of each property were decided.
struct Coverage {
  long windows = 0;
  long guaranteed_periods = 0;
  long ready_windows = 0;
  long responses = 0;
  long jobs = 0;
  long conserving_ticks = 0;
  long isolated_servers = 0;
};

inline constexpr const char* kConsistent = "consistent";
inline constexpr const char* kSupplyAbove = "supply never above";
inline constexpr const char* kSupplyBelow = "supply never below";
inline constexpr const char* kResponse = "response within bound";
inline constexpr const char* kJobResponse = "job response within bound";
inline constexpr const char* kConserving = "work-conserving";
inline constexpr const char* kIsolation = "isolation";

/// All checks of one trace; when it is not consistent, only that is reported.
/// - consistent: one server at a time, only with work, background only where asked for and only
///   when it may be; every foreground completion reported.
/// - supply never above: no window holds more than supply_bound().
/// - supply never below: a server that always has work gets C - L in each of its periods, and k C
/// in
///   any (k + 1) T + R throughout which it has work (the latter for punctual timers).
/// - response within bound: each reported response <= response_bound().
/// - job response within bound: the same for a burst of at most C that met a full budget, measured
///   from the arrivals, not from what the engine reports.
/// - work-conserving: no lower-ranked server runs, and the core is not idle, while a server has
///   work and must have budget (punctual timers only): its list was not full, and no crumb of it is
///   held back.
std::vector<Violation> check(const TaskSet& set, const Trace& trace, Coverage& coverage);

/// Isolation: runs the set as it is and with the work of `server` replaced (misbehave(), by
/// `seed`). The intervals and responses of higher-ranked servers must not change at all, and
/// check() must hold for the changed run.
std::vector<Violation> check_isolation(const TaskSet& set, const Engine& engine, std::size_t server,
                                       std::uint64_t seed, Coverage& coverage);

/// The violations, a line each.
std::string print(const std::vector<Violation>& violations);

}  // namespace hocket::test
