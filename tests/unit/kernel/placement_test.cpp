// Placement on cores: first fit, pins, and the numbers of a refusal.
#include "kernel/sched/placement.h"

#include <gtest/gtest.h>

#include <vector>

namespace hocket {
namespace {

constexpr unsigned kCores = 4;
using Placer = Placement<int64_t, kCores, 16>;
using TestRequest = Request<int64_t>;

struct Outcome {
  bool all;
  std::vector<int> cores;  // per request; -1: refused
  std::vector<Refusal<int64_t>> refusals;
};

Outcome place(std::vector<TestRequest> requests, unsigned cores) {
  std::vector<Placer::Analysis> analyses(cores, Placer::Analysis({}));
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
  return {.demand = {budget, period, period, id}, .pinned = pinned};
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

}  // namespace
}  // namespace hocket
