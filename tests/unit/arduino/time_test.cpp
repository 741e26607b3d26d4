// millis, micros, delay and their like on a clock that the test sets.
#include <Arduino.h>
#include <gtest/gtest.h>

#include "fake_system.h"

namespace {

constexpr uint64_t kMillisecond = 1000000;

class Time : public ::testing::Test {
 protected:
  void SetUp() override { reset_fake(); }
};

TEST_F(Time, MillisAndMicrosCountTheClock) {
  EXPECT_EQ(millis(), 0u);
  fake().now = 1999999;
  EXPECT_EQ(millis(), 1u);
  EXPECT_EQ(micros(), 1999u);
}

TEST_F(Time, BothWrapAt32Bits) {
  fake().now = ((uint64_t{1} << 32) - 1) * kMillisecond;
  EXPECT_EQ(millis(), 0xffffffffu);
  const uint32_t before = static_cast<uint32_t>(millis());
  fake().now += 6 * kMillisecond;
  EXPECT_EQ(millis(), 5u);
  EXPECT_EQ(static_cast<uint32_t>(millis()) - before, 6u);
  fake().now = (uint64_t{1} << 32) * 1000 + 7000;
  EXPECT_EQ(micros(), 7u);
}

TEST_F(Time, DelaySleepsAndTheOthersSpin) {
  fake().now = 500;
  delay(3);
  delayMicroseconds(250);
  delay(0);
  yield();
  EXPECT_EQ(fake().taken(),
            (std::vector<std::string>{"sleep_until 3000500", "spin 250000", "yield", "yield"}));
}

TEST_F(Time, DelayIs32BitsWide) {
  delay(static_cast<unsigned long>(-1));
  EXPECT_EQ(fake().now, 0xffffffffu * kMillisecond);
}

}  // namespace
