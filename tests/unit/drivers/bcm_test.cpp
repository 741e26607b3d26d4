// The Raspberry Pi's two interrupt controllers together: sources asked for come out at their level
// and core, and nothing else does.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <map>
#include <stdexcept>

#include "drivers/bcm2835/interrupts.h"
#include "drivers/bcm2836/bcm2836.h"
#include "tests/unit/drivers/model_bus.h"

namespace {

using hocket::CoreId;
using hocket::drivers::Level;
using hocket::drivers::Trigger;
using hocket::drivers::testing::ModelBus;

constexpr uintptr_t kLocal = 0x1000, kGpu = 0x2000;

struct Model {
  // What devices ask for.
  std::array<uint8_t, 4> timers_due{};
  std::array<std::array<uint32_t, 4>, 4> mailboxes{};
  std::array<bool, 72> asks{};
  // What was set up.
  std::array<uint32_t, 4> timer_control{0xff, 0xff, 0xff, 0xff}, mailbox_control{};
  uint32_t routing = 0xf, fiq = 0xff;
  std::array<bool, 72> enabled{};
  unsigned publications = 0;

  bool gpu_irq() const {
    for (unsigned source = 0; source < 72; ++source) {
      if (asks.at(source) && enabled.at(source)) return true;
    }
    return false;
  }
  bool gpu_fiq() const { return (fiq & 0x80) != 0 && (fiq & 0x7f) < 72 && asks.at(fiq & 0x7f); }

  /// QA7 4.10: FIQ wins over IRQ where both are asked for.
  uint32_t sources(unsigned core, bool as_fiq) const {
    uint32_t word = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const auto level = [&](uint32_t control) {
        return (control >> (4 + i) & 1) != 0 ? as_fiq : (control >> i & 1) != 0 && !as_fiq;
      };
      if ((timers_due.at(core) >> i & 1) != 0 && level(timer_control.at(core))) word |= 1u << i;
      if (mailboxes.at(core).at(i) != 0 && level(mailbox_control.at(core))) word |= 0x10u << i;
    }
    const unsigned to = as_fiq ? routing >> 2 & 3 : routing & 3;
    if (to == core && (as_fiq ? gpu_fiq() : gpu_irq())) word |= 1u << 8;
    return word;
  }

  uint32_t pending(unsigned first, unsigned count) const {
    uint32_t word = 0;
    for (unsigned i = 0; i < count; ++i) {
      word |= uint32_t{asks.at(first + i) && enabled.at(first + i)} << i;
    }
    return word;
  }
  /// Chapter 7.5: these also, or only, show in the basic word.
  uint32_t basic() const {
    static constexpr unsigned kShown[] = {7, 9, 10, 18, 19, 53, 54, 55, 56, 57, 62};
    uint32_t word = pending(64, 8), one = pending(0, 32), two = pending(32, 32);
    for (unsigned i = 0; i < 11; ++i) {
      uint32_t& from = kShown[i] < 32 ? one : two;
      if ((from >> kShown[i] % 32 & 1) != 0) word |= 1u << (10 + i);
      from &= ~(1u << kShown[i] % 32);
    }
    return word | (one != 0 ? 1u << 8 : 0) | (two != 0 ? 1u << 9 : 0);
  }

  uint64_t read(uintptr_t address, size_t) {
    if (address >= kGpu) {
      switch (address - kGpu) {
        case 0x00:
          return basic();
        case 0x04:
          return pending(0, 32);
        case 0x08:
          return pending(32, 32);
        case 0x0c:
          return fiq;
        case 0x10:
        case 0x14:
        case 0x18: {
          uint32_t word = 0;
          const unsigned first = (address - kGpu - 0x10) / 4 * 32;
          for (unsigned i = 0; i < 32 && first + i < 72; ++i) {
            word |= uint32_t{enabled.at(first + i)} << i;
          }
          return word;
        }
        default:
          throw std::logic_error("GPU read");
      }
    }
    const uintptr_t offset = address - kLocal, core = offset / 4 % 4;
    switch (offset & ~uintptr_t{15}) {
      case 0x40:
        return timer_control.at(core);
      case 0x50:
        return mailbox_control.at(core);
      case 0x60:
        return sources(core, false);
      case 0x70:
        return sources(core, true);
      default:
        throw std::logic_error("local read");
    }
  }
  void write(uintptr_t address, size_t, uint64_t value) {
    const auto word = static_cast<uint32_t>(value);
    if (address >= kGpu) {
      const uintptr_t offset = address - kGpu;
      if (offset == 0x0c) {
        fiq = word;
        return;
      }
      const bool on = offset < 0x1c;
      const unsigned first = (offset - (on ? 0x10 : 0x1c)) / 4 * 32;
      for (unsigned i = 0; i < 32 && first + i < 72; ++i) {
        if ((word >> i & 1) != 0) enabled.at(first + i) = on;
      }
      return;
    }
    const uintptr_t offset = address - kLocal, core = offset / 4 % 4;
    if (offset == 0x0c) {
      routing = word;
    } else if (offset >= 0xc0) {
      mailboxes.at((offset - 0xc0) / 16).at(core) &= ~word;
    } else if (offset >= 0x80) {
      mailboxes.at((offset - 0x80) / 16).at(core) |= word;
    } else if (offset >= 0x50) {
      mailbox_control.at(core) = word;
    } else {
      timer_control.at(core) = word;
    }
  }
  void published() { ++publications; }
};

struct Own {
  static inline CoreId core = 0;
  static CoreId id() { return core; }
};
using Bus = ModelBus<Model>;
using Gpu = hocket::drivers::Bcm2835Interrupts<kGpu, Bus>;
using Local = hocket::drivers::Bcm2836<kLocal, Gpu, Bus, Own>;
static_assert(hocket::drivers::InterruptController<Local>);

void start(Model& model) {
  Bus::model = &model;
  model.enabled.fill(true);
  model.mailboxes[2][1] = 7;
  Own::core = 0;
  ASSERT_TRUE(Local::init_distributor());
  for (CoreId core = 0; core < 4; ++core) ASSERT_TRUE(Local::init_core(core));
  ASSERT_FALSE(Local::init_core(4));
}

TEST(Bcm2836, StartsWithTheInterprocessorInterruptAlone) {
  Model model;
  start(model);
  model.timers_due.fill(0xf);
  model.asks.fill(true);
  for (CoreId core = 0; core < 4; ++core) {
    Own::core = core;
    EXPECT_EQ(Local::acknowledge_real_time(), Local::kNone);
    EXPECT_EQ(Local::acknowledge_ordinary(), Local::kNone);
  }
}

TEST(Bcm2836, AMaskedSourceKeepsItsLevel) {
  Model model;
  start(model);
  const auto pin = Local::gpu(49), other = Local::gpu(50);
  ASSERT_TRUE(Local::enable(pin, Level::RealTime, 0));
  Local::mask(pin);
  EXPECT_FALSE(Local::enable(other, Level::RealTime, 0));  // the one FIQ is still the pin's
  model.asks.at(49) = true;
  EXPECT_EQ(Local::acknowledge_real_time(), Local::kNone);
  EXPECT_FALSE(Local::pending(pin));  // nothing shows of what is masked
  Local::unmask(pin);
  EXPECT_TRUE(Local::pending(pin));
  EXPECT_EQ(Local::acknowledge_real_time(), pin);

  ASSERT_TRUE(Local::route(pin, Level::Ordinary, 0));  // unmasked before, and so now
  EXPECT_EQ(Local::acknowledge_real_time(), Local::kNone);
  EXPECT_EQ(Local::acknowledge_ordinary(), pin);
  Local::mask(pin);
  ASSERT_TRUE(Local::route(pin, Level::RealTime, 0));
  EXPECT_EQ(Local::acknowledge_real_time(), Local::kNone);
  Local::unmask(pin);
  EXPECT_EQ(Local::acknowledge_real_time(), pin);
}

TEST(Bcm2836, ACoresOwnSourceKeepsItsLevel) {
  Model model;
  start(model);
  Own::core = 2;
  model.timers_due[2] = 1 << Local::kTimerId;
  ASSERT_TRUE(Local::enable(Local::kTimerId, Level::Ordinary, 2));
  Local::mask(Local::kTimerId);
  EXPECT_EQ(Local::acknowledge_ordinary(), Local::kNone);
  Local::unmask(Local::kTimerId);
  EXPECT_TRUE(Local::pending(Local::kTimerId));
  EXPECT_EQ(Local::acknowledge_ordinary(), Local::kTimerId);
}

TEST(Bcm2836, AnInterprocessorInterruptIsAcknowledgedOnceAndCanComeAgainMeanwhile) {
  Model model;
  start(model);
  Local::send_reschedule(2);
  EXPECT_EQ(model.publications, 1u);
  EXPECT_EQ(Local::acknowledge_real_time(), Local::kNone);  // not this core
  Own::core = 2;
  EXPECT_EQ(Local::acknowledge_real_time(), Local::kRescheduleId);
  Local::send_reschedule(2);
  Local::end_real_time(Local::kRescheduleId);
  EXPECT_EQ(Local::acknowledge_real_time(), Local::kRescheduleId);
  EXPECT_EQ(Local::acknowledge_real_time(), Local::kNone);
}

TEST(Bcm2836, RefusesWhatTheChipCannot) {
  Model model;
  start(model);
  EXPECT_FALSE(Local::enable(Local::kTimerId, Level::RealTime, 4));
  EXPECT_FALSE(Local::enable(9, Level::Ordinary, 0));
  EXPECT_FALSE(Local::enable(Local::gpu(57), Level::Ordinary, 1));
  EXPECT_FALSE(Local::enable(Local::gpu(72), Level::Ordinary, 0));
  EXPECT_FALSE(Local::disable(Local::gpu(72)));
  EXPECT_FALSE(Local::set_trigger(Local::kTimerId, Trigger::Edge));
  EXPECT_TRUE(Local::enable(Local::gpu(49), Level::RealTime, 0));
  EXPECT_FALSE(Local::enable(Local::gpu(50), Level::RealTime, 0));
  EXPECT_TRUE(Local::disable(Local::gpu(49)));
  EXPECT_TRUE(Local::enable(Local::gpu(50), Level::RealTime, 0));
}

/// Every source that asks and is enabled comes out, at its level, until it no longer asks.
RC_GTEST_PROP(Bcm2836, WhatAsksComesOutAtItsLevel, ()) {
  Model model;
  start(model);
  Own::core = 0;
  std::map<Local::Id, Level> expected;
  bool fiq_taken = false;
  const auto count = *rc::gen::inRange(1, 20);
  for (int i = 0; i < count; ++i) {
    const bool gpu = *rc::gen::arbitrary<bool>();
    const Local::Id id = gpu ? Local::gpu(*rc::gen::inRange(0u, 72u)) : *rc::gen::inRange(0u, 4u);
    const bool real_time = *rc::gen::arbitrary<bool>() && (!gpu || !fiq_taken);
    if (expected.contains(id)) continue;
    RC_ASSERT(Local::enable(id, real_time ? Level::RealTime : Level::Ordinary, 0));
    fiq_taken = fiq_taken || (gpu && real_time);
    expected[id] = real_time ? Level::RealTime : Level::Ordinary;
    if (gpu) {
      model.asks.at(id - Local::gpu(0)) = true;
    } else {
      model.timers_due[0] |= static_cast<uint8_t>(1u << id);
    }
  }
  for (const Level level : {Level::RealTime, Level::Ordinary}) {
    for (;;) {
      const Local::Id id =
          level == Level::RealTime ? Local::acknowledge_real_time() : Local::acknowledge_ordinary();
      if (id == Local::kNone) break;
      RC_ASSERT(expected.contains(id));
      RC_ASSERT(expected.at(id) == level);
      expected.erase(id);
      if (*rc::gen::arbitrary<bool>()) {
        RC_ASSERT(Local::disable(id));
      } else if (id >= Local::gpu(0)) {
        model.asks.at(id - Local::gpu(0)) = false;
      } else {
        model.timers_due[0] &= static_cast<uint8_t>(~(1u << id));
      }
    }
  }
  RC_ASSERT(expected.empty());
}

}  // namespace
