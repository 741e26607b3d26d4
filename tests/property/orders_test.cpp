// The kernel's orders against the reference model's: by deadlines, by levels in turns, and both.
#include <algorithm>

#include "admission_adapter.h"
#include "kernel_adapter.h"
#include "slow_model.h"
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
  for (int& level : ordering.level) level -= 1;
  return ordering;
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
}

TEST(LevelOrder, EqualsTheModel) {
  expect_equal_in(by_level, Profile::Punctual, 53'000'000, 4000);
  expect_equal_in(by_level, Profile::Periodic, 54'000'000, 1000);
}

TEST(HybridOrder, EqualsTheModel) {
  expect_equal_in(hybrid, Profile::Punctual, 55'000'000, 4000);
  expect_equal_in(hybrid, Profile::Periodic, 56'000'000, 1000);
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
