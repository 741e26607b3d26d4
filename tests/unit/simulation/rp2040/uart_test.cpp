// A UART's time, FIFOs and interrupts.
#include <gtest/gtest.h>

#include "tests/unit/simulation/rp2040/rig.h"

namespace hocket::rp2040::test {
namespace {

constexpr uint32_t kFlagRegister = kUart0 + 0x18, kMask = kUart0 + 0x38, kRawStatus = kUart0 + 0x3c,
                   kClear = kUart0 + 0x44;
constexpr uint32_t kReceiveLevel = 1 << 4, kRoom = 1 << 5, kTimeout = 1 << 6, kOverrun = 1 << 10;

/// 115200 baud: 125 MHz / 16 / (67 + 52 / 64).
struct Line : Rig {
  static constexpr Cycles kBit = 1085;
  struct Sent {
    Cycles when;
    uint8_t byte;
  };
  Line() : Rig({0xe7fe}) {
    write(kUart0 + 0x24, 67);
    write(kUart0 + 0x28, 52);
    write(kUart0 + 0x2c, 0x70);
    write(kUart0 + 0x30, 0x301);
    chip.uart(0).on_sent([this](Cycles when, uint8_t byte) { sent.push_back({when, byte}); });
  }
  std::vector<Sent> sent;
};

TEST(Uart, ABitHasItsLength) {
  Line line;
  EXPECT_EQ(line.chip.uart(0).bit(), Line::kBit);
  EXPECT_EQ(line.chip.uart(0).bits(), 10u);
}

TEST(Uart, AByteTakesTenBits) {
  Line line;
  const Cycles start = line.chip.cycle();
  line.write(kUart0, 'a');
  line.write(kUart0, 'b');
  EXPECT_EQ(line.read(kFlagRegister) & 8, 8u);
  line.run_for(25 * Line::kBit);
  ASSERT_EQ(line.sent.size(), 2u);
  EXPECT_EQ(line.sent[0].byte, 'a');
  EXPECT_EQ(line.sent[1].when - line.sent[0].when, 10 * Line::kBit);
  EXPECT_LE(line.sent[0].when - start, 10 * Line::kBit + 10);
  EXPECT_EQ(line.read(kFlagRegister) & 8, 0u);
}

TEST(Uart, TheFifoIsFullAfterThirtyTwoBesideTheOneThatIsSent) {
  Line line;
  for (unsigned i = 0; i < 32; ++i) line.write(kUart0, i);
  EXPECT_EQ(line.read(kFlagRegister) & 1u << 5, 0u);
  line.write(kUart0, 32);
  EXPECT_NE(line.read(kFlagRegister) & 1u << 5, 0u);
  line.run_for(400 * Line::kBit);
  EXPECT_EQ(line.sent.size(), 33u);
}

TEST(Uart, AsksForMoreWhereTheFifoFallsThroughItsLevel) {
  Line line;
  line.write(kUart0 + 0x34, 0);  // 4 bytes
  line.write(kMask, kRoom);
  for (unsigned i = 0; i < 10; ++i) line.write(kUart0, i);
  EXPECT_EQ(line.core.nvic().lines() & 1u << 20, 0u);
  line.run_for(45 * Line::kBit);
  EXPECT_EQ(line.core.nvic().lines() & 1u << 20, 0u);
  line.run_for(10 * Line::kBit);
  EXPECT_NE(line.core.nvic().lines() & 1u << 20, 0u);
  line.write(kClear, kRoom);
  EXPECT_EQ(line.core.nvic().lines() & 1u << 20, 0u);
}

TEST(Uart, ReceivesWithALevelAndATimeout) {
  Line line;
  line.write(kUart0 + 0x34, 0);  // 4 bytes
  for (uint8_t i = 0; i < 3; ++i) EXPECT_TRUE(line.chip.uart(0).receive(i, line.chip.cycle()));
  line.chip.told();
  EXPECT_EQ(line.read(kRawStatus), 0u);
  line.run_for(33 * Line::kBit);
  EXPECT_EQ(line.read(kRawStatus), kTimeout);
  line.chip.uart(0).receive(3, line.chip.cycle());
  EXPECT_EQ(line.read(kRawStatus), kTimeout | kReceiveLevel);
  for (uint32_t i = 0; i < 4; ++i) EXPECT_EQ(line.read(kUart0), i);
  EXPECT_EQ(line.read(kRawStatus), 0u);
}

TEST(Uart, WhatDoesNotFitIsLostAndSaid) {
  Line line;
  for (unsigned i = 0; i < 32; ++i) line.chip.uart(0).receive(1, line.chip.cycle());
  EXPECT_FALSE(line.chip.uart(0).receive(2, line.chip.cycle()));
  EXPECT_NE(line.read(kRawStatus) & kOverrun, 0u);
}

}  // namespace
}  // namespace hocket::rp2040::test
