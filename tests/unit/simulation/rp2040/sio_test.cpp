// SIO: dividers, FIFOs and spinlocks.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/unit/simulation/rp2040/rig.h"

namespace hocket::rp2040::test {
namespace {

constexpr uint32_t kFifoStatus = kPortBase + 0x50, kFifoWrite = kPortBase + 0x54,
                   kFifoRead = kPortBase + 0x58, kLock = kPortBase + 0x100;

RC_GTEST_PROP(Divider, DividesAsCDoes, (int32_t a, int32_t b)) {
  RC_PRE(b != 0 && !(a == INT32_MIN && b == -1));
  Divider divider;
  divider.set_dividend(static_cast<uint32_t>(a), true, 0);
  divider.set_divisor(static_cast<uint32_t>(b), true, 1);
  RC_ASSERT(!divider.ready(8));
  RC_ASSERT(divider.ready(9));
  RC_ASSERT(static_cast<int32_t>(divider.take_quotient()) == a / b);
  RC_ASSERT(static_cast<int32_t>(divider.remainder()) == a % b);
}

TEST(Divider, ByZeroAndAtTheEdge) {
  Divider divider;
  divider.set_dividend(7, false, 0);
  divider.set_divisor(0, false, 0);
  EXPECT_EQ(divider.take_quotient(), UINT32_MAX);
  EXPECT_EQ(divider.remainder(), 7u);
  divider.set_dividend(static_cast<uint32_t>(-7), true, 0);
  divider.set_divisor(0, true, 0);
  EXPECT_EQ(divider.take_quotient(), 1u);
  divider.set_dividend(0x8000'0000, true, 0);
  divider.set_divisor(UINT32_MAX, true, 0);
  EXPECT_EQ(divider.take_quotient(), 0x8000'0000u);
  EXPECT_EQ(divider.remainder(), 0u);
}

TEST(Divider, AnEarlyReadStopsTheRun) {
  Rig rig({0x6601, 0x6642, 0x6f03, 0xe7fe});  // str r1, r2: dividend, divisor; ldr r3, quotient
  rig.r(0) = kPortBase;
  rig.r(1) = 100;
  rig.r(2) = 7;
  rig.run_for(50);
  ASSERT_TRUE(rig.chip.stopped());
  EXPECT_EQ(rig.chip.stopped()->text,
            "SIO register 0x00000070: a result read before it is ready is not modelled "
            "(core 0, pc 0x20000104)");
}

TEST(Spinlock, IsTakenByReading) {
  Rig rig;
  EXPECT_EQ(rig.read(kLock + 4 * 5), 1u << 5);
  EXPECT_EQ(rig.read(kLock + 4 * 5), 0u);
  EXPECT_EQ(rig.chip.sio().locks(), 1u << 5);
  rig.write(kLock + 4 * 5, 0);
  EXPECT_EQ(rig.read(kLock + 4 * 5), 1u << 5);
}

/// Core 1 is launched as the boot ROM's protocol says, with `b .` as its program.
void launch_second(Rig& rig) {
  for (const uint32_t word : {0u, 0u, 1u, kVectors, kStack - 0x400, kHandler | 1}) {
    rig.write(kFifoWrite, word);
    EXPECT_EQ(rig.read(kFifoRead), word);
  }
}

TEST(Fifo, LaunchesTheSecondCore) {
  Rig rig;
  rig.write(kFifoWrite, 1);  // no beginning
  EXPECT_EQ(rig.read(kFifoRead), 1u);
  EXPECT_EQ(rig.chip.core(1).state(), Core::State::Off);
  launch_second(rig);
  const Core& second = rig.chip.core(1);
  EXPECT_EQ(second.state(), Core::State::Running);
  EXPECT_EQ(second.registers().r[13], kStack - 0x400);
  EXPECT_GE(second.cycle(), 1u);
}

TEST(Fifo, HoldsEightWordsAndSaysWhatWasLost) {
  Rig rig;
  launch_second(rig);
  for (uint32_t i = 0; i < 9; ++i) rig.write(kFifoWrite, i);
  EXPECT_EQ(rig.read(kFifoStatus) & 6, 4u);  // no room, and one was lost
  EXPECT_NE(rig.core.nvic().lines() & 1u << 15, 0u);
  EXPECT_NE(rig.chip.core(1).nvic().lines() & 1u << 16, 0u);
  rig.write(kFifoStatus, 0);
  EXPECT_EQ(rig.core.nvic().lines() & 1u << 15, 0u);
  EXPECT_EQ(rig.read(kFifoRead), 0u);
  EXPECT_EQ(rig.read(kFifoStatus) & 8, 8u);
}

}  // namespace
}  // namespace hocket::rp2040::test
