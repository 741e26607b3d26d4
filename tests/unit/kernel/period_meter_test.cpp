// The period meter against counting tick by tick.
#include "kernel/task/period_meter.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

namespace hocket {
namespace {

using Meter = PeriodMeter<int64_t>;

RC_GTEST_PROP(PeriodMeter, EqualsCountingTicks,
              (const std::vector<std::pair<unsigned char, unsigned char>>& steps)) {
  const auto start = *rc::gen::inRange<int64_t>(0, 50);
  const auto period = *rc::gen::inRange<int64_t>(1, 40);
  Meter meter;
  meter.start(Meter::Instant(start), Meter::Duration(period));
  std::vector<int64_t> used;
  int64_t now = start;
  for (const auto& [gap, run] : steps) {
    now += gap;
    meter.add(Meter::Instant(now), Meter::Instant(now + run));
    for (int64_t tick = now; tick < now + run; ++tick) {
      const auto window = static_cast<size_t>((tick - start) / period);
      if (used.size() <= window) used.resize(window + 1);
      ++used[window];
    }
    now += run;
  }
  meter.advance(Meter::Instant(now));
  const auto whole = static_cast<size_t>((now - start) / period);
  used.resize(whole);
  RC_ASSERT(meter.windows() == static_cast<int64_t>(whole));
  if (whole > 0) {
    RC_ASSERT(meter.least().ticks() == *std::min_element(used.begin(), used.end()));
    RC_ASSERT(meter.most().ticks() == *std::max_element(used.begin(), used.end()));
  }
}

TEST(PeriodMeter, WithoutAPeriodMeasuresNothing) {
  Meter meter;
  meter.start(Meter::Instant(0), Meter::Duration(0));
  meter.add(Meter::Instant(5), Meter::Instant(50));
  meter.advance(Meter::Instant(1000));
  EXPECT_EQ(meter.windows(), 0);
}

TEST(PeriodMeter, SkipsAYearOfEmptyWindows) {
  Meter meter;
  meter.start(Meter::Instant(0), Meter::Duration(1'000'000));
  meter.add(Meter::Instant(0), Meter::Instant(10));
  const int64_t year = int64_t{365} * 24 * 3600 * 1'000'000'000;
  meter.add(Meter::Instant(year), Meter::Instant(year + 20));
  EXPECT_EQ(meter.windows(), year / 1'000'000);
  EXPECT_EQ(meter.least().ticks(), 0);
  EXPECT_EQ(meter.most().ticks(), 10);
}

/// The kernel adds up with interrupts masked: a thread that was alone for long must not take
/// longer.
TEST(PeriodMeter, FillsAYearOfWindowsAtOnce) {
  Meter meter;
  meter.start(Meter::Instant(0), Meter::Duration(10));
  const int64_t year = int64_t{365} * 24 * 3600 * 1'000'000'000;
  meter.add(Meter::Instant(3), Meter::Instant(year + 5));
  meter.advance(Meter::Instant(year + 5));
  EXPECT_EQ(meter.windows(), year / 10);
  EXPECT_EQ(meter.total().ticks(), year + 2);
  EXPECT_EQ(meter.least().ticks(), 7);
  EXPECT_EQ(meter.most().ticks(), 10);
}

}  // namespace
}  // namespace hocket
