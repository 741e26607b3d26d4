// GICv3: start-up against a model of distributor and redistributors, then any sequence of calls
// against the plain meaning of them.
#include "drivers/gic_v3/gic_v3.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "tests/unit/drivers/gic_model.h"
#include "tests/unit/drivers/model_bus.h"

namespace {

using hocket::CoreId;
using hocket::drivers::Level;
using hocket::drivers::Trigger;
using hocket::drivers::testing::GicBanks;
using hocket::drivers::testing::Interrupt;
using hocket::drivers::testing::kInterrupts;
using hocket::drivers::testing::ModelBus;

constexpr uintptr_t kDistributor = 0x10000, kRedistributors = 0x100000;
constexpr unsigned kCores = 4;

/// Redistributor n belongs to the core of affinity 0.0.1.(3 - n): not in the order of the cores.
constexpr uint64_t affinity_of(unsigned core) {
  return 0x100 + core;
}

struct Model {
  GicBanks banks;
  uint32_t control = 0x40;  // GICD_CTLR: one security state
  bool one_security_state = true;
  unsigned busy = 0;  // reads until a write has taken effect
  std::array<uint32_t, kCores> waker{6, 6, 6, 6};
  unsigned publications = 0;

  uint32_t settling(uint32_t bit) { return busy > 0 ? (--busy, bit) : 0; }

  uint64_t read(uintptr_t address, size_t size) {
    if (address < kRedistributors) {
      if (address == kDistributor) return control | settling(1u << 31);
      if (address == kDistributor + 4) return kInterrupts / 32 - 1;
      return banks.read(0, address - kDistributor, size);
    }
    const uintptr_t frame = (address - kRedistributors) / 0x20000;
    const unsigned core = kCores - 1 - frame;
    const uintptr_t offset = (address - kRedistributors) % 0x20000;
    GicBanks::require(frame < kCores, address);
    if (offset == 0) return settling(1u << 3);
    if (offset == 8) return affinity_of(core) << 32 | (frame == kCores - 1 ? 1u << 4 : 0);
    if (offset == 0x14) return waker.at(core);
    GicBanks::require(offset >= 0x10000, offset);
    return banks.read(core, offset - 0x10000, size);
  }

  void write(uintptr_t address, size_t size, uint64_t value) {
    busy = 2;
    if (address < kRedistributors) {
      const uintptr_t offset = address - kDistributor;
      if (offset == 0) {
        // ARE changes only while both groups are off.
        GicBanks::require(((control ^ value) & 0x10) == 0 || ((control | value) & 3) == 0, offset);
        control = static_cast<uint32_t>(value) | (one_security_state ? 0x40 : 0);
      } else if (offset >= 0x6000 + 32 * 8) {
        GicBanks::require(size == 8, offset);
        banks.at(0, (offset - 0x6000) / 8).target = value;
      } else {
        banks.write(0, offset, size, value);
      }
      return;
    }
    const unsigned core = kCores - 1 - (address - kRedistributors) / 0x20000;
    const uintptr_t offset = (address - kRedistributors) % 0x20000;
    if (offset == 0x14) {
      waker.at(core) = (value & 2) != 0 ? 6 : 0;
      return;
    }
    GicBanks::require(offset >= 0x10000 && waker.at(core) == 0, offset);
    banks.write(core, offset - 0x10000, size, value);
  }
  void published() { ++publications; }
};

struct Cpu {
  static constexpr bool kTwoStates = false;
  static constexpr uint32_t kTimerId = 27, kRescheduleId = 0;
  static constexpr uint8_t kOrdinaryPriority = 0xa0;
  static inline unsigned core = 0;
  static inline bool can_start = true;
  static inline std::vector<uint64_t> sent;
  static uint64_t affinity() { return affinity_of(core); }
  static bool start() { return can_start; }
  static uint32_t acknowledge_group0() { return 27; }
  static uint32_t acknowledge_group1() { return 33; }
  static void end_group0(uint32_t) {}
  static void end_group1(uint32_t) {}
  static void send_group0(uint64_t word) { sent.push_back(word); }
};

using Bus = ModelBus<Model>;
using Gic = hocket::drivers::GicV3<kDistributor, kRedistributors, kCores, Bus, Cpu>;
static_assert(hocket::drivers::InterruptController<Gic>);

void start(Model& model) {
  Bus::model = &model;
  Cpu::can_start = true;
  for (unsigned id = 32; id < kInterrupts; ++id) {  // as some boot loader may have left it
    model.banks.at(0, id) = {.enabled = true, .pending = true, .active = true};
  }
  Cpu::core = 0;
  ASSERT_TRUE(Gic::init_distributor());
  for (CoreId core = 0; core < kCores; ++core) {
    Cpu::core = core;
    ASSERT_TRUE(Gic::init_core(core));
  }
  Cpu::core = 0;
}

TEST(GicV3, StartsWithEverythingOffButTheInterprocessorInterrupt) {
  Model model;
  start(model);
  EXPECT_EQ(model.control, 0x40u | 0x10 | 3);
  const Interrupt off{.group1 = true, .priority = 0xa0};
  for (unsigned core = 0; core < kCores; ++core) {
    EXPECT_EQ(model.banks.at(core, 0), (Interrupt{.enabled = true, .priority = 0x10}));
    for (unsigned id = 1; id < kInterrupts; ++id) EXPECT_EQ(model.banks.at(core, id), off) << id;
  }
}

TEST(GicV3, RefusesAControllerWithTwoSecurityStates) {
  Model model;
  model.control = 0;
  model.one_security_state = false;
  Bus::model = &model;
  EXPECT_FALSE(Gic::init_distributor());
}

/// The interface of the secure state (drivers/gic_v3/secure_interface.h).
struct SecureCpu : Cpu {
  static constexpr bool kTwoStates = true;
  static constexpr uint32_t kTimerId = 29, kRescheduleId = 8;
  static constexpr uint8_t kOrdinaryPriority = 0x20;
};
using SecureGic = hocket::drivers::GicV3<kDistributor, kRedistributors, kCores, Bus, SecureCpu>;
static_assert(hocket::drivers::InterruptController<SecureGic>);

TEST(GicV3, WithTwoSecurityStatesOnlyOursAreGroup0) {
  Model model;
  model.control = 0;
  model.one_security_state = false;
  Bus::model = &model;
  Cpu::can_start = true;
  Cpu::core = 0;
  ASSERT_TRUE(SecureGic::init_distributor());
  EXPECT_EQ(model.control, 0x33u) << "both states' affinity routing, both groups";
  ASSERT_TRUE(SecureGic::init_core(0));
  ASSERT_TRUE(SecureGic::enable(29, Level::RealTime, 0));
  ASSERT_TRUE(SecureGic::enable(40, Level::Ordinary, 0));
  for (unsigned id = 0; id < kInterrupts; ++id) {
    const Interrupt& interrupt = model.banks.at(0, id);
    const bool ours = id == 8 || id == 29 || id == 40;
    EXPECT_EQ(interrupt.group1, !ours) << id;
    EXPECT_EQ(interrupt.enabled, ours) << id;
    // The other state's priorities are those from 0x80 on.
    EXPECT_EQ(interrupt.priority < 0x80, ours) << id;
  }
}

TEST(GicV3, TheSecureInterfaceNeedsTwoStates) {
  Model model;
  Bus::model = &model;
  EXPECT_FALSE(SecureGic::init_distributor());
}

TEST(GicV3, CountsTheCores) {
  Model model;
  Bus::model = &model;
  EXPECT_EQ(Gic::cores_there(), kCores);
}

TEST(GicV3, RefusesACoreWithoutRedistributor) {
  Model model;
  Bus::model = &model;
  ASSERT_TRUE(Gic::init_distributor());
  Cpu::core = 77;
  EXPECT_FALSE(Gic::init_core(1));
  Cpu::core = 0;
  EXPECT_FALSE(Gic::init_core(kCores));
  Cpu::can_start = false;
  EXPECT_FALSE(Gic::init_core(0));
}

TEST(GicV3, InterruptsTheCoreAsked) {
  Model model;
  start(model);
  Cpu::sent.clear();
  Gic::send_reschedule(2);
  EXPECT_EQ(Cpu::sent, std::vector<uint64_t>{uint64_t{1} << 16 | 1u << 2});  // Aff1 = 1, list bit 2
}

TEST(GicV3, AnInterruptIsMaskedAndKeptPending) {
  Model model;
  start(model);
  ASSERT_TRUE(Gic::route(40, Level::RealTime, 2));
  EXPECT_FALSE(model.banks.at(0, 40).enabled);  // masked as it was
  EXPECT_FALSE(Gic::pending(40));
  Gic::set_pending(40);
  EXPECT_TRUE(model.banks.at(0, 40).pending && Gic::pending(40));
  Gic::unmask(40);
  EXPECT_TRUE(model.banks.at(0, 40).enabled);
  ASSERT_TRUE(Gic::route(40, Level::Ordinary, 1));
  EXPECT_TRUE(model.banks.at(0, 40).enabled && model.banks.at(0, 40).group1);
  EXPECT_TRUE(model.banks.at(0, 40).pending);  // what waits goes along
  Gic::mask(40);
  EXPECT_FALSE(model.banks.at(0, 40).enabled);
  Gic::clear_pending(40);
  EXPECT_FALSE(Gic::pending(40));
}

TEST(GicV3, PrivateInterruptsAreMaskedOnTheirCore) {
  Model model;
  start(model);
  Cpu::core = 3;
  Gic::unmask(30);
  Gic::set_pending(30);
  EXPECT_TRUE(model.banks.at(3, 30).enabled && Gic::pending(30));
  EXPECT_FALSE(model.banks.at(0, 30).enabled);
  Gic::mask(30);
  EXPECT_FALSE(model.banks.at(3, 30).enabled);
}

RC_GTEST_PROP(GicV3, EachCallChangesItsInterruptOnly, ()) {
  Model model;
  start(model);
  GicBanks expected = model.banks;
  const auto calls = *rc::gen::inRange(1, 60);
  for (int i = 0; i < calls; ++i) {
    const auto id = *rc::gen::inRange(0u, kInterrupts + 40);
    const auto core = *rc::gen::inRange<CoreId>(0, kCores + 1);
    const bool exists = id < kInterrupts;
    Cpu::core = core < kCores ? core : 0;
    switch (*rc::gen::inRange(0, 3)) {
      case 0: {
        const bool real_time = *rc::gen::arbitrary<bool>();
        const bool good = Gic::enable(id, real_time ? Level::RealTime : Level::Ordinary, core);
        RC_ASSERT(good == (exists && core < kCores));
        if (!good) break;
        Interrupt& one = expected.at(core, id);
        one.enabled = true;
        one.group1 = !real_time;
        one.priority = !real_time ? 0xa0 : id == Gic::kTimerId ? 0x08 : 0x10;
        if (id >= 32) one.target = affinity_of(core);
        break;
      }
      case 1:
        RC_ASSERT(Gic::disable(id) == exists);
        RC_ASSERT(model.busy == 0u || !exists);  // waited for its effect
        if (exists) expected.at(Cpu::core, id).enabled = false;
        break;
      default:
        if (!exists || id < 16 || expected.at(Cpu::core, id).enabled) break;
        const bool edge = *rc::gen::arbitrary<bool>();
        RC_ASSERT(Gic::set_trigger(id, edge ? Trigger::Edge : Trigger::Level));
        expected.at(Cpu::core, id).edge = edge;
    }
  }
  for (unsigned core = 0; core < kCores; ++core) {
    for (unsigned id = 0; id < kInterrupts; ++id) {
      RC_ASSERT(model.banks.at(core, id) == expected.at(core, id));
    }
  }
}

}  // namespace
