// random(), randomSeed() and map().
#include <Arduino.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fake_system.h"

namespace {

/// avr-libc's generator, in 64-bit arithmetic.
class Reference {
 public:
  explicit Reference(uint32_t seed) : x_(static_cast<int32_t>(seed)) {}
  long next() {
    if (x_ == 0) x_ = 123459876;
    // The decomposition's result is congruent to 16807 x; negative x stay on their side of zero.
    const int64_t quotient = x_ / 127773;
    x_ = 16807 * (x_ - quotient * 127773) - 2836 * quotient;
    if (x_ < 0) x_ += 0x7fffffff;
    return x_;
  }

 private:
  int64_t x_;
};

// Without a seed of the sketch the system's entropy starts the sequence, so this test runs first:
// the sequence starts once in a program.
TEST(Random, UnseededAsksTheSystemOnce) {
  reset_fake();
  const long first = random(1000000000L);
  random(10);
  EXPECT_EQ(fake().taken(), std::vector<std::string>{"entropy"});
  EXPECT_EQ(first, Reference(12345).next() % 1000000000L);
}

TEST(Random, IsTheSequenceOfAnUno) {
  // srandom(1) of avr-libc: the minimal standard generator's published sequence.
  randomSeed(1);
  EXPECT_EQ(random(0x7fffffffL), 16807);
  EXPECT_EQ(random(0x7fffffffL), 282475249);
  EXPECT_EQ(random(0x7fffffffL), 1622650073);
  for (int i = 4; i < 10000; ++i) random(2);
  EXPECT_EQ(random(0x7fffffffL), 1043618065) << "the 10,000th, as Park and Miller publish it";
}

RC_GTEST_PROP(Random, SequenceOfAnySeed, (uint32_t seed)) {
  RC_PRE(seed != 0u);
  randomSeed(seed);
  Reference reference(seed);
  for (int i = 0; i < 20; ++i) RC_ASSERT(random(0x7fffffffL) == reference.next() % 0x7fffffffL);
}

RC_GTEST_PROP(Random, StaysInItsRange, (int32_t a, int32_t b)) {
  const long x = random(a, b);
  if (a >= b) {
    RC_ASSERT(x == a);
  } else {
    RC_ASSERT(x >= a && x < b);
  }
  if (a > 0) {
    const long y = random(a);
    RC_ASSERT(y >= 0 && y < a);
  }
}

TEST(Random, ReachesBothEndsOfItsRange) {
  randomSeed(7);
  bool low = false;
  bool high = false;
  for (int i = 0; i < 1000; ++i) {
    const long x = random(-3, 4);
    low |= x == -3;
    high |= x == 3;
  }
  EXPECT_TRUE(low && high);
}

TEST(Random, SpecialArguments) {
  EXPECT_EQ(random(0), 0);
  EXPECT_EQ(random(5, 5), 5);
  EXPECT_EQ(random(5, -5), 5);
  randomSeed(42);
  const long first = random(1000000);
  randomSeed(42);
  randomSeed(0);  // no seed: the sequence goes on
  EXPECT_EQ(random(1000000), first);
  EXPECT_EQ(fake().locks_held, 0u);
}

TEST(Map, Table) {
  EXPECT_EQ(map(512, 0, 1023, 0, 255), 127);
  EXPECT_EQ(map(1023, 0, 1023, 0, 255), 255);
  EXPECT_EQ(map(0, 0, 1023, 0, 255), 0);
  EXPECT_EQ(map(5, 0, 10, 100, 0), 50);
  EXPECT_EQ(map(20, 0, 10, 0, 100), 200) << "no clamping";
  EXPECT_EQ(map(-1, 0, 10, 0, 5), 0) << "cut towards zero";
  EXPECT_EQ(map(7, 3, 3, 10, 20), 10) << "an empty range does not divide by zero";
}

RC_GTEST_PROP(Map, KeepsEndsAndOrder,
              (int16_t a, int16_t b, int16_t low, int16_t high, int16_t x)) {
  RC_PRE(a < b);
  RC_ASSERT(map(a, a, b, low, high) == low);
  RC_ASSERT(map(b, a, b, low, high) == high);
  const long clamped = constrain(long{x}, long{a}, long{b});
  const long y = map(clamped, a, b, low, high);
  RC_ASSERT(y >= min(low, high) && y <= max(low, high));
}

}  // namespace
