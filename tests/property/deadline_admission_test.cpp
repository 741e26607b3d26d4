// Admission by earliest deadline first (admission/deadline_analysis.h) against trying it.
#include "admission_adapter.h"
#include "brute_force.h"
#include "support.h"

namespace hocket::test {
namespace {

/// Of the set with another budget of one server.
bool fits_with(TaskSet set, std::size_t server, Ticks budget, const Account& account,
               const std::vector<Section>& sections) {
  set.servers[server].budget = budget;
  return first_overload_by_counting(set, account, sections) == 0;
}

/// The verdict, the first instant and the largest budgets are those that counting finds.
void expect_same(const TaskSet& set, std::uint64_t seed, const Account& account = {},
                 const std::vector<Section>& sections = {}) {
  const DeadlineAnswer answer = admit_by_deadline(set, account, sections);
  const Ticks overload = first_overload_by_counting(set, account, sections);
  ASSERT_EQ(answer.accepted, overload == 0) << print(set);
  ASSERT_EQ(answer.first_overload, overload) << print(set);
  if (overload != 0) ASSERT_GT(answer.due, overload) << print(set);
  const std::size_t one = seed % set.servers.size();
  const Ticks largest = answer.largest_budget[one];
  if (largest > 0) ASSERT_TRUE(fits_with(set, one, largest, account, sections)) << print(set);
  if (largest < set.servers[one].deadline) {
    const Ticks more = std::max(largest + 1, account.lateness + account.masked);
    if (more <= set.servers[one].deadline)
      ASSERT_FALSE(fits_with(set, one, more, account, sections)) << largest << print(set);
  }
}

TEST(DeadlineAdmission, AcceptsExactlyWhatNeverMisses) {
  int accepted = 0, refused = 0, full = 0;
  for (std::uint64_t seed = 40'000; seed < 50'000; ++seed) {
    const TaskSet set = generate(seed, Profile::Admission);
    expect_same(set, seed);
    if (HasFatalFailure()) return;
    const bool fits = admit_by_deadline(set).accepted;
    ASSERT_EQ(fits, no_job_misses(set)) << print(set);
    (fits ? accepted : refused) += 1;
    Ticks work = 0;
    for (const ServerSpec& s : set.servers) work += hyperperiod(set) / s.period * s.budget;
    full += fits && work == hyperperiod(set);
  }
  EXPECT_GT(accepted, 3000);
  EXPECT_GT(refused, 3000);
  EXPECT_GT(full, 20);
}

/// What the ports' costs may be beside budgets of a few ticks.
const Account kMost{.entry = 1,
                    .switching = 1,
                    .interrupt = 2,
                    .lateness = 2,
                    .masked = 2,
                    .blocking = 6,
                    .lock = 2};

TEST(DeadlineAdmission, CountsWhatEverythingCostsAndBlocks) {
  int accepted = 0, refused = 0, blocked = 0, in_idle_time = 0;
  for (std::uint64_t seed = 0; seed < 10'000; ++seed) {
    Random random(seed);
    const TaskSet set = stretched(generate(seed, Profile::Admission), random.between(3, 9));
    Account account = draw_costs(random, kMost);
    account.idle_time = random.chance(0.3);
    std::vector<Section> sections;
    for (Ticks more = random.between(0, 3); more > 0; --more) {
      const auto one = [&] {
        const auto last = static_cast<Ticks>(set.servers.size()) - 1;
        return set.servers[static_cast<std::size_t>(random.between(0, last))].deadline;
      };
      sections.push_back({random.between(1, 12), one(), one()});
    }
    expect_same(set, seed, account, sections);
    if (HasFatalFailure()) return;
    const bool fits = admit_by_deadline(set, account, sections).accepted;
    (fits ? accepted : refused) += 1;
    Account free = account;
    free.blocking = 0;
    blocked += fits != admit_by_deadline(set, free).accepted;
    Account never = account;
    never.idle_time = false;
    in_idle_time += fits != admit_by_deadline(set, never, sections).accepted;
  }
  EXPECT_GT(accepted, 1000);
  EXPECT_GT(refused, 3000);
  EXPECT_GT(blocked, 100);
  EXPECT_GT(in_idle_time, 20);
}

/// Of the core, in units of 1 / hyperperiod.
Ticks load(const TaskSet& set, const Account& account) {
  Ticks all = 0;
  for (std::size_t i = 0; i < set.servers.size(); ++i)
    all += enforced(set, i, account) * (hyperperiod(set) / set.servers[i].period);
  return all;
}

Account draw_account(Random& random, const TaskSet& set) {
  if (random.chance(0.3)) return {};
  Account account = draw_costs(random, kMost);
  for (const ServerSpec& s : set.servers) {
    account.top_half.push_back(s.io && !random.chance(0.3) ? random.between(0, 3) : 0);
  }
  return account;
}

/// The verdict and the first instant are those that counting finds; what is accepted is never too
/// much, at no instant; and of a set with one I/O virtual CPU nothing less than too much is
/// refused.
TEST(DeadlineAdmission, CountsIoVirtualCpus) {
  int accepted = 0, refused = 0, periodic_differs = 0, steps_are_less = 0;
  for (std::uint64_t seed = 0; seed < 10'000; ++seed) {
    Random random(seed);
    TaskSet set = stretched(generate(seed, Profile::Admission), random.between(3, 9));
    Ticks count = 0;
    for (ServerSpec& s : set.servers) {
      s.io = random.chance(0.4);
      if (s.io) s.deadline = s.period;
      count += s.io;
    }
    if (count == 0) continue;
    const Account account = draw_account(random, set);
    std::vector<Section> sections;
    for (Ticks more = random.between(0, 2); more > 0; --more) {
      const auto one = [&] {
        const auto last = static_cast<Ticks>(set.servers.size()) - 1;
        return set.servers[static_cast<std::size_t>(random.between(0, last))].deadline;
      };
      sections.push_back(
          {random.between(1, 12), one(), std::max<Ticks>(1, one() - random.between(0, 9))});
    }
    const DeadlineAnswer answer = admit_by_deadline(set, account, sections);
    const Ticks asked = load(set, account), all = hyperperiod(set);
    if (asked > all) ASSERT_FALSE(answer.accepted) << print(set);
    const bool has_steps = count < static_cast<Ticks>(set.servers.size());
    if (asked > all && !has_steps) continue;
    const Ticks overload = first_overload_by_counting(set, account, sections);
    ASSERT_EQ(answer.accepted, overload == 0) << print(set);
    ASSERT_EQ(answer.first_overload, overload) << print(set);
    const bool never = never_overloaded(set, account, sections);
    if (answer.accepted) ASSERT_TRUE(never) << print(set);
    if (count == 1) ASSERT_EQ(answer.accepted, never) << print(set);
    (answer.accepted ? accepted : refused) += 1;
    TaskSet periodic = set;
    for (ServerSpec& s : periodic.servers) s.io = false;
    periodic_differs += admit_by_deadline(periodic, account, sections).accepted != answer.accepted;
    steps_are_less += answer.accepted != never;

    const std::size_t one = seed % set.servers.size();
    const Ticks largest = answer.largest_budget[one];
    if (largest > 0) ASSERT_TRUE(fits_with(set, one, largest, account, sections)) << print(set);
    TaskSet more = set;
    more.servers[one].budget = std::max(largest + 1, account.lateness + account.masked);
    if (more.servers[one].budget > set.servers[one].deadline || load(more, account) >= all)
      continue;
    ASSERT_FALSE(fits_with(set, one, more.servers[one].budget, account, sections)) << print(set);
  }
  EXPECT_GT(accepted, 1000);
  EXPECT_GT(refused, 2000);
  EXPECT_GT(periodic_differs, 30);
  EXPECT_LT(steps_are_less, 50);  // (several lines, each rounded up)
}

/// Whether all deadlines of a round hold: the first hyperperiod and the longest deadline behind it.
/// What is due grows by no more than a hyperperiod in one.
bool holds_in_a_round(const TaskSet& set, const Account& account) {
  if (load(set, account) > hyperperiod(set)) return false;
  const Ticks ahead = account.lateness + account.masked;
  Ticks longest = 0;
  for (const ServerSpec& s : set.servers) longest = std::max(longest, s.deadline);
  for (const ServerSpec& of : set.servers) {
    for (Ticks t = of.deadline; t <= hyperperiod(set) + longest; t += of.period) {
      Ticks due = account.lateness + account.masked;
      for (std::size_t i = 0; i < set.servers.size(); ++i) {
        const ServerSpec& s = set.servers[i];
        if (s.deadline <= t)
          due += ((t - s.deadline) / s.period + 1) * enforced(set, i, account) + ahead;
      }
      if (due > t) return false;
    }
  }
  return true;
}

/// Periods of milliseconds and a clock of nanoseconds, so that what the kernel costs is a millionth
/// of a period and less: the busy interval and the line are hours long.
TEST(DeadlineAdmission, IsExactUpToTheLastNanosecondOfTheCore) {
  int nearly_full = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Random random(seed);
    TaskSet set = stretched(generate(seed, Profile::Admission), 1'000'000);
    Account account;
    account.lateness = random.between(0, 20);
    account.masked = random.between(0, 20);
    account.entry = random.between(0, 9);
    const std::size_t one = seed % set.servers.size();
    const Ticks least = std::max<Ticks>(1, account.lateness + account.masked);
    Ticks fitting = 0, too_much = set.servers[one].deadline + 1;
    while (too_much - fitting > 1) {
      const Ticks middle = fitting + (too_much - fitting) / 2;
      set.servers[one].budget = middle;
      (holds_in_a_round(set, account) ? fitting : too_much) = middle;
    }
    if (fitting < least) fitting = 0;
    ASSERT_EQ(admit_by_deadline(set, account).largest_budget[one], fitting) << seed << print(set);
    if (fitting == 0) continue;
    set.servers[one].budget = fitting;
    const double left =
        1 - static_cast<double>(load(set, account)) / static_cast<double>(hyperperiod(set));
    nearly_full += left < 1e-6;
  }
  EXPECT_GT(nearly_full, 100);
}

TEST(DeadlineAdmission, HandlersTakeTheirShareFirst) {
  // 3 of every 10, and one more at once: 26 of 40 are left.
  const TaskSet fits = parse("horizon 1\nserver a 10 40\nserver b 14 40\n");
  const TaskSet too_much = parse("horizon 1\nserver a 10 40\nserver b 15 40\n");
  Account account;
  account.handlers = {{3, 10}};
  EXPECT_TRUE(admit_by_deadline(fits, account).accepted);
  EXPECT_FALSE(admit_by_deadline(too_much, account).accepted);
  EXPECT_EQ(admit_by_deadline(too_much, account).first_overload, 40);
}

TEST(DeadlineAdmission, NumbersOfAHundredYears) {
  constexpr Ticks kYears = Ticks{100} * 365 * 86'400 * 1'000'000'000;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const TaskSet set = generate(seed, Profile::Admission);
    const Ticks factor = kYears / 126;  // (a hyperperiod is below 2^63)
    const DeadlineAnswer small = admit_by_deadline(set);
    const DeadlineAnswer large = admit_by_deadline(stretched(set, factor));
    ASSERT_EQ(large.accepted, small.accepted) << print(set);
    // (Some are overloaded by so little that it shows after 2^63 ticks only: then it is not found.)
    if (large.first_overload != 0)
      ASSERT_EQ(large.first_overload, small.first_overload * factor) << print(set);
  }
}

TEST(DeadlineAdmission, RefusesWhatNoOrderCanPromise) {
  const auto refused = [](ServerSpec server) {
    TaskSet set;
    set.servers = {server};
    const DeadlineAnswer answer = admit_by_deadline(set);
    return !answer.accepted && answer.first_overload == 0;
  };
  EXPECT_TRUE(refused({"deadline beyond its period", 1, 10, 11}));
  EXPECT_TRUE(refused({"budget above its deadline", 6, 10, 5}));
  EXPECT_TRUE(refused({"no period", 0, 0, 0}));
  EXPECT_TRUE(refused({"no budget", 0, 10, 10}));
  ServerSpec io{"for interrupts", 1, 10, 10};
  io.io = true;
  EXPECT_FALSE(refused(io));
  io.deadline = 11;
  EXPECT_TRUE(refused(io));
}

}  // namespace
}  // namespace hocket::test
