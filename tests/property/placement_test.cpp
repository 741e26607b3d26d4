// What placement has accepted, core by core, against bounds that know nothing of how it got there.
//
// A core's set grows one by one, and a newcomer may delay those above it as well as those below:
// the top half of an I/O virtual CPU comes before every thread. So each bound is worked out once
// more, of the set as it is in the end.
#include <algorithm>
#include <array>

#include "admission_adapter.h"
#include "support.h"

namespace hocket::test {
namespace {

constexpr unsigned kMostCores = 3;

/// What the ports' costs may be beside budgets of up to a hundred ticks.
const Account kMost{.entry = 1,
                    .switching = 1,
                    .interrupt = 2,
                    .lateness = 2,
                    .masked = 2,
                    .blocking = 6,
                    .lock = 2};

struct Drawn {
  TaskSet set;
  Account account;
  unsigned cores = 1;
  std::vector<int> pin;
};

/// Loops with deadlines of every length, and I/O virtual CPUs among them.
Drawn draw(std::uint64_t seed, double most_load = 0.8) {
  Random random(seed);
  Drawn drawn;
  drawn.cores = static_cast<unsigned>(random.between(1, kMostCores));
  drawn.account = draw_costs(random, kMost);
  drawn.set.horizon = 1;
  constexpr std::array<Ticks, 6> kPeriods{60, 120, 180, 240, 360, 720};
  const std::size_t count = static_cast<std::size_t>(random.between(2, 7)) * drawn.cores;
  const std::vector<double> shares =
      uunifast(random, std::min<std::size_t>(count, 14),
               drawn.cores * (0.2 + (most_load - 0.2) * random.unit()));
  for (const double share : shares) {
    const Ticks period = kPeriods[static_cast<std::size_t>(random.between(0, 5))];
    const Ticks budget =
        std::clamp<Ticks>(static_cast<Ticks>(share * static_cast<double>(period)), 4, period);
    const bool io = random.chance(0.3);
    // (An I/O virtual CPU is due at the end of the period that it has inherited.)
    const Ticks deadline = io ? period : random.between(budget, period);
    drawn.set.servers.push_back({"s" + std::to_string(drawn.pin.size()), budget, period, deadline});
    drawn.set.servers.back().io = io;
    drawn.account.top_half.push_back(io ? random.between(0, 9) : 0);
    drawn.pin.push_back(
        random.chance(0.3) ? static_cast<int>(random.between(0, Ticks{drawn.cores} - 1)) : -1);
  }
  return drawn;
}

/// The servers of one core, declared in order of rank.
Drawn on_core(const Drawn& all, const std::vector<std::size_t>& servers) {
  Drawn one = all;
  one.set.servers.clear();
  one.account.top_half.clear();
  for (const std::size_t server : servers) {
    one.set.servers.push_back(all.set.servers[server]);
    one.account.top_half.push_back(all.account.top_half[server]);
  }
  return one;
}

TEST(KernelPlacement, EveryBoundOfWhatIsAcceptedIsWithinItsDeadline) {
  int accepted = 0, several = 0, with_top_halves = 0;
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
    Drawn drawn = draw(seed);
    Random random(~seed);
    for (Ticks more = random.between(0, 2); more > 0; --more) {
      drawn.account.handlers.emplace_back(random.between(1, 3), random.between(20, 90));
    }
    const Placed placed = place(drawn.set, drawn.account, Order::Priority, drawn.cores, drawn.pin);
    accepted += placed.all;
    for (const std::vector<std::size_t>& servers : placed.core) {
      const Drawn one = on_core(drawn, servers);
      for (std::size_t i = 0; i < servers.size(); ++i) {
        const auto bound = response_bound(one.set, i, one.account);
        ASSERT_TRUE(bound && *bound <= one.set.servers[i].deadline)
            << "seed " << seed << ", rank " << i << ", bound " << bound.value_or(-1) << "\n"
            << print(one.set);
        with_top_halves += one.account.top_half[i] > 0;
      }
      several += servers.size() > 3;
    }
  }
  EXPECT_GT(accepted, 1000);
  EXPECT_GT(several, 5000);
  EXPECT_GT(with_top_halves, 5000);
}

TEST(KernelPlacement, ByDeadlineWhatIsAcceptedIsNeverOverloaded) {
  int accepted = 0, several = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const Drawn drawn = draw(seed);
    const Placed placed = place(drawn.set, drawn.account, Order::Deadline, drawn.cores, drawn.pin);
    accepted += placed.all;
    for (const std::vector<std::size_t>& servers : placed.core) {
      const Drawn one = on_core(drawn, servers);
      ASSERT_TRUE(never_overloaded(one.set, one.account)) << "seed " << seed << print(one.set);
      several += servers.size() > 3;
    }
  }
  EXPECT_GT(accepted, 300);
  EXPECT_GT(several, 1000);
}

/// Pinned to the core that a refusal names, with the budget that it names, a server is placed and
/// all others stay where they were; with one tick more that is not so. Ties of deadlines included,
/// which budgets decide.
TEST(KernelPlacement, TheLargestBudgetIsTakenAndOneTickMoreIsNot) {
  for (const Order order : {Order::Priority, Order::Deadline}) {
    int named = 0, of_io = 0, more_than_asked = 0;
    for (std::uint64_t seed = 0; seed < 6000; ++seed) {
      Drawn drawn = draw(seed, /*most_load=*/1.3);
      Random random(~seed);
      for (Ticks more = random.between(0, 2); more > 0; --more) {
        drawn.account.handlers.emplace_back(random.between(1, 3), random.between(20, 90));
      }
      const Placed before = place(drawn.set, drawn.account, order, drawn.cores, drawn.pin);
      for (const Placed::Refused& refused : before.refused) {
        Placed expected = before;
        expected.core[static_cast<std::size_t>(refused.core)].push_back(refused.server);
        const auto is_expected = [&](Ticks budget) {
          Drawn changed = drawn;
          changed.pin[refused.server] = refused.core;
          changed.set.servers[refused.server].budget = budget;
          Placed after = place(changed.set, changed.account, order, changed.cores, changed.pin);
          for (auto* placed : {&expected, &after}) {
            for (auto& core : placed->core) std::sort(core.begin(), core.end());
          }
          return after.core == expected.core;
        };
        const Ticks least = std::max<Ticks>(1, drawn.account.lateness + drawn.account.masked);
        const ServerSpec& server = drawn.set.servers[refused.server];
        if (refused.largest > 0)
          ASSERT_TRUE(is_expected(refused.largest)) << "seed " << seed << print(drawn.set);
        const Ticks more = std::max(refused.largest + 1, least);
        if (more <= server.deadline)
          ASSERT_FALSE(is_expected(more)) << "seed " << seed << " " << more << print(drawn.set);
        named += refused.largest > 0;
        of_io += refused.largest > 0 && server.io;
        more_than_asked += refused.largest > server.budget;
      }
    }
    EXPECT_GT(named, 3000);
    EXPECT_GT(of_io, 500);
    if (order == Order::Priority) EXPECT_GT(more_than_asked, 0);
  }
}

}  // namespace
}  // namespace hocket::test
