// A set of servers and the work that arrives for them: what every scheduler test is a function of.
//
// Invariants of a TaskSet that parse() returned (validate() checks them):
// - every server has 1 <= budget <= deadline <= period, and room for two refills or more;
// - names are unique; a work names a server of the set, arrives at an instant >= 0 and is positive;
// - works are in order of arrival.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace hocket::test {

/// Instants and durations of a test: whole ticks, nothing shorter exists.
using Ticks = std::int64_t;

/// Largest number a task set may hold; sums and products of a few of them stay far from overflow.
inline constexpr Ticks kLargestNumber = 1'000'000'000;

struct ServerSpec {
  std::string name;
  Ticks budget = 0;
  Ticks period = 0;
  Ticks deadline = 0;
  Ticks max_refills = 8;
  bool background = false;
  bool io = false;  ///< an I/O virtual CPU (docs/decisions/interrupts-on-a-budget.md)

  bool operator==(const ServerSpec&) const = default;
};

/// At instant `at`, `amount` ticks of processor demand join the backlog of `server`.
struct Work {
  std::size_t server = 0;
  Ticks at = 0;
  Ticks amount = 0;

  bool operator==(const Work&) const = default;
};

struct TaskSet {
  Ticks horizon = 0;  ///< ticks [0, horizon) are simulated
  Ticks late = 0;     ///< every budget-exhaustion timer fires this much late
  std::vector<ServerSpec> servers;
  std::vector<Work> works;

  bool operator==(const TaskSet&) const = default;
};

/// What is wrong with a text: "<source>:<line>: fact: cause; next step".
struct ParseError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reads the text format: one statement a line, `#` starts a comment, numbers are whole ticks.
///   horizon H                simulate the ticks [0, H)
///   server NAME C T [deadline=D] [refills=N] [background] [io]
///                            D = T and N = 8 by default; C <= D <= T, N >= 2
///                            io: an I/O virtual CPU
///   work NAME AT AMOUNT      at instant AT, AMOUNT ticks of demand join the server's backlog
///   late L                   each budget timer fires L ticks late; 0 by default
/// A schedule is written as `run NAME FROM TO` and `bg NAME FROM TO` (foreground and background,
/// longest intervals) and `response NAME RELEASE FINISH`. `source` names the text in messages.
/// Works may stand in any order; they come back sorted by arrival, equal instants as written.
/// Throws ParseError.
TaskSet parse(std::string_view text, const std::string& source = "task set");

/// The text that parse() reads back to the same set.
std::string print(const TaskSet& set);

/// Empty when the invariants above hold, else what is broken.
std::string validate(const TaskSet& set);

/// Indices of the servers, highest rank first: shorter deadline, then order of declaration.
std::vector<std::size_t> by_rank(const TaskSet& set);

/// The servers that outrank `server`.
std::vector<std::size_t> higher_ranked(const TaskSet& set, std::size_t server);

}  // namespace hocket::test
