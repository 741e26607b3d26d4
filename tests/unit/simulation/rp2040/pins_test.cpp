// Pins, and their interrupts on both cores.
#include <gtest/gtest.h>

#include "tests/unit/simulation/rp2040/rig.h"

namespace hocket::rp2040::test {
namespace {

constexpr uint32_t kOut = kPortBase + 0x10, kOutEnable = kPortBase + 0x20, kIn = kPortBase + 0x04;
constexpr uint32_t kPads = 0x4001'c000;
constexpr uint32_t kIntr0 = kIoBank0 + 0xf0, kProc0Enable = kIoBank0 + 0x100,
                   kProc1Enable = kIoBank0 + 0x130;
constexpr uint32_t kFallen = 4, kRisen = 8;

struct Board : Rig {
  Board() {
    for (uint32_t pin = 0; pin < 4; ++pin) write(kIoBank0 + 8 * pin + 4, 5);
  }
};

TEST(Pins, AnOutputReadsBack) {
  Board board;
  board.write(kOutEnable + 4, 2);
  board.write(kOut + 4, 2);
  EXPECT_EQ(board.chip.pins().driven(), 2u);
  EXPECT_EQ(board.read(kIn) & 2, 2u);
  board.write(kOut + 0xc, 2);
  EXPECT_EQ(board.read(kIn) & 2, 0u);
}

TEST(Pins, WithoutADriverThePullDecides) {
  Board board;
  EXPECT_EQ(board.read(kIn) & 1, 0u);
  board.write(kPads + 4, 0x4a);  // pull up
  EXPECT_EQ(board.read(kIn) & 1, 1u);
  board.chip.pins().connect(0, false, board.chip.cycle());
  EXPECT_EQ(board.read(kIn) & 1, 0u);
  board.chip.pins().disconnect(0, board.chip.cycle());
  EXPECT_EQ(board.read(kIn) & 1, 1u);
  board.write(kPads + 4, 0x0a);  // input off
  EXPECT_EQ(board.read(kIn) & 1, 0u);
}

TEST(Pins, OverridesInvert) {
  Board board;
  board.write(kIoBank0 + 4, 1u << 8 | 1u << 16 | 5);
  board.write(kOutEnable + 4, 1);
  EXPECT_EQ(board.chip.pins().levels() & 1, 1u);
  EXPECT_EQ(board.read(kIn) & 1, 0u);
}

TEST(Pins, AnEdgeInterruptsTheCoreThatEnablesIt) {
  Board board;
  board.write(kProc1Enable, kRisen << 4);
  board.chip.pins().connect(1, true, board.chip.cycle());
  EXPECT_EQ(board.core.nvic().lines() & 1u << 13, 0u);
  EXPECT_NE(board.chip.core(1).nvic().lines() & 1u << 13, 0u);
  board.write(kIntr0, kRisen << 4);
  EXPECT_EQ(board.chip.core(1).nvic().lines() & 1u << 13, 0u);
}

TEST(Pins, OnlyChangesAreEdges) {
  Board board;
  board.write(kProc0Enable, kRisen | kFallen);
  board.chip.pins().connect(0, false, board.chip.cycle());
  EXPECT_EQ(board.read(kIntr0) & (kRisen | kFallen), 0u);
  board.chip.pins().connect(0, true, board.chip.cycle());
  board.chip.pins().connect(0, true, board.chip.cycle());
  EXPECT_EQ(board.read(kIntr0) & (kRisen | kFallen), kRisen);
}

TEST(Pins, ChangesAreToldWithTheirCycle) {
  Board board;
  std::vector<Cycles> told;
  board.chip.pins().on_change([&](Cycles now) { told.push_back(now); });
  board.write(kOutEnable + 4, 1);
  board.write(kOut + 4, 1);
  board.write(kOut + 4, 1);
  ASSERT_EQ(told.size(), 2u);
  EXPECT_LE(told[1], board.chip.cycle());
}

TEST(Pins, ADeviceInResetStopsTheRun) {
  Rig rig({0x6808});  // ldr r0, [r1]
  rig.r(1) = 0x4003'8000;
  rig.run_for(10);
  ASSERT_TRUE(rig.chip.stopped());
  EXPECT_EQ(rig.chip.stopped()->text,
            "UART1 register 0x00000000: use of a device that RESETS holds in reset is not "
            "modelled (core 0, pc 0x20000100)");
}

}  // namespace
}  // namespace hocket::rp2040::test
