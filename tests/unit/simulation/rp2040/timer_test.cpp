// TIMER, and the watchdog's divider that it counts.
#include <gtest/gtest.h>

#include "tests/unit/simulation/rp2040/rig.h"

namespace hocket::rp2040::test {
namespace {

constexpr uint32_t kAlarm0 = kTimer + 0x10, kArmed = kTimer + 0x20, kRawLow = kTimer + 0x28,
                   kRaised = kTimer + 0x34, kEnabled = kTimer + 0x38;

TEST(Timer, AnAlarmFiresInTheCycleOfItsMicrosecond) {
  Rig rig({0xbf30});  // wfi
  rig.write(kEnabled, 1);
  rig.write(kAlarm0, rig.read(kRawLow) + 10);
  rig.core.nvic().enable(1);
  const uint64_t start = rig.chip.timer().microseconds(rig.chip.cycle());
  rig.chip.step(kNever);  // sleeps
  EXPECT_EQ(rig.core.state(), Core::State::Sleeping);
  rig.chip.step(kNever);  // is woken
  const Cycles woken = rig.core.cycle();
  EXPECT_EQ(rig.chip.timer().microseconds(woken), start + 10);
  EXPECT_EQ(rig.chip.timer().microseconds(woken - Timing{}.entry - 1), start + 9);
  EXPECT_EQ(rig.read(kArmed), 0u);
  EXPECT_EQ(rig.read(kRaised), 1u);
}

TEST(Timer, AClearingAliasClearsWhatIsRaised) {
  Rig rig;
  rig.write(kAlarm0, rig.read(kRawLow));
  EXPECT_EQ(rig.read(kRaised), 1u);
  rig.write(kRaised + 0x3000, 1);
  EXPECT_EQ(rig.read(kRaised), 0u);
}

TEST(Timer, TheUpperWordIsThatOfTheReadOfTheLower) {
  Rig rig;
  rig.write(kTimer + 0x04, UINT32_MAX);
  rig.write(kTimer + 0x00, 6);
  EXPECT_EQ(rig.read(kTimer + 0x0c), UINT32_MAX);
  rig.core.start(kVectors, kStack, kHandler | 1, rig.chip.cycle());
  rig.run_for(250);
  EXPECT_EQ(rig.read(kTimer + 0x08), 6u);
  EXPECT_EQ(rig.read(kTimer + 0x24), 7u);
}

TEST(Timer, PausedItStands) {
  Rig rig({0xe7fe});
  rig.write(kAlarm0, rig.read(kRawLow) + 2);
  rig.write(kTimer + 0x30, 1);
  const uint32_t at = rig.read(kRawLow);
  rig.run_for(10'000);
  EXPECT_EQ(rig.read(kRawLow), at);
  EXPECT_EQ(rig.read(kArmed), 1u);
  rig.write(kTimer + 0x30, 0);
  rig.run_for(1000);
  EXPECT_EQ(rig.read(kArmed), 0u);
}

TEST(Watchdog, ResetsTheChipWhenItIsNotFed) {
  Rig rig({0xe7fe});
  rig.write(kWatchdog + 4, 2 * 100);  // two counts a microsecond
  rig.write(kWatchdog, 1u << 30);
  const Cycles start = rig.chip.cycle();
  rig.run_for(50 * kCyclesPerMicrosecond);
  EXPECT_FALSE(rig.chip.stopped());
  rig.write(kWatchdog + 4, 2 * 100);
  rig.run_for(99 * kCyclesPerMicrosecond);
  EXPECT_FALSE(rig.chip.stopped());
  rig.run_for(2 * kCyclesPerMicrosecond);
  ASSERT_TRUE(rig.chip.stopped());
  EXPECT_EQ(rig.chip.stopped()->kind, Chip::Stop::Kind::Reset);
  EXPECT_LT(rig.chip.cycle() - start, 160u * kCyclesPerMicrosecond);
}

TEST(Watchdog, ATickThatIsNoMicrosecondStopsTheRun) {
  Rig rig({0x6008, 0xe7fe});
  rig.r(1) = kWatchdog + 0x2c;
  rig.r(0) = 1u << 9 | 6;
  rig.run_for(10);
  ASSERT_TRUE(rig.chip.stopped());
  EXPECT_NE(rig.chip.stopped()->text.find("a tick of 6 cycles"), std::string::npos);
}

}  // namespace
}  // namespace hocket::rp2040::test
