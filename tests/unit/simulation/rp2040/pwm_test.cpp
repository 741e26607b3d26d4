// PWM slices against a counter that is stepped, and their pins.
#include "simulation/rp2040/devices/pwm.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/unit/simulation/rp2040/rig.h"

namespace hocket::rp2040::test {
namespace {

constexpr uint32_t kPwm = 0x4005'0000;

/// As the manual describes a slice without divisor (4.5.2), one count a cycle.
struct SteppedSlice {
  uint32_t top, compare, count = 0;
  bool correct, down = false;
  uint32_t next_top, next_compare;

  bool step() {
    if (!correct) {
      count = count >= top ? 0 : count + 1;
      return count == 0 && take_over();
    }
    // Top and bottom are held for two counts each.
    if (!down && count == top) {
      down = true;
    } else if (down && count == 0) {
      down = false;
      return take_over();
    } else {
      count = down ? count - 1 : count + 1;
    }
    return false;
  }
  bool take_over() {
    top = next_top;
    compare = next_compare;
    return true;
  }
  uint32_t outputs() const {
    return (count < (compare & 0xffff) ? 1u : 0u) | (count < compare >> 16 ? 2u : 0u);
  }
};

RC_GTEST_PROP(Pwm, ASliceCountsAsOneThatIsStepped, ()) {
  const auto level = [] { return *rc::gen::inRange<uint32_t>(0, 14); };
  const bool correct = *rc::gen::arbitrary<bool>();
  PwmSlice slice;
  slice.set_top(1 + level());
  slice.set_compare(level() | level() << 16);
  slice.set_control(PwmSlice::kEnable | (correct ? PwmSlice::kPhaseCorrect : 0), 100);
  SteppedSlice stepped{slice.top, slice.compare, 0, correct, false, slice.top, slice.compare};
  uint32_t before = slice.outputs(100);
  Cycles next = slice.next(100);
  for (Cycles now = 101; now < 300; ++now) {
    if (*rc::gen::inRange(0, 20) == 0) {
      stepped.next_compare = level() | level() << 16;
      slice.set_compare(stepped.next_compare);
    }
    const bool begun = slice.advance(now);
    RC_ASSERT(begun == stepped.step());
    RC_ASSERT(slice.count(now) == stepped.count);
    RC_ASSERT(slice.outputs(now) == stepped.outputs());
    // Nothing is missed by a caller that looks at next() alone.
    if (slice.outputs(now) != before || begun) RC_ASSERT(now >= next);
    if (now >= next) next = slice.next(now);
    before = slice.outputs(now);
  }
}

TEST(Pwm, ItsPinChangesAtItsCounts) {
  Rig rig({0xe7fe});
  rig.write(kResets + 0x3000, 1u << 14);
  rig.write(kIoBank0 + 8 * 2 + 4, 4);
  rig.write(kPwm + 0x14 + 0x10, 99);
  rig.write(kPwm + 0x14 + 0x0c, 25);
  rig.write(kPwm + 0x14 + 0x04, 5 << 4);
  std::vector<std::pair<Cycles, bool>> changes;
  rig.chip.pins().on_change(
      [&](Cycles now) { changes.emplace_back(now, (rig.chip.pins().levels() & 4) != 0); });
  rig.write(kPwm + 0x14, 1);
  rig.run_for(1600);
  ASSERT_GE(changes.size(), 5u);
  for (size_t i = 1; i < changes.size(); ++i) {
    EXPECT_EQ(changes[i].first - changes[i - 1].first, changes[i].second ? 375u : 125u);
  }
}

TEST(Pwm, EachTurnInterrupts) {
  Rig rig({0xe7fe});
  rig.write(kResets + 0x3000, 1u << 14);
  rig.write(kPwm + 0x10, 999);
  rig.write(kPwm + 0xa8, 1);
  rig.write(kPwm, 1);
  rig.run_for(900);
  EXPECT_EQ(rig.core.nvic().lines() & 1u << 4, 0u);
  rig.run_for(120);
  EXPECT_NE(rig.core.nvic().lines() & 1u << 4, 0u);
  rig.write(kPwm + 0xa4, 1);
  EXPECT_EQ(rig.core.nvic().lines() & 1u << 4, 0u);
}

TEST(Pwm, CountingByAPinIsNotModelled) {
  Rig rig({0x6008});
  rig.write(kResets + 0x3000, 1u << 14);
  rig.r(0) = 1u << 4;
  rig.r(1) = kPwm;
  rig.run_for(10);
  ASSERT_TRUE(rig.chip.stopped());
  EXPECT_NE(rig.chip.stopped()->text.find("PWM register 0x00000000: counting by a pin"),
            std::string::npos);
}

}  // namespace
}  // namespace hocket::rp2040::test
