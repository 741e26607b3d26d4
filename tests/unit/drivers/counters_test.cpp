// The timers of the Cortex-M machines: what is counted and when it interrupts, against models that
// refuse what the manuals forbid.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <optional>
#include <stdexcept>

#include "drivers/nrf51/timer.h"
#include "drivers/stellaris/system_clock.h"
#include "drivers/stellaris/timer.h"
#include "drivers/systick/systick.h"
#include "tests/unit/drivers/model_bus.h"

namespace {

using hocket::drivers::testing::ModelBus;

[[noreturn]] void refuse(const char* what, uintptr_t at) {
  throw std::logic_error(what + std::to_string(at));
}

// --- nRF51 TIMER ---

constexpr uintptr_t kNrf = 0x1000;

struct NrfModel {
  bool runs = false, timer_mode = false, wide = false, full_speed = false, interrupts = false;
  bool reached = false;  // EVENTS_COMPARE[0]
  uint32_t counter = 0x1234, compare[4] = {};

  void pass(uint32_t ticks) {
    if (!runs) return;
    if (compare[0] - counter - 1 < ticks) reached = true;
    counter += ticks;
  }
  bool line() const { return reached && interrupts; }
  uint64_t read(uintptr_t address, size_t size) {
    const uintptr_t offset = address - kNrf;
    if (size != 4) refuse("width at ", offset);
    if (offset >= 0x540 && offset < 0x550) return compare[(offset - 0x540) / 4];
    refuse("read of ", offset);
  }
  void write(uintptr_t address, size_t size, uint64_t value) {
    const uintptr_t offset = address - kNrf;
    if (size != 4) refuse("width at ", offset);
    // Mode, width and prescaler only while it stands still (18.2).
    if (offset >= 0x504 && offset <= 0x510 && runs) refuse("running: write of ", offset);
    if (offset == 0x000) {
      if (!timer_mode || !wide || !full_speed) refuse("not set up: ", offset);
      runs = true;
    } else if (offset == 0x004) {
      runs = false;
    } else if (offset == 0x00c) {
      counter = 0;
    } else if (offset >= 0x040 && offset < 0x050) {
      compare[(offset - 0x040) / 4] = counter;
    } else if (offset == 0x140) {
      reached = value != 0;
    } else if (offset == 0x304) {
      interrupts = interrupts || (value & 1 << 16) != 0;
    } else if (offset == 0x504) {
      timer_mode = value == 0;
    } else if (offset == 0x508) {
      wide = value == 3;
    } else if (offset == 0x510) {
      full_speed = value == 0;
    } else if (offset >= 0x540 && offset < 0x550) {
      compare[(offset - 0x540) / 4] = static_cast<uint32_t>(value);
    } else {
      refuse("write of ", offset);
    }
  }
  void published() {}
};
using Nrf = hocket::drivers::Nrf51Timer<kNrf, 8, ModelBus<NrfModel>>;

RC_GTEST_PROP(Nrf51Timer, CountsAndInterruptsWhenItHasCountedSoFar, ()) {
  NrfModel model;
  ModelBus<NrfModel>::model = &model;
  Nrf::start();
  RC_ASSERT(Nrf::count() == 0u);
  uint32_t truth = 0;
  for (const uint32_t start :
       *rc::gen::container<std::vector<uint32_t>>(4, rc::gen::arbitrary<uint32_t>())) {
    model.pass(start);
    truth += start;
    RC_ASSERT(Nrf::count() == truth);
    const auto ahead = *rc::gen::inRange<uint32_t>(1, 0x8000'0000);
    Nrf::alarm_at(truth + ahead);
    RC_ASSERT(!model.line());
    model.pass(ahead - 1);
    RC_ASSERT(!model.line());
    model.pass(1);
    RC_ASSERT(model.line());
    RC_ASSERT(Nrf::count() == truth + ahead);
    Nrf::acknowledge();
    RC_ASSERT(!model.line());
    truth += ahead;
  }
}

// --- SysTick ---

struct SysTickModel {
  bool enabled = false;
  uint32_t reload = 0, current = 77;

  void pass(uint64_t ticks) {
    if (enabled) current = static_cast<uint32_t>((current - ticks) & reload);  // all ones
  }
  uint64_t read(uintptr_t address, size_t) {
    if (address != 0xe000'e018) refuse("read of ", address);
    return current;
  }
  void write(uintptr_t address, size_t, uint64_t value) {
    if (address == 0xe000'e010) {
      if (value != 5) refuse("control ", value);  // no interrupt, the processor's clock
      enabled = true;
    } else if (address == 0xe000'e014) {
      reload = static_cast<uint32_t>(value);
    } else if (address == 0xe000'e018) {
      current = 0;
    } else {
      refuse("write of ", address);
    }
  }
  void published() {}
};

RC_GTEST_PROP(SysTick, CountsUpIn24Bits, ()) {
  using Tick = hocket::drivers::SysTick<ModelBus<SysTickModel>>;
  SysTickModel model;
  ModelBus<SysTickModel>::model = &model;
  Tick::start();
  RC_ASSERT(model.reload == 0xff'ffffu);
  uint64_t truth = 0;
  for (unsigned i = 0; i < 10; ++i) {
    const auto step = *rc::gen::inRange<uint64_t>(0, 1 << 26);
    model.pass(step);
    truth += step;
    RC_ASSERT(Tick::count() == (truth & 0xff'ffff));
  }
}

// --- Stellaris ---

constexpr uintptr_t kTimer = 0x2000;

struct StellarisModel {
  bool enabled = false, one_shot = false, raw = false, interrupts = false;
  uint32_t load = 0, left = 0;

  void pass(uint32_t ticks) {
    if (!enabled) return;
    if (ticks < left) {
      left -= ticks;
      return;
    }
    raw = true;
    enabled = false;
  }
  bool line() const { return raw && interrupts; }
  uint64_t read(uintptr_t address, size_t) { refuse("read of ", address - kTimer); }
  void write(uintptr_t address, size_t, uint64_t value) {
    const uintptr_t offset = address - kTimer;
    // «Ensure the timer is disabled before making any changes» (10.3.1).
    if (enabled && offset < 0x0c) refuse("running: write of ", offset);
    switch (offset) {
      case 0x00:
        if (value != 0) refuse("configuration ", value);
        break;
      case 0x04:
        one_shot = value == 1;
        break;
      case 0x0c:
        if (value == 1 && !enabled) left = load;
        enabled = value == 1;
        if (enabled && !one_shot) refuse("mode at ", offset);
        break;
      case 0x18:
        interrupts = (value & 1) != 0;
        break;
      case 0x24:
        if ((value & 1) != 0) raw = false;
        break;
      case 0x28:
        load = static_cast<uint32_t>(value);
        break;
      default:
        refuse("write of ", offset);
    }
  }
  void published() {}
};

RC_GTEST_PROP(StellarisTimer, InterruptsOnceInPlaceOfWhatWasAskedForBefore, ()) {
  using Timer = hocket::drivers::StellarisTimer<kTimer, ModelBus<StellarisModel>>;
  StellarisModel model;
  ModelBus<StellarisModel>::model = &model;
  Timer::init();
  for (unsigned i = 0; i < 5; ++i) {
    const auto replaced = *rc::gen::inRange<uint32_t>(2, 1 << 24);
    Timer::start(replaced);
    model.pass(replaced / 2);
    const auto ticks = *rc::gen::inRange<uint32_t>(1, 1 << 24);
    Timer::start(ticks);
    model.pass(ticks - 1);
    RC_ASSERT(!model.line());
    model.pass(1);
    RC_ASSERT(model.line());
    Timer::acknowledge();
    model.pass(1 << 25);
    RC_ASSERT(!model.line());
  }
}

/// Data sheet, 6.2: the PLL is never used before it has locked, nor the divider changed under it.
struct SystemModel {
  uint32_t rcc = 0x078e'3ac0, gates = 0;
  unsigned until_locked = 0;

  uint64_t read(uintptr_t address, size_t) {
    switch (address) {
      case 0x400f'e050:
        if (until_locked > 0 && --until_locked == 0) return 1 << 6;
        return 0;
      case 0x400f'e060:
        return rcc;
      case 0x400f'e104:
        return gates;
      default:
        refuse("read of ", address);
    }
  }
  void write(uintptr_t address, size_t, uint64_t value) {
    const auto next = static_cast<uint32_t>(value);
    if (address == 0x400f'e104) {
      gates = next;
      return;
    }
    if (address != 0x400f'e060) refuse("write of ", address);
    const bool bypassed = (rcc & 1 << 11) != 0;
    const uint32_t changed = rcc ^ next;
    if ((changed & (0x3f0 | 1 << 13)) != 0) {
      if (!bypassed || (rcc & 1 << 22) != 0) refuse("the PLL is in use: ", next);
      until_locked = 20;
    }
    if ((next & 1 << 11) == 0 && until_locked > 0) refuse("the PLL has not locked: ", next);
    rcc = next;
  }
  void published() {}
};

TEST(StellarisSystem, RunsAt50Mhz) {
  using System = hocket::drivers::StellarisSystem<ModelBus<SystemModel>>;
  SystemModel model;
  ModelBus<SystemModel>::model = &model;
  System::run_at_50_mhz();
  EXPECT_EQ(model.rcc >> 23 & 0xf, 3u);   // 200 MHz / 4
  EXPECT_NE(model.rcc & 1u << 22, 0u);    // the divider is used
  EXPECT_EQ(model.rcc & 1u << 11, 0u);    // and the PLL
  EXPECT_EQ(model.rcc >> 6 & 0xf, 0xeu);  // 8 MHz
  System::enable_timer_0();
  EXPECT_EQ(model.gates, 1u << 16);
}

}  // namespace
