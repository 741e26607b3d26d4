// The rule of periodic releases: one for all boards, whatever they divide with.
#include "arduino/runtime/releases.h"

#include <gtest/gtest.h>

namespace hocket::runtime {
namespace {

template <class Division>
uint64_t next(uint64_t release, uint32_t period, uint64_t end) {
  return next_release<Division>(release, period, [end] { return end; });
}

template <class Division>
void expect_the_first_that_has_not_passed() {
  EXPECT_EQ(next<Division>(1'000, 100, 1'000), 1'100u);
  EXPECT_EQ(next<Division>(1'000, 100, 1'099), 1'100u);
  EXPECT_EQ(next<Division>(1'000, 100, 1'100), 1'100u);
  EXPECT_EQ(next<Division>(1'000, 100, 1'101), 1'200u);
  EXPECT_EQ(next<Division>(1'000, 100, 1'200), 1'200u);
  EXPECT_EQ(next<Division>(1'000, 100, 9'999'950), 10'000'000u);
  constexpr uint64_t kHours = 24ull * 3'600 * 2'000'000;  // of a clock of 2 MHz
  EXPECT_EQ(next<Division>(7, 480'000'000, kHours), 7 + (kHours / 480'000'000) * 480'000'000);
}

TEST(Releases, TheNextIsTheFirstThatHasNotPassed) {
  expect_the_first_that_has_not_passed<Divided>();
  expect_the_first_that_has_not_passed<BitByBit<48>>();
}

}  // namespace
}  // namespace hocket::runtime
