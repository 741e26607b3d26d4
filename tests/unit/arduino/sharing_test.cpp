// Table II's calls: channels, ring buffers and spinlocks as sketches write them, and loop
// descriptors.
#include <Hocket.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "fake_system.h"

namespace {

struct Pose {
  float x, y, heading;
};

TEST(Channels, HoldTheNewestValue) {
  Channel<int> distance;
  EXPECT_EQ(channelRead(distance), 0);
  channelWrite(distance, 10);
  channelWrite(distance, 20.9);
  EXPECT_EQ(channelRead(distance), 20) << "as an assignment to an int";
  EXPECT_EQ(channelRead(distance), 20);
}

TEST(Channels, OfStructsAndWithoutAType) {
  Channel<Pose> pose;
  channelWrite(pose, Pose{1, 2, 3});
  EXPECT_EQ(channelRead(pose).heading, 3);
  Channel plain;
  channelWrite(&plain, 7);
  static_assert(std::is_same_v<decltype(channelRead(plain)), int>);
  EXPECT_EQ(channelRead(&plain), 7);
}

TEST(Ringbufs, KeepEverythingInOrder) {
  Ringbuf<int, 3> samples;
  int x = -1;
  EXPECT_FALSE(ringbufRead(samples, x));
  EXPECT_EQ(x, -1);
  for (int i = 1; i <= 3; ++i) EXPECT_TRUE(ringbufWrite(samples, i));
  EXPECT_FALSE(ringbufWrite(samples, 4));
  EXPECT_TRUE(ringbufRead(samples, x));
  EXPECT_EQ(x, 1);
  EXPECT_TRUE(ringbufRead(&samples, &x));
  EXPECT_EQ(x, 2);
  EXPECT_EQ(samples.size(), 1u);
}

TEST(Ringbufs, InitSetsTheSize) {
  Ringbuf<byte, 8> samples;
  ringbufWrite(samples, 1);
  EXPECT_TRUE(ringbufInit(samples, 2));
  EXPECT_EQ(samples.size(), 0u);
  EXPECT_TRUE(ringbufWrite(samples, 1));
  EXPECT_TRUE(ringbufWrite(samples, 2));
  EXPECT_FALSE(ringbufWrite(samples, 3));
  EXPECT_FALSE(ringbufInit(samples, 9)) << "more than there is room for";
  EXPECT_FALSE(ringbufInit(samples, 0));
  EXPECT_EQ(samples.size(), 2u);
  EXPECT_TRUE(ringbufInit(&samples));
  int taken = 0;
  while (ringbufWrite(&samples, taken)) ++taken;
  EXPECT_EQ(taken, 8);
  Ringbuf plain;
  EXPECT_TRUE(ringbufInit(plain, 64));
}

TEST(Spinlocks, AreTheSystems) {
  reset_fake();
  Spinlock lock;
  spinlockInit(lock);
  spinlockLock(lock);
  EXPECT_EQ(fake().locks_held, 1u);
  EXPECT_THROW(spinlockLock(lock), std::logic_error);
  spinlockUnlock(lock);
  spinlockLock(&lock);
  spinlockUnlock(&lock);
  {
    SpinlockGuard guard(lock);
    EXPECT_EQ(fake().locks_held, 1u);
  }
  EXPECT_EQ(fake().locks_held, 0u);
}

}  // namespace

HOCKET_LOOP(7, 500us, 20ms, onCore(1)) {}
HOCKET_PERIODIC(8, 2ms, 10ms, 5ms) {}

namespace {

TEST(Loops, AreDescribedAtCompileTime) {
  static_assert(hocket_loop_7_descriptor.budget_ns == 500000 && hocket_loop_7_descriptor.core == 1);
  static_assert(hocket_loop_8_descriptor.kind == hocket::LoopKind::Periodic);
  static_assert(hocket_loop_8_descriptor.deadline_ns == 5000000);
  EXPECT_EQ(hocket_loop_7_descriptor.body, &hocket_loop_7);
}

}  // namespace
