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

template <class Rep, uint64_t kHz, TickPeriod kPeriod>
void ticks_are_exact() {
  using Base = Hardware<Rep, kHz>;
  using Tick = PeriodicTick<Base, kPeriod>;
  const auto begin = *rc::gen::inRange<uint64_t>(0, uint64_t{1} << 33);
  Base::wide = begin;
  Tick::start_ticking();
  unsigned calls = 0;
  for (uint64_t n = 1; n < 2'000; ++n) {
    using Wide = unsigned __int128;
    const Wide parts = Wide{n} * kHz * kPeriod.seconds;
    const auto due =
        begin + static_cast<uint64_t>((2 * parts + kPeriod.parts) / (Wide{2} * kPeriod.parts));
    RC_ASSERT((next_tick<Tick, Base>(0, calls) == due));
  }
  RC_ASSERT(calls == 0u);  // nobody asked
}

RC_GTEST_PROP(PeriodicTick, OfOneKilohertzAt125kHz, ()) {
  ticks_are_exact<int32_t, 125'000, hertz(1'000)>();
}
RC_GTEST_PROP(PeriodicTick, Of1024HertzAt115200Hz, ()) {
  ticks_are_exact<int32_t, 115'200, hertz(1'024)>();
}
RC_GTEST_PROP(PeriodicTick, Of700MicrosecondsAt7200Hz, ()) {
  ticks_are_exact<int32_t, 7'200, every(Microseconds(700))>();
}
RC_GTEST_PROP(PeriodicTick, OfTenSecondsAt115200Hz, ()) {
  ticks_are_exact<int32_t, 115'200, every(Microseconds(10'000'000))>();
}
RC_GTEST_PROP(PeriodicTick, Of333HertzOnALinearClock, ()) {
  ticks_are_exact<int64_t, 1'000'000'000, hertz(333)>();
}

using Base = Hardware<int32_t, 125'000>;
using Tick = PeriodicTick<Base, hertz(1'000)>;  // 125 ticks of the clock

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
