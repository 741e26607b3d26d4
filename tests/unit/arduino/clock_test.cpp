// Clocks and chronometers of sketches.
#include "time_services.h"

namespace {

using Clocks = TimeServices;

TEST_F(Clocks, CountFromTheStartUntilTheyAreSet) {
  Clock clock;
  fake().now = 2'999'999'999;
  EXPECT_EQ(clock.now(), 2u);
  EXPECT_FALSE(clock.is_set());
  clock.now(1'760'000'000);
  EXPECT_TRUE(clock.is_set());
  fake().now += 999'999'999;
  EXPECT_EQ(Clock::now(), 1'760'000'000u);
  fake().now += 1;
  EXPECT_EQ(Clock().now(), 1'760'000'001u);
}

TEST_F(Clocks, ChronometersMeasure) {
  fake().now = 5'000;
  Chronometer chron;
  EXPECT_EQ(chron.read(), 5u) << "since the board's start";
  chron.start();
  fake().now += 1'999;
  EXPECT_EQ(chron.read(), 1u);
  chron.start();
  fake().now += 1;
  chron.stop();
  fake().now += 77'000;
  chron.stop();
  EXPECT_EQ(chron.read(), 2u);
  chron.start();
  EXPECT_EQ(chron.read(), 0u);
  chron.reset();
  EXPECT_EQ(chron.read(), fake().now / 1'000);
}

}  // namespace
