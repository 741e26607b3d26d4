// Shares of a processor: never more than the exact value, and less by next to nothing.
#include "admission/share.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hocket {
namespace {

using Wide = unsigned __int128;
constexpr uint64_t kMost = UINT64_MAX >> 1;

rc::Gen<uint64_t> span() {
  return rc::gen::map(rc::gen::pair(rc::gen::arbitrary<uint64_t>(), rc::gen::inRange(2, 62)),
                      [](const auto& drawn) { return (drawn.first >> drawn.second) + 1; });
}

TEST(Share, KnownValues) {
  EXPECT_EQ(Share::of(1, 2).portion(10), 5u);
  EXPECT_EQ(Share::of(1, 2).stretched(10, kMost), 20u);
  EXPECT_EQ(Share().stretched(10, kMost), 10u);
  EXPECT_EQ(Share::of(3, 4).stretched(kMost / 2, kMost), kMost);  // more than there is
  EXPECT_EQ(Share::of(7, 7).stretched(1, kMost), kMost);
  Share sum;
  EXPECT_TRUE(sum.add(Share::of(1, 3)));
  EXPECT_TRUE(sum.add(Share::of(2, 3)));
  EXPECT_FALSE(sum.add(Share::of(1, 3)));
  EXPECT_FALSE(Share().add(Share::of(8, 7)));
  EXPECT_TRUE(Share().add(Share::of(7, 7)));
}

RC_GTEST_PROP(Share, IsRoundedDown, ()) {
  uint64_t part = *span(), whole = *span(), of = *span();
  if (part >= whole) std::swap(part, whole);
  if (part == whole) ++whole;
  const uint64_t portion = Share::of(part, whole).portion(of);
  const Wide exact = Wide{part} * of / whole;
  RC_ASSERT(portion <= exact);
  RC_ASSERT(exact - portion <= 1);  // `of` is below 2^62
  const uint64_t up = Share::of(part, whole).rounded_up().portion(of);
  RC_ASSERT(up >= portion);
}

RC_GTEST_PROP(Share, StretchesToNoMore, ()) {
  uint64_t part = *span(), whole = *span();
  const uint64_t of = *span();
  if (part >= whole) std::swap(part, whole);
  if (part == whole) ++whole;
  const uint64_t stretched = Share::of(part, whole).stretched(of, kMost);
  // of / (1 - part/whole) = of · whole / (whole - part)
  const Wide exact = Wide{of} * whole / (whole - part);
  RC_ASSERT(stretched <= (exact < kMost ? exact : kMost));
  const uint64_t up = Share::of(part, whole).rounded_up().stretched(of, kMost);
  RC_ASSERT(up == kMost || up + 1 >= exact);
}

}  // namespace
}  // namespace hocket
