// Ticks and nanoseconds of the AArch64 boards against 128-bit arithmetic.
#include "arduino/cores/protected/sketch/ticks.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hocket::sketch {
namespace {

using Wide = unsigned __int128;
constexpr uint64_t kHundredYears = 100ull * 366 * 86'400;  // seconds

template <uint64_t kHz>
void ticks_are_exact() {
  EXPECT_TRUE(rc::check("nanoseconds are the exact quotient, rounded down", [] {
    const uint64_t ticks = *rc::gen::inRange<uint64_t>(0, kHundredYears * kHz);
    const Wide exact = Wide{ticks} * kNanosecondsPerSecond / kHz;
    RC_ASSERT(Wide{nanoseconds_of<kHz>(ticks)} == exact);
  }));
  EXPECT_TRUE(rc::check("ticks are the exact quotient, rounded up", [] {
    const uint64_t nanoseconds = *rc::gen::inRange<uint64_t>(0, UINT64_MAX);
    const Wide exact =
        (Wide{nanoseconds} * kHz + kNanosecondsPerSecond - 1) / kNanosecondsPerSecond;
    RC_ASSERT(Wide{ticks_of<kHz>(nanoseconds)} == exact);
  }));
  EXPECT_TRUE(rc::check("waiting so many ticks is waiting long enough, and not a tick more", [] {
    const uint64_t nanoseconds = *rc::gen::inRange<uint64_t>(1, kHundredYears * 1'000'000'000);
    const uint64_t ticks = ticks_of<kHz>(nanoseconds);
    RC_ASSERT(nanoseconds_of<kHz>(ticks) >= nanoseconds);
    RC_ASSERT(nanoseconds_of<kHz>(ticks - 1) < nanoseconds);
  }));
  EXPECT_EQ(nanoseconds_of<kHz>(kHundredYears * kHz), kHundredYears * kNanosecondsPerSecond);
  EXPECT_EQ(ticks_of<kHz>(0), 0u);
}

TEST(SketchTicks, OfTheRaspberryPi) {
  ticks_are_exact<19'200'000>();
  EXPECT_EQ(nanoseconds_of<19'200'000>(1), 52u);
  EXPECT_EQ(ticks_of<19'200'000>(53), 2u);
}
TEST(SketchTicks, OfPlainQemu) {
  ticks_are_exact<62'500'000>();
}
TEST(SketchTicks, OfVirt) {
  ticks_are_exact<1'000'000'000>();
}
TEST(SketchTicks, OfAnOddCrystal) {
  ticks_are_exact<32'767>();
}

}  // namespace
}  // namespace hocket::sketch
