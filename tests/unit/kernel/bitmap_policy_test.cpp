// Fixed priorities: the highest that is ready runs; sleepers, ceilings and the timer's instants
// agree with a plain search over all entities, on linear and circular clocks.
#include "policies/bitmap_policy.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>
#include <vector>

namespace hocket {
namespace {

constexpr unsigned kSlots = 6;

template <class Rep>
struct Core {
  using Policy = BitmapPolicy<Rep, kSlots>;
  using Instant = typename Policy::Instant;
  static_assert(policy::check<Policy>());

  Core() {
    policy.reset(kSlots);
    for (uint8_t i = 0; i < kSlots; ++i) policy.add(entity[i], i);
  }
  Policy policy;
  std::array<typename Policy::Entity, kSlots> entity;
};

TEST(BitmapPolicy, TheHighestThatIsReadyRuns) {
  Core<int64_t> core;
  auto& [policy, entity] = core;
  using Instant = Core<int64_t>::Instant;
  EXPECT_EQ(policy.pick(Instant(0), Cause::Timer), nullptr);
  EXPECT_EQ(policy.wake(entity[3], Instant(1), Waker::Interrupt), Wakeup::Takes);
  EXPECT_EQ(policy.running(), &entity[3]);
  EXPECT_EQ(policy.wake(entity[4], Instant(2), Waker::Thread), Wakeup::Same);
  EXPECT_EQ(policy.wake(entity[3], Instant(2), Waker::Thread),
            Wakeup::Same);  // it is ready already
  EXPECT_EQ(policy.wake(entity[2], Instant(2), Waker::Thread), Wakeup::Takes);
  EXPECT_EQ(policy.running(), &entity[2]);
  policy.block(entity[2], Instant(3));
  EXPECT_EQ(policy.pick(Instant(3), Cause::Stop), &entity[3]);
}

TEST(BitmapPolicy, TheTimerIsForSleepersThatComeBefore) {
  Core<int64_t> core;
  auto& [policy, entity] = core;
  using Instant = Core<int64_t>::Instant;
  Instant when;
  EXPECT_EQ(policy.wake(entity[3], Instant(0), Waker::Thread), Wakeup::Takes);
  policy.sleep(entity[1], Instant(0), Instant(50));
  policy.sleep(entity[5], Instant(0), Instant(20));
  EXPECT_TRUE(policy.next_event(when));
  EXPECT_EQ(when, Instant(50));
  policy.block(entity[3], Instant(10));
  EXPECT_EQ(policy.pick(Instant(10), Cause::Stop), nullptr);
  EXPECT_TRUE(policy.next_event(when));
  EXPECT_EQ(when, Instant(20));
  EXPECT_EQ(policy.pick(Instant(20), Cause::Timer), &entity[5]);
  EXPECT_EQ(policy.pick(Instant(50), Cause::Timer), &entity[1]);
  policy.block(entity[1], Instant(60));
  policy.block(entity[5], Instant(60));
  EXPECT_EQ(policy.pick(Instant(60), Cause::Stop), nullptr);
  EXPECT_FALSE(policy.next_event(when));
}

TEST(BitmapPolicy, ACeilingKeepsOthersOut) {
  Core<int64_t> core;
  auto& [policy, entity] = core;
  using Instant = Core<int64_t>::Instant;
  policy.reset(kSlots);
  for (const uint8_t slot : {1, 2, 3}) policy.add(entity[slot], slot);
  EXPECT_EQ(policy.wake(entity[3], Instant(0), Waker::Thread), Wakeup::Takes);
  policy.raise(entity[3], 0, Instant(0), Instant(9));
  EXPECT_EQ(policy.wake(entity[1], Instant(1), Waker::Interrupt), Wakeup::Same);
  EXPECT_EQ(policy.pick(Instant(1), Cause::Timer), &entity[3]);
  policy.lower(entity[3], 3, Instant(2));
  EXPECT_EQ(policy.pick(Instant(2), Cause::Call), &entity[1]);
}

/// What the policy must answer, by a search.
struct Plain {
  enum State { Blocked, Ready, Sleeping } state = Blocked;
  int64_t wake_at = 0;
};

template <class Rep>
void agrees_with_a_search(Rep offset,
                          const std::vector<std::tuple<uint8_t, uint8_t, uint8_t>>& steps) {
  Core<Rep> core;
  using Instant = typename Core<Rep>::Instant;
  using Duration = typename Core<Rep>::Policy::Duration;
  const auto at = [&](int64_t t) { return Instant(offset) + Duration(static_cast<Rep>(t)); };
  std::array<Plain, kSlots> plain;
  int64_t now = 0;
  for (const auto& [what, who, time] : steps) {
    now += time;
    const unsigned i = who % kSlots;
    Wakeup answer = Wakeup::Decide;
    switch (what % 4) {
      case 0:
        answer = core.policy.wake(core.entity[i], at(now), Waker::Interrupt);
        plain[i].state = Plain::Ready;
        break;
      case 1:
        core.policy.block(core.entity[i], at(now));
        plain[i].state = Plain::Blocked;
        break;
      case 2:
        core.policy.sleep(core.entity[i], at(now), at(now + what));
        plain[i] = {Plain::Sleeping, now + what};
        break;
      default:
        core.policy.refresh(i, at(now));
        break;
    }
    const auto wants = [&](const Plain& p) {
      return p.state == Plain::Ready || (p.state == Plain::Sleeping && p.wake_at <= now);
    };
    const auto first = std::find_if(plain.begin(), plain.end(), wants);
    auto* picked =
        answer == Wakeup::Takes ? core.policy.running() : core.policy.pick(at(now), Cause::Timer);
    if (first == plain.end()) {
      RC_ASSERT(picked == nullptr);
    } else {
      first->state = Plain::Ready;
      RC_ASSERT(picked == &core.entity[static_cast<size_t>(first - plain.begin())]);
    }
    std::optional<int64_t> next;
    for (auto p = plain.begin(); p != first; ++p) {
      if (p->state == Plain::Sleeping) next = std::min(next.value_or(p->wake_at), p->wake_at);
    }
    Instant when;
    if (core.policy.next_event(when)) {  // who runs may do so for long, but not for ever
      RC_ASSERT((next ? when == at(*next) : picked != nullptr && when == core.policy.limit()));
      RC_ASSERT((next.has_value() || when - at(now) > Duration(1000)));
    } else {
      RC_ASSERT(!next.has_value());
    }
  }
}

RC_GTEST_PROP(BitmapPolicy, AgreesWithASearch,
              (const std::vector<std::tuple<uint8_t, uint8_t, uint8_t>>& steps)) {
  agrees_with_a_search<int64_t>(0, steps);
}

RC_GTEST_PROP(BitmapPolicy, AgreesAcrossAWrap,
              (int32_t offset, const std::vector<std::tuple<uint8_t, uint8_t, uint8_t>>& steps)) {
  agrees_with_a_search<int32_t>(offset, steps);
}

}  // namespace
}  // namespace hocket
