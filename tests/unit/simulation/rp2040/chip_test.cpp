// The chip as a whole: where things are, aliases, contention, what ends a run.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "tests/unit/simulation/rp2040/rig.h"

namespace hocket::rp2040::test {
namespace {

RC_GTEST_PROP(Memory, TheUnstripedViewHasEachByteOnce, ()) {
  const uint32_t offset = *rc::gen::inRange<uint32_t>(0, kStripedSize);
  const uint32_t striped = Memory::striped(offset);
  RC_ASSERT(striped < kStripedSize);
  RC_ASSERT(Memory::bank(striped) == offset / (kStripedSize / 4));
  RC_ASSERT(striped % 4 == offset % 4);
}

TEST(Memory, TheUnstripedViewIsAPermutation) {
  std::set<uint32_t> seen;
  for (uint32_t at = 0; at < kStripedSize; at += 4) seen.insert(Memory::striped(at));
  EXPECT_EQ(seen.size(), kStripedSize / 4);
}

TEST(Memory, CoresWaitForEachOtherInOneBank) {
  Memory memory;
  EXPECT_EQ(memory.wait(0, 0, 100), 0u);
  EXPECT_EQ(memory.wait(1, 4, 100), 0u);
  EXPECT_EQ(memory.wait(1, 16, 100), 1u);
  EXPECT_EQ(memory.wait(1, kStripedSize, 100), 0u);
}

TEST(Chip, AccessesToBothViewsMeet) {
  Rig rig;
  rig.write(kUnstripedBase + 4, 77);
  EXPECT_EQ(rig.read(kRamBase + 16), 77u);
}

TEST(Chip, NarrowWritesReachAllOfADevicesWord) {
  Rig rig;
  rig.access(0x7008, kWatchdog + 0x0c, 0xab);  // strb
  EXPECT_EQ(rig.read(kWatchdog + 0x0c), 0xabab'ababu);
}

TEST(Chip, AliasesSetClearAndTurnOver) {
  Rig rig;
  const uint32_t scratch = kWatchdog + 0x10;
  rig.write(scratch, 0x0f);
  rig.write(scratch + 0x2000, 0xf0);
  EXPECT_EQ(rig.read(scratch), 0xffu);
  rig.write(scratch + 0x3000, 0x3c);
  EXPECT_EQ(rig.read(scratch), 0xc3u);
  rig.write(scratch + 0x1000, 0xff);
  EXPECT_EQ(rig.read(scratch), 0x3cu);
}

TEST(Chip, WhatIsNotModelledIsNamed) {
  Rig rig({0x6808});
  rig.r(1) = 0x5000'0010;
  rig.run_for(10);
  ASSERT_TRUE(rig.chip.stopped());
  EXPECT_EQ(rig.chip.stopped()->kind, Chip::Stop::Kind::NotModelled);
  EXPECT_EQ(rig.chip.stopped()->text,
            "DMA register 0x00000010 is not modelled (core 0, pc 0x20000100)");
}

TEST(Chip, NothingAtAnAddressIsAFault) {
  Rig rig({0x6808});
  rig.r(1) = 0x6000'0000;
  rig.steps(1);
  EXPECT_EQ(rig.core.last_fault().kind, Fault::Kind::Nothing);
}

TEST(Chip, AResetThatIsAskedForEndsTheRun) {
  Rig rig({0x6008, 0xe7fe});
  rig.r(0) = 0x05fa'0004;
  rig.r(1) = 0xe000'ed0c;
  rig.run_for(100);
  ASSERT_TRUE(rig.chip.stopped());
  EXPECT_EQ(rig.chip.stopped()->kind, Chip::Stop::Kind::Reset);
}

TEST(Chip, TimeGoesOnWhileAllSleep) {
  Rig rig({0xbf30});
  rig.chip.run(5000);
  EXPECT_EQ(rig.chip.cycle(), 5000u);
  EXPECT_TRUE(rig.chip.asleep_for_good());
}

TEST(BootRom, ProgramsFindItsFunctions) {
  Rig rig({0x4788, 0xe7fe});  // blx r1
  const uint32_t table = rig.read(0x14) & 0xffff, look_up = rig.read(0x18) & 0xffff;
  rig.r(0) = table;
  rig.r(1) = look_up;
  rig.put(kCode, {0x4788, 0xe7fe});
  uint32_t code = 'P' | '3' << 8;
  // r0: table, r1: code; the function is called from r2.
  rig.put(kCode, {0x4790, 0xe7fe});
  rig.r(1) = code;
  rig.r(2) = look_up;
  rig.run_for(50);
  const uint32_t population_count = rig.r(0);
  ASSERT_NE(population_count, 0u);
  rig.r(0) = 0xf0f0;
  rig.r(2) = population_count;
  rig.r(15) = kCode;
  rig.core.registers_changed();
  rig.run_for(50);
  EXPECT_EQ(rig.r(0), 8u);
}

}  // namespace
}  // namespace hocket::rp2040::test
