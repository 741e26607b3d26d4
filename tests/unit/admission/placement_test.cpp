// Placement on cores: first fit, pins, and the numbers of a refusal.
#include "admission/placement.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "admission/fixed_priority_analysis.h"
#include "kernel/base/time.h"

namespace hocket {
namespace {

constexpr unsigned kCores = 4;
using Placer = Placement<FixedPriorityAnalysis<int64_t, 16>, kCores * 16>;
using TestRequest = Request<int64_t>;

struct Outcome {
  bool all;
  std::vector<int> cores;  // per request; -1: refused
  std::vector<Refusal<int64_t>> refusals;
};

Outcome place(std::vector<TestRequest> requests, unsigned cores) {
  std::vector<Placer::Analysis> analyses(cores);
  Placer placer(analyses.data(), cores);
  Outcome outcome;
  outcome.all = placer.place_all(requests.data(), static_cast<unsigned>(requests.size()),
                                 [&](const Refusal<int64_t>& r) { outcome.refusals.push_back(r); });
  for (const TestRequest& request : requests) {
    outcome.cores.push_back(request.core == kAnyCore ? -1 : request.core);
  }
  return outcome;
}

TestRequest ask(uint8_t id, int64_t budget, int64_t period, CoreId pinned = kAnyCore) {
  return {.demand = {budget, period, period, id}, .pinned = pinned, .core = kAnyCore};
}

TEST(Placement, LargestFirstOnTheFirstCoreThatFits) {
  const Outcome outcome = place({ask(1, 20, 100), ask(2, 70, 100), ask(3, 60, 100)}, 2);
  EXPECT_TRUE(outcome.all);
  EXPECT_EQ(outcome.cores, (std::vector<int>{0, 0, 1}));
}

TEST(Placement, PinnedOnesChooseFirst) {
  const Outcome outcome = place({ask(1, 70, 100), ask(2, 60, 100, 0)}, 2);
  EXPECT_TRUE(outcome.all);
  EXPECT_EQ(outcome.cores, (std::vector<int>{1, 0}));
}

TEST(Placement, ARefusalNamesTheNumbers) {
  const Outcome outcome = place({ask(1, 70, 100), ask(2, 60, 100)}, 1);
  EXPECT_FALSE(outcome.all);
  ASSERT_EQ(outcome.refusals.size(), 1u);
  const Refusal<int64_t>& refusal = outcome.refusals[0];
  EXPECT_EQ(refusal.request, 1u);
  EXPECT_EQ(refusal.core, 0);
  EXPECT_EQ(refusal.victim, 1);  // the smaller budget goes first, so loop 1 would be late
  EXPECT_EQ(refusal.demand, 130);
  EXPECT_EQ(refusal.deadline, 100);
  EXPECT_EQ(refusal.largest_budget, 30);
}

TEST(Placement, ARefusalNamesTheCoreWhereMostWouldFit) {
  const Outcome outcome = place({ask(1, 90, 100), ask(2, 60, 100), ask(3, 50, 100)}, 2);
  ASSERT_EQ(outcome.refusals.size(), 1u);
  EXPECT_EQ(outcome.refusals[0].core, 1);
  EXPECT_EQ(outcome.refusals[0].largest_budget, 40);
}

TEST(Placement, EveryoneElseStaysWhenOneIsRefused) {
  const Outcome outcome = place({ask(1, 70, 100), ask(2, 60, 100), ask(3, 20, 100)}, 1);
  EXPECT_EQ(outcome.cores, (std::vector<int>{0, -1, 0}));
}

TEST(Placement, TheBudgetThatARefusalNamesIsBesideThoseThatWereLookedAtLater) {
  const Outcome outcome = place({ask(1, 60, 100), ask(2, 50, 100), ask(3, 20, 100)}, 1);
  EXPECT_EQ(outcome.cores, (std::vector<int>{0, -1, 0}));
  ASSERT_EQ(outcome.refusals.size(), 1u);
  EXPECT_EQ(outcome.refusals[0].largest_budget, 20);
}

/// Pinned where the refusal says, with the budget that it names, each goes in and nobody else
/// moves; with one tick more it does not.
RC_GTEST_PROP(Placement, WhatARefusalNamesIsTakenAndNoTickMore, ()) {
  const unsigned cores = *rc::gen::inRange(1u, kCores + 1);
  const auto count = *rc::gen::inRange<size_t>(2, 12);
  std::vector<TestRequest> requests;
  for (size_t i = 0; i < count; ++i) {
    const int64_t period = *rc::gen::element<int64_t>(100, 150, 200, 350, 1'000);
    const int64_t budget = *rc::gen::inRange<int64_t>(1, period + 1);
    const int pin = *rc::gen::inRange(-2, static_cast<int>(cores));
    requests.push_back(ask(static_cast<uint8_t>(i + 1), budget, period,
                           pin < 0 ? kAnyCore : static_cast<CoreId>(pin)));
    requests.back().demand.deadline = *rc::gen::inRange<int64_t>(budget, period + 1);
  }
  const Outcome before = place(requests, cores);
  RC_CLASSIFY(before.all);
  for (const Refusal<int64_t>& refusal : before.refusals) {
    RC_ASSERT(before.cores[refusal.request] == -1);
    std::vector<TestRequest> changed = requests;
    TestRequest& refused = changed[refusal.request];
    const int64_t asked = refused.demand.budget;
    RC_ASSERT(refusal.largest_budget < asked);
    refused.pinned = refusal.core;
    refused.demand.budget = refusal.largest_budget + 1;
    // (A pinned one chooses before those that are not: so much of it may be there, and they are
    // refused.)
    std::vector<int> expected = before.cores;
    expected[refusal.request] = refusal.core;
    RC_ASSERT(place(changed, cores).cores != expected);
    if (refusal.largest_budget == 0) continue;
    refused.demand.budget = refusal.largest_budget;
    RC_ASSERT(place(changed, cores).cores == expected);
  }
}

// --- A policy's own analysis -------------------------------------------------------------------

/// Earliest deadline first with deadlines at the ends of periods: all fits up to a full core (Liu &
/// Layland 1973, theorem 7). Rounded to millionths, which is enough here.
template <unsigned kCapacity>
class DeadlineAnalysis {
 public:
  using Ticks = int64_t;
  static constexpr Ticks kUnbounded = INT64_MAX;

  void reset(const Overheads<Ticks>& overheads) {
    overheads_ = overheads;
    size_ = 0;
  }
  unsigned size() const { return size_; }
  bool full() const { return size_ == kCapacity; }
  const Demand<Ticks>& operator[](unsigned rank) const { return demand_[rank]; }
  unsigned insert(const Demand<Ticks>& demand) {
    demand_[size_] = demand;
    return size_++;
  }
  void remove(unsigned rank) {
    for (--size_; rank < size_; ++rank) demand_[rank] = demand_[rank + 1];
  }
  unsigned first_misfit(unsigned rank) const { return full_load() <= 1'000'000 ? size_ : rank; }
  Ticks response_time(unsigned rank, Ticks = 0) const {
    return full_load() <= 1'000'000 ? demand_[rank].deadline : kUnbounded;
  }
  Ticks demand_by_deadline(unsigned rank) const {
    return full_load() * demand_[rank].deadline / 1'000'000;
  }
  Ticks largest_budget(unsigned rank) const {
    const Ticks left = 1'000'000 - full_load() + utilization_ppm(demand_[rank]);
    return left * demand_[rank].period / 1'000'000;
  }
  static uint32_t utilization_ppm(const Demand<Ticks>& demand) {
    return static_cast<uint32_t>(demand.budget * 1'000'000 / demand.period);
  }
  uint32_t utilization_ppm() const { return static_cast<uint32_t>(full_load()); }
  uint32_t utilization_bound_ppm() const { return 1'000'000; }

 private:
  Ticks full_load() const {
    Ticks sum = 0;
    for (unsigned i = 0; i < size_; ++i) {
      const Ticks enforced = enforced_budget(demand_[i].budget, overheads_.activation());
      sum += enforced * 1'000'000 / demand_[i].period;
    }
    return sum;
  }

  Overheads<Ticks> overheads_;
  Demand<Ticks> demand_[kCapacity];
  unsigned size_ = 0;
};

TEST(Placement, WorksWithAnyAnalysis) {
  using Analysis = DeadlineAnalysis<4>;
  // What Liu and Layland's deadline-driven scheduler can and fixed priorities cannot.
  TestRequest requests[] = {ask(1, 50, 100), ask(2, 70, 140), ask(3, 10, 100)};
  Analysis deadline;
  deadline.reset({});
  Refusal<int64_t> refused{};
  Placement<Analysis, 3> placement(&deadline, 1);
  EXPECT_FALSE(placement.place_all(requests, 3, [&](const auto& refusal) { refused = refusal; }));
  EXPECT_EQ(requests[0].core, 0);
  EXPECT_EQ(requests[1].core, 0);
  EXPECT_EQ(refused.request, 2u);
  EXPECT_EQ(refused.largest_budget, 0);
  EXPECT_EQ(place({ask(1, 50, 100), ask(2, 70, 140)}, 1).cores, (std::vector<int>{0, -1}));
}

}  // namespace
}  // namespace hocket
