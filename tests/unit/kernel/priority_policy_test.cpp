// Fixed priorities: the highest that is ready runs; sleepers, ceilings and the timer's instants
// agree with a plain search over all entities, on linear and circular clocks.
#include "kernel/sched/priority_policy.h"

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
  using Policy = PriorityPolicy<Rep, kSlots>;
  using Instant = typename Policy::Instant;
  static_assert(SchedulingPolicy<Policy>);

  Core() {
    policy.reset(kSlots);
    for (uint8_t i = 0; i < kSlots; ++i) policy.add(entity[i], i);
  }
  Policy policy;
  std::array<typename Policy::Entity, kSlots> entity;
};

TEST(PriorityPolicy, TheHighestThatIsReadyRuns) {
  Core<int64_t> core;
  using Instant = Core<int64_t>::Instant;
  EXPECT_EQ(core.policy.pick(Instant(0)), nullptr);
  EXPECT_EQ(core.policy.wake(core.entity[3], Instant(1)), WakeEffect::Decide);
  EXPECT_EQ(core.policy.pick(Instant(1)), &core.entity[3]);
  EXPECT_EQ(core.policy.wake(core.entity[4], Instant(2)), WakeEffect::None);
  EXPECT_EQ(core.policy.wake(core.entity[3], Instant(2)), WakeEffect::None);  // it is ready already
  EXPECT_EQ(core.policy.wake(core.entity[2], Instant(2)), WakeEffect::Decide);
  EXPECT_EQ(core.policy.pick(Instant(2)), &core.entity[2]);
  core.policy.block(core.entity[2], Instant(3));
  EXPECT_EQ(core.policy.pick(Instant(3)), &core.entity[3]);
}

TEST(PriorityPolicy, TheTimerIsForSleepersThatComeBefore) {
  Core<int64_t> core;
  using Instant = Core<int64_t>::Instant;
  core.policy.wake(core.entity[3], Instant(0));
  core.policy.sleep(core.entity[1], Instant(0), Instant(50));
  core.policy.sleep(core.entity[5], Instant(0), Instant(20));
  core.policy.pick(Instant(0));
  EXPECT_EQ(core.policy.next_event(), Instant(50));
  core.policy.block(core.entity[3], Instant(10));
  EXPECT_EQ(core.policy.pick(Instant(10)), nullptr);
  EXPECT_EQ(core.policy.next_event(), Instant(20));
  EXPECT_EQ(core.policy.pick(Instant(20)), &core.entity[5]);
  EXPECT_EQ(core.policy.pick(Instant(50)), &core.entity[1]);
  EXPECT_EQ(core.policy.next_event(), Instant::never());
}

TEST(PriorityPolicy, ACeilingKeepsOthersOut) {
  Core<int64_t> core;
  using Instant = Core<int64_t>::Instant;
  core.policy.reset(kSlots);
  for (const uint8_t slot : {1, 2, 3}) core.policy.add(core.entity[slot], slot);
  core.policy.wake(core.entity[3], Instant(0));
  core.policy.pick(Instant(0));
  core.policy.raise(core.entity[3], 0, Instant(9));
  EXPECT_EQ(core.policy.wake(core.entity[1], Instant(1)), WakeEffect::None);
  EXPECT_EQ(core.policy.pick(Instant(1)), &core.entity[3]);
  core.policy.lower(core.entity[3], 3, Instant(9));
  EXPECT_EQ(core.policy.pick(Instant(2)), &core.entity[1]);
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
    bool took_over = false;
    switch (what % 4) {
      case 0:
        if constexpr (Instant::kCircular) {
          Instant when;
          took_over = core.policy.takes_over(core.entity[i], at(now), when);
        }
        if (!took_over) core.policy.wake(core.entity[i], at(now));
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
        core.policy.refresh(at(now));
        break;
    }
    const auto wants = [&](const Plain& p) {
      return p.state == Plain::Ready || (p.state == Plain::Sleeping && p.wake_at <= now);
    };
    const auto first = std::find_if(plain.begin(), plain.end(), wants);
    auto* picked = took_over ? core.policy.running() : core.policy.pick(at(now));
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
    RC_ASSERT(core.policy.next_event(when) == next.has_value());
    if (next) RC_ASSERT(when == at(*next));
  }
}

RC_GTEST_PROP(PriorityPolicy, AgreesWithASearch,
              (const std::vector<std::tuple<uint8_t, uint8_t, uint8_t>>& steps)) {
  agrees_with_a_search<int64_t>(0, steps);
}

RC_GTEST_PROP(PriorityPolicy, AgreesAcrossAWrap,
              (int32_t offset, const std::vector<std::tuple<uint8_t, uint8_t, uint8_t>>& steps)) {
  agrees_with_a_search<int32_t>(offset, steps);
}

}  // namespace
}  // namespace hocket
