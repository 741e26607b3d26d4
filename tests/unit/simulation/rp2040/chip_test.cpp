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

/// A call of the boot ROM's function with these two letters, found as programs find it.
struct RomCall : Rig {
  RomCall() : Rig({0x4798, 0xe7fe}) {}  // blx r3; b .

  uint32_t call(const char* letters, uint32_t a, uint32_t b = 0, uint32_t c = 0) {
    const uint32_t table = read(0x14) & 0xffff, look_up = read(0x18) & 0xffff;
    const uint32_t code = static_cast<uint32_t>(letters[0]) | static_cast<uint32_t>(letters[1])
                                                                  << 8;
    const uint32_t function = enter(look_up, table, code, 0);
    EXPECT_NE(function, 0u) << letters;
    return enter(function, a, b, c);
  }
  uint32_t enter(uint32_t function, uint32_t a, uint32_t b, uint32_t c) {
    r(0) = a;
    r(1) = b;
    r(2) = c;
    r(3) = function;
    r(15) = kCode;
    core.registers_changed();
    run_for(50);
    return r(0);
  }
};

TEST(BootRom, ProgramsFindItsFunctions) {
  RomCall rom;
  EXPECT_EQ(rom.call("P3", 0xf0f0), 8u);
  EXPECT_EQ(rom.call("L3", 0x0000'8000), 16u);
  EXPECT_EQ(rom.call("T3", 0x0000'8000), 15u);
  EXPECT_EQ(rom.call("R3", 1), 0x8000'0000u);
  EXPECT_FALSE(rom.chip.stopped());
}

TEST(BootRom, FlashIsErasedAndProgrammedInItsUnits) {
  RomCall rom;
  constexpr uint32_t kPage = kData + 0x100;
  rom.put_word(kPage, 0x1234'5678);
  rom.call("RP", 0x1000, kPage, 256);
  EXPECT_EQ(rom.word(kFlashBase + 0x1000), 0x1234'5678u);
  rom.put_word(kPage, 0xffff'0000);
  rom.call("RP", 0x1000, kPage, 256);
  EXPECT_EQ(rom.word(kFlashBase + 0x1000), 0x1234'0000u);  // bits only become 0
  rom.call("RE", 0x1000, 0x1000);
  EXPECT_EQ(rom.word(kFlashBase + 0x1000), UINT32_MAX);
  rom.call("RP", 0x1001, kPage, 256);
  ASSERT_TRUE(rom.chip.stopped());
  EXPECT_NE(rom.chip.stopped()->text.find("whole pages of 256 bytes is not modelled"),
            std::string::npos)
      << rom.chip.stopped()->text;
}

}  // namespace
}  // namespace hocket::rp2040::test
