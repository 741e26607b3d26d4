// A pin's edge detector counts what its mode says, edge by edge, masked or not.
#include "simulation/devices/edge_detector.h"

#include <gtest/gtest.h>

#include <random>

namespace hocket::sim {
namespace {

using Mode = sys::EdgeMode;

TEST(EdgeDetector, CountsTheEdgesOfItsMode) {
  std::mt19937 dice(3);
  for (const Mode mode : {Mode::Change, Mode::Falling, Mode::Rising}) {
    EdgeDetector detector;
    bool level = false;
    uint64_t waiting = 0;
    Nanos first = 0;
    detector.watch(0, mode, level);
    for (Nanos now = 1; now < 5'000; ++now) {
      switch (dice() % 5) {
        case 0: {
          const uint64_t most = dice() % 2 == 0 ? 1 : UINT64_MAX;
          const Edges taken = detector.take(now, most);
          ASSERT_EQ(taken.count, std::min(most, waiting));
          if (waiting > 0) ASSERT_EQ(taken.first, first);
          waiting -= taken.count;
          first = now;  // of those that wait on
          break;
        }
        case 1:
          detector.mask();
          ASSERT_FALSE(detector.asks());
          break;
        case 2:
          detector.unmask(now, level);
          ASSERT_EQ(detector.asks(), waiting > 0);
          break;
        default:
          level = !level;
          detector.changed(now, level);
          if (mode == Mode::Change || level == (mode == Mode::Rising)) {
            if (waiting++ == 0) first = now;
          }
      }
    }
    EXPECT_EQ(detector.release().count, waiting);
    detector.changed(6'000, !level);
    EXPECT_EQ(detector.take(6'000, 1).count, 0u);
  }
}

TEST(EdgeDetector, ALevelCountsOnceEachTimeItIsAsked) {
  EdgeDetector detector;
  detector.watch(10, Mode::Low, /*level=*/false);
  EXPECT_TRUE(detector.asks());
  EXPECT_EQ(detector.take(10, UINT64_MAX).count, 1u);
  EXPECT_FALSE(detector.asks());
  detector.mask();
  detector.unmask(20, /*level=*/false);
  EXPECT_EQ(detector.take(20, 1).first, 20u);
  detector.unmask(30, /*level=*/true);
  EXPECT_FALSE(detector.asks());
}

TEST(EdgeDetector, CountsWhatItHasNoRoomFor) {
  EdgeDetector detector;
  detector.watch(0, Mode::Rising, /*level=*/false);
  for (Nanos now = 1; now <= 65'540; ++now) detector.changed(now, /*high=*/true);
  EXPECT_EQ(detector.counted(), 65'540u);
  EXPECT_EQ(detector.overflowed(), 5u);
  EXPECT_EQ(detector.take(70'000, 1).count, 1u);
  EXPECT_EQ(detector.take(70'000, UINT64_MAX).count, 65'534u);
  detector.changed(80'000, /*high=*/true);
  EXPECT_EQ(detector.counted(), 65'541u);
  EXPECT_EQ(detector.take(90'000, 1).first, 80'000u);
}

}  // namespace
}  // namespace hocket::sim
