// Admission as a library: any target's clock, costs and number of cores, no kernel of that target.
#include "arduino/runtime/admission.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "admission/deadline_analysis.h"
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
  EXPECT_NE(outcome.reasons[0].find("; loop() was placed first; the largest budget of loop 3 that "
                                    "would fit is "),
            std::string::npos)
      << outcome.reasons[0];
}

/// Small loops are refused because a large one was placed first: it is named, with what is enough.
TEST(AdmissionOfASketch, ALargeLoopThatLeavesOthersTooLittleIsNamed) {
  const auto loops = [](uint64_t large) {
    return std::vector<LoopDescriptor>{ask(1, 2'000, 20'000), ask(2, large, 100'000),
                                       ask(3, 2'000, 20'000), ask(4, 2'000, 20'000)};
  };
  const Outcome outcome = admit(loops(90'000));
  EXPECT_FALSE(outcome.accepted);
  ASSERT_EQ(outcome.reasons.size(), 4u);
  const std::string before =
      "loop 2 asks for 90 ms in every 100 ms, the largest share, and leaves too little to those "
      "that are placed after it; give it ";
  const std::string& reason = outcome.reasons[0];
  ASSERT_TRUE(reason.starts_with(before)) << reason;
  EXPECT_TRUE(reason.ends_with(" ms or less, and all fit.")) << reason;
  const auto enough = static_cast<uint64_t>(std::stod(reason.substr(before.size())) * 1000 + 0.5);
  EXPECT_TRUE(admit(loops(enough)).accepted) << enough;
  EXPECT_FALSE(admit(loops(enough + 1)).accepted) << enough;
  EXPECT_TRUE(outcome.reasons[1].starts_with("loop 1 asks for 2 ms in every 20 ms"));
}

/// Where the largest one does not do it, nothing is said of it.
TEST(AdmissionOfASketch, ALargeLoopWithoutWhichTheOthersDoNotFitIsNotNamed) {
  std::vector<LoopDescriptor> loops{ask(1, 60'000, 100'000)};
  for (uint8_t id = 2; id <= 4; ++id) loops.push_back(ask(id, 50'000, 100'000));
  const Outcome outcome = admit(loops);
  EXPECT_FALSE(outcome.accepted);
  for (const std::string& reason : outcome.reasons) {
    EXPECT_EQ(reason.find("the largest share"), std::string::npos) << reason;
  }
}

TEST(AdmissionOfASketch, WhatALoopCouldHaveItGets) {
  const std::string refused =
      admit({ask(1, 60'000, 100'000), ask(2, 50'000, 100'000)}).reasons.at(0);
  const std::string before = "that would fit is ";
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

TEST(AdmissionOfASketch, ATestThatWasGivenUpIsNoVerdict) {
  using ByDeadline = DeadlineAnalysis<int64_t, 4>;
  static Admission<TickRate<1'000'000'000>, ByDeadline, 1, 4> admission;
  Overheads<int64_t> masked;
  masked.costs.longest_masked = 80'000;
  LoopDescriptor first = ask(1, 0, 0), second = ask(2, 0, 0);
  first.period_ns = first.deadline_ns = 100'000'000'003;
  first.budget_ns = first.period_ns / 2;
  second.period_ns = second.deadline_ns = 161'803'398'877;
  second.budget_ns = second.period_ns / 2;
  const LoopDescriptor* const loops[] = {&first, &second};
  EXPECT_FALSE(admission.admit(loops, 2, 1, masked));
  ASSERT_EQ(admission.reason_count(), 1u);
  const std::string reason = admission.reason(0);
  EXPECT_NE(reason.find("core 0 cannot guarantee it: the test by deadlines was given up after too "
                        "many steps"),
            std::string::npos)
      << reason;
  EXPECT_NE(reason.find("the largest budget that would fit is "), std::string::npos) << reason;
}

// --- What a refusal names ---

/// A processor with a clock of nanoseconds, and what a board costs.
using Nanoseconds = TickRate<1'000'000'000>;
constexpr unsigned kMostLoops = 20, kMostCores = 4;
constexpr Overheads<int64_t> kCosts{.costs = {.interrupt_entry = 2'000,
                                              .context_switch = 4'000,
                                              .timer_interrupt = 5'000,
                                              .timer_lateness = 1'000,
                                              .longest_masked = 15'000},
                                    .several_cores = true};
constexpr int64_t kTopHalf = 6'000;

/// Loops of all kinds, with more load than fits.
std::vector<LoopDescriptor> draw_loops(std::mt19937_64& random, unsigned cores) {
  const auto between = [&](uint64_t least, uint64_t most) {
    return least + random() % (most - least + 1);
  };
  constexpr uint64_t kPeriods[] = {5'000, 10'000, 20'000, 50'000, 100'000};
  std::vector<LoopDescriptor> loops;
  const auto add = [&](LoopKind kind, uint64_t budget_us, uint64_t period_us) -> LoopDescriptor& {
    loops.push_back(ask(static_cast<uint8_t>(loops.size() + 1), budget_us, period_us));
    loops.back().kind = kind;
    loops.back().file = "sketch.ino";
    loops.back().line = static_cast<uint16_t>(100 + loops.size());
    if (between(0, 3) == 0) loops.back().core = static_cast<uint8_t>(between(0, cores - 1));
    return loops.back();
  };
  const uint64_t count = between(2, 3 + 2 * cores);
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t period = kPeriods[between(0, 4)];
    LoopDescriptor& d = add(LoopKind::Loop, between(50, period * 7 / 10), period);
    if (between(0, 2) == 0) {
      d.kind = LoopKind::Periodic;
      d.deadline_ns = between(d.budget_ns / 1'000, period) * 1'000;
    }
  }
  if (between(0, 1) == 0) {
    const uint64_t period = kPeriods[between(0, 4)];
    add(LoopKind::Handler, between(50, period / 3), period).pin = 2;
    const uint64_t own = kPeriods[between(0, 4)];
    LoopDescriptor& io = add(LoopKind::BottomHalf, between(own / 10, own), own);
    io.core = 0;
  }
  return loops;
}

/// Loops whose budget is below the smallest one of the board.
std::vector<LoopDescriptor> draw_too_small(std::mt19937_64& random) {
  std::vector<LoopDescriptor> loops;
  for (uint64_t count = random() % 3; loops.size() < count;) {
    loops.push_back(ask(static_cast<uint8_t>(200 + loops.size()), 1 + random() % 15, 1'000));
  }
  return loops;
}

/// The time that a reason names behind these words; 0: none.
uint64_t named_us(const std::string& reason, const std::string& before) {
  const size_t at = reason.find(before);
  if (at == std::string::npos) return 0;
  const std::string number = reason.substr(at + before.size());
  const bool is_ms = number[number.find(' ') + 1] == 'm';
  return static_cast<uint64_t>(std::stod(number) * (is_ms ? 1'000 : 1) + 0.5);
}

struct Refused {
  unsigned index;
  uint64_t largest_us;  // 0: none
  bool operator==(const Refused&) const = default;
};

template <class Analysis, bool kMaySplit>
class Trial {
 public:
  explicit Trial(unsigned cores) : cores_(cores) {}

  /// Which loops have room.
  std::vector<bool> placed(const std::vector<LoopDescriptor>& loops) {
    std::vector<const LoopDescriptor*> declared;
    for (const LoopDescriptor& d : loops) declared.push_back(&d);
    accepted_ = admission_->admit(declared.data(), static_cast<unsigned>(loops.size()), cores_,
                                  kCosts, kTopHalf);
    std::vector<bool> all;
    for (unsigned i = 0; i < loops.size(); ++i) {
      all.push_back(accepted_ || admission_->room_of(i) != kAnyCore);
    }
    return all;
  }
  bool accepted() const { return accepted_; }
  std::string first_reason() const {
    return admission_->reason_count() > 0 ? admission_->reason(0) : "";
  }
  /// Of the largest loop, where with less of it all fit; 0: that is not said.
  uint64_t enough_us() const {
    const std::string reason = first_reason();
    return reason.ends_with("and all fit.") ? named_us(reason, "; give it ") : 0;
  }
  /// Whether there was room for every reason.
  bool says_all() const {
    return admission_->reason_count() < Refusals<Nanoseconds, int64_t>::kMost;
  }
  /// Whether a loop is placed in parts though another is refused.
  bool splits() const { return !accepted_ && admission_->split_count() > 0; }

  /// Those whose reason names a budget, or that none would do.
  std::vector<Refused> refused(const std::vector<LoopDescriptor>& loops) const {
    std::vector<Refused> all;
    for (unsigned i = 0; i < admission_->reason_count(); ++i) {
      const std::string reason = admission_->reason(i);
      for (unsigned j = 0; j < loops.size(); ++j) {
        if (!reason.starts_with(std::string(LoopName(loops[j]).c_str()) + " asks for ")) continue;
        const uint64_t us = named_us(reason, "that would fit is ");
        if (us == 0 && reason.find("no budget at all") == std::string::npos) continue;
        all.push_back({j, us});
      }
    }
    return all;
  }

 private:
  std::unique_ptr<Admission<Nanoseconds, Analysis, kMostCores, kMostLoops, kMaySplit>> admission_ =
      std::make_unique<Admission<Nanoseconds, Analysis, kMostCores, kMostLoops, kMaySplit>>();
  unsigned cores_;
  bool accepted_ = false;
};

/// If the largest loop is said to leave too little, and what would be enough: all fit then.
template <class AnyTrial>
void expect_enough(AnyTrial& trial, std::vector<LoopDescriptor> loops) {
  const uint64_t enough_us = trial.enough_us();
  if (enough_us == 0) return;
  const std::string reason = trial.first_reason();
  for (LoopDescriptor& d : loops) {
    if (!reason.starts_with(std::string(LoopName(d).c_str()) + " asks for ")) continue;
    EXPECT_LT(enough_us * 1'000, d.budget_ns) << reason;
    d.budget_ns = enough_us * 1'000;
  }
  static_cast<void>(trial.placed(loops));
  EXPECT_TRUE(trial.accepted()) << reason;
}

/// Asked for as it is declared, on any core: what is named is less than was asked for, it is
/// admitted and no other loop loses its place for it; with a microsecond more that is not so. Loops
/// with budgets that are too small for the board change nothing of this.
template <class Analysis, bool kMaySplit = false>
void expect_true_names(unsigned sets) {
  unsigned named = 0, of_io = 0, on_several = 0, with_small = 0, in_parts = 0, largest_named = 0;
  std::mt19937_64 random(1);
  for (unsigned set = 0; set < sets; ++set) {
    const unsigned cores = 1 + static_cast<unsigned>(random() % kMostCores);
    std::vector<LoopDescriptor> loops = draw_loops(random, cores);
    Trial<Analysis, kMaySplit> trial(cores);
    const std::vector<bool> before = trial.placed(loops);
    const std::vector<Refused> all_refused = trial.refused(loops);
    const bool all_placed = trial.accepted();
    largest_named += trial.enough_us() > 0;
    expect_enough(trial, loops);
    const std::vector<LoopDescriptor> small = draw_too_small(random);
    loops.insert(loops.end(), small.begin(), small.end());
    std::vector<bool> beside_small = trial.placed(loops);
    ASSERT_EQ(trial.accepted(), all_placed && small.empty()) << set;
    if (trial.says_all()) ASSERT_EQ(trial.refused(loops), all_refused) << set;
    beside_small.resize(before.size());
    ASSERT_EQ(beside_small, before) << set;
    with_small += !small.empty() && !all_refused.empty();
    in_parts += trial.splits();
    for (const Refused& refused : all_refused) {
      const LoopDescriptor asked = loops[refused.index];
      ASSERT_LT(refused.largest_us * 1'000, asked.budget_ns) << set << ": " << refused.index;
      const auto keeps_all_with = [&](uint64_t us) {
        loops[refused.index].budget_ns = us * 1'000;
        const std::vector<bool> after = trial.placed(loops);
        loops[refused.index] = asked;
        bool all = after[refused.index];
        for (unsigned i = 0; i < before.size(); ++i) all = all && (!before[i] || after[i]);
        return all;
      };
      if (refused.largest_us > 0) {
        ASSERT_TRUE(keeps_all_with(refused.largest_us)) << set << ": " << refused.index;
        if (refused.largest_us * 1'000 < smaller(asked.deadline_ns, asked.budget_ns)) {
          ASSERT_FALSE(keeps_all_with(refused.largest_us + 1)) << set << ": " << refused.index;
        }
        ++named;
        of_io += asked.kind == LoopKind::BottomHalf;
        on_several += cores > 1 && asked.core == LoopDescriptor::kAnyCore;
      }
    }
  }
  EXPECT_GT(named, sets / 4);
  if (sets >= 500) EXPECT_GT(of_io, sets / 90);
  EXPECT_GT(on_several, sets / 20);
  EXPECT_GT(with_small, sets / 4);
  EXPECT_GT(largest_named, 0u);
  if (kMaySplit) EXPECT_GT(in_parts, 0u);
}

TEST(WhatARefusalNames, IsAdmittedByPriority) {
  expect_true_names<FixedPriorityAnalysis<int64_t, kMostLoops>>(1'500);
}
TEST(WhatARefusalNames, IsAdmittedByDeadline) {
  expect_true_names<DeadlineAnalysis<int64_t, kMostLoops>>(600);
}
TEST(WhatARefusalNames, IsAdmittedByDeadlineWithLevelsBelow) {
  expect_true_names<DeadlineAnalysis<int64_t, kMostLoops, /*kHybrid=*/true>>(500);
}
TEST(WhatARefusalNames, IsAdmittedWhereLoopsMayBeSplit) {
  expect_true_names<DeadlineAnalysis<int64_t, kMostLoops>, /*kMaySplit=*/true>(80);
}
TEST(WhatARefusalNames, LeavesALoopInPartsWhereAnotherIsTooSmall) {
  std::vector<LoopDescriptor> loops;
  for (uint8_t id = 1; id <= 3; ++id) loops.push_back(ask(id, 60'000, 100'000));
  loops.push_back(ask(4, 10, 1'000));
  Trial<DeadlineAnalysis<int64_t, kMostLoops>, /*kMaySplit=*/true> trial(2);
  EXPECT_EQ(trial.placed(loops), (std::vector{true, true, true, false}));
  EXPECT_TRUE(trial.splits());
  EXPECT_TRUE(trial.refused(loops).empty());
  loops.back().budget_ns = named_us(trial.first_reason(), "; give it ") * 1'000;
  EXPECT_EQ(trial.placed(loops), (std::vector{true, true, true, true}));
}

}  // namespace
}  // namespace hocket::runtime
