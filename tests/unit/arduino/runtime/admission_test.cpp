// Admission as a library: any target's clock, costs and number of cores, no kernel of that target.
#include "arduino/runtime/admission.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "admission/fixed_priority_analysis.h"

namespace hocket::runtime {
namespace {

/// A small processor: half a microsecond a tick, 32 bits of them.
using Rate = TickRate<2'000'000>;
using Analysis = FixedPriorityAnalysis<int32_t, 4>;
constexpr unsigned kCores = 2;
using Small = Admission<Rate, Analysis, kCores, 4>;

constexpr Overheads<int32_t> kOverheads{.costs = {.interrupt_entry = 10,
                                                  .context_switch = 20,
                                                  .timer_interrupt = 30,
                                                  .timer_lateness = 5,
                                                  .longest_masked = 96}};

constexpr LoopDescriptor ask(uint8_t id, uint64_t budget_us, uint64_t period_us,
                             uint8_t core = LoopDescriptor::kAnyCore) {
  LoopDescriptor d = plain_loop(nullptr);
  d.id = id;
  d.budget_ns = budget_us * 1000;
  d.period_ns = d.deadline_ns = period_us * 1000;
  d.core = core;
  return d;
}

struct Outcome {
  bool accepted;
  std::vector<Place<int32_t>> places;
  std::vector<std::string> reasons;
};

Outcome admit(const std::vector<LoopDescriptor>& loops, unsigned cores = 1,
              const Overheads<int32_t>& overheads = kOverheads) {
  static Small admission;
  std::vector<const LoopDescriptor*> declared;
  for (const LoopDescriptor& d : loops) declared.push_back(&d);
  const auto count = static_cast<unsigned>(declared.size());
  Outcome outcome{admission.admit(declared.data(), count, cores, overheads), {}, {}};
  for (unsigned i = 0; i < count; ++i) outcome.places.push_back(admission.place(i));
  for (unsigned i = 0; i < admission.reason_count(); ++i) {
    outcome.reasons.emplace_back(admission.reason(i));
  }
  return outcome;
}

TEST(AdmissionOfASketch, SaysWhereEachLoopWentAndWhenItResponds) {
  const Outcome outcome = admit({ask(1, 20'000, 100'000), ask(2, 5'000, 10'000)});
  ASSERT_TRUE(outcome.accepted);
  EXPECT_EQ(outcome.places[0].rank, 1u);
  EXPECT_EQ(outcome.places[1].rank, 0u);
  EXPECT_EQ(outcome.places[1].response_bound, 5 + 96 + (10'000 + 60));
  // 20 ms in what the other leaves: six of its releases, and its limit may have been late.
  const int32_t first = 5 + 96 + (40'000 + 60) + 5 + 96;
  EXPECT_EQ(outcome.places[0].response_bound, first + 5 * (10'000 + 60));
}

TEST(AdmissionOfASketch, ABudgetThatATimerCouldTakeAwayIsRefused) {
  // 5 + 96 ticks are 50.5 us.
  const Outcome outcome = admit({ask(1, 50, 1'000), ask(2, 51, 1'000)});
  EXPECT_FALSE(outcome.accepted);
  EXPECT_EQ(outcome.reasons,
            (std::vector<std::string>{
                "loop 1 asks for 50 us in every 1 ms, and the smallest budget on this board is "
                "51 us: a timer that is late could use up a smaller one; give it 51 us or more."}));
  EXPECT_EQ(outcome.places[1].rank, 0u);  // the others are looked at all the same
  EXPECT_TRUE(admit({ask(1, 51, 1'000), ask(2, 51, 1'000)}).accepted);
}

TEST(AdmissionOfASketch, ARefusalNamesTheVictimOfAnother) {
  const Outcome outcome = admit({ask(0, 80'000, 100'000), ask(3, 300, 1'000)});
  EXPECT_FALSE(outcome.accepted);
  ASSERT_EQ(outcome.reasons.size(), 1u);
  EXPECT_TRUE(outcome.reasons[0].starts_with(
      "loop 3 asks for 300 us in every 1 ms and core 0 "
      "cannot guarantee it: loop() and all that comes before it have "))
      << outcome.reasons[0];
}

TEST(AdmissionOfASketch, WhatALoopCouldHaveItGets) {
  const std::string refused =
      admit({ask(1, 60'000, 100'000), ask(2, 50'000, 100'000)}).reasons.at(0);
  const std::string before = "the largest budget that would fit is ";
  const size_t at = refused.find(before);
  ASSERT_NE(at, std::string::npos) << refused;
  const double ms = std::stod(refused.substr(at + before.size()));
  const auto us = static_cast<uint64_t>(ms * 1000 + 0.5);
  EXPECT_TRUE(admit({ask(1, 60'000, 100'000), ask(2, us, 100'000)}).accepted);
  EXPECT_FALSE(admit({ask(1, 60'000, 100'000), ask(2, us + 1, 100'000)}).accepted);
}

TEST(AdmissionOfASketch, SeveralCoresSendInterrupts) {
  Overheads<int32_t> several = kOverheads;
  several.several_cores = true;
  const std::vector<LoopDescriptor> loops{ask(1, 60'000, 100'000), ask(2, 60'000, 100'000, 1)};
  const Outcome outcome = admit(loops, 2, several);
  ASSERT_TRUE(outcome.accepted);
  EXPECT_EQ(outcome.places[0].core, 0);
  EXPECT_EQ(outcome.places[1].core, 1);
  EXPECT_EQ(outcome.places[1].response_bound, 5 + 96 + (120'000 + 60 + 30));
  EXPECT_EQ(admit(loops, 1).reasons.at(0),
            "loop 2 is pinned to core 1, but there is only core 0; run it with --cores 2 or "
            "more.");
}

TEST(AdmissionOfASketch, LongPeriodsFitIntoNarrowTicks) {
  const uint64_t longest = 240'000'000;  // four minutes
  const Outcome outcome = admit(
      {ask(1, longest / 2, longest), ask(2, longest / 3, longest), ask(3, longest / 4, longest)});
  EXPECT_FALSE(outcome.accepted);
  ASSERT_EQ(outcome.reasons.size(), 1u);
  EXPECT_NE(outcome.reasons[0].find("and never keep up"), std::string::npos);
  EXPECT_TRUE(admit({ask(1, longest / 2, longest), ask(2, longest / 3, longest)}).accepted);
}

}  // namespace
}  // namespace hocket::runtime
