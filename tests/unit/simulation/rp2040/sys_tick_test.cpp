// SysTick against a counter that is stepped cycle by cycle.
#include "simulation/rp2040/core/sys_tick.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hocket::rp2040 {
namespace {

/// As the manual describes it (Armv6-M ARM, B3.3.1), one count a cycle.
struct Counter {
  uint32_t control = 0, reload = 0, count = 0;
  bool flag = false;
  uint32_t asked = 0;

  void step() {
    if ((control & SysTick::kEnable) == 0) return;
    if (count == 0) {
      count = reload;
    } else if (--count == 0) {
      flag = true;
      if ((control & SysTick::kInterrupt) != 0) ++asked;
    }
  }
};

RC_GTEST_PROP(SysTick, CountsAsACounterThatIsStepped, ()) {
  SysTick tick;
  Counter counter;
  uint32_t asked = 0;
  Cycles now = 0;
  const int operations = *rc::gen::inRange(1, 60);
  for (int i = 0; i < operations; ++i) {
    const Cycles next = now + *rc::gen::inRange<Cycles>(1, 40);
    for (; now < next; ++now) {
      counter.step();
      if (tick.advance(now + 1)) ++asked;
    }
    switch (*rc::gen::inRange(0, 5)) {
      case 0: {
        const uint32_t control = *rc::gen::inRange<uint32_t>(0, 4) | SysTick::kProcessorClock;
        tick.set_control(control, now);
        counter.control = control;
        break;
      }
      case 1: {
        const uint32_t reload = *rc::gen::inRange<uint32_t>(0, 30);
        tick.set_reload(reload, now);
        counter.reload = reload;
        break;
      }
      case 2:
        tick.clear(now);
        counter.count = 0;
        counter.flag = false;
        break;
      case 3: {
        const bool flag = (tick.control(now) & SysTick::kCountFlag) != 0;
        RC_ASSERT(flag == counter.flag);
        counter.flag = false;
        break;
      }
      default:
        break;
    }
    RC_ASSERT(tick.count(now) == counter.count);
  }
  RC_ASSERT(asked == counter.asked);
}

TEST(SysTick, APeriodIsOneMoreThanItsRegister) {
  SysTick tick;
  tick.set_reload(99, 0);
  tick.set_control(SysTick::kEnable | SysTick::kInterrupt | SysTick::kProcessorClock, 1000);
  EXPECT_EQ(tick.next(), 1100u);
  EXPECT_TRUE(tick.advance(1100));
  EXPECT_EQ(tick.next(), 1200u);
}

TEST(SysTick, TheReferenceIsAMicrosecond) {
  SysTick tick;
  tick.set_reload(9, 0);
  tick.set_control(SysTick::kEnable | SysTick::kInterrupt, 0);
  EXPECT_EQ(tick.next(), 1250u);
}

}  // namespace
}  // namespace hocket::rp2040
