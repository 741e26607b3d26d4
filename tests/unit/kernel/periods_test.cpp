// Counting periods by division against counting them one by one, and over spans that a loop would
// not come to the end of.
#include "kernel/base/periods.h"

#include <rapidcheck/gtest.h>

namespace hocket {
namespace {

RC_GTEST_PROP(Periods, AreCountedAsOneByOne, ()) {
  const auto span = *rc::gen::inRange<int32_t>(-50, 2'000);
  const auto period = *rc::gen::inRange<int32_t>(1, 60);
  const auto deadline = *rc::gen::inRange<int32_t>(1, 120);
  uint64_t before = 0, missed = 0;
  for (int32_t at = 0; at < span; at += period) {
    ++before;
    if (at + deadline < span) ++missed;
  }
  RC_ASSERT(instants_before(span, period) == before);
  RC_ASSERT(deadlines_before(span, period, deadline) == missed);
}

TEST(Periods, OfAnySpan) {
  constexpr int64_t kYear = 365ll * 86'400 * 1'000'000'000;
  EXPECT_EQ(instants_before<int64_t>(100 * kYear, 20'000), 157'680'000'000'000u);
  EXPECT_EQ(instants_before<int64_t>(INT64_MAX, 1), static_cast<uint64_t>(INT64_MAX));
  EXPECT_EQ(instants_before<int32_t>(INT32_MAX, INT32_MAX), 1u);
  EXPECT_EQ(deadlines_before<int64_t>(INT64_MIN, 1, INT64_MAX), 0u);
  EXPECT_EQ(deadlines_before<int32_t>(INT32_MAX, 1, INT32_MAX), 0u);
}

}  // namespace
}  // namespace hocket
