// The kernel's admission test against brute force and against the formula, tried.
#include <array>

#include "admission_adapter.h"
#include "brute_force.h"
#include "response_time.h"
#include "support.h"

namespace hocket::test {
namespace {

TEST(KernelAdmission, AcceptsExactlyWhatNeverMisses) {
  int accepted = 0, refused = 0;
  for (std::uint64_t seed = 20'000; seed < 24'000; ++seed) {
    const TaskSet set = generate(seed, Profile::Admission);
    const BruteForceAnswer tried = admit_by_trying(set);
    const AdmissionAnswer answer = admit_one_core(set);
    ASSERT_EQ(answer.accepted, tried.accepted) << print(set);
    (answer.accepted ? accepted : refused) += 1;
    ASSERT_EQ(answer.response.size(), set.servers.size());
    for (std::size_t i = 0; i < set.servers.size(); ++i) {
      if (tried.response[i] >= 0)
        ASSERT_EQ(answer.response[i], tried.response[i]) << i << "\n" << print(set);
    }
    if (!tried.accepted) {
      ASSERT_EQ(answer.largest_budget_that_fits, tried.largest_budget_that_fits) << print(set);
    }
  }
  EXPECT_GT(accepted, 1000);
  EXPECT_GT(refused, 1000);
}

/// What the ports' costs may be beside budgets of up to a hundred ticks.
const Account kMost{.entry = 2,
                    .switching = 3,
                    .interrupt = 4,
                    .lateness = 5,
                    .masked = 5,
                    .blocking = 6,
                    .lock = 6};

/// I/O virtual CPUs with top halves, and interrupts that nobody's budget pays.
TEST(KernelAdmission, CountsIoVirtualCpusAndHandlers) {
  int bounded = 0, periodic_differs = 0, with_handlers = 0;
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    Random random(seed);
    const TaskSet set = generate(seed, Profile::Io);
    Account account = draw_costs(random, kMost);
    for (const ServerSpec& s : set.servers) {
      account.top_half.push_back(s.io ? random.between(0, 5) : 0);
    }
    for (Ticks more = random.between(0, 3); more > 0; --more) {
      account.handlers.emplace_back(random.between(1, 3), random.between(20, 90));
    }
    const AdmissionAnswer answer = admit_one_core(set, account);
    ASSERT_EQ(answer.accepted, admissible(set, account)) << print(set);
    TaskSet periodic = set;
    for (ServerSpec& s : periodic.servers) s.io = false;
    for (std::size_t i = 0; i < set.servers.size(); ++i) {
      const auto bound = response_bound(set, i, account);
      if (!bound) continue;
      ++bounded;
      ASSERT_EQ(answer.response[i], *bound) << i << "\n" << print(set);
      periodic_differs += response_bound(periodic, i, account) != bound;
      with_handlers += account.handlers.empty() ? 0 : 1;
    }
  }
  EXPECT_GT(bounded, 3000);
  EXPECT_GT(periodic_differs, 300);
  EXPECT_GT(with_handlers, 1000);
}

TEST(KernelAdmission, CountsWhatEverythingCosts) {
  int bounded = 0, with_overrun = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    Random random(seed);
    const TaskSet set = generate(seed, Profile::Mixed);
    const Account account = draw_costs(random, kMost);
    const AdmissionAnswer answer = admit_one_core(set, account);
    ASSERT_EQ(answer.accepted, admissible(set, account)) << print(set);
    Account no_overrun = account;
    no_overrun.lateness = no_overrun.masked = no_overrun.lock = 0;
    for (std::size_t i = 0; i < set.servers.size(); ++i) {
      const auto bound = response_bound(set, i, account);
      if (!bound) continue;
      ++bounded;
      ASSERT_EQ(answer.response[i], *bound) << i << "\n" << print(set);
      if (response_bound(set, i, no_overrun) != bound) ++with_overrun;
    }
  }
  EXPECT_GT(bounded, 4000);
  EXPECT_GT(with_overrun, 2000);
}

/// Higher servers that leave less than a hundredth of the processor, and one of a few ticks below
/// them that waits for ages: each step of a plain iteration would gain next to nothing.
TaskSet nearly_full(Random& random) {
  constexpr Ticks kAges = 2'000'000;
  constexpr std::array<Ticks, 14> kPeriods{2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 18, 20};
  for (;;) {
    TaskSet set;
    set.horizon = 1;
    double left = 1;
    const Ticks count = random.between(1, 6);
    for (Ticks i = 0; i < count; ++i) {
      Ticks period = kPeriods[static_cast<std::size_t>(random.between(0, kPeriods.size() - 1))];
      if (random.chance(0.3)) period *= random.between(1, 50);
      const auto most = static_cast<Ticks>(left * static_cast<double>(period));
      if (most == 0) continue;
      const Ticks budget = i + 1 == count ? most : random.between(1, most);
      left -= static_cast<double>(budget) / static_cast<double>(period);
      set.servers.push_back({"s" + std::to_string(i), budget, period, period});
    }
    if (left < 1e-4 || left > 0.01) continue;
    set.servers.push_back({"last", random.between(1, 60), kAges, kAges});
    return set;
  }
}

TEST(KernelAdmission, FindsTheLeastResponseOnANearlyFullCore) {
  constexpr Ticks kYears = Ticks{100} * 365 * 86'400 * 1'000'000'000;
  Ticks longest = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Random random(seed);
    TaskSet set = nearly_full(random);
    const std::size_t last = set.servers.size() - 1;
    const Ticks end = set.servers[last].period;
    const auto tried = response_by_trying(set, last, {}, end);
    ASSERT_TRUE(tried) << print(set);
    longest = std::max(longest, *tried);
    ASSERT_EQ(admit_one_core(set).response[last], *tried) << print(set);
    // The same set in other units, up to a hundred years of nanoseconds.
    for (const Ticks factor : {Ticks{7}, random.between(2, kYears / end), kYears / end}) {
      ASSERT_EQ(admit_one_core(stretched(set, factor)).response[last], *tried * factor)
          << factor << "\n"
          << print(set);
    }
  }
  EXPECT_GT(longest, 100'000);
}

TEST(KernelAdmission, FindsTheLeastResponseWithEverythingThatCosts) {
  int bounded = 0, with_io = 0;
  for (std::uint64_t seed = 0; seed < 550; ++seed) {
    Random random(seed);
    TaskSet set = stretched(nearly_full(random), 10);
    if (seed >= 400) {
      for (ServerSpec& s : set.servers) s.io = random.chance(0.5);
    }
    Account account = draw_costs(random, kMost);
    account.entry = account.switching = 0;  // they would make it more than full
    account.interrupt = 0;
    const std::size_t last = set.servers.size() - 1;
    const auto tried = response_by_trying(set, last, account, 200'000);
    if (!tried) continue;
    (seed < 400 ? bounded : with_io) += 1;
    ASSERT_EQ(admit_one_core(set, account).response[last], *tried) << print(set);
  }
  EXPECT_GT(bounded, 100);
  EXPECT_GT(with_io, 40);
}

}  // namespace
}  // namespace hocket::test
