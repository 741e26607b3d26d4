// The Raspberry Pi 2 and 3: each core's own interrupt controller, with the GPU's behind it.
//
// Invariants
// - Ids 0-3 are a core's timers (PS, PNS, HP, V), 4-7 its mailboxes; 64 and up are the GPU's
//   sources (drivers/bcm2835), which go to core 0.
// - Mailbox 0 is the inter-processor interrupt: writing sets bits, the core reads them as FIQ until
//   it clears them. Acknowledging one clears it, so one that comes while it is handled enters
//   again.
// - Sources are levels without an active state: end does nothing, and what keeps interrupts of the
//   same level out of a handler is that the processor masks the level on entry.
// - RealTime sources of the GPU: one at a time, masked or not, until disable(); enable() says false
//   to a second.
//
// Source: Broadcom «ARM Quad A7 core» (QA7 rev 3.4), chapter 4 registers: 4.2 GPU routing,
// 4.6 timers, 4.7 mailboxes, 4.8 mailbox words, 4.10 sources.
#pragma once

#include "drivers/bcm2835/interrupts.h"
#include "drivers/interrupt_controller.h"
#include "drivers/mmio.h"

namespace hocket::drivers {

/// The number of the calling core, from MPIDR_EL1.Aff0.
struct OwnCore {
  [[gnu::always_inline]] static CoreId id() {
    uint64_t mpidr;
    asm("mrs %0, mpidr_el1" : "=r"(mpidr));
    return static_cast<CoreId>(mpidr & 3);
  }
};

/// `kBase`: 0x40000000 on a Pi. `Gpu`: a Bcm2835Interrupts.
template <uintptr_t kBase, class Gpu, class Bus = MemoryBus, class Own = OwnCore>
class Bcm2836 {
 public:
  using Id = uint32_t;
  static constexpr Id kTimerId = 3;       // the EL1 virtual timer
  static constexpr Id kRescheduleId = 4;  // mailbox 0
  static constexpr Id kNone = 32;
  static constexpr Id kIds = 64 + 72;  // the GPU's sources come last
  static constexpr unsigned kCores = 4;
  static constexpr bool kShowsMasked = false;

  /// The id of a GPU source.
  static constexpr Id gpu(uint32_t source) { return kFirstGpu + source; }

  static bool init_distributor() {
    GpuRouting::write(0);  // both levels to core 0
    gpu_real_time_ = kNone;
    Gpu::init();
    return true;
  }

  static bool init_core(CoreId core) {
    if (core >= kCores) return false;
    Timers::write(core, 0);
    Mailboxes::write(core, 0);
    for (uint32_t box = 0; box < 4; ++box) MailboxClear::write(core * 4u + box, ~0u);
    return enable(kRescheduleId, Level::RealTime, core);
  }

  static bool enable(Id id, Level level, CoreId target) {
    if (!accept(id, level, target)) return false;
    unmask(id, target);
    return true;
  }

  static bool route(Id id, Level level, CoreId target) {
    const bool masked = is_masked(id, target);
    if (!accept(id, level, target)) return false;
    if (!masked) unmask(id, target);
    return true;
  }

  /// For an interrupt private to a core: that of the calling core.
  static bool disable(Id id) {
    if (!exists(id)) return false;
    mask(id);
    if (id == gpu_real_time_) gpu_real_time_ = kNone;
    return true;
  }

  static void mask(Id id) {
    if (id >= kFirstGpu) {
      Gpu::disable(id - kFirstGpu);
    } else if (id < 4) {
      Timers::write(Own::id(), Timers::read(Own::id()) & ~both(id));
    } else {
      Mailboxes::write(Own::id(), Mailboxes::read(Own::id()) & ~both(id - 4));
    }
  }
  static void unmask(Id id) { unmask(id, Own::id()); }
  static bool pending(Id id) {
    const CoreId core = Own::id();
    if (id < kFirstGpu) return ((IrqSources::read(core) | FiqSources::read(core)) >> id & 1) != 0;
    if (id == gpu_real_time_) return (FiqSources::read(0) >> kGpuBit & 1) != 0;
    return Gpu::pending(id - kFirstGpu);
  }
  static void clear_pending(Id) {}
  static void set_pending(Id) {}

  /// All sources are levels.
  static bool set_trigger(Id, Trigger trigger) { return trigger == Trigger::Level; }

  // --- The path of an interrupt ---

  [[gnu::always_inline]] static Id acknowledge_real_time() {
    const CoreId core = Own::id();
    const Id id = lowest(FiqSources::read(core));
    if (id == kRescheduleId) MailboxClear::write(core * 4u, ~0u);
    if (id == kGpuBit) return kFirstGpu + Gpu::fiq_source();
    return id;
  }
  [[gnu::always_inline]] static void end_real_time(Id) {}

  [[gnu::always_inline]] static Id acknowledge_ordinary() {
    const Id id = lowest(IrqSources::read(Own::id()));
    if (id != kGpuBit) return id;
    const uint32_t source = Gpu::pending();
    return source == Gpu::kNone ? kNone : kFirstGpu + source;
  }
  [[gnu::always_inline]] static void end_ordinary(Id) {}
  [[gnu::always_inline]] static constexpr Id number(Id acknowledged) { return acknowledged; }

  [[gnu::always_inline]] static void send_reschedule(CoreId core) {
    Bus::publish();
    MailboxSet::write(core * 4u, 1);
  }

 private:
  static constexpr Id kFirstGpu = 64, kGpuBit = 8;

  using GpuRouting = Register<Bus, uint32_t, kBase + 0x0c>;
  using Timers = Registers<Bus, uint32_t, kBase + 0x40>;     // per core: bits 3-0 IRQ, 7-4 FIQ
  using Mailboxes = Registers<Bus, uint32_t, kBase + 0x50>;  // the same
  using IrqSources = Registers<Bus, uint32_t, kBase + 0x60>;
  using FiqSources = Registers<Bus, uint32_t, kBase + 0x70>;
  using MailboxSet = Registers<Bus, uint32_t, kBase + 0x80>;  // four per core
  using MailboxClear = Registers<Bus, uint32_t, kBase + 0xc0>;

  static bool exists(Id id) {
    return id < 8 || (id >= kFirstGpu && id - kFirstGpu < Gpu::kSources);
  }
  /// Records the level. On this controller it is the same bit as the mask.
  static bool accept(Id id, Level level, CoreId target) {
    const bool real_time = level == Level::RealTime;
    if (target >= kCores || !exists(id)) return false;
    if (id >= kFirstGpu) {
      if (target != 0) return false;
      if (real_time && gpu_real_time_ != kNone && gpu_real_time_ != id) return false;
      Gpu::disable(id - kFirstGpu);
      if (real_time) {
        gpu_real_time_ = id;
      } else if (gpu_real_time_ == id) {
        gpu_real_time_ = kNone;
      }
      return true;
    }
    const auto bit = static_cast<uint8_t>(1u << id);
    ordinary_[target] =
        static_cast<uint8_t>(real_time ? ordinary_[target] & ~bit : ordinary_[target] | bit);
    return true;
  }
  static bool is_masked(Id id, CoreId core) {
    if (id >= kFirstGpu) {
      return id == gpu_real_time_ ? Gpu::fiq_source() == Gpu::kNone
                                  : !Gpu::is_enabled(id - kFirstGpu);
    }
    if (id < 4) return (Timers::read(core) & both(id)) == 0;
    return (Mailboxes::read(core) & both(id - 4)) == 0;
  }
  static void unmask(Id id, CoreId core) {
    if (id >= kFirstGpu) {
      if (id == gpu_real_time_) {
        Gpu::enable_fiq(id - kFirstGpu);
      } else {
        Gpu::enable(id - kFirstGpu);
      }
      return;
    }
    const uint32_t level = (ordinary_[core] >> id & 1) != 0 ? 0x01u : 0x10u;
    if (id < 4) {
      Timers::write(core, (Timers::read(core) & ~both(id)) | level << id);
    } else {
      Mailboxes::write(core, (Mailboxes::read(core) & ~both(id - 4)) | level << (id - 4));
    }
  }
  /// A source's bits for both levels in its register.
  static constexpr uint32_t both(uint32_t line) { return 0x11u << line; }

  static inline Id gpu_real_time_ = kNone;       // the GPU's single real-time source
  static inline uint8_t ordinary_[kCores] = {};  // which of a core's own sources are ordinary

  /// The lowest bit that is set; kNone (32) if none is. Two instructions, RBIT and CLZ.
  [[gnu::always_inline]] static Id lowest(uint32_t sources) {
    return sources != 0 ? static_cast<Id>(__builtin_ctz(sources)) : kNone;
  }
};

}  // namespace hocket::drivers
