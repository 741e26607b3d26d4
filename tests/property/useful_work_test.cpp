// What a victim's own instructions get, on a core whose kernel takes time
// (docs/decisions/who-pays.md).
//
// HOCKET_LONG=1 judges 100,000 random sets instead of some thousands, HOCKET_SEEDS=N others, whose
// seeds are N higher; HOCKET_WORKLOAD="<a line that a failure printed>" runs that set alone, and
// prints what happened in it.
#include "useful_work.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>

#include "generate.h"
#include "kernel_core.h"
#include "rules.h"

namespace hocket::test {
namespace {

using MakeEngine = std::function<std::unique_ptr<CoreEngine>(const Workload&)>;
/// What of a set an engine cannot choose.
using Adapt = std::function<void(Workload&)>;

std::vector<Violation> judge(const Workload& set, const MakeEngine& make,
                             UsefulCoverage& coverage) {
  const std::unique_ptr<CoreEngine> engine = make(set);
  return check_useful_work(set, run_machine(set, *engine), coverage);
}

bool breaks(const std::vector<Violation>& violations, const std::string& property) {
  for (const Violation& v : violations) {
    if (v.property == property) return true;
  }
  return false;
}

/// HOCKET_SEEDS=N: other sets, whose seeds are N higher.
std::uint64_t other_seeds() {
  const char* higher = std::getenv("HOCKET_SEEDS");
  return higher != nullptr ? std::strtoull(higher, nullptr, 10) : 0;
}

/// Fails with the first set that breaks a property, made small.
void expect_useful_work(const MakeEngine& make, const Adapt& adapt, Family family,
                        std::uint64_t first_seed, int count, UsefulCoverage& coverage,
                        bool by_deadline = false) {
  UsefulCoverage ignored;
  for (std::uint64_t seed = first_seed + other_seeds(); count-- > 0; ++seed) {
    Workload set = generate_workload(seed, family, by_deadline);
    adapt(set);
    const std::vector<Violation> violations = judge(set, make, coverage);
    if (violations.empty()) continue;
    const std::string property = violations.front().property;
    const Workload small =
        shrink(set, [&](const Workload& s) { return breaks(judge(s, make, ignored), property); });
    ADD_FAILURE() << "seed " << seed << "\n"
                  << print(violations) << "in HOCKET_WORKLOAD=\"" << print(set) << "\"\n"
                  << "and " << print(judge(small, make, ignored)) << "in HOCKET_WORKLOAD=\""
                  << print(small) << "\"\n";
    return;
  }
}

int sets(int normally, int in_the_long_form) {
  return std::getenv("HOCKET_LONG") != nullptr ? in_the_long_form : normally;
}

void expect_every_family(const MakeEngine& make, const Adapt& adapt, std::uint64_t first_seed) {
  UsefulCoverage coverage;
  expect_useful_work(make, adapt, Family::Mixed, first_seed, sets(3000, 85'000), coverage);
  expect_useful_work(make, adapt, Family::Callers, first_seed, sets(500, 5000), coverage);
  expect_useful_work(make, adapt, Family::OtherCore, first_seed, sets(500, 5000), coverage);
  expect_useful_work(make, adapt, Family::NearlyFull, first_seed, sets(500, 5000), coverage);
  expect_useful_work(make, adapt, Family::Holders, first_seed, sets(500, 5000), coverage);
  EXPECT_GT(coverage.jobs, 30'000);
  EXPECT_GT(coverage.periods, 40'000);
  EXPECT_GT(coverage.windows, 500'000);
}

/// How much was looked at and how near to its bound the nearest came, for the test's report.
void record(const UsefulCoverage& coverage) {
  testing::Test::RecordProperty("edges", static_cast<int>(coverage.edges));
  testing::Test::RecordProperty("starts", static_cast<int>(coverage.starts));
  testing::Test::RecordProperty("nearest edge, in thousandths of its bound",
                                static_cast<int>(1000 * coverage.nearest_edge));
  testing::Test::RecordProperty("nearest start, in thousandths of its bound",
                                static_cast<int>(1000 * coverage.nearest_start));
}

/// The same properties where the earliest deadline comes first, with and without I/O virtual CPUs.
void expect_useful_work_by_deadline(const MakeEngine& make, const Adapt& adapt,
                                    std::uint64_t first_seed) {
  UsefulCoverage coverage;
  const auto expect = [&](Family family, int normally, int in_the_long_form) {
    expect_useful_work(make, adapt, family, first_seed, sets(normally, in_the_long_form), coverage,
                       /*by_deadline=*/true);
  };
  expect(Family::Mixed, 500, 40'000);
  expect(Family::OtherCore, 100, 5000);
  expect(Family::NearlyFull, 100, 5000);
  expect(Family::Edges, 400, 60'000);
  expect(Family::Behind, 100, 5000);
  EXPECT_GT(coverage.jobs, 6'000);
  EXPECT_GT(coverage.periods, 5'000);
  EXPECT_GT(coverage.windows, 100'000);
  EXPECT_GT(coverage.edges, 8'000);
  EXPECT_GT(coverage.starts, 1'000);
  record(coverage);
}

/// I/O virtual CPUs as neighbours and as victims.
void expect_useful_work_beside_edges(const MakeEngine& make, const Adapt& adapt,
                                     std::uint64_t first_seed) {
  UsefulCoverage coverage;
  expect_useful_work(make, adapt, Family::Edges, first_seed, sets(2000, 100'000), coverage);
  EXPECT_GT(coverage.jobs, 10'000);
  EXPECT_GT(coverage.windows, 300'000);
  EXPECT_GT(coverage.edges, 40'000);
  EXPECT_GT(coverage.starts, 5'000);
  EXPECT_GT(coverage.nearest_edge, 0.9);  // the bounds are no larger than they must be
  EXPECT_GT(coverage.nearest_start, 0.9);
  record(coverage);
}

/// 2 to 255 of them, with the policies that have deadlines, and of these one whose others take
/// turns.
void expect_useful_work_of_many(const MakeEngine& make, const Adapt& adapt,
                                std::uint64_t first_seed, bool by_deadline) {
  UsefulCoverage coverage;
  expect_useful_work(make, adapt, Family::Many, first_seed, sets(150, 20'000), coverage,
                     by_deadline);
  EXPECT_GT(coverage.jobs, 2'000);
  EXPECT_GT(coverage.periods, 1'500);
  EXPECT_GT(coverage.windows, 15'000);
  EXPECT_GT(coverage.edges, 700);
  record(coverage);
}

const MakeEngine kRules = [](const Workload& set) { return make_rules(set); };
const Adapt kLinear = [](Workload& set) { set.finest = 256; };
const Adapt kSmall = [](Workload& set) {
  set.finest = 64;
  set.refills = 3;
};

/// A small processor has eight loops at most: the first and the last of them.
const Adapt kSmallAndFew = [](Workload& set) {
  constexpr std::size_t kHalf = 4;
  kSmall(set);
  if (set.servers.size() <= 2 * kHalf) return;
  set.servers.erase(set.servers.begin() + kHalf, set.servers.end() - kHalf);
  for (WorkServer& s : set.servers) s.body.wakes = -1;
};

TEST(UsefulWork, TheRulesKeepWhatTheyPromise) {
  expect_every_family(kRules, [](Workload&) {}, 1);
}

TEST(UsefulWork, TheKernelKeepsWhatItPromises) {
  expect_every_family(make_kernel_core, kLinear, 1'000'000);
}

TEST(UsefulWork, TheKernelOfASmallProcessorKeepsWhatItPromises) {
  expect_every_family(make_small_kernel_core, kSmall, 2'000'000);
}

TEST(UsefulWork, BesideEdgesTheRulesKeepWhatTheyPromise) {
  expect_useful_work_beside_edges(kRules, [](Workload&) {}, 3'000'000);
}

TEST(UsefulWork, BesideEdgesTheKernelKeepsWhatItPromises) {
  expect_useful_work_beside_edges(make_kernel_core, kLinear, 4'000'000);
}

TEST(UsefulWork, BesideEdgesTheKernelOfASmallProcessorKeepsWhatItPromises) {
  expect_useful_work_beside_edges(make_small_kernel_core, kSmall, 5'000'000);
}

TEST(UsefulWork, ByDeadlineTheKernelKeepsWhatItPromises) {
  expect_useful_work_by_deadline(make_kernel_core, kLinear, 6'000'000);
}

TEST(UsefulWork, ByDeadlineTheKernelOfASmallProcessorKeepsWhatItPromises) {
  expect_useful_work_by_deadline(make_small_kernel_core, kSmall, 7'000'000);
}

TEST(UsefulWork, OfManyTheRulesKeepWhatTheyPromise) {
  expect_useful_work_of_many(kRules, [](Workload&) {}, 8'000'000, /*by_deadline=*/false);
}

TEST(UsefulWork, OfManyTheKernelKeepsWhatItPromises) {
  expect_useful_work_of_many(make_kernel_core, kLinear, 9'000'000, /*by_deadline=*/false);
}

TEST(UsefulWork, OfManyTheKernelOfASmallProcessorKeepsWhatItPromises) {
  expect_useful_work_of_many(make_small_kernel_core, kSmallAndFew, 10'000'000,
                             /*by_deadline=*/false);
}

TEST(UsefulWork, OfManyByDeadlineTheKernelKeepsWhatItPromises) {
  expect_useful_work_of_many(make_kernel_core, kLinear, 11'000'000, /*by_deadline=*/true);
}

TEST(UsefulWork, OfManyByDeadlineTheKernelOfASmallProcessorKeepsWhatItPromises) {
  expect_useful_work_of_many(make_small_kernel_core, kSmallAndFew, 12'000'000,
                             /*by_deadline=*/true);
}

/// Of C, the share that a loop gets which has napped in all ways and computes from then on.
double share_after_naps(const MakeEngine& make, const Adapt& adapt, Ticks budget) {
  double least = 1e9;
  for (Ticks seed = 1; seed <= 10; ++seed) {
    Workload set;
    set.seed = seed;
    set.costs.entry = 4;
    set.costs.change = 6;
    set.costs.interrupt = 10;
    set.costs.lateness = 1;
    set.costs.masked = 19;
    set.servers.resize(1);
    set.servers[0].budget = budget;
    set.servers[0].period = 10'000;
    Body& body = set.servers[0].body;
    body.wait = Body::Wait::Nap;
    body.work_most = 100;
    body.nap_most = 60'000 / budget;
    body.naps = budget / 20 + 20;
    set.horizon = 600'000;
    adapt(set);
    const std::unique_ptr<CoreEngine> engine = make(set);
    const Outcome outcome = run_machine(set, *engine);
    const Ticks from = outcome.spins_since[0] + 20 * set.servers[0].period;
    Ticks got = 0;
    for (const Stretch& s : outcome.useful[0])
      got += std::max<Ticks>(0, s.to - std::max(s.from, from));
    least = std::min(least, static_cast<double>(got) * 10'000 /
                                static_cast<double>((set.horizon - from) * budget));
  }
  return least;
}

TEST(UsefulWork, ALoopThatHasNappedAndComputesGetsItsBudgetAgain) {
  const MakeEngine crumbs_stay = [](const Workload& set) {
    return make_rules(set, Broken::CrumbsStay);
  };
  for (const Ticks budget : {80, 200, 400}) {
    EXPECT_GT(share_after_naps(kRules, kLinear, budget), 0.98);
    EXPECT_GT(share_after_naps(make_kernel_core, kLinear, budget), 0.98);
    EXPECT_GT(share_after_naps(make_small_kernel_core, kSmall, budget), 0.98);
    EXPECT_LT(share_after_naps(crumbs_stay, kLinear, budget), 0.7);
  }
}

/// The schedulers that can play a set. (The rules know ranks only; a kernel's list and its pieces
/// are its processor's.)
std::vector<std::pair<const char*, MakeEngine>> engines_for(const Workload& set) {
  std::vector<std::pair<const char*, MakeEngine>> engines;
  if (!set.by_deadline) engines.emplace_back("rules", kRules);
  if (set.finest == 64 && set.refills == 3) {
    engines.emplace_back("kernel of a small processor", make_small_kernel_core);
  } else {
    engines.emplace_back("kernel", make_kernel_core);
  }
  return engines;
}

TEST(UsefulWork, OneSet) {
  const char* line = std::getenv("HOCKET_WORKLOAD");
  if (line == nullptr) GTEST_SKIP() << "HOCKET_WORKLOAD names none";
  const std::optional<Workload> set = parse_workload(line);
  ASSERT_TRUE(set) << "not a workload: " << line;
  ASSERT_TRUE(bounds_of(*set)) << "refused: " << line;
  UsefulCoverage coverage;
  for (const auto& [name, make] : engines_for(*set)) {
    const std::unique_ptr<CoreEngine> engine = make(*set);
    const Outcome outcome = run_machine(*set, *engine, /*log=*/true);
    std::cout << name << ":\n";
    for (const std::string& happened : outcome.log) std::cout << happened << "\n";
    EXPECT_EQ(print(check_useful_work(*set, outcome, coverage)), "") << name;
  }
}

/// An overrun of 4, taken 364 ticks early, was joined with what came back before it: the handler,
/// with a list of three refills, began 24 ticks after its bound.
TEST(UsefulWork, WhatAnOverrunTookDelaysNoMoreThanItself) {
  const std::optional<Workload> set = parse_workload(
      "E=1 S=2 I=1 L=2 M=7 horizon=24020 refills=3 finest=64 seed=5077501 cores random "
      "| C=9 T=666 work_least=9 work=9 period | C=51 T=720 work=10 event "
      "| C=79 T=1278 io=1 top_half=5 phase=1103 work=2 wakes=3 gap=751 event "
      "| C=9 T=2223 work=9 event "
      "| C=1647 T=2402 io=1 top_half=3 phase=94 work_least=2 work=2 wakes=1 gap=3596 event");
  ASSERT_TRUE(set);
  UsefulCoverage coverage;
  EXPECT_EQ(print(judge(*set, make_small_kernel_core, coverage)), "");
  EXPECT_GT(coverage.starts, 20);
}

/// Without I/O virtual CPUs an overrun is not kept apart, as in the set above. Server 2 overran by
/// 2; the rest of its budget was in two refills, each too small to be used, and was joined to what
/// the overrun had taken. So it began 232 ticks after its wake-up, beyond its period of 150.
TEST(UsefulWork, WithoutIoAnOverrunMayDelayTheWholeBudget) {
  const std::optional<Workload> set = parse_workload(
      "S=3 I=1 L=3 M=7 horizon=2880 refills=3 finest=64 seed=2005747 random "
      "| C=10 T=56 phase=56 nap=36 nap | C=10 T=110 phase=15 work_least=10 work=10 period "
      "| C=10 T=150 work=5 ceiling=1 event | C=10 T=217 phase=32 work_least=10 work=10 period "
      "| C=32 T=288 phase=98 work=7 wakes=2 gap_least=2 gap=2 event");
  ASSERT_TRUE(set);
  UsefulCoverage coverage;
  EXPECT_EQ(print(judge(*set, make_small_kernel_core, coverage)), "");
  EXPECT_GT(coverage.starts, 20);
  const std::unique_ptr<CoreEngine> engine = make_small_kernel_core(*set);
  const Outcome outcome = run_machine(*set, *engine);
  Ticks longest = 0;
  for (const Job& job : outcome.jobs[2]) {
    if (job.began != kNever) longest = std::max(longest, job.began - job.release);
  }
  EXPECT_EQ(longest, 232);
}

TEST(UsefulWork, ALineOfTextIsTheSet) {
  for (const Family family : {Family::Mixed, Family::Callers, Family::OtherCore, Family::NearlyFull,
                              Family::Edges, Family::Holders, Family::Many}) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      const Workload set = generate_workload(seed, family);
      ASSERT_TRUE(bounds_of(set));
      const std::optional<Workload> read = parse_workload(print(set));
      ASSERT_TRUE(read) << print(set);
      EXPECT_EQ(*read, set) << print(set);
    }
  }
  EXPECT_FALSE(parse_workload("E=1 | C=3 speed=4 spin"));
}

/// Each server without lines holds the highest lock for a part of its work, as long as the lock's
/// limit allows. Interrupts come meanwhile.
std::optional<Workload> with_locks(std::uint64_t seed, const Adapt& adapt) {
  Workload set = generate_workload(seed, Family::Edges);
  adapt(set);
  for (std::size_t i = 1; i < set.servers.size(); ++i) {
    Body& b = set.servers[i].body;
    if (set.servers[i].io != 0) continue;
    b.hold = std::clamp<Ticks>(set.servers[i].budget / 2, 1, 20);
    b.hold_most = b.hold + 1;
    if (!bounds_of(set)) b.hold = b.hold_most = 0;
  }
  if (!bounds_of(set)) return std::nullopt;
  return set;
}

TEST(UsefulWork, InterruptsDoNotShortenAHold) {
  const MakeEngine broken = [](const Workload& set) {
    return make_rules(set, Broken::HoldPaysInterrupts);
  };
  UsefulCoverage coverage, ignored;
  int caught = 0;
  for (std::uint64_t seed = 13'000'000; seed < 13'000'300; ++seed) {
    const auto set = with_locks(seed, kLinear), small = with_locks(seed, kSmall);
    if (!set || !small) continue;
    EXPECT_EQ(print(judge(*set, kRules, coverage)), "") << print(*set);
    EXPECT_EQ(print(judge(*set, make_kernel_core, coverage)), "") << print(*set);
    EXPECT_EQ(print(judge(*small, make_small_kernel_core, coverage)), "") << print(*small);
    caught += breaks(judge(*set, broken, ignored), kHeld);
    if (HasFailure()) break;
  }
  EXPECT_GT(caught, 4);
  EXPECT_GT(coverage.holds, 6'000);
}

// A rule broken on purpose is seen: in how many of the family's sets, at least.

struct Mutation {
  Broken broken;
  Family family;
  int least;
};

class BrokenRule : public testing::TestWithParam<Mutation> {};

TEST_P(BrokenRule, IsCaught) {
  const Mutation mutation = GetParam();
  const MakeEngine make = [&](const Workload& set) { return make_rules(set, mutation.broken); };
  UsefulCoverage ignored;
  int caught = 0;
  for (std::uint64_t seed = 1; seed <= 1000 && caught < mutation.least; ++seed) {
    caught += !judge(generate_workload(seed, mutation.family), make, ignored).empty();
  }
  EXPECT_GE(caught, mutation.least);
}

INSTANTIATE_TEST_SUITE_P(All, BrokenRule,
                         testing::Values(Mutation{Broken::WakeFree, Family::Mixed, 200},
                                         Mutation{Broken::EntryToInterrupted, Family::Mixed, 100},
                                         Mutation{Broken::SwitchBackToNext, Family::Mixed, 100},
                                         Mutation{Broken::LimitNotEarly, Family::Callers, 100},
                                         Mutation{Broken::RestNotUsedUp, Family::Callers, 1},
                                         Mutation{Broken::SmallRestMergedWhileReady, Family::Mixed,
                                                  10},
                                         Mutation{Broken::IpiFree, Family::OtherCore, 100},
                                         Mutation{Broken::MovesUnlimited, Family::Mixed, 100},
                                         Mutation{Broken::MovesAlmostAll, Family::NearlyFull, 20},
                                         Mutation{Broken::EndBeforePreemption, Family::Mixed, 4},
                                         Mutation{Broken::RefillEarly, Family::Mixed, 5},
                                         Mutation{Broken::OverrunForgiven, Family::Mixed, 20},
                                         Mutation{Broken::TopHalfFree, Family::Edges, 20},
                                         Mutation{Broken::TopHalfInterrupted, Family::Edges, 20},
                                         Mutation{Broken::IoShortUseFree, Family::Edges, 20},
                                         Mutation{Broken::IoOverrunForgiven, Family::Edges, 5},
                                         Mutation{Broken::IoKeepsOldRelease, Family::Edges, 20}));

/// A cost that is declared a tenth too low, or a tick: what the kernel really takes is more.
struct TooLow {
  const char* name;
  Ticks Costs::* cost;
  std::function<Workload(std::uint64_t seed)> generate;
  bool by_deadline = false;
};

std::function<Workload(std::uint64_t)> of(Family family, bool by_deadline = false) {
  return [=](std::uint64_t seed) { return generate_workload(seed, family, by_deadline); };
}

/// A victim that needs all that the analysis leaves it, above a loop that masks interrupts.
Workload above_sections(std::uint64_t seed) {
  Random random(seed);
  Workload set;
  set.seed = static_cast<Ticks>(seed);
  set.costs.lateness = 20;
  set.costs.masked = 20;
  set.servers.resize(2);
  WorkServer& victim = set.servers[0];
  victim.budget = victim.body.work_least = victim.body.work_most = 70;
  victim.period = random.between(110, 300);
  victim.body.wait = Body::Wait::Period;
  WorkServer& masks = set.servers[1];
  masks.budget = 40;
  masks.period = 1000;
  masks.body.work_least = masks.body.masks = set.costs.masked;
  masks.body.work_most = set.costs.masked + random.between(0, 9);
  set.horizon = 20'000;
  return set;
}

/// By deadlines each loop's demand has in it how late a timer is and how long a section, as what it
/// may be ahead of its budget. A victim that works in time is never ahead, so its own share and
/// what counts once for all are to spare. Here many that compute without end are ahead by all but a
/// tick each, all at once, before a victim that is due last and asks for all that the analysis
/// leaves it: a section begins just before the late timer comes, in those sets in which the work
/// before it has the length for that.
Workload behind_many_ahead(std::uint64_t seed) {
  constexpr Ticks kCost = 100;
  constexpr std::size_t kSpinners = 60;
  Random random(seed);
  Workload set;
  set.by_deadline = true;
  set.seed = static_cast<Ticks>(seed);
  set.costs.lateness = kCost;
  set.costs.masked = kCost;
  set.servers.resize(kSpinners + 1);
  const Ticks before = random.between(kCost - 3, kCost + 9);
  for (WorkServer& spins : set.servers) {
    spins.budget = 2 * kCost;
    spins.period = 40'000;
    spins.body.masks = kCost;
    spins.body.masks_behind = spins.budget + before;
    spins.body.work_least = spins.body.work_most = spins.body.masks_behind + 2 * kCost;
  }
  WorkServer& victim = set.servers.back();
  victim.period += 1;
  victim.body = {};
  victim.body.wait = Body::Wait::Period;
  for (Ticks step = victim.period; step > 0; step /= 2) {
    victim.budget += step;
    if (!bounds_of(set)) victim.budget -= step;
  }
  victim.body.work_least = victim.body.work_most = victim.budget;
  set.horizon = 3 * victim.period;
  return set;
}

/// The same with one that takes turns in what the deadlines leave, so the policy is the one of
/// both.
Workload behind_many_ahead_beside_turns(std::uint64_t seed) {
  Workload set = behind_many_ahead(seed);
  WorkServer& turns = set.servers.emplace_back();
  turns.turns = 1;
  turns.period = 1'000;
  return set;
}

void PrintTo(const TooLow& one, std::ostream* out) {
  *out << one.name << (one.by_deadline ? " by deadlines" : "");
}

class CostTooLow : public testing::TestWithParam<TooLow> {};

TEST_P(CostTooLow, IsCaught) {
  const TooLow& low = GetParam();
  UsefulCoverage ignored;
  int caught = 0;
  constexpr int kLeast = 5;
  for (std::uint64_t seed = 1; seed <= 2000 && caught < kLeast; ++seed) {
    const Workload set = low.generate(seed);
    Workload real = set;
    const Ticks declared = set.costs.masked;
    Ticks& cost = real.costs.*low.cost;
    cost += std::max<Ticks>(1, cost / 10);
    real.costs.interrupt = std::max(real.costs.interrupt, real.costs.entry);
    real.costs.masked = std::max(real.costs.masked, real.costs.interrupt);
    real.weather = Weather::Longest;
    for (WorkServer& s : real.servers) {
      if (s.body.masks == declared) s.body.masks = real.costs.masked;
    }
    const std::unique_ptr<CoreEngine> engine = make_kernel_core(set);
    caught += !check_useful_work(set, run_machine(real, *engine), ignored).empty();
  }
  EXPECT_GE(caught, kLeast);
}

INSTANTIATE_TEST_SUITE_P(
    All, CostTooLow,
    testing::Values(
        TooLow{"entry", &Costs::entry, of(Family::Mixed)},
        TooLow{"change", &Costs::change, of(Family::Mixed)},
        TooLow{"interrupt", &Costs::interrupt, of(Family::OtherCore)},
        TooLow{"lateness", &Costs::lateness, above_sections},
        TooLow{"masked", &Costs::masked, above_sections},
        TooLow{"entry", &Costs::entry, of(Family::Mixed, true), true},
        TooLow{"change", &Costs::change, of(Family::Mixed, true), true},
        TooLow{"interrupt", &Costs::interrupt, of(Family::OtherCore, true), true},
        TooLow{"lateness", &Costs::lateness, behind_many_ahead, true},
        TooLow{"masked", &Costs::masked, behind_many_ahead, true},
        TooLow{"lateness beside turns", &Costs::lateness, behind_many_ahead_beside_turns, true},
        TooLow{"masked beside turns", &Costs::masked, behind_many_ahead_beside_turns, true}));

/// As declared, nothing is late.
TEST(UsefulWork, AboveSectionsAVictimIsInTime) {
  UsefulCoverage coverage;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Workload set = above_sections(seed);
    set.weather = Weather::Longest;
    ASSERT_TRUE(bounds_of(set)) << print(set);
    EXPECT_EQ(print(judge(set, make_kernel_core, coverage)), "") << print(set);
  }
  // A section that begins a tick before the late timer.
  EXPECT_EQ(*std::max_element(coverage.tightness.begin(), coverage.tightness.end()), 109.0 / 110);
}

TEST(UsefulWork, BehindManyThatAreAheadAVictimIsInTime) {
  UsefulCoverage coverage;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Workload set = behind_many_ahead(seed);
    set.weather = Weather::Longest;
    ASSERT_TRUE(bounds_of(set)) << print(set);
    EXPECT_EQ(print(judge(set, make_kernel_core, coverage)), "") << print(set);
    Workload beside_turns = behind_many_ahead_beside_turns(seed);
    beside_turns.weather = Weather::Longest;
    EXPECT_EQ(print(judge(beside_turns, make_kernel_core, coverage)), "") << print(beside_turns);
  }
  // Its own 200 and what counts once are to spare, and a tick of each of 60.
  EXPECT_GT(*std::max_element(coverage.tightness.begin(), coverage.tightness.end()), 0.98);
}

TEST(UsefulWork, AFailureShowsASmallSet) {
  const MakeEngine make = [](const Workload& set) {
    return make_rules(set, Broken::SwitchBackToNext);
  };
  UsefulCoverage ignored;
  const auto fails = [&](const Workload& s) { return breaks(judge(s, make, ignored), kInTime); };
  std::uint64_t seed = 1;
  while (!fails(generate_workload(seed))) ++seed;
  const Workload small = shrink(generate_workload(seed), fails);
  EXPECT_LE(small.servers.size(), 3u) << print(small);
  EXPECT_TRUE(fails(*parse_workload(print(small)))) << print(small);
}

}  // namespace
}  // namespace hocket::test
