// GICv2: the model acknowledges and ends as the manual says, so that both variants of the driver
// are run through interrupts of both groups.
#include "drivers/gic_v2/gic_v2.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <optional>
#include <vector>

#include "tests/unit/drivers/gic_model.h"
#include "tests/unit/drivers/model_bus.h"

namespace {

using hocket::CoreId;
using hocket::drivers::Group1Registers;
using hocket::drivers::Level;
using hocket::drivers::Trigger;
using hocket::drivers::testing::GicBanks;
using hocket::drivers::testing::Interrupt;
using hocket::drivers::testing::kInterrupts;
using hocket::drivers::testing::ModelBus;

constexpr uintptr_t kDistributor = 0x10000, kInterface = 0x20000;
constexpr unsigned kCores = 4;

struct Model {
  GicBanks banks;
  unsigned core = 0;  // that makes the accesses
  uint32_t control = 0;
  bool group0_is_ours = true;
  struct Interface {
    uint32_t control = 0, mask = 0;
    std::vector<uint32_t> running;  // acknowledged and not ended, as read from IAR
  };
  std::array<Interface, kCores> interfaces{};
  std::array<std::array<uint8_t, 16>, kCores> senders{};  // who sent it, for each SGI
  unsigned publications = 0;

  uint8_t priority_of(uint32_t word) { return banks.at(core, word & 0x3ff).priority; }
  uint8_t running_priority() {
    const auto& running = interfaces.at(core).running;
    return running.empty() ? 0xff : priority_of(running.back());
  }

  /// The pending interrupt that the interface would give.
  std::optional<uint32_t> highest() {
    std::optional<uint32_t> best;
    for (unsigned id = 0; id < kInterrupts; ++id) {
      const Interrupt& one = banks.at(core, id);
      if (!one.enabled || !one.pending || one.active || one.priority >= running_priority())
        continue;
      if (id >= 32 && (one.target >> core & 1) == 0) continue;
      if (!best || one.priority < banks.at(core, *best).priority) best = id;
    }
    return best;
  }

  uint32_t acknowledge(bool aliased) {
    const auto id = highest();
    if (!id) return 1023;
    Interrupt& one = banks.at(core, *id);
    const bool both = (interfaces.at(core).control & 4) != 0;
    if (aliased && !one.group1) return 1023;
    if (!aliased && one.group1 && !both) return 1022;
    uint32_t word = *id;
    one.active = true;
    if (*id < 16) {
      const auto from = static_cast<uint32_t>(__builtin_ctz(senders.at(core).at(*id)));
      senders.at(core).at(*id) &= static_cast<uint8_t>(~(1u << from));
      one.pending = senders.at(core).at(*id) != 0;
      word |= from << 10;
    } else if (one.edge) {
      one.pending = false;
    }
    interfaces.at(core).running.push_back(word);
    return word;
  }

  void end(uint32_t word, bool aliased) {
    if (word >= 1020 && word < 1024) return;  // ignored
    auto& running = interfaces.at(core).running;
    GicBanks::require(!running.empty() && running.back() == word, 0x10);
    Interrupt& one = banks.at(core, word & 0x3ff);
    const bool both = (interfaces.at(core).control & 4) != 0;
    GicBanks::require(one.group1 ? aliased || both : !aliased, 0x10);  // unpredictable otherwise
    running.pop_back();
    one.active = false;
  }

  void send(unsigned target, unsigned id, unsigned from) {
    senders.at(target).at(id) |= static_cast<uint8_t>(1u << from);
    banks.at(target, id).pending = true;
  }

  uint64_t read(uintptr_t address, size_t size) {
    if (address < kInterface) {
      const uintptr_t offset = address - kDistributor;
      if (offset == 0) return control;
      if (offset == 4) return kInterrupts / 32 - 1;
      if (offset == 0x80 && !group0_is_ours) return 0;
      if (offset == 0x800) return 1u << core;
      return banks.read(core, offset, size);
    }
    GicBanks::require(size == 4, address);
    switch (address - kInterface) {
      case 0x0c:
        return acknowledge(false);
      case 0x14:
        return running_priority();
      case 0x20:
        return acknowledge(true);
      default:
        GicBanks::require(false, address);
        return 0;
    }
  }

  void write(uintptr_t address, size_t size, uint64_t value) {
    const auto word = static_cast<uint32_t>(value);
    if (address < kInterface) {
      const uintptr_t offset = address - kDistributor;
      if (offset == 0) {
        control = word;
      } else if (offset >= 0x820 && offset < 0x800 + kInterrupts) {
        GicBanks::require(size == 1, offset);
        banks.at(core, offset - 0x800).target = value;
      } else if (offset == 0xf00) {
        for (unsigned target = 0; target < kCores; ++target) {
          if ((word >> 16 >> target & 1) != 0) send(target, word & 15, core);
        }
      } else if (offset >= 0xf20 && offset < 0xf30) {
        send(core, offset - 0xf20, static_cast<unsigned>(__builtin_ctz(word)));
      } else {
        banks.write(core, offset, size, value);
      }
      return;
    }
    switch (address - kInterface) {
      case 0x00:
        interfaces.at(core).control = word;
        break;
      case 0x04:
        interfaces.at(core).mask = word;
        break;
      case 0x08:
        break;
      case 0x10:
        end(word, false);
        break;
      case 0x24:
        end(word, true);
        break;
      case 0xd0:  // APR and NSAPR, with 5 bits of priority; the others are ignored
      case 0xe0:
        GicBanks::require(word == 0, address);
        interfaces.at(core).running.clear();
        break;
      case 0xd4:
      case 0xd8:
      case 0xdc:
      case 0xe4:
      case 0xe8:
      case 0xec:
        break;
      default:
        GicBanks::require(false, address);
    }
  }
  void published() { ++publications; }
};

using Bus = ModelBus<Model>;
template <Group1Registers kRegisters>
using Gic = hocket::drivers::GicV2<kDistributor, kInterface, kRegisters, kCores, Bus>;
using Aliased = Gic<Group1Registers::Aliased>;
using Shared = Gic<Group1Registers::Shared>;
static_assert(hocket::drivers::InterruptController<Aliased>);
static_assert(hocket::drivers::InterruptController<Shared>);

template <class Controller>
class GicV2 : public ::testing::Test {};
using Variants = ::testing::Types<Aliased, Shared>;
TYPED_TEST_SUITE(GicV2, Variants);

template <class Controller>
void start(Model& model) {
  Bus::model = &model;
  ASSERT_TRUE(Controller::init_distributor());
  for (CoreId core = 0; core < kCores; ++core) {
    model.core = core;
    ASSERT_TRUE(Controller::init_core(core));
  }
  model.core = 0;
}

TYPED_TEST(GicV2, StartsWithEverythingOffButTheInterprocessorInterrupt) {
  Model model;
  start<TypeParam>(model);
  EXPECT_EQ(model.control, 3u);
  EXPECT_EQ(model.interfaces[3].control, 0xbu);  // both groups, FIQEn, no AckCtl
  EXPECT_EQ(model.interfaces[3].mask, 0xffu);
  for (unsigned core = 0; core < kCores; ++core) {
    EXPECT_EQ(model.banks.at(core, 0), (Interrupt{.enabled = true, .priority = 0x10}));
    for (unsigned id = 1; id < kInterrupts; ++id) {
      EXPECT_EQ(model.banks.at(core, id), (Interrupt{.group1 = true, .priority = 0xa0})) << id;
    }
  }
}

TYPED_TEST(GicV2, RefusesAControllerThatKeepsGroup0) {
  Model model;
  model.group0_is_ours = false;
  Bus::model = &model;
  EXPECT_FALSE(TypeParam::init_distributor());
}

TYPED_TEST(GicV2, PrivateInterruptsAreEnabledOnTheirCoreOnly) {
  Model model;
  start<TypeParam>(model);
  EXPECT_FALSE(TypeParam::enable(27, Level::RealTime, 1));
  model.core = 1;
  EXPECT_TRUE(TypeParam::enable(27, Level::RealTime, 1));
  EXPECT_TRUE(model.banks.at(1, 27).enabled);
  EXPECT_FALSE(model.banks.at(0, 27).enabled);
}

TYPED_TEST(GicV2, AnInterruptIsMaskedAndKeptPending) {
  Model model;
  start<TypeParam>(model);
  ASSERT_TRUE(TypeParam::route(40, Level::RealTime, 2));
  EXPECT_FALSE(model.banks.at(0, 40).enabled);  // masked as it was
  EXPECT_FALSE(TypeParam::pending(40));
  TypeParam::set_pending(40);
  EXPECT_TRUE(model.banks.at(0, 40).pending && TypeParam::pending(40));
  TypeParam::unmask(40);
  EXPECT_TRUE(model.banks.at(0, 40).enabled);
  ASSERT_TRUE(TypeParam::route(40, Level::Ordinary, 1));
  EXPECT_TRUE(model.banks.at(0, 40).enabled && model.banks.at(0, 40).group1);
  EXPECT_TRUE(model.banks.at(0, 40).pending);  // what waits goes along
  TypeParam::mask(40);
  EXPECT_FALSE(model.banks.at(0, 40).enabled);
  TypeParam::clear_pending(40);
  EXPECT_FALSE(TypeParam::pending(40));
}

TYPED_TEST(GicV2, AnInterprocessorInterruptNamesItsSenderUntilItsEnd) {
  Model model;
  start<TypeParam>(model);
  model.core = 2;
  TypeParam::send_reschedule(1);
  EXPECT_EQ(model.publications, 1u);
  model.core = 1;
  const auto got = TypeParam::acknowledge_real_time();
  EXPECT_EQ(TypeParam::number(got), TypeParam::kRescheduleId);
  EXPECT_EQ(got, 2u << 10);
  TypeParam::end_real_time(got);
  EXPECT_EQ(TypeParam::acknowledge_real_time(), TypeParam::kNone);
}

TYPED_TEST(GicV2, ARealTimeHandlerDoesNotTakeAnOrdinaryInterrupt) {
  Model model;
  start<TypeParam>(model);
  ASSERT_TRUE(TypeParam::enable(40, Level::Ordinary, 0));
  model.banks.at(0, 40).pending = true;
  EXPECT_EQ(TypeParam::acknowledge_real_time(), TypeParam::kNone);
  TypeParam::end_real_time(TypeParam::kNone);
  EXPECT_EQ(TypeParam::acknowledge_ordinary(), 40u);
  EXPECT_EQ(TypeParam::acknowledge_ordinary(), TypeParam::kNone);
  TypeParam::end_ordinary(40);
}

TEST(GicV2Shared, GivesAnInterprocessorInterruptBackAsItsSenders) {
  Model model;
  start<Shared>(model);
  model.core = 2;
  Shared::send_reschedule(0);
  model.core = 0;
  EXPECT_EQ(Shared::acknowledge_ordinary(), Shared::kNone);
  EXPECT_EQ(Shared::acknowledge_real_time(), 2u << 10);
  Shared::end_real_time(2u << 10);
}

/// Any interrupts come at any time, and both handlers acknowledge at any time: each edge is handled
/// exactly once, and by the handler of its level.
template <class Controller>
void handles_each_once() {
  Model model;
  start<Controller>(model);
  const std::vector<unsigned> ids{40, 41, 50, 90};
  std::vector<unsigned> raised(kInterrupts), handled(kInterrupts);
  for (const unsigned id : ids) {
    RC_ASSERT(Controller::set_trigger(id, Trigger::Edge));
    RC_ASSERT(Controller::enable(id, id % 2 == 0 ? Level::RealTime : Level::Ordinary, 0));
  }
  const auto handle = [&](bool real_time) {
    const auto got =
        real_time ? Controller::acknowledge_real_time() : Controller::acknowledge_ordinary();
    if (got == Controller::kNone) return false;
    const auto id = Controller::number(got);
    RC_ASSERT((id % 2 == 0) == real_time);
    ++handled.at(id);
    real_time ? Controller::end_real_time(got) : Controller::end_ordinary(got);
    return true;
  };
  const auto steps = *rc::gen::inRange(1, 100);
  for (int i = 0; i < steps; ++i) {
    switch (*rc::gen::inRange(0, 4)) {
      case 0: {
        const unsigned id = *rc::gen::elementOf(ids);
        if (!model.banks.at(0, id).pending) ++raised.at(id);
        model.banks.at(0, id).pending = true;
        break;
      }
      case 1: {
        const auto from = *rc::gen::inRange(0u, kCores);
        if ((model.senders[0][0] >> from & 1) == 0) ++raised.at(0);
        model.core = from;
        Controller::send_reschedule(0);
        model.core = 0;
        break;
      }
      case 2:
        handle(true);
        break;
      default:
        handle(false);
    }
  }
  while (handle(true) || handle(false)) {
  }
  RC_ASSERT(handled == raised);
  RC_ASSERT(model.interfaces[0].running.empty());
  RC_ASSERT(model.interfaces[0].control == 0xbu);
}

RC_GTEST_PROP(GicV2AliasedAlways, HandlesEachInterruptOnce, ()) {
  handles_each_once<Aliased>();
}
RC_GTEST_PROP(GicV2SharedAlways, HandlesEachInterruptOnce, ()) {
  handles_each_once<Shared>();
}

}  // namespace
