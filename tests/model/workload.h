// Servers, what their threads do, and what the kernel costs: what the property «useful work» is a
// function of.
//
// Servers stand in order of rank, and their deadlines are their periods. All numbers are whole
// ticks. A set is one line of text, so that a failure can be repeated: print() and
// parse_workload().
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "costs.h"

namespace hocket::test {

/// What a thread does for ever: works, perhaps holds a lock, perhaps wakes somebody, and waits.
struct Body {
  enum class Wait {
    Never,   ///< spins
    Nap,     ///< sleeps for a while, counted from its call
    Period,  ///< sleeps until the next of its releases, which are a period apart
    Event    ///< blocks until it is woken
  };
  Wait wait = Wait::Never;
  Ticks phase = 0;       ///< when it is first woken
  Ticks work_least = 1;  ///< useful ticks of a round, among them those of its calls of the kernel
  Ticks work_most = 1;
  Ticks nap_least = 1;
  Ticks nap_most = 1;
  Ticks naps = 0;          ///< Nap: spins after so many naps; 0: never does
  Ticks wakes = -1;        ///< each round wakes this server
  Ticks hold = 0;          ///< each round holds a lock for so much of its work
  Ticks ceiling = 0;       ///< the lock's rank
  Ticks hold_most = 0;     ///< how long the lock keeps its ceiling; 0: without limit
  Ticks masks = 0;         ///< each round masks interrupts for so much of its work
  Ticks masks_behind = 0;  ///< so much of it; 0: anywhere
  Ticks gap_least = 0;     ///< Event: distances of what wakes it; 0: other threads do
  Ticks gap_most = 0;
  Ticks other_core =
      0;  ///< Event: 1: a thread of another core wakes it; 0: an interrupt of this one

  bool operator==(const Body&) const = default;
};

struct WorkServer {
  Ticks budget = 1;  ///< C, of useful work
  Ticks period = 1;
  /// An I/O virtual CPU: an interrupt wakes it, whose line is masked until it waits again; an edge
  /// comes `gap` after that. 0: a virtual CPU for threads.
  Ticks io = 0;
  Ticks top_half = 0;  ///< of that interrupt, from vector to return, at most
  /// 1: it has no deadline and no budget, and takes turns in what the others leave; `period` is a
  /// turn's length. By deadlines only, and behind all that have one.
  Ticks turns = 0;
  Body body;

  bool operator==(const WorkServer&) const = default;
};

/// How long the kernel's segments really are, and how late its timers.
enum class Weather { Longest, None, Random, Extremes };

struct Workload {
  Costs costs;
  std::vector<WorkServer> servers;
  Ticks horizon = 1;
  Ticks refills = 16;
  Ticks finest = 256;  ///< rule 7: pieces of T / finest
  Ticks seed = 1;      ///< of all that the bodies and the weather draw
  Weather weather = Weather::Random;
  /// Not by rank: the earliest deadline comes first, and a ceiling is a floor for its holder's.
  bool by_deadline = false;

  bool operator==(const Workload&) const = default;
};

/// Calls `visit` with every number of the set, its name, and whether a smaller one is a simpler
/// set.
void visit_numbers(Workload& set,
                   const std::function<void(const char* name, Ticks& number)>& visit);
std::string print(const Workload& set);
/// Reads what print() wrote; nothing when it is something else.
std::optional<Workload> parse_workload(const std::string& line);

/// C' of a server.
Ticks enforced_budget(const Workload& set, std::size_t rank);
/// The most that an I/O virtual CPU takes in a window, by its enforced budget.
Ticks taken_for_io(const Workload& set, std::size_t rank, Ticks window);
/// How long an edge takes until an I/O virtual CPU's round is done, and from a handler's wake-up to
/// its first instruction (docs/decisions/interrupts-on-a-budget.md); `bounds` are bounds_of(set).
Ticks edge_bound(const Workload& set, std::size_t rank, const std::vector<Ticks>& bounds);
/// That of a handler depends on how often it was woken in the period before. A policy that never
/// has I/O virtual CPUs (engines play sets by rank without them by such a one) does not keep an
/// overrun apart: a full list may join the whole budget to it, so the bound is a period longer.
Ticks start_bound(const Workload& set, std::size_t rank, const std::vector<Ticks>& bounds,
                  Ticks wakeups);
/// O: how far a server may be ahead of its budget.
Ticks overrun(const Workload& set, std::size_t rank);
/// J + R of every server by docs/decisions/who-pays.md, or by deadlines the deadline itself
/// (docs/decisions/earliest-deadline-first.md); nothing when the set is refused.
std::optional<std::vector<Ticks>> bounds_of(const Workload& set);

enum class Family {
  Mixed,       ///< everything beside everything; the last server often a victim that asks for all
  Callers,     ///< a napper above a loop that calls the kernel all the time: budgets end in calls
  OtherCore,   ///< servers that another core wakes all the time, above a victim
  NearlyFull,  ///< a periodic victim with nearly all of the core
  Edges,  ///< I/O virtual CPUs under all kinds of edges, handlers that they wake, among the others
  Holders,  ///< one that takes a lock all the time, with a ceiling below a victim and above a
            ///< napper
  Many,  ///< 2 to 255, with equal, harmonic or random periods, sections that mask interrupts, edges
  Behind,  ///< nappers that mostly wake while somebody runs who is due just before them, and a
           ///< victim with all that is left
};

/// A random set that is admitted.
Workload generate_workload(std::uint64_t seed, Family family = Family::Mixed,
                           bool by_deadline = false);

/// A set with fewer servers and smaller numbers that fails as well.
Workload shrink(Workload set, const std::function<bool(const Workload&)>& fails,
                int most_calls = 3000);

}  // namespace hocket::test
