// The four-slot channel used by one side at a time. The concurrent behaviour: `tests/spin`,
// `tests/stress`.

#include "kernel/task/four_slot.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

namespace {

using hocket::FourSlot;

struct Pose {
  float x, y;
  int16_t heading;
  bool valid;
};

// A channel is four items and four bytes of control, and is zero before any code runs.
static_assert(sizeof(FourSlot<uint8_t>) == 8);
static_assert(sizeof(FourSlot<uint32_t>) == 4 * 4 + 4);
static_assert(!__is_constructible(FourSlot<int>, const FourSlot<int>&));
constinit FourSlot<Pose> global_pose;

TEST(FourSlot, ReadsZeroBeforeTheFirstWrite) {
  const Pose pose = global_pose.read();
  EXPECT_EQ(pose.x, 0.0f);
  EXPECT_EQ(pose.y, 0.0f);
  EXPECT_EQ(pose.heading, 0);
  EXPECT_FALSE(pose.valid);
  FourSlot<int> local;
  EXPECT_EQ(local.read(), 0);
}

TEST(FourSlot, TakesTheDefaultsThatAnItemDeclares) {
  struct Distance {
    int centimetres = -1;
  };
  FourSlot<Distance> channel;
  EXPECT_EQ(channel.read().centimetres, -1);
}

TEST(FourSlot, IsAllZeroBytes) {
  static constinit FourSlot<uint32_t> channel;
  const std::array<unsigned char, sizeof(channel)> zeros{};
  EXPECT_EQ(std::memcmp(&channel, zeros.data(), sizeof(channel)), 0);
}

TEST(FourSlot, ReadsTheSameItemAgain) {
  FourSlot<int> channel;
  channel.write(7);
  EXPECT_EQ(channel.read(), 7);
  EXPECT_EQ(channel.read(), 7);
}

TEST(FourSlot, CarriesAnItemOfAnySize) {
  struct Large {
    std::array<uint8_t, 1000> bytes{};
  };
  static FourSlot<Large> channel;
  for (unsigned round = 1; round <= 20; ++round) {
    Large item;
    item.bytes.fill(static_cast<uint8_t>(round));
    channel.write(item);
    EXPECT_EQ(channel.read().bytes, item.bytes);
  }
}

RC_GTEST_PROP(FourSlotProperty, AReadReturnsTheLastWrite, (const std::vector<bool>& is_write)) {
  FourSlot<uint64_t> channel;
  uint64_t newest = 0;
  for (const bool write : is_write) {
    if (write) {
      newest = newest * 3 + 1;
      channel.write(newest);
    } else {
      RC_ASSERT(channel.read() == newest);
    }
  }
  RC_ASSERT(channel.read() == newest);
}

}  // namespace
