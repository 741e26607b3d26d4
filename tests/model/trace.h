// What a scheduler did with a task set: who ran when, and the response times it observed.
//
// Normal form (normalize() makes it): intervals of one kind are disjoint, in order of time, and
// maximal (no two neighbours of one server touch); responses are ordered by finish, then server,
// then release, and only those that finish before the horizon are kept.
#pragma once

#include <string>
#include <vector>

#include "task_set.h"

namespace hocket::test {

struct Interval {
  std::size_t server = 0;
  Ticks from = 0;
  Ticks to = 0;  ///< exclusive

  bool operator==(const Interval&) const = default;
};

struct Response {
  std::size_t server = 0;
  Ticks release = 0;
  Ticks finish = 0;

  bool operator==(const Response&) const = default;
};

struct Trace {
  std::vector<Interval> runs;        ///< foreground: charged to a budget
  std::vector<Interval> background;  ///< uncharged
  std::vector<Response> responses;

  bool operator==(const Trace&) const = default;
};

/// Brings a trace into normal form: sorts, joins touching intervals, cuts at the horizon, drops
/// empty intervals and responses that finish at the horizon or later. Both engines' traces pass
/// through it.
Trace normalize(Trace trace, Ticks horizon);

/// The output lines `run`, `bg` and `response`, each group in its order.
std::string print(const TaskSet& set, const Trace& trace);

/// Empty when the traces are equal, else the first lines that differ, with some lines of context.
std::string first_difference(const TaskSet& set, const Trace& expected, const Trace& actual);

}  // namespace hocket::test
