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
          const Edges taken = detector.take();
          ASSERT_EQ(taken.count, waiting);
          if (waiting > 0) ASSERT_EQ(taken.first, first);
          waiting = 0;
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
    EXPECT_EQ(detector.take().count, 0u);
  }
}

TEST(EdgeDetector, ALevelCountsOnceEachTimeItIsAsked) {
  EdgeDetector detector;
  detector.watch(10, Mode::Low, /*level=*/false);
  EXPECT_TRUE(detector.asks());
  EXPECT_EQ(detector.take().count, 1u);
  EXPECT_FALSE(detector.asks());
  detector.mask();
  detector.unmask(20, /*level=*/false);
  EXPECT_EQ(detector.take().first, 20u);
  detector.unmask(30, /*level=*/true);
  EXPECT_FALSE(detector.asks());
}

}  // namespace
}  // namespace hocket::sim
