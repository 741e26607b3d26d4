// Virtual CPUs in two parts (admission/splitting.h): every job of every part, run tick by tick.
#include <algorithm>
#include <array>

#define HOCKET_CHECKED
#include "admission/splitting.h"
#include "kernel/sched/deadline_policy.h"
#include "support.h"

namespace hocket::test {
namespace {

constexpr unsigned kCores = 4;
constexpr unsigned kMost = 16;
using Splitter = Splitting<Ticks, kMost, kMost, kCores>;
using Requests = std::vector<SplitRequest<Ticks>>;

/// Loops whose shares add up to `load`, none more than a core.
Requests draw(Random& random, std::size_t count, double load, bool constrained, Ticks unit = 1) {
  constexpr std::array<Ticks, 8> kPeriods{12, 18, 20, 24, 30, 36, 40, 60};
  std::vector<double> shares;
  do {
    shares = uunifast(random, count, load);
  } while (*std::max_element(shares.begin(), shares.end()) > 1);
  Requests requests(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Ticks period = unit * kPeriods[static_cast<std::size_t>(random.between(0, 7))];
    const auto exact = static_cast<Ticks>(shares[i] * static_cast<double>(period));
    const Ticks budget = std::clamp<Ticks>(exact, 1, period);
    const bool early = constrained && random.chance(0.4);
    const Ticks deadline = early ? random.between(budget, period) : period;
    requests[i].demand = {budget, period, deadline, static_cast<uint8_t>(i)};
  }
  return requests;
}

struct Placed {
  bool all;
  Requests requests;
};

Placed place(Requests requests, const Overheads<Ticks>& overheads = {}) {
  std::vector<Splitter::Analysis> cores(kCores, Splitter::Analysis(overheads));
  Splitter splitter(cores.data(), kCores);
  const bool all = splitter.place_all(requests.data(), static_cast<unsigned>(requests.size()));
  return {all, std::move(requests)};
}

/// A job of one part.
struct Job {
  Ticks deadline;
  Ticks left;
};

/// Whether all parts meet their deadlines on one core, from these releases on.
bool core_meets(const Requests& requests, const std::vector<Ticks>& phases, unsigned core,
                Ticks end) {
  std::vector<Job> jobs;
  for (Ticks now = 0; now < end; ++now) {
    for (std::size_t i = 0; i < requests.size(); ++i) {
      for (unsigned p = 0; p < requests[i].parts; ++p) {
        const Part<Ticks>& part = requests[i].part[p];
        const Ticks since = now - phases[i] - part.offset;
        if (part.core != core || since < 0 || since % requests[i].demand.period != 0) continue;
        jobs.push_back({now + part.deadline, part.budget});
      }
    }
    const auto first = std::min_element(jobs.begin(), jobs.end(), [](const Job& a, const Job& b) {
      return a.deadline < b.deadline;
    });
    if (first != jobs.end() && --first->left == 0) jobs.erase(first);
    for (const Job& job : jobs) {
      if (job.deadline <= now + 1) return false;
    }
  }
  return true;
}

/// The parts are the whole, one after the other, on two cores.
void expect_whole(const SplitRequest<Ticks>& request) {
  Ticks budget = 0, at = 0;
  for (unsigned p = 0; p < request.parts; ++p) {
    ASSERT_EQ(request.part[p].offset, at);
    budget += request.part[p].budget;
    at += request.part[p].deadline;
  }
  ASSERT_EQ(budget, request.demand.budget);
  ASSERT_LE(at, request.demand.deadline);
  if (request.parts == 2) ASSERT_NE(request.part[0].core, request.part[1].core);
}

TEST(Splitting, WhatIsAcceptedNeverMisses) {
  int whole = 0, split = 0, refused = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Random random(seed);
    const auto count = static_cast<std::size_t>(random.between(5, 12));
    const Placed placed = place(draw(random, count, 3 + random.unit(), seed % 3 == 0));
    if (!placed.all) {
      ++refused;
      continue;
    }
    bool parts = false;
    std::vector<Ticks> phases;
    for (const auto& request : placed.requests) {
      expect_whole(request);
      if (::testing::Test::HasFatalFailure()) return;
      parts |= request.parts == 2;
      phases.push_back(random.chance(0.5) ? 0 : random.between(0, request.demand.period - 1));
    }
    (parts ? split : whole) += 1;
    for (unsigned core = 0; core < kCores; ++core) {
      ASSERT_TRUE(core_meets(placed.requests, phases, core, 800)) << seed << " core " << core;
    }
  }
  EXPECT_GT(whole, 500);
  EXPECT_GT(split, 300);
  EXPECT_GT(refused, 100);
}

TEST(Splitting, MostSetsFitThatFirstFitCannotPlace) {
  int fits = 0, without = 0;
  constexpr int kSets = 300;
  for (int seed = 0; seed < kSets; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const Requests requests = draw(random, 8, 3.76, false, 1000);
    const Placed placed = place(requests);
    fits += placed.all;
    without += placed.all && std::all_of(placed.requests.begin(), placed.requests.end(),
                                         [](const auto& r) { return r.parts == 1; });
  }
  EXPECT_GE(fits, kSets * 95 / 100);
  EXPECT_LE(without, kSets * 80 / 100);
}

TEST(Splitting, ThreeLoopsOfTwoThirdsFitTwoCores) {
  Requests requests(3);
  for (unsigned i = 0; i < 3; ++i) requests[i].demand = {66, 100, 100, static_cast<uint8_t>(i)};
  std::vector<Splitter::Analysis> cores(2);
  Splitter splitter(cores.data(), 2);
  ASSERT_TRUE(splitter.place_all(requests.data(), 3));
  const SplitRequest<Ticks>& split = requests[2];
  ASSERT_EQ(split.parts, 2);
  EXPECT_EQ(split.part[0].budget, split.part[0].deadline);  // C = D
  EXPECT_EQ(split.part[0].budget, 34);
  EXPECT_EQ(split.part[1].budget, 32);
  EXPECT_EQ(split.part[1].offset, 34);
  EXPECT_EQ(split.part[1].deadline, 66);
}

TEST(Splitting, WhatIsPinnedStaysWhole) {
  Requests requests(3);
  for (unsigned i = 0; i < 3; ++i) requests[i].demand = {60, 100, 100, static_cast<uint8_t>(i)};
  requests[2].pinned = 1;
  std::vector<Splitter::Analysis> cores(2);
  Splitter splitter(cores.data(), 2);
  ASSERT_TRUE(splitter.place_all(requests.data(), 3));
  EXPECT_EQ(requests[2].parts, 1);
  EXPECT_EQ(requests[2].part[0].core, 1);
  requests[1].pinned = 1;
  EXPECT_FALSE(splitter.place_all(requests.data(), 3));
  requests[1].pinned = 7;
  EXPECT_FALSE(splitter.place_all(requests.data(), 3));
}

TEST(Splitting, WhatMayNotBeSplitIsNot) {
  for (const bool whole : {false, true}) {
    Requests requests(3);
    for (unsigned i = 0; i < 3; ++i) {
      requests[i].demand = {60 + i, 100, 100, static_cast<uint8_t>(i)};
      requests[i].whole = whole;
    }
    EXPECT_EQ(place(requests).all, true);  // four cores
    std::vector<Splitter::Analysis> cores(2);
    EXPECT_EQ(Splitter(cores.data(), 2).place_all(requests.data(), 3), !whole);
  }
  // Whoever else may be split is.
  Requests requests(3);
  for (unsigned i = 0; i < 3; ++i) requests[i].demand = {60 + i, 100, 100, static_cast<uint8_t>(i)};
  requests[0].whole = true;
  std::vector<Splitter::Analysis> cores(2);
  ASSERT_TRUE(Splitter(cores.data(), 2).place_all(requests.data(), 3));
  EXPECT_EQ(requests[0].parts, 1);
}

TEST(Splitting, EachPartPaysForItsActivation) {
  Overheads<Ticks> overheads;
  overheads.costs = {.interrupt_entry = 1,
                     .context_switch = 1,
                     .timer_interrupt = 1,
                     .timer_lateness = 1,
                     .longest_masked = 1};
  overheads.several_cores = true;
  Requests requests(3);
  for (unsigned i = 0; i < 3; ++i) {
    requests[i].demand = {600, 1000, 1000, static_cast<uint8_t>(i)};
  }
  const Placed placed = place(requests, overheads);
  ASSERT_TRUE(placed.all);
  std::vector<Splitter::Analysis> cores(2, Splitter::Analysis(overheads));
  Splitter splitter(cores.data(), 2);
  ASSERT_TRUE(splitter.place_all(requests.data(), 3));
  ASSERT_EQ(requests[2].parts, 2);
  // What it was ahead, O = 3, may be missing in the first part.
  EXPECT_EQ(requests[2].part[0].budget + requests[2].part[1].budget, 600 + 3);
  // w = 5; J + M = 2 and O = 3 come once.
  EXPECT_EQ(requests[2].part[0].deadline, requests[2].part[0].budget + 5 + 2 + 3);
  // Its core ends it (M), and another one is told (E + I).
  EXPECT_EQ(requests[2].part[1].offset, requests[2].part[0].deadline + 3);
  EXPECT_EQ(requests[2].part[1].offset + requests[2].part[1].deadline, 1000);
}

// --- At run time: the policies of all cores, and threads that go from part to part ---

using Policy =
    DeadlinePolicy<Ticks, kMost, 8, SilentObserver, NoCharges<Ticks>, /*kMaySplit=*/true>;
using Instant = Policy::Instant;

/// A slow model: jobs of parts, each known only by its release and deadline. Who runs in this tick.
class SlowCore {
 public:
  SlowCore(const Requests& requests, const std::vector<Ticks>& phases, unsigned core)
      : requests_(requests), phases_(phases), core_(core) {}

  /// The number of the loop; -1: nobody.
  int run(Ticks now, const std::vector<std::array<unsigned, 2>>& ranks) {
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      for (unsigned p = 0; p < requests_[i].parts; ++p) {
        const Part<Ticks>& part = requests_[i].part[p];
        const Ticks since = now - phases_[i] - part.offset;
        if (part.core != core_ || since < 0 || since % requests_[i].demand.period != 0) continue;
        jobs_.push_back({{now + part.deadline, part.budget}, static_cast<int>(i), ranks[i][p]});
      }
    }
    const auto first =
        std::min_element(jobs_.begin(), jobs_.end(), [](const auto& a, const auto& b) {
          return a.job.deadline != b.job.deadline ? a.job.deadline < b.job.deadline
                                                  : a.rank < b.rank;
        });
    if (first == jobs_.end()) return -1;
    const int loop = first->loop;
    if (--first->job.left == 0) jobs_.erase(first);
    return loop;
  }

 private:
  struct Known {
    Job job;
    int loop;
    unsigned rank;
  };
  const Requests& requests_;
  const std::vector<Ticks>& phases_;
  unsigned core_;
  std::vector<Known> jobs_;
};

/// The kernel's side: entities of all parts on their cores.
class Cores {
 public:
  Cores(const Requests& requests, const std::vector<Ticks>& phases,
        const std::vector<std::array<unsigned, 2>>& ranks)
      : phases_(phases), parts_(requests.size()) {
    for (Policy& policy : policy_) policy.reset(kMost);
    for (std::size_t i = 0; i < requests.size(); ++i) {
      for (unsigned p = 0; p < requests[i].parts; ++p) {
        const Part<Ticks>& part = requests[i].part[p];
        parts_[i].core[p] = part.core;
        parts_[i].entity[p].due_after = Policy::Duration(part.deadline);
        policy_[part.core].add(parts_[i].entity[p], static_cast<Policy::Slot>(ranks[i][p]),
                               Policy::Duration(part.budget),
                               Policy::Duration(requests[i].demand.period), Instant(0));
      }
      if (requests[i].parts == 2) {
        join_parts<Policy::Entity>(parts_[i].entity[0], parts_[i].entity[1],
                                   Policy::Duration(requests[i].part[1].offset),
                                   Policy::Duration(0));
      }
    }
  }

  /// All that happens at an instant.
  void pass(Ticks now) {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (phases_[i] != now) continue;
      static_cast<void>(
          policy_[parts_[i].core[0]].wake(parts_[i].entity[0], Instant(now), Waker::Interrupt));
    }
    for (bool again = true; again;) {
      again = false;
      for (Policy& policy : policy_) {
        policy.pick(Instant(now), Cause::Timer);
        if (Policy::Entity* const departed = policy.take_departed()) {
          Policy::Entity& other = *departed->other;
          policy_[core_of(other)].arrive(other, Instant(now), other.wanted);
          ++migrations;
          again = true;
        }
      }
    }
  }
  int running(unsigned core) const {
    const Policy::Entity* const entity = policy_[core].running();
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      for (const Policy::Entity& part : parts_[i].entity) {
        if (&part == entity) return static_cast<int>(i);
      }
    }
    return -1;
  }

  int migrations = 0;

 private:
  struct Parts {
    Policy::Entity entity[2];
    CoreId core[2] = {};
  };
  CoreId core_of(const Policy::Entity& entity) const {
    for (const Parts& parts : parts_) {
      for (unsigned p = 0; p < 2; ++p) {
        if (&parts.entity[p] == &entity) return parts.core[p];
      }
    }
    return kAnyCore;
  }

  Policy policy_[kCores];
  const std::vector<Ticks>& phases_;
  std::vector<Parts> parts_;
};

/// Loops that always want to run: tick by tick, on each core, the schedule of the slow model.
TEST(Splitting, PartsRunAsTheSlowModelHasThem) {
  int split = 0, migrations = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    Random random(seed);
    const auto count = static_cast<std::size_t>(random.between(5, 12));
    const Placed placed = place(draw(random, count, 3.2 + 0.7 * random.unit(), seed % 3 == 0));
    const auto in_parts = [](const auto& request) { return request.parts == 2; };
    if (!placed.all || std::none_of(placed.requests.begin(), placed.requests.end(), in_parts)) {
      continue;
    }
    ++split;
    std::vector<Ticks> phases;
    std::vector<std::array<unsigned, 2>> ranks;
    unsigned next[kCores] = {};
    for (const auto& request : placed.requests) {
      phases.push_back(random.chance(0.5) ? 0 : random.between(0, request.demand.period - 1));
      auto& rank = ranks.emplace_back();
      for (unsigned p = 0; p < request.parts; ++p) rank[p] = next[request.part[p].core]++;
    }
    Cores cores(placed.requests, phases, ranks);
    std::vector<SlowCore> slow;
    for (unsigned core = 0; core < kCores; ++core) slow.emplace_back(placed.requests, phases, core);
    for (Ticks now = 0; now < 400; ++now) {
      cores.pass(now);
      for (unsigned core = 0; core < kCores; ++core) {
        ASSERT_EQ(cores.running(core), slow[core].run(now, ranks))
            << "seed " << seed << " core " << core << " at " << now;
      }
    }
    migrations += cores.migrations;
  }
  EXPECT_GT(split, 150);
  EXPECT_GT(migrations, 10 * split);
}

}  // namespace
}  // namespace hocket::test
