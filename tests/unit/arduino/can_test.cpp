// Frames of a CAN bus: identifiers, what is printed of them, their queue against a model.
#include <Arduino.h>
#include <api/HardwareCAN.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <deque>

#include "text_streams.h"

namespace {

constexpr uint8_t kBytes[] = {0xDE, 0xAD, 0xC0, 0x0E, 5, 6, 7, 8, 9, 10};

std::string printed(const CanMsg& msg) {
  Collector out;
  EXPECT_EQ(out.print(msg), out.text.size());
  return out.text;
}

TEST(Can, IdentifiersAreCutToTheirBits) {
  EXPECT_EQ(CanStandardId(0x7FF), 0x7FFu);
  EXPECT_EQ(CanStandardId(0x1801), 0x001u);
  EXPECT_EQ(CanExtendedId(0x1FFFFFFF), 0x9FFFFFFFu);
  EXPECT_EQ(CanExtendedId(0x20000001), 0x80000001u);
  const CanMsg standard(CanStandardId(0x20), 0, nullptr), extended(CanExtendedId(0x20), 0, nullptr);
  EXPECT_TRUE(standard.isStandardId());
  EXPECT_FALSE(standard.isExtendedId());
  EXPECT_TRUE(extended.isExtendedId());
  EXPECT_EQ(standard.getStandardId(), extended.getExtendedId());
}

TEST(Can, AFrameHasEightBytesAtMost) {
  const CanMsg whole(1, sizeof kBytes, kBytes), none(1, 3, nullptr), plain;
  EXPECT_EQ(whole.data_length, 8);
  EXPECT_EQ(whole.data[7], 8);
  EXPECT_EQ(none.data_length, 3);
  EXPECT_EQ(none.data[2], 0);
  EXPECT_EQ(plain.id, 0u);
  EXPECT_EQ(plain.data_length, 0);
  CanMsg copy;
  copy = whole;
  EXPECT_EQ(printed(copy), printed(whole));
}

TEST(Can, Prints) {
  EXPECT_EQ(printed(CanMsg(CanStandardId(0x2A), 2, kBytes)), "[02A] (2) : DEAD");
  EXPECT_EQ(printed(CanMsg(CanExtendedId(0x1234ABC), 4, kBytes)), "[01234ABC] (4) : DEADC00E");
  EXPECT_EQ(printed(CanMsg()), "[000] (0) : ");
}

RC_GTEST_PROP(Can, TheQueueIsOne, (const std::vector<bool>& puts)) {
  CanMsgRingbuffer queue;
  std::deque<uint32_t> model;
  uint32_t next = 1;
  for (const bool put : puts) {
    if (put) {
      if (model.size() < CanMsgRingbuffer::RING_BUFFER_SIZE) model.push_back(next);
      queue.enqueue(CanMsg(next++, 0, nullptr));
    } else {
      RC_ASSERT(queue.dequeue().id == (model.empty() ? 0 : model.front()));
      if (!model.empty()) model.pop_front();
    }
    RC_ASSERT(queue.available() == model.size());
    RC_ASSERT(queue.isEmpty() == model.empty());
    RC_ASSERT(queue.isFull() == (model.size() == CanMsgRingbuffer::RING_BUFFER_SIZE));
  }
}

/// A controller that hears what it sends.
class Loopback final : public HardwareCAN {
 public:
  bool begin(CanBitRate can_bitrate) override { return can_bitrate == CanBitRate::BR_500k; }
  void end() override {}
  int write(const CanMsg& msg) override {
    if (queue_.isFull()) return -1;
    queue_.enqueue(msg);
    return 1;
  }
  size_t available() override { return queue_.available(); }
  CanMsg read() override { return queue_.dequeue(); }

 private:
  CanMsgRingbuffer queue_;
};

TEST(Can, ADriverDerivesFromTheInterface) {
  Loopback controller;
  HardwareCAN& bus = controller;
  ASSERT_TRUE(bus.begin(CanBitRate::BR_500k));
  EXPECT_EQ(bus.write(CanMsg(7, 1, kBytes)), 1);
  EXPECT_EQ(bus.available(), 1u);
  EXPECT_EQ(bus.read().id, 7u);
  for (unsigned i = 0; i < CanMsgRingbuffer::RING_BUFFER_SIZE; ++i) bus.write(CanMsg());
  EXPECT_LT(bus.write(CanMsg()), 0);
}

}  // namespace
