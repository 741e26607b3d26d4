// Circular clocks: instants, slots and the whole policy must answer as a linear clock would,
// wherever the wrap comes and however long a virtual CPU has wanted nothing.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

#include "kernel/sched/vcpu_policy.h"
#include "policies/turn_policies.h"

namespace hocket {
namespace {

using Circular = BasicInstant<int32_t>;
using Span = BasicDuration<int32_t>;
using Linear = BasicInstant<int64_t>;

template <class T>
concept HasNever = requires { T::never(); };
static_assert(HasNever<Linear> && !HasNever<Circular>);

TEST(CircularTime, OrdersAcrossTheWraps) {
  for (const uint32_t at : {0u, 5u, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
    const Circular now(static_cast<int32_t>(at));
    EXPECT_LT(now, now + Span(1));
    EXPECT_LT(now - Span(1), now);
    EXPECT_GT(now + Span(INT32_MAX), now);
    EXPECT_EQ(now + Span(7) - now, Span(7));
    EXPECT_EQ(now - (now + Span(7)), Span(-7));
    EXPECT_EQ(smaller(now, now + Span(3)), now);
  }
}

// --- The policy ---

constexpr unsigned kEntities = 4;
constexpr unsigned kIdler = 1;  // may use idle time (Kind::Plain, Kind::Deadlines)
constexpr int64_t kRefreshGap = Circular::quarter_turn().ticks();

/// All spans are multiples of this: a small processor weighs its refills in such units, so only
/// then do both join the same ones.
constexpr int64_t kUnit = 256;

/// What a port costs, so that charges are played as well.
template <class Rep>
struct SomeCharges {
  using Duration = BasicDuration<Rep>;
  static constexpr bool kOneCore = false;
  static constexpr Duration entry() { return Duration(kUnit); }
  static constexpr Duration switching() { return Duration(2 * kUnit); }
  static constexpr Duration interrupt() { return Duration(2 * kUnit); }
  static constexpr Duration ending() { return entry() + switching(); }
  static constexpr Duration smallest() { return Duration(6 * kUnit); }
};

/// With all that a policy can have, and as small processors have it: each entity has a budget, none
/// is raised, and who waits is asked until when; and so by deadlines, by levels in turns, and both.
enum class Kind : uint8_t { Whole, Plain, Deadlines, Levels, Hybrid };

template <class Rep, Kind kKind>
struct PolicyOf {
  using Charges = SomeCharges<Rep>;
  using Type = PlainVcpuPolicy<Rep, kEntities + 1, 4, SilentObserver, Charges>;
};
template <class Rep>
struct PolicyOf<Rep, Kind::Whole> {
  using Type = VcpuPolicy<Rep, kEntities + 1, 4, SilentObserver, SomeCharges<Rep>>;
};
template <class Rep>
struct PolicyOf<Rep, Kind::Deadlines> {
  using Type = PlainDeadlinePolicy<Rep, kEntities + 1, 4, SilentObserver, SomeCharges<Rep>>;
};
template <class Rep>
struct PolicyOf<Rep, Kind::Levels> {
  using Type = PlainLevelPolicy<Rep, kEntities + 1, SilentObserver, SomeCharges<Rep>>;
};
template <class Rep>
struct PolicyOf<Rep, Kind::Hybrid> {
  using Type = PlainHybridPolicy<Rep, kEntities + 1, 4, SilentObserver, SomeCharges<Rep>>;
};

/// A policy with its entities, told instants as ticks since an epoch.
template <class Rep, Kind kKind = Kind::Whole>
struct Player {
  using Policy = typename PolicyOf<Rep, kKind>::Type;
  using Instant = BasicInstant<Rep>;
  using Duration = BasicDuration<Rep>;

  explicit Player(uint32_t before_the_wrap) : offset(before_the_wrap) {
    policy.reset(kEntities + 1);
    for (unsigned i = 0; i < kEntities; ++i) {
      const auto period = static_cast<Rep>((100 * kUnit) << i);
      const auto slot = static_cast<uint8_t>(i + 1);
      const Duration slice(static_cast<Rep>(40 * kUnit));
      auto& entity = entities[i];
      if constexpr (requires { entity.level; }) entity.level = i / 2;
      if constexpr (kKind == Kind::Levels) {
        policy.add(entity, slot, slice);
      } else if (kKind == Kind::Hybrid && i % 2 != 0) {
        policy.add(entity, slot, slice, Duration(0), at(0));
      } else {
        policy.add(entity, slot, Duration(period / 5), Duration(period), at(0));
      }
    }
    if constexpr (kKind == Kind::Whole) {
      policy.add_best_effort(entities[kEntities - 1], kEntities);
    } else if constexpr (kKind == Kind::Plain || kKind == Kind::Deadlines) {
      entities[kIdler].background = true;
    }
  }

  Instant at(int64_t since) const {
    return Instant(static_cast<Rep>(since - static_cast<int64_t>(offset)));
  }
  int64_t since(Instant instant, int64_t near) const { return near + (instant - at(near)).ticks(); }
  /// All slots, as the kernel does one after the other.
  void refresh(int64_t now) {
    for (unsigned slot = 0; slot < Policy::kSlots; ++slot) policy.refresh(slot, at(now));
  }
  int pick(int64_t now, Cause cause) { return index(policy.pick(at(now), cause)); }
  int running() const { return index(policy.running()); }
  int index(const typename Policy::Entity* entity) const {
    return entity == nullptr ? -1 : static_cast<int>(entity - entities.data());
  }

  uint32_t offset;
  Policy policy;
  std::array<typename Policy::Entity, kEntities> entities;
};

/// The same events for both. They must agree about everything, except for two differences that an
/// entity leads to which may use idle time and is due without budget:
///
///   - A decision looks at one of those that are due on the circular clock, and at two on the
///   linear
///     one. Where the first one has no budget, the next decision is due at once and takes the next
///     one. This costs one interrupt more.
///   - An interrupt that wakes the entity is charged to it only if the end of its sleep has not
///     been noticed by then. It runs in idle time either way.
///
/// After such a difference both have used different amounts of budget, so the play ends (`parted`).
template <Kind kKind>
class Duet {
 public:
  explicit Duet(uint32_t offset) : linear_(0), circular_(offset) {}

  void run_until(int64_t end) {
    while (!parted_) {
      decide(Cause::Timer);
      if (parted_) return;
      Linear next;
      Circular circular_next;
      const bool asks = linear_.policy.next_event(next);
      RC_ASSERT(circular_.policy.next_event(circular_next) == asks);
      if (!asks) break;
      RC_ASSERT(circular_.since(circular_next, now_) == next.ticks());
      const int64_t event = std::max(now_ + kUnit, next.ticks());
      if (event >= end) break;
      now_ = event;
    }
    now_ = end;
    decide(Cause::Timer);
  }
  void wake(unsigned which, Waker waker) {
    if (noticed_by_one(which)) {
      parted_ = true;
      return;
    }
    const Wakeup answer = linear_.policy.wake(linear_.entities[which], Linear(now_), waker);
    Wakeup other = circular_.policy.wake(circular_.entities[which], circular_.at(now_), waker);
    if (other != answer && answer == Wakeup::Takes) {
      // Its timeline may say that somebody is due when nobody is (few_instants.h): one look more.
      RC_ASSERT(other == Wakeup::Decide);
      const Cause cause = waker == Waker::Thread ? Cause::Call : Cause::Interrupt;
      RC_ASSERT(circular_.pick(now_, cause) == static_cast<int>(which));
      other = Wakeup::Takes;
    }
    RC_ASSERT(other == answer);
    RC_ASSERT(circular_.running() == linear_.running());
    if (answer == Wakeup::Takes) {
      RC_ASSERT(linear_.running() == static_cast<int>(which));
    } else if (answer == Wakeup::Decide) {
      decide(waker == Waker::Thread ? Cause::Call : Cause::Interrupt);
    }
  }
  void sleep(unsigned which, int64_t until) {
    if (!linear_.entities[which].is_ready()) return;
    linear_.policy.sleep(linear_.entities[which], Linear(now_), Linear(until));
    circular_.policy.sleep(circular_.entities[which], circular_.at(now_), circular_.at(until));
    decide(Cause::Stop);
  }
  void block(unsigned which) {
    linear_.policy.block(linear_.entities[which], Linear(now_));
    circular_.policy.block(circular_.entities[which], circular_.at(now_));
    decide(Cause::Stop);
  }
  void raise(unsigned which)
    requires(kKind == Kind::Whole)
  {
    if (linear_.policy.running() != &linear_.entities[which]) return;
    linear_.policy.raise(linear_.entities[which], 0, Linear(now_), Linear(now_ + 30 * kUnit));
    circular_.policy.raise(circular_.entities[which], 0, circular_.at(now_),
                           circular_.at(now_ + 30 * kUnit));
    decide(Cause::Call);
  }
  void lower(unsigned which)
    requires(kKind == Kind::Whole)
  {
    if (linear_.policy.running() != &linear_.entities[which]) return;
    const auto slot = static_cast<uint8_t>(which + 1);
    linear_.policy.lower(linear_.entities[which], slot, Linear(now_));
    circular_.policy.lower(circular_.entities[which], slot, circular_.at(now_));
    decide(Cause::Call);
  }
  /// Nobody wants anything for long; the kernel refreshes meanwhile. (The linear one too: what is
  /// refreshed is settled, so that the next limit is the last one already.)
  void long_silence(int64_t span) {
    for (unsigned i = 0; i < kEntities; ++i) block(i);
    for (const int64_t end = now_ + span; now_ < end;) {
      now_ = std::min(end, now_ + kRefreshGap);
      circular_.refresh(now_);
      linear_.refresh(now_);
    }
    decide(Cause::Timer);
  }
  int64_t now() const { return now_; }
  bool parted() const { return parted_; }

 private:
  void decide(Cause cause) {
    if (parted_) return;
    const int wanted = linear_.pick(now_, cause);
    int found = circular_.pick(now_, cause);
    for (unsigned looks = 0; found != wanted && looks < kEntities; ++looks) {
      RC_ASSERT(idler_waits(circular_));
      parted_ = true;
      Circular next;
      RC_ASSERT(circular_.policy.next_event(next));
      RC_ASSERT(circular_.since(next, now_) <= now_);
      found = circular_.pick(now_, Cause::Timer);
    }
    RC_ASSERT(found == wanted);
  }
  /// Whether the entity is the one that may use idle time, its sleep has ended without budget, and
  /// one of both has noticed that, the other one not. (With budget this makes no difference.)
  bool noticed_by_one(unsigned which) const {
    const auto& entity = linear_.entities[which];
    if (!entity.background || entity.best_effort) return false;
    if (entity.is_ready() == circular_.entities[which].is_ready()) return false;
    if (!idler_waits(linear_) && !idler_waits(circular_)) return false;
    RC_ASSERT(entity.wake_at.ticks() <= now_);
    return true;
  }
  /// Whether the one that may use idle time is ready for that, and has no budget yet.
  template <class Player>
  bool idler_waits(const Player& player) const {
    const auto& entity = player.entities[kIdler];
    return entity.background && entity.is_ready() && !entity.server.usable(player.at(now_));
  }

  Player<int64_t, kKind> linear_;
  Player<int32_t, kKind> circular_;
  int64_t now_ = 0;
  bool parted_ = false;
};

using Steps = std::vector<std::tuple<uint8_t, uint8_t, uint8_t>>;

template <Kind kKind>
void play(const Steps& steps) {
  const auto wrap = *rc::gen::element(0u, 50u, 1000u, 0x7fffff00u, 0x80000100u);
  Duet<kKind> duet(wrap);
  for (const auto& [what, which, span] : steps) {
    const unsigned entity = which % kEntities;
    duet.run_until(duet.now() + span * kUnit);
    if (duet.parted()) return;
    switch (what % 10) {
      case 0:
        duet.block(entity);
        break;
      case 1:
        duet.sleep(entity, duet.now() + 3 * span * kUnit);
        break;
      case 2:
        if constexpr (kKind == Kind::Whole) duet.raise(entity);
        break;
      case 3:
        if constexpr (kKind == Kind::Whole) duet.lower(entity);
        break;
      case 4:
        duet.long_silence((span * kUnit) << (span % 22));
        break;
      case 5:
        duet.wake(entity, Waker::OtherCore);
        break;
      case 6:
      case 7:
        duet.wake(entity, Waker::Interrupt);
        break;
      default:
        duet.wake(entity, Waker::Thread);
        break;
    }
  }
}

RC_GTEST_PROP(CircularPolicyTest, DecidesAsOnALinearClock, (const Steps& steps)) {
  play<Kind::Whole>(steps);
}
RC_GTEST_PROP(CircularPolicyTest, DecidesAsOnALinearClockWithBudgetsOnly, (const Steps& steps)) {
  play<Kind::Plain>(steps);
}
RC_GTEST_PROP(CircularPolicyTest, DecidesAsOnALinearClockByDeadlines, (const Steps& steps)) {
  play<Kind::Deadlines>(steps);
}
RC_GTEST_PROP(CircularPolicyTest, DecidesAsOnALinearClockByLevels, (const Steps& steps)) {
  play<Kind::Levels>(steps);
}
RC_GTEST_PROP(CircularPolicyTest, DecidesAsOnALinearClockByBoth, (const Steps& steps)) {
  play<Kind::Hybrid>(steps);
}

/// Whoever waits for its turn for longer than an instant has an order comes before who has just
/// come.
template <Kind kKind>
void starve_for_turns_of_the_clock() {
  Player<int32_t, kKind> player(1000);
  auto& policy = player.policy;
  // (By levels 2 and 3 are equals, below 0; with deadlines 3 takes turns below 1.)
  auto& first = player.entities[kKind == Kind::Levels ? 0 : 1];
  auto& starved = player.entities[3];
  const auto wake = [&](auto& entity, int64_t now) {
    static_cast<void>(policy.wake(entity, player.at(now), Waker::Interrupt));
    return policy.pick(player.at(now), Cause::Interrupt);
  };
  ASSERT_EQ(wake(first, 0), &first);
  ASSERT_EQ(wake(starved, 0), &first);
  int64_t now = 0;
  for (const int64_t end = int64_t{5} << 31; now < end; now += kRefreshGap) {
    player.refresh(now);
    ASSERT_EQ(policy.pick(player.at(now), Cause::Timer), &first);
  }
  if (kKind == Kind::Levels) ASSERT_EQ(wake(player.entities[2], now), &first);
  policy.block(first, player.at(now));
  ASSERT_EQ(policy.pick(player.at(now), Cause::Stop), &starved);
}
TEST(CircularPolicyTest, WhoStarvesComesBeforeWhoHasJustCome) {
  starve_for_turns_of_the_clock<Kind::Levels>();
  starve_for_turns_of_the_clock<Kind::Hybrid>();
}

/// Without refresh() the property fails: budget that was left alone for half a turn looks like
/// budget to come.
TEST(CircularPolicyTest, NeedsToBeRefreshed) {
  const int64_t half_a_turn = (int64_t{1} << 31) + 50;
  Player<int32_t> player(0);
  EXPECT_NE(player.policy.wake(player.entities[0], player.at(half_a_turn), Waker::Interrupt),
            Wakeup::Takes);
  EXPECT_EQ(player.pick(half_a_turn, Cause::Interrupt), -1);

  Player<int32_t> refreshed(0);
  for (int64_t now = 0; now < half_a_turn; now += kRefreshGap) {
    refreshed.refresh(now);
  }
  EXPECT_EQ(
      refreshed.policy.wake(refreshed.entities[0], refreshed.at(half_a_turn), Waker::Interrupt),
      Wakeup::Takes);
}

/// An entity that is due as its slot is refreshed, and comes before the running one, runs at once.
template <Kind kKind>
void refresh_at_a_release() {
  Player<int32_t, kKind> player(100);
  auto& policy = player.policy;
  auto& first = player.entities[0];
  auto& second = player.entities[2];
  policy.sleep(first, player.at(0), player.at(50 * kUnit));
  static_cast<void>(policy.wake(second, player.at(0), Waker::Interrupt));
  ASSERT_EQ(policy.pick(player.at(0), Cause::Interrupt), &second);
  player.refresh(50 * kUnit);
  EXPECT_EQ(policy.pick(player.at(50 * kUnit), Cause::Timer), &first);
}
TEST(CircularPolicyTest, WhatIsDueAtARefreshPreempts) {
  refresh_at_a_release<Kind::Whole>();
  refresh_at_a_release<Kind::Plain>();
  refresh_at_a_release<Kind::Deadlines>();
  refresh_at_a_release<Kind::Levels>();
  refresh_at_a_release<Kind::Hybrid>();
}

/// A timer was set for the end of a sleep, and the sleeper has no budget yet. Its interrupt begins
/// just before the limit of the running entity and ends behind it. The running entity keeps what is
/// left of its budget: the interrupt is charged to the sleeper, and does not end the release.
template <class Rep, Kind kKind>
void end_of_a_sleep_without_budget() {
  using Duration = typename Player<Rep, kKind>::Duration;
  Player<Rep, kKind> player(100);
  auto& policy = player.policy;
  auto& idler = player.entities[kIdler];
  auto& running = player.entities[2];
  idler.background = true;
  static_cast<void>(policy.wake(idler, player.at(0), Waker::Thread));
  ASSERT_EQ(policy.pick(player.at(0), Cause::Call), &idler);
  ASSERT_EQ(policy.pick(policy.limit(), Cause::Timer), &idler);  // used up: in idle time
  ASSERT_TRUE(policy.running_in_background());

  static_cast<void>(policy.wake(running, player.at(100 * kUnit), Waker::Thread));
  ASSERT_EQ(policy.pick(player.at(100 * kUnit), Cause::Call), &running);
  const auto limit = policy.limit();
  const auto end = limit - Duration(kUnit / 2);
  policy.sleep(idler, player.at(110 * kUnit), end);
  typename Player<Rep, kKind>::Instant next;
  ASSERT_TRUE(policy.next_event(next));
  ASSERT_EQ(next, end) << "the timer is not set for the sleeper";
  const auto noticed = end + SomeCharges<Rep>::entry();
  ASSERT_GT(noticed, limit);
  EXPECT_EQ(policy.pick(noticed, Cause::Timer), &running);
  EXPECT_EQ(policy.limit(), limit + SomeCharges<Rep>::interrupt());
  EXPECT_TRUE(idler.is_ready());
  EXPECT_EQ(idler.server.consumed(), SomeCharges<Rep>::interrupt());  // which it pays for [3]
}
TEST(CircularPolicyTest, ATimerForASleeperWithoutBudgetTakesNothingOfTheRunningOne) {
  end_of_a_sleep_without_budget<int64_t, Kind::Whole>();
  end_of_a_sleep_without_budget<int64_t, Kind::Deadlines>();
  end_of_a_sleep_without_budget<int32_t, Kind::Whole>();
  end_of_a_sleep_without_budget<int32_t, Kind::Plain>();
  end_of_a_sleep_without_budget<int32_t, Kind::Deadlines>();
}

/// One that comes behind it is ready as of its own instant, and is in the queue from then on.
TEST(CircularPolicyTest, WhatIsDueBehindIsReadyFromARefreshOn) {
  Player<int32_t, Kind::Plain> player(100);
  auto& policy = player.policy;
  policy.sleep(player.entities[2], player.at(0), player.at(5 * kUnit));
  static_cast<void>(policy.wake(player.entities[0], player.at(0), Waker::Interrupt));
  ASSERT_EQ(policy.pick(player.at(0), Cause::Interrupt), &player.entities[0]);
  EXPECT_FALSE(player.entities[2].is_ready());
  player.refresh(10 * kUnit);
  EXPECT_TRUE(player.entities[2].is_ready());
  EXPECT_EQ(policy.pick(player.at(10 * kUnit), Cause::Timer), &player.entities[0]);
  policy.block(player.entities[0], player.at(11 * kUnit));
  EXPECT_EQ(policy.pick(player.at(11 * kUnit), Cause::Stop), &player.entities[2]);
}

}  // namespace
}  // namespace hocket
