// Policies that take turns: the lottery against a plain one, and all of them on either clock. (By
// levels, and in what deadlines leave: tests/property/orders_test.cpp.)
#include "policies/turn_policies.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <map>
#include <tuple>
#include <vector>

namespace hocket {
namespace {

template <class Rep>
constexpr bool all_are_policies() {
  return policy::check<DeadlinePolicy<Rep, 8, 3>>() && policy::check<HybridPolicy<Rep, 8, 3>>() &&
         policy::check<LevelPolicy<Rep, 8>>() && policy::check<BitmapPolicy<Rep, 8>>() &&
         policy::check<LotteryPolicy<Rep, 8>>();
}
static_assert(all_are_policies<int64_t>());
static_assert(all_are_policies<int32_t>());

constexpr unsigned kEntities = 6;
constexpr int64_t kSlice = 10;

/// What the lottery must do, with plain lists.
struct PlainLottery {
  std::vector<bool> waits = std::vector<bool>(kEntities);
  std::vector<unsigned> tickets;
  int running = -1;
  int64_t began = 0;
  uint32_t number = 0;

  void draw(int64_t now) {
    running = -1;
    uint32_t all = 0;
    for (unsigned i = 0; i < kEntities; ++i) all += waits[i] ? tickets[i] : 0;
    if (all == 0) return;
    std::vector<int> hat;
    for (unsigned i = 0; i < kEntities; ++i) {
      if (waits[i]) hat.insert(hat.end(), tickets[i], static_cast<int>(i));
    }
    running = hat[number % all];
    began = now;
    waits[static_cast<size_t>(running)] = false;
    number ^= number << 13;
    number ^= number >> 17;
    number ^= number << 5;
  }
};

template <class Rep>
struct Lottery {
  using Policy = LotteryPolicy<Rep, 8>;
  using Instant = typename Policy::Instant;
  using Duration = typename Policy::Duration;

  explicit Lottery(const std::vector<unsigned>& tickets, uint32_t seed = 1) {
    for (uint8_t i = 0; i < kEntities; ++i) entity[i].tickets = static_cast<uint16_t>(tickets[i]);
    policy.seed(seed);
    begin();
  }
  void begin() {
    policy.reset(8);
    for (uint8_t i = 0; i < kEntities; ++i) {
      policy.add(entity[i], i, Duration(kSlice));
    }
  }
  int running() const {
    const auto* const who = policy.running();
    return who == nullptr ? -1 : static_cast<int>(static_cast<const Entity*>(who) - entity.data());
  }
  using Entity = typename Policy::Entity;
  Policy policy;
  std::array<Entity, kEntities> entity;
};

template <class Rep>
void agrees_with_a_plain_one(Rep offset, const std::vector<unsigned>& tickets,
                             const std::vector<std::tuple<uint8_t, uint8_t>>& steps) {
  Lottery<Rep> lottery(tickets);
  using Instant = typename Lottery<Rep>::Instant;
  using Duration = typename Lottery<Rep>::Duration;
  const auto at = [&](int64_t t) { return Instant(offset) + Duration(static_cast<Rep>(t)); };
  PlainLottery plain;
  plain.tickets = tickets;
  plain.number = 2'654'435'761u | 1;
  int64_t now = 0;
  for (const auto& [what, time] : steps) {
    for (const int64_t end = now + time % 16; now < end; ++now) {
      if (plain.running < 0 || now - plain.began < kSlice) continue;
      plain.waits[static_cast<size_t>(plain.running)] = true;
      plain.draw(now);
      RC_ASSERT(lottery.policy.limit() == at(now));
      lottery.policy.pick(at(now), Cause::Timer);
      RC_ASSERT(lottery.running() == plain.running);
    }
    if (plain.running >= 0 && now - plain.began >= kSlice) continue;
    const unsigned i = what % kEntities;
    if (plain.running == static_cast<int>(i)) {
      plain.draw(now);
      lottery.policy.block(lottery.entity[i], at(now));
      lottery.policy.pick(at(now), Cause::Stop);
    } else if (!plain.waits[i]) {
      const Wakeup answer = lottery.policy.wake(lottery.entity[i], at(now), Waker::Interrupt);
      RC_ASSERT(answer == (plain.running < 0 ? Wakeup::Takes : Wakeup::Same));
      if (plain.running < 0) {
        plain.running = static_cast<int>(i);
        plain.began = now;
      } else {
        plain.waits[i] = true;
      }
    }
    RC_ASSERT(lottery.running() == plain.running);
  }
}

RC_GTEST_PROP(LotteryTest, AgreesWithAPlainOne, ()) {
  const auto tickets =
      *rc::gen::container<std::vector<unsigned>>(kEntities, rc::gen::inRange<unsigned>(1, 50));
  const auto steps = *rc::gen::arbitrary<std::vector<std::tuple<uint8_t, uint8_t>>>();
  agrees_with_a_plain_one<int64_t>(0, tickets, steps);
  agrees_with_a_plain_one<int32_t>(INT32_MAX - 20, tickets, steps);
}

const std::vector<unsigned> kSomeTickets = {1, 2, 3, 4, 0x10, 1};

std::map<int, int> slices_of(Lottery<int64_t>& lottery) {
  for (auto& entity : lottery.entity) {
    static_cast<void>(lottery.policy.wake(entity, BasicInstant<int64_t>(0), Waker::Thread));
  }
  std::map<int, int> slices;
  for (int64_t now = kSlice; now < 100'000 * kSlice; now += kSlice) {
    lottery.policy.pick(BasicInstant<int64_t>(now), Cause::Timer);
    ++slices[lottery.running()];
  }
  return slices;
}

std::map<int, int> slices_of(uint32_t seed) {
  Lottery<int64_t> lottery(kSomeTickets, seed);
  return slices_of(lottery);
}

TEST(LotteryTest, WhoHasMoreTicketsHasMoreSlices) {
  for (const uint32_t seed : {1u, 2u, 77u}) {
    std::map<int, int> slices = slices_of(seed);
    const double of_one = 100'000.0 / 27;
    const double tickets[] = {1, 2, 3, 4, 16, 1};
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(slices[i], tickets[i] * of_one, 400) << i;
  }
}

TEST(LotteryTest, ASeedRepeats) {
  EXPECT_EQ(slices_of(5), slices_of(5));
  EXPECT_NE(slices_of(5), slices_of(6));
}

TEST(LotteryTest, EachCoreHasASeedOfItsOwn) {
  Lottery<int64_t> one(kSomeTickets, 5), other(kSomeTickets, 6);
  one.begin();
  other.begin();
  EXPECT_EQ(slices_of(one), slices_of(5));
  EXPECT_EQ(slices_of(other), slices_of(6));
}

TEST(LotteryTest, AHolderIsNotDrawnAgainst) {
  Lottery<int64_t> lottery({1, 1, 1, 1, 1, 1});
  using Instant = BasicInstant<int64_t>;
  auto& policy = lottery.policy;
  EXPECT_EQ(policy.wake(lottery.entity[3], Instant(0), Waker::Thread), Wakeup::Takes);
  policy.raise(lottery.entity[3], 0, Instant(1), Instant(50));
  for (auto& entity : lottery.entity) {
    EXPECT_EQ(policy.wake(entity, Instant(2), Waker::Interrupt), Wakeup::Same);
  }
  for (int64_t now = 10; now < 50; now += 10) {
    EXPECT_EQ(policy.pick(Instant(now), Cause::Timer), &lottery.entity[3]);
  }
  policy.lower(lottery.entity[3], 3, Instant(49));
  EXPECT_EQ(policy.limit(), Instant(10));  // its slice is over long since
  int others = 0;
  for (int64_t now = 50; now < 250; now += 10) {
    others += policy.pick(Instant(now), Cause::Timer) != &lottery.entity[3];
  }
  EXPECT_GT(others, 10);
}

TEST(LevelPolicyTest, WhoIsPreemptedGoesOnWithItsSlice) {
  LevelPolicy<int64_t, 4> policy;
  decltype(policy)::Entity high, first, second;
  using Instant = BasicInstant<int64_t>;
  policy.reset(4);
  high.level = 1;
  first.level = second.level = 2;
  policy.add(high, 0, BasicDuration<int64_t>(kSlice));
  policy.add(first, 1, BasicDuration<int64_t>(kSlice));
  policy.add(second, 2, BasicDuration<int64_t>(kSlice));
  EXPECT_EQ(policy.wake(first, Instant(0), Waker::Thread), Wakeup::Takes);
  EXPECT_EQ(policy.wake(second, Instant(2), Waker::Thread), Wakeup::Same);
  EXPECT_EQ(policy.wake(high, Instant(4), Waker::Interrupt), Wakeup::Takes);
  policy.block(high, Instant(5));
  EXPECT_EQ(policy.pick(Instant(5), Cause::Stop), &first);  // six of its slice are left
  EXPECT_EQ(policy.limit(), Instant(11));
  EXPECT_EQ(policy.pick(Instant(11), Cause::Timer), &second);
  EXPECT_EQ(policy.pick(Instant(21), Cause::Timer), &first);
}

}  // namespace
}  // namespace hocket
