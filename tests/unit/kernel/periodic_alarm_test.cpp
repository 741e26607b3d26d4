// Periodic alarms, chronometers and clocks on clocks of many rates, linear and circular, against an
// independent model: the n-th event is due at start + n · interval, rounded once, in whole numbers.
#include "kernel/time/periodic_alarm.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "fake_kernel.h"
#include "kernel/time/chronometer.h"
#include "kernel/time/clock.h"

namespace hocket {
namespace {

using namespace time_literals;
using testing_time::FakeKernel;

/// start + n · interval in ticks of `hz`, rounded to the nearest (halves up).
uint64_t model(uint64_t start, uint64_t n, uint64_t interval_us, uint64_t hz) {
  using Wide = unsigned __int128;
  const Wide numerator = Wide{n} * interval_us * hz;
  return start + static_cast<uint64_t>((2 * numerator + 1'000'000) / 2'000'000);
}

template <class K>
struct Rung {
  static inline std::vector<uint64_t> at;
  static void note(void*) { at.push_back(K::Processor::wide); }
};

/// Alarms with random intervals on one clock that begins anywhere.
template <class Rep, uint64_t kHz>
void events_come_when_the_model_says() {
  using K = FakeKernel<Rep, kHz>;
  // Half of the time just before a wrap of 32 bits.
  const auto begin = *rc::gen::oneOf(
      rc::gen::inRange<uint64_t>(0, uint64_t{1} << 40),
      rc::gen::inRange<uint64_t>((uint64_t{5} << 32) - 100'000, (uint64_t{5} << 32) + 1'000));
  K::Processor::wide = begin;
  K::late = *rc::gen::inRange<uint64_t>(0, 3);
  K::queue = {};
  Rung<K>::at.clear();
  const auto times = *rc::gen::inRange<uint32_t>(1, 300);
  // Intervals of all sizes: from a microsecond to three days.
  const auto magnitude = *rc::gen::inRange<unsigned>(0, 38);
  const auto interval = *rc::gen::inRange<uint64_t>(1, (uint64_t{2} << magnitude));
  PeriodicAlarm<K> alarm;
  RC_ASSERT(alarm.start(Microseconds(interval), FunctionHandler(&Rung<K>::note), times));
  K::run_until(model(begin, times, interval, kHz) + (uint64_t{3} << 32) / 4 * times + 10);
  RC_ASSERT(Rung<K>::at.size() == times);
  RC_ASSERT(!alarm.active());
  for (uint32_t n = 1; n <= times; ++n) {
    const uint64_t due = model(begin, n, interval, kHz);
    RC_ASSERT(Rung<K>::at[n - 1] >= due);
    // Late by what handlers are: a lap's end is handled late as well, but its successor is not.
    RC_ASSERT(Rung<K>::at[n - 1] <= due + K::late);
  }
}

RC_GTEST_PROP(PeriodicAlarm, IsExactAt7200Hz, ()) {
  events_come_when_the_model_says<int32_t, 7'200>();
}
RC_GTEST_PROP(PeriodicAlarm, IsExactAt115200Hz, ()) {
  events_come_when_the_model_says<int32_t, 115'200>();
}
RC_GTEST_PROP(PeriodicAlarm, IsExactAt2MHz, ()) {
  events_come_when_the_model_says<int32_t, 2'000'000>();
}
RC_GTEST_PROP(PeriodicAlarm, IsExactAt16MHz, ()) {
  events_come_when_the_model_says<int32_t, 16'000'000>();
}
RC_GTEST_PROP(PeriodicAlarm, IsExactOnALinearClockOf1GHz, ()) {
  events_come_when_the_model_says<int64_t, 1'000'000'000>();
}
RC_GTEST_PROP(PeriodicAlarm, IsExactOnALinearClockOf62500000Hz, ()) {
  events_come_when_the_model_says<int64_t, 62'500'000>();
}
RC_GTEST_PROP(PeriodicAlarm, IsExactOnALinearClockOf32768Hz, ()) {
  events_come_when_the_model_says<int64_t, 32'768>();
}
RC_GTEST_PROP(PeriodicAlarm, IsExactAtAPrimeRate, ()) {
  events_come_when_the_model_says<int32_t, 999'983>();
}

using Slow = FakeKernel<int32_t, 7'200>;
using Uno = FakeKernel<int32_t, 2'000'000>;

template <class K>
void begin_at(uint64_t wide) {
  K::Processor::wide = wide;
  K::queue = {};
  K::late = 0;
  Rung<K>::at.clear();
}

TEST(PeriodicAlarm, OfDaysOnAClockThatWrapsEveryHalfHour) {
  begin_at<Uno>(12'345);
  PeriodicAlarm<Uno> alarm;
  constexpr uint64_t kDay = 86'400ull * 1'000'000;
  ASSERT_TRUE(alarm.start(Microseconds(3 * kDay + 7), FunctionHandler(&Rung<Uno>::note), 4));
  Uno::run_until(12'345 + 2 * (13 * kDay));
  ASSERT_EQ(Rung<Uno>::at.size(), 4u);
  for (uint64_t n = 1; n <= 4; ++n) {
    EXPECT_EQ(Rung<Uno>::at[n - 1], 12'345 + 2 * n * (3 * kDay + 7));
  }
  EXPECT_FALSE(alarm.active());
}

TEST(PeriodicAlarm, WhoIsLateMakesUpForEachEvent) {
  begin_at<Slow>(0);
  PeriodicAlarm<Slow> alarm;
  ASSERT_TRUE(alarm.start(100_us, FunctionHandler(&Rung<Slow>::note), 100));
  Slow::Processor::wide = 50;  // 69 of the 0.72 ticks have passed
  Slow::queue.run_due(Slow::now());
  EXPECT_EQ(Rung<Slow>::at.size(), 70u);  // the 70th is due at 50.4, rounded to 50
  Slow::run_until(72);
  EXPECT_EQ(Rung<Slow>::at.size(), 100u);
}

TEST(PeriodicAlarm, ForEverGoesOnUntilItIsCancelled) {
  begin_at<Slow>(0);
  PeriodicAlarm<Slow> alarm;
  ASSERT_TRUE(alarm.start(1_ms, FunctionHandler(&Rung<Slow>::note), alarm.kForever));
  Slow::run_until(7'200 * 10);
  EXPECT_EQ(Rung<Slow>::at.size(), 10'000u);
  EXPECT_TRUE(alarm.active());
  alarm.cancel();
  alarm.cancel();
  Slow::run_until(7'200 * 11);
  EXPECT_EQ(Rung<Slow>::at.size(), 10'000u);
}

TEST(PeriodicAlarm, ItsEndEndsIt) {
  begin_at<Slow>(0);
  {
    PeriodicAlarm<Slow> alarm;
    ASSERT_TRUE(alarm.start(1_ms, FunctionHandler(&Rung<Slow>::note), 3));
  }
  Slow::run_until(7'200);
  EXPECT_TRUE(Rung<Slow>::at.empty());
}

struct Self {
  PeriodicAlarm<Uno> alarm;
  unsigned events = 0;
};
void cancel_itself(void* self) {
  auto& me = *static_cast<Self*>(self);
  if (++me.events == 2) me.alarm.cancel();
}

TEST(PeriodicAlarm, ItsHandlerMayCancelIt) {
  for (const Microseconds interval : {3_ms, 3'000_s}) {  // without laps, and with
    begin_at<Uno>(0);
    Self self;
    ASSERT_TRUE(self.alarm.start(interval, FunctionHandler(&cancel_itself, &self), 5));
    Uno::run_until(6 * 2 * interval.count());
    EXPECT_EQ(self.events, 2u);
    EXPECT_FALSE(self.alarm.active());
  }
}

TEST(PeriodicAlarm, RefusesWhatCannotBe) {
  begin_at<Uno>(0);
  PeriodicAlarm<Uno> alarm;
  const FunctionHandler handler(&Rung<Uno>::note);
  EXPECT_FALSE(alarm.start(0_us, handler, 2));
  EXPECT_FALSE(alarm.start(1_us, handler, 0));
  EXPECT_TRUE(alarm.start(0_us, handler));
  EXPECT_FALSE(alarm.start(1_us, handler));  // active
  PeriodicAlarm<Uno> others[Uno::kMostAlarms];
  for (unsigned i = 0; i + 1 < Uno::kMostAlarms; ++i) {
    EXPECT_TRUE(others[i].start(1_us, handler));
  }
  EXPECT_FALSE(others[Uno::kMostAlarms - 1].start(1_us, handler));
  EXPECT_FALSE(others[Uno::kMostAlarms - 1].active());
}

TEST(PeriodicAlarm, CountsFromABaseThatHasPassed) {
  begin_at<Uno>(1'000'000);
  PeriodicAlarm<Uno> alarm;
  const auto base = Uno::now() - Uno::Duration(5'000);
  ASSERT_TRUE(alarm.start_from(base, 1_ms, FunctionHandler(&Rung<Uno>::note), 4));
  Uno::run_until(1'010'000);
  EXPECT_EQ(Rung<Uno>::at, (std::vector<uint64_t>{1'000'000, 1'000'000, 1'001'000, 1'003'000}));
}

template <class Rep, uint64_t kHz>
void delays_are_long_enough() {
  using K = FakeKernel<Rep, kHz>;
  const auto begin = *rc::gen::inRange<uint64_t>(0, uint64_t{1} << 34);
  const auto magnitude = *rc::gen::inRange<unsigned>(0, 38);
  const auto span = *rc::gen::inRange<uint64_t>(1, (uint64_t{2} << magnitude));
  K::Processor::wide = begin;
  PeriodicAlarm<K>::delay(Microseconds(span));
  const uint64_t exact = model(0, 1, span, kHz);
  const uint64_t took = K::Processor::wide - begin;
  RC_ASSERT(took * 1'000'000 >= (unsigned __int128){span} * kHz);
  RC_ASSERT(took <= exact + 2);
}
RC_GTEST_PROP(Delay, IsLongEnoughAt7200Hz, ()) {
  delays_are_long_enough<int32_t, 7'200>();
}
RC_GTEST_PROP(Delay, IsLongEnoughAt2MHz, ()) {
  delays_are_long_enough<int32_t, 2'000'000>();
}
RC_GTEST_PROP(Delay, IsLongEnoughOnALinearClock, ()) {
  delays_are_long_enough<int64_t, 62'500'000>();
}

// --- Chronometer ---

TEST(Chronometer, AddsUpWhatItRanAndShowsTheTimeSoFar) {
  begin_at<Slow>(100);
  Chronometer<Slow> watch;
  EXPECT_EQ(watch.read(), 0_us);
  watch.start();
  Slow::Processor::wide += 7'200;
  EXPECT_EQ(watch.read(), 1_s);
  watch.start();  // it runs already
  Slow::Processor::wide += 72;
  watch.stop();
  watch.stop();
  Slow::Processor::wide += 5'000;
  EXPECT_EQ(watch.read(), 1'010'000_us);
  EXPECT_FALSE(watch.running());
  watch.start();
  Slow::Processor::wide += 1;  // 138.9 us: with the 10 ms before rounded once
  EXPECT_EQ(watch.read(), 1'010'138_us);
  watch.reset();
  EXPECT_TRUE(watch.running());
  EXPECT_EQ(watch.read(), 0_us);
  Slow::Processor::wide += 36;
  EXPECT_EQ(watch.read(), 5_ms);
}

RC_GTEST_PROP(Chronometer, OutlastsWraps, ()) {
  begin_at<Uno>(*rc::gen::inRange<uint64_t>(0, uint64_t{1} << 34));
  Chronometer<Uno> watch;
  uint64_t ran = 0;
  for (unsigned i = 0; i < 20; ++i) {
    const auto passed = *rc::gen::inRange<uint64_t>(0, uint64_t{1} << 34);
    if (*rc::gen::arbitrary<bool>()) {
      watch.start();
    } else {
      watch.stop();
    }
    Uno::Processor::wide += passed;
    if (watch.running()) ran += passed;
    RC_ASSERT(watch.ticks() == ran);
    RC_ASSERT(watch.read().count() == ran / 2);
  }
}

// --- Clock ---

struct Device {
  static constexpr bool kPresent = true;
  inline static bool knows = false;
  inline static Microseconds time;
  static bool read(Microseconds& since_epoch) {
    if (knows) since_epoch = time;
    return knows;
  }
};

TEST(Clock, SaysThatItDoesNotKnow) {
  begin_at<Uno>(4'000'000);
  Clock<Uno> clock;
  EXPECT_FALSE(clock.has_rtc());
  EXPECT_FALSE(clock.set_from_rtc());
  EXPECT_EQ(clock.source(), TimeSource::None);
  EXPECT_EQ(clock.now(), 2_s);  // since the start
}

TEST(Clock, GoesOnFromWhatItWasTold) {
  begin_at<Uno>(4'000'000);
  Clock<Uno> clock;
  clock.set(1'750'000'000_s);
  EXPECT_EQ(clock.source(), TimeSource::Told);
  Uno::Processor::wide += uint64_t{2'000'000} * 86'400 * 400 + 1;  // many turns
  EXPECT_EQ(clock.now(), 1'750'000'000_s + Microseconds(86'400ull * 400 * 1'000'000));
  clock.set(5_s);
  EXPECT_EQ(clock.now(), 5_s);
}

TEST(Clock, AsksItsDevice) {
  begin_at<Uno>(0);
  Clock<Uno, Device> clock;
  EXPECT_TRUE(clock.has_rtc());
  Device::knows = false;
  EXPECT_FALSE(clock.set_from_rtc());
  EXPECT_EQ(clock.source(), TimeSource::None);
  Device::knows = true;
  Device::time = 77_s;
  EXPECT_TRUE(clock.set_from_rtc());
  EXPECT_EQ(clock.source(), TimeSource::Device);
  Uno::Processor::wide += 2'000;
  EXPECT_EQ(clock.now(), 77'001'000_us);
}

// --- Conversions ---

template <uint64_t kHz>
void conversions_are_exact() {
  using Scale = TickScale<kHz>;
  const auto span = *rc::gen::inRange<uint64_t>(0, 100ull * 365 * 86'400 * 1'000'000);
  const auto numerator = (unsigned __int128){span} * kHz;
  const auto whole = static_cast<uint64_t>(numerator / 1'000'000);
  RC_ASSERT(Scale::ticks_down(Microseconds(span)) == whole);
  RC_ASSERT(Scale::ticks_up(Microseconds(span)) == whole + (numerator % 1'000'000 != 0 ? 1 : 0));
  const ExactTicks exact = Scale::exact(Microseconds(span));
  RC_ASSERT((unsigned __int128){exact.whole} * Scale::kDenominator + exact.rest ==
            (unsigned __int128){span} * Scale::kNumerator);
  RC_ASSERT(Scale::microseconds(whole).count() ==
            static_cast<uint64_t>((unsigned __int128){whole} * 1'000'000 / kHz));
}
RC_GTEST_PROP(TickScale, IsExactAt7200Hz, ()) {
  conversions_are_exact<7'200>();
}
RC_GTEST_PROP(TickScale, IsExactAt2MHz, ()) {
  conversions_are_exact<2'000'000>();
}
RC_GTEST_PROP(TickScale, IsExactAt1GHz, ()) {
  conversions_are_exact<1'000'000'000>();
}
RC_GTEST_PROP(TickScale, IsExactAtAPrimeRate, ()) {
  conversions_are_exact<999'999'937>();
}

}  // namespace
}  // namespace hocket
