// The periodic time base: ticks at exact instants, events at the first tick at or after theirs.
#include "kernel/time/periodic_tick.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

namespace hocket {
namespace {

/// The least of a port that the adaptor uses, with a clock that the test turns.
template <class Rep, uint64_t kHz>
struct Hardware {
  using Ticks = Rep;
  static constexpr uint64_t kTickHz = kHz;
  static constexpr unsigned kCores = 1;
  static constexpr port::Options kOptions{};
  inline static uint64_t wide = 0;
  inline static Rep armed = 0;
  static Ticks now() { return static_cast<Ticks>(wide); }
  static void alarm_set(Ticks instant) { armed = instant; }
  static void alarm_off() {}
  static CoreId core_id() { return 0; }
  static constexpr port::Costs<Ticks> costs() { return {5, 1, 2, 3, 4}; }
};

/// Passes time until the hardware's alarm and lets the adaptor see it; how far the clock was then.
template <class Tick, class Base>
uint64_t next_tick(uint64_t late, unsigned& calls) {
  const auto ahead = BasicInstant<typename Base::Ticks>(Base::armed) -
                     BasicInstant<typename Base::Ticks>(Base::now());
  EXPECT_GT(ahead.ticks(), 0);
  const uint64_t at = Base::wide + static_cast<uint64_t>(ahead.ticks());
  Base::wide = at + late;
  Tick::on_tick([&] { ++calls; });
  return at;
}

template <class Rep, auto kLength>
void ticks_are_exact() {
  using Base = Hardware<Rep, 1'000'000>;
  using Tick = PeriodicTick<Base, TickOf<kLength>>;
  const auto begin = *rc::gen::inRange<uint64_t>(0, uint64_t{1} << 33);
  Base::wide = begin;
  Tick::start_ticking();
  unsigned calls = 0;
  for (uint64_t n = 1; n < 2'000; ++n) {
    RC_ASSERT((next_tick<Tick, Base>(0, calls) == begin + n * kLength));
  }
  RC_ASSERT(calls == 0u);  // nothing was asked for
}

RC_GTEST_PROP(PeriodicTick, IsExactOnACircularClock, ()) {
  ticks_are_exact<int32_t, 125>();
  ticks_are_exact<int32_t, 1'152'000>();
}
RC_GTEST_PROP(PeriodicTick, IsExactOnALinearClock, ()) {
  ticks_are_exact<int64_t, 3'003'003>();
}

using Base = Hardware<int32_t, 125'000>;
using Tick = PeriodicTick<Base, TickOf<125>>;

TEST(PeriodicTick, CallsTheKernelOnceAtTheFirstTickThatFindsItDue) {
  Base::wide = 1'000;
  Tick::start_ticking();
  unsigned calls = 0;
  Tick::alarm_set(1'251);  // ticks are at 1125, 1250, 1375
  next_tick<Tick, Base>(0, calls);
  EXPECT_EQ(calls, 0u);
  next_tick<Tick, Base>(0, calls);
  EXPECT_EQ(calls, 0u);
  EXPECT_EQ((next_tick<Tick, Base>(0, calls)), 1'375u);
  EXPECT_EQ(calls, 1u);
  next_tick<Tick, Base>(0, calls);
  EXPECT_EQ(calls, 1u);
  Tick::alarm_set(0);  // has passed
  next_tick<Tick, Base>(0, calls);
  EXPECT_EQ(calls, 2u);
  Tick::alarm_set(0);
  Tick::alarm_off();
  next_tick<Tick, Base>(0, calls);
  EXPECT_EQ(calls, 2u);
}

TEST(PeriodicTick, ComesByAnInstantWhateverWasAskedForBefore) {
  Base::wide = 0;
  Tick::start_ticking();
  unsigned calls = 0;
  Tick::alarm_set(600);
  Tick::alarm_by(700);  // later: nothing changes
  Tick::alarm_by(200);
  next_tick<Tick, Base>(0, calls);
  EXPECT_EQ(calls, 0u);
  EXPECT_EQ((next_tick<Tick, Base>(0, calls)), 250u);
  EXPECT_EQ(calls, 1u);
}

TEST(PeriodicTick, MayBeAskedAgainWithinItsCall) {
  Base::wide = 0;
  Tick::start_ticking();
  Tick::alarm_set(0);
  Base::wide = 125;
  Tick::on_tick([] { Tick::alarm_set(130); });
  unsigned calls = 0;
  next_tick<Tick, Base>(0, calls);
  EXPECT_EQ(calls, 1u);
}

TEST(PeriodicTick, ThatWereMissedShiftNoOther) {
  Base::wide = 0;
  Tick::start_ticking();
  unsigned calls = 0;
  EXPECT_EQ((next_tick<Tick, Base>(300, calls)), 125u);  // seen at 425: 250 and 375 are over
  EXPECT_EQ((next_tick<Tick, Base>(0, calls)), 500u);
  EXPECT_EQ((next_tick<Tick, Base>(124, calls)), 625u);
  EXPECT_EQ((next_tick<Tick, Base>(0, calls)), 750u);
}

TEST(PeriodicTick, DeclaresThatItIsLate) {
  EXPECT_EQ(Tick::costs().timer_lateness, 3 + 125 + 1);
  EXPECT_EQ(Tick::costs().timer_interrupt, 2);
}

}  // namespace
}  // namespace hocket
