// The kernel's orders against the reference model's: by deadlines, by levels in turns, and both.
#include <algorithm>

#include "admission_adapter.h"
#include "kernel_adapter.h"
#include "slow_model.h"
#include "stable_order.h"
#include "support.h"

namespace hocket::test {
namespace {

using Make = std::function<Ordering(const TaskSet&)>;

void expect_equal_in(const Make& ordering, Profile profile, std::uint64_t first_seed, int count) {
  expect_equal([&](const TaskSet& set) { return simulate_slowly(set, ordering(set)); },
               [&](const TaskSet& set) { return simulate_kernel(set, ordering(set)); }, profile,
               first_seed, count);
}

Ordering by_deadline(const TaskSet&) {
  return {.kind = Ordering::Kind::Deadlines, .slice = 0, .level = {}};
}

/// Of a server, by its numbers: a shrunk set has the same ones.
std::uint64_t drawn(const ServerSpec& s) {
  return Random(static_cast<std::uint64_t>(s.budget * 131 + s.period * 17 + s.deadline)).bits();
}

Ordering by_level(const TaskSet& set) {
  Ordering ordering{.kind = Ordering::Kind::Levels, .slice = 4, .level = {}};
  for (const ServerSpec& s : set.servers) {
    ordering.level.push_back(static_cast<int>(drawn(s) % 3));
    ordering.slice = std::max<Ticks>(1, s.period % 11);
  }
  return ordering;
}

Ordering hybrid(const TaskSet& set) {
  Ordering ordering = by_level(set);
  ordering.kind = Ordering::Kind::Hybrid;
  for (std::size_t i = 0; i < set.servers.size(); ++i)
    ordering.level[i] = set.servers[i].io ? Ordering::kNoLevel : ordering.level[i] - 1;
  return ordering;
}

/// Sets of which about half are I/O virtual CPUs. (A timer that is late reveals what the model does
/// not say.)
void expect_equal_beside_io(const Make& ordering, std::uint64_t first_seed, int count) {
  const auto punctual = [](TaskSet set) {
    set.late = 0;
    return set;
  };
  expect_equal([&](const TaskSet& set) { return simulate_slowly(punctual(set), ordering(set)); },
               [&](const TaskSet& set) { return simulate_kernel(punctual(set), ordering(set)); },
               Profile::Io, first_seed, count);
}

/// Each has a level of its own, and its turn never ends.
Ordering by_rank_alone(const TaskSet& set) {
  Ordering ordering{.kind = Ordering::Kind::Levels, .slice = kLargestNumber, .level = {}};
  ordering.level.resize(set.servers.size());
  int level = 0;
  for (const std::size_t i : by_rank(set)) ordering.level[i] = level++;
  return ordering;
}

TEST(DeadlineOrder, EqualsTheModel) {
  expect_equal_in(by_deadline, Profile::Punctual, 50'000'000, 4000);
  expect_equal_in(by_deadline, Profile::Naps, 51'000'000, 500);
  expect_equal_in(by_deadline, Profile::Periodic, 52'000'000, 1000);
  expect_equal_beside_io(by_deadline, 58'000'000, 4000);
}

TEST(LevelOrder, EqualsTheModel) {
  expect_equal_in(by_level, Profile::Punctual, 53'000'000, 4000);
  expect_equal_in(by_level, Profile::Periodic, 54'000'000, 1000);
}

TEST(HybridOrder, EqualsTheModel) {
  expect_equal_in(hybrid, Profile::Punctual, 55'000'000, 4000);
  expect_equal_in(hybrid, Profile::Periodic, 56'000'000, 1000);
  expect_equal_beside_io(hybrid, 59'000'000, 2000);
}

TEST(BitmapOrder, EqualsTheModel) {
  const Engine model = [](const TaskSet& set) { return simulate_slowly(set, by_rank_alone(set)); };
  const Engine kernel = [](const TaskSet& set) {
    Trace trace = simulate_priorities(set);
    trace.responses = simulate_slowly(set, by_rank_alone(set)).responses;  // it has no releases
    return trace;
  };
  expect_equal(model, kernel, Profile::Punctual, 57'000'000, 2000);
}

/// Work of exactly C in every T from one instant on: of what is admitted, no job misses.
TEST(DeadlineOrder, WhatIsAdmittedNeverMisses) {
  int admitted = 0, beyond_priorities = 0;
  for (std::uint64_t seed = 60'000; seed < 64'000; ++seed) {
    TaskSet set = generate(seed, Profile::Admission);
    if (!admit_by_deadline(set).accepted) continue;
    ++admitted;
    beyond_priorities += !admit_one_core(set).accepted;
    set.horizon = 600;
    for (Ticks at = 0; at < set.horizon; ++at) {
      for (std::size_t i = 0; i < set.servers.size(); ++i) {
        const ServerSpec& s = set.servers[i];
        if (at % s.period == 0) set.works.push_back({i, at, s.budget});
      }
    }
    const Trace trace = simulate_kernel(set, by_deadline(set));
    std::vector<Ticks> got(set.servers.size());
    for (const Interval& run : trace.runs) got[run.server] += run.to - run.from;
    for (const Response& response : trace.responses) {
      const Ticks deadline = set.servers[response.server].deadline;
      ASSERT_LE(response.finish - response.release, deadline) << print(set);
    }
    for (std::size_t i = 0; i < set.servers.size(); ++i) {  // useful work, too
      const ServerSpec& s = set.servers[i];
      ASSERT_GE(got[i], (set.horizon - s.deadline) / s.period * s.budget) << print(set);
    }
  }
  EXPECT_GT(admitted, 1500);
  EXPECT_GT(beyond_priorities, 100);
}

/// Sets with I/O virtual CPUs, due by their periods, and loops that work C in every T.
TaskSet with_io(std::uint64_t seed) {
  Random random(seed);
  TaskSet set = generate(seed, Profile::Admission);
  for (ServerSpec& s : set.servers) {
    s.io = random.chance(0.5);
    if (s.io) s.deadline = s.period;
  }
  set.horizon = 600;
  for (Ticks at = 0; at < set.horizon; ++at) {
    for (std::size_t i = 0; i < set.servers.size(); ++i) {
      const ServerSpec& s = set.servers[i];
      if (!s.io && at % s.period == 0) set.works.push_back({i, at, s.budget});
    }
  }
  return set;
}

bool late(const TaskSet& set, const Trace& trace) {
  return std::any_of(trace.responses.begin(), trace.responses.end(), [&](const Response& r) {
    return r.finish - r.release > set.servers[r.server].deadline;
  });
}

/// I/O virtual CPUs that nap, spin, burst: what is admitted is in time, in the slow model and here,
/// and each activation is done a deadline after it was eligible.
TEST(DeadlineOrder, WhatIsAdmittedBesideIoNeverMisses) {
  int admitted = 0;
  for (std::uint64_t seed = 70'000; seed < 76'000; ++seed) {
    TaskSet set = with_io(seed);
    if (!admit_by_deadline(set).accepted) continue;
    bool some = false;
    for (std::size_t i = 0; i < set.servers.size(); ++i) {
      if (set.servers[i].io) set = misbehave(set, i, seed + i);
      some = some || set.servers[i].io;
    }
    if (!some) continue;
    ++admitted;
    const Trace trace = simulate_kernel(set, by_deadline(set));
    ASSERT_FALSE(late(set, trace)) << print(set);
    ASSERT_FALSE(late(set, simulate_slowly(set, by_deadline(set)))) << print(set);
    std::vector<Ticks> got(set.servers.size());
    for (const Interval& run : trace.runs) got[run.server] += run.to - run.from;
    for (std::size_t i = 0; i < set.servers.size(); ++i) {  // useful work, too
      const ServerSpec& s = set.servers[i];
      if (s.io) continue;
      ASSERT_GE(got[i], (set.horizon - s.deadline) / s.period * s.budget) << print(set);
    }
  }
  EXPECT_GT(admitted, 1500);
}

/// The worst that an I/O virtual CPU can do: a tick whenever it may, and its whole budget so late
/// that it is just due by the instant that admission names. Of the sets that are refused for that
/// alone, and as periodic tasks would be admitted, a third misses then.
TEST(DeadlineOrder, TheWorstIoMissesWhatIsRefused) {
  int refused = 0, missed = 0;
  for (std::uint64_t seed = 80'000; seed < 400'000 && refused < 100; ++seed) {
    Random random(seed);
    TaskSet set = generate(seed, Profile::Admission);
    ServerSpec& io = set.servers.front();
    const Ticks share = random.between(2, 6);
    io = {.name = io.name, .budget = io.period / share, .period = io.period, .deadline = io.period};
    if (io.budget * share != io.period) continue;
    if (!admit_by_deadline(set).accepted) continue;
    io.io = true;
    const DeadlineAnswer answer = admit_by_deadline(set);
    if (answer.accepted || answer.first_overload == 0) continue;
    const Ticks last = answer.first_overload - io.deadline;
    if (answer.due - (last % share == 0 ? 0 : 1) <= answer.first_overload) continue;
    ++refused;
    set.horizon = 600;
    for (Ticks at = last % share; at < last; at += share) set.works.push_back({0, at, 1});
    set.works.push_back({0, last, io.budget});
    for (std::size_t i = 1; i < set.servers.size(); ++i) {
      const ServerSpec& s = set.servers[i];
      for (Ticks at = 0; at < set.horizon; at += s.period) set.works.push_back({i, at, s.budget});
    }
    sort_stably(set.works, [](const Work& a, const Work& b) { return a.at < b.at; });
    missed += late(set, simulate_kernel(set, by_deadline(set)));
  }
  testing::Test::RecordProperty("refused", refused);
  testing::Test::RecordProperty("of these missed", missed);
  EXPECT_GE(refused, 100);
  EXPECT_GE(missed, refused / 5);
}

/// One server spins, floods or naps for ever: nobody else's jobs are later than their deadlines.
TEST(DeadlineOrder, MisbehaviourStaysWithItsServer) {
  int looked_at = 0;
  for (std::uint64_t seed = 64'000; seed < 67'000; ++seed) {
    TaskSet set = generate(seed, Profile::Admission);
    if (set.servers.size() < 2 || !admit_by_deadline(set).accepted) continue;
    set.horizon = 500;
    for (Ticks at = 0; at < set.horizon; ++at) {
      for (std::size_t i = 0; i < set.servers.size(); ++i) {
        const ServerSpec& s = set.servers[i];
        if (at % s.period == 0) set.works.push_back({i, at, s.budget});
      }
    }
    const std::size_t wrong = seed % set.servers.size();
    const TaskSet changed = misbehave(set, wrong, seed);
    const Trace trace = simulate_kernel(changed, by_deadline(changed));
    std::vector<Ticks> got(set.servers.size());
    for (const Interval& run : trace.runs) got[run.server] += run.to - run.from;
    for (std::size_t i = 0; i < set.servers.size(); ++i) {
      const ServerSpec& s = set.servers[i];
      if (i == wrong) continue;
      ASSERT_GE(got[i], (set.horizon - s.deadline) / s.period * s.budget) << print(changed);
    }
    for (const Response& r : trace.responses) {
      if (r.server == wrong) continue;
      ASSERT_LE(r.finish - r.release, set.servers[r.server].deadline) << print(changed);
    }
    ++looked_at;
  }
  EXPECT_GT(looked_at, 800);
}

}  // namespace
}  // namespace hocket::test
