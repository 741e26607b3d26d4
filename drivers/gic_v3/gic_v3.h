// Arm GICv3 (and v4): distributor, redistributors, system-register CPU interface.
//
// Invariants
// - Affinity routing is on; Group 0 is the RealTime level (FIQ) with priority 0x10, Group 1 the
//   Ordinary one (IRQ) with 0xa0: so a RealTime interrupt also preempts an Ordinary one that is
//   being handled.
// - With the usual CPU interface this works where the distributor has one security state
//   (GICD_CTLR.DS reads as one). With two, Group 0 belongs to secure software: that is the interface
//   of secure_interface.h, where both levels are Group 0 (FIQ) and all other interrupts are left to
//   the non-secure state, in its Group 1. The wrong one, and init_distributor() says false.
// - Interrupts 0-15 are software-generated, 16-31 private to a core, 32-1019 shared.
//
//     device ──▶ distributor ── GICD_IROUTER ──▶ redistributor of a core ──▶ CPU interface ──▶ FIQ
//                                                  (SGIs, PPIs live here)                  └─▶ IRQ
//
// Source: Arm IHI 0069H. Registers: 12.9 (GICD_…) and 12.11 (GICR_…), under their names; groups and
// security: 4.6; priorities: 4.8.
#pragma once

#include "drivers/gic_v3/cpu_interface.h"
#include "drivers/interrupt_controller.h"
#include "drivers/mmio.h"

namespace hocket::drivers {

template <uintptr_t kDistributor, uintptr_t kRedistributors, unsigned kCores = 8,
          class Bus = MemoryBus, class Cpu = GicV3CpuInterface>
class GicV3 {
 public:
  using Id = uint32_t;
  static constexpr Id kRescheduleId = Cpu::kRescheduleId;  // a software-generated interrupt
  static constexpr Id kTimerId = Cpu::kTimerId;
  static constexpr Id kNone = 1023;
  static constexpr Id kIds = 1024;
  static constexpr bool kShowsMasked = true;

  [[gnu::cold]] static bool init_distributor() {
    Control::write(0);
    settle_distributor();
    if (((Control::read() & kOneSecurityState) == 0) != Cpu::kTwoStates) return false;
    const Id end = limit();
    for (Id id = kFirstShared; id < end; id += 32) quiet(kDistributor, id);
    // Changing GICD_CTLR.ARE while a group is enabled is unpredictable, so this takes two steps.
    Control::write(kAffinityRouting);
    settle_distributor();
    Control::write(kAffinityRouting | kGroup1 | kGroup0);
    settle_distributor();
    return true;
  }

  [[gnu::cold]] static bool init_core(CoreId core) {
    if (core >= kCores) return false;
    const uint64_t affinity = Cpu::affinity();
    const uintptr_t frame = find_redistributor(affinity);
    if (frame == 0) return false;
    wake(frame);
    quiet(frame + kPrivateFrame, 0);
    settle_redistributor(frame);
    if (!Cpu::start()) return false;
    cores_[core] = {.frame = frame, .affinity = affinity, .reschedule = reschedule_word(affinity)};
    return enable(kRescheduleId, Level::RealTime, core);
  }

  /// The number of cores for which the controller has interfaces (GICR_TYPER.Last).
  [[gnu::cold]] static unsigned cores_there() {
    unsigned count = 1;
    for (uintptr_t frame = kRedistributors; !is_last(frame); frame = next(frame)) ++count;
    return count;
  }

  [[gnu::cold]] static bool enable(Id id, Level level, CoreId target) {
    if (!route(id, level, target)) return false;
    Bus::template write<uint32_t>(bank(id, target) + kSetEnable + id / 32 * 4, bit(id));
    return true;
  }

  [[gnu::cold]] static bool route(Id id, Level level, CoreId target) {
    if (target >= kCores || cores_[target].frame == 0 || id >= limit()) return false;
    const uintptr_t group = bank(id, target) + kGroups + id / 32 * 4;
    const uint32_t groups = Bus::template read<uint32_t>(group);
    const bool first = level == Level::RealTime || Cpu::kTwoStates;
    Bus::template write<uint32_t>(group, first ? groups & ~bit(id) : groups | bit(id));
    Bus::template write<uint8_t>(bank(id, target) + kPriorities + id, level == Level::RealTime
                                                                          ? real_time_priority(id)
                                                                          : Cpu::kOrdinaryPriority);
    if (id >= kFirstShared) Routes::write(id, cores_[target].affinity);
    return true;
  }

  /// For an interrupt private to a core: that of the calling core.
  static bool disable(Id id) {
    if (own_frame() == 0 || id >= limit()) return false;
    mask(id);
    return true;
  }

  static void mask(Id id) {
    write_bit(kClearEnable, id);
    if (id < kFirstShared) {
      settle_redistributor(own_frame());
    } else {
      settle_distributor();
    }
  }
  static void unmask(Id id) { write_bit(kSetEnable, id); }
  static bool pending(Id id) {
    return (Bus::template read<uint32_t>(own_bank(id) + kSetPending + id / 32 * 4) & bit(id)) != 0;
  }
  static void clear_pending(Id id) { write_bit(kClearPending, id); }
  static void set_pending(Id id) { write_bit(kSetPending, id); }

  static bool set_trigger(Id id, Trigger trigger) {
    const uintptr_t frame = own_frame();
    if (id < kFirstPrivate) return trigger == Trigger::Edge;
    if (frame == 0 || id >= limit()) return false;
    const uintptr_t bank = id < kFirstShared ? frame + kPrivateFrame : kDistributor;
    const uintptr_t address = bank + kConfigurations + id / 16 * 4;
    const uint32_t edge = 2u << (id % 16 * 2);
    const uint32_t others = Bus::template read<uint32_t>(address) & ~edge;
    const uint32_t wanted = trigger == Trigger::Edge ? others | edge : others;
    Bus::template write<uint32_t>(address, wanted);
    return Bus::template read<uint32_t>(address) == wanted;  // a PPI's trigger may be fixed
  }

  // --- The path of an interrupt ---

  [[gnu::always_inline]] static Id acknowledge_real_time() { return Cpu::acknowledge_group0(); }
  [[gnu::always_inline]] static void end_real_time(Id id) { Cpu::end_group0(id); }
  [[gnu::always_inline]] static Id acknowledge_ordinary() { return Cpu::acknowledge_group1(); }
  [[gnu::always_inline]] static void end_ordinary(Id id) { Cpu::end_group1(id); }
  [[gnu::always_inline]] static constexpr Id number(Id acknowledged) { return acknowledged; }

  /// Lets only the timer's interrupt reach the calling core, or all again.
  [[gnu::always_inline]] static void only_timer(bool only) {
    Cpu::let_through(only ? kRealTimePriority : Cpu::kAll);
  }

  [[gnu::always_inline]] static void send_reschedule(CoreId core) {
    Cpu::send_group0(cores_[core].reschedule);
  }

 private:
  static constexpr Id kFirstPrivate = 16, kFirstShared = 32, kFirstSpecial = 1020;
  static constexpr uint8_t kTimerPriority = 0x08, kRealTimePriority = 0x10, kOthersPriority = 0xa0;
  static constexpr uint8_t real_time_priority(Id id) {
    return id == kTimerId ? kTimerPriority : kRealTimePriority;
  }

  // GICD_CTLR. With two security states this is the secure view, in which Group 1 and the second
  // bit of affinity routing belong to the non-secure state.
  static constexpr uint32_t kGroup0 = 1u << 0, kGroup1 = 1u << 1,
                            kAffinityRouting = Cpu::kTwoStates ? 3u << 4 : 1u << 4,
                            kOneSecurityState = 1u << 6, kDistributorBusy = 1u << 31;
  static constexpr uint32_t kRedistributorBusy = 1u << 3;                      // GICR_CTLR.RWP
  static constexpr uint32_t kSleep = 1u << 1, kAsleep = 1u << 2;               // GICR_WAKER
  static constexpr uint64_t kVirtualFrames = 1u << 1, kLastFrame = 1u << 4;    // GICR_TYPER
  static constexpr uintptr_t kWaker = 0x14, kType = 0x08;                      // in GICR
  static constexpr uintptr_t kPrivateFrame = 0x1'0000, kFramePair = 0x2'0000;  // in GICR

  // Offsets that are the same in the distributor (from interrupt 32 on) and in a redistributor's
  // second frame.
  static constexpr uintptr_t kGroups = 0x080, kSetEnable = 0x100, kClearEnable = 0x180,
                             kSetPending = 0x200, kClearPending = 0x280, kClearActive = 0x380,
                             kPriorities = 0x400, kConfigurations = 0xc00, kModifiers = 0xd00;

  using Control = Register<Bus, uint32_t, kDistributor + 0x0000>;
  using Type = Register<Bus, uint32_t, kDistributor + 0x0004>;
  using Routes = Registers<Bus, uint64_t, kDistributor + 0x6000>;

  /// One core's data in the controller; all zero before its init_core().
  struct Core {
    uintptr_t frame;      // address of its redistributor
    uint64_t affinity;    // in the form of GICD_IROUTER
    uint64_t reschedule;  // in the form of ICC_SGI0R_EL1
  };

  /// Interrupts from 0 up to this one may exist (GICD_TYPER.ITLinesNumber).
  static Id limit() { return smaller((Type::read() % 32 + 1) * 32, kFirstSpecial); }

  /// Resets the 32 interrupts from `first` on: disabled, not pending, not active, and Ordinary or
  /// the other world's.
  static void quiet(uintptr_t bank, Id first) {
    const uintptr_t word = first / 32 * 4;
    Bus::template write<uint32_t>(bank + kClearEnable + word, ~0u);
    Bus::template write<uint32_t>(bank + kClearPending + word, ~0u);
    Bus::template write<uint32_t>(bank + kClearActive + word, ~0u);
    Bus::template write<uint32_t>(bank + kGroups + word, ~0u);
    if constexpr (Cpu::kTwoStates) Bus::template write<uint32_t>(bank + kModifiers + word, 0u);
    for (Id id = first; id < first + 32; id += 4) {
      Bus::template write<uint32_t>(bank + kPriorities + id, kOthersPriority * 0x0101'0101u);
    }
  }

  /// The redistributor with this affinity in its GICR_TYPER; 0 if there is none.
  static uintptr_t find_redistributor(uint64_t affinity) {
    const uint64_t wanted = (affinity >> 32 << 24) | (affinity & 0xff'ffff);
    uintptr_t frame = kRedistributors;
    for (;;) {
      if (type(frame) >> 32 == wanted) return frame;
      if (is_last(frame)) return 0;
      frame = next(frame);
    }
  }
  static uint64_t type(uintptr_t frame) { return Bus::template read<uint64_t>(frame + kType); }
  static bool is_last(uintptr_t frame) { return (type(frame) & kLastFrame) != 0; }
  static uintptr_t next(uintptr_t frame) {  // GICv4 has two more frames
    return frame + ((type(frame) & kVirtualFrames) != 0 ? 2 * kFramePair : kFramePair);
  }

  static constexpr uint32_t bit(Id id) { return 1u << (id % 32); }
  /// The register bank of an interrupt: shared, or private to a core.
  static uintptr_t bank(Id id, CoreId core) {
    return id < kFirstShared ? cores_[core].frame + kPrivateFrame : kDistributor;
  }
  static uintptr_t own_bank(Id id) {
    return id < kFirstShared ? own_frame() + kPrivateFrame : kDistributor;
  }
  /// Writes one bit in a row of registers where ones act and zeros change nothing.
  static void write_bit(uintptr_t row, Id id) {
    Bus::template write<uint32_t>(own_bank(id) + row + id / 32 * 4, bit(id));
  }

  static uintptr_t own_frame() {
    const uint64_t affinity = Cpu::affinity();
    for (const Core& core : cores_) {
      if (core.frame != 0 && core.affinity == affinity) return core.frame;
    }
    return 0;
  }

  /// GICR_WAKER: clears ProcessorSleep, then waits until the interface is awake.
  static void wake(uintptr_t frame) {
    const uint32_t waker = Bus::template read<uint32_t>(frame + kWaker);
    Bus::template write<uint32_t>(frame + kWaker, waker & ~kSleep);
    while ((Bus::template read<uint32_t>(frame + kWaker) & kAsleep) != 0) {
    }
  }

  static void settle_distributor() {
    while ((Control::read() & kDistributorBusy) != 0) {
    }
  }
  static void settle_redistributor(uintptr_t frame) {
    while ((Bus::template read<uint32_t>(frame) & kRedistributorBusy) != 0) {
    }
  }

  /// ICC_SGI0R_EL1: a list of 16 cores (by Aff0) in the cluster named by Aff3 to Aff1.
  static constexpr uint64_t reschedule_word(uint64_t affinity) {
    const uint64_t aff0 = affinity & 0xff, aff1 = affinity >> 8 & 0xff,
                   aff2 = affinity >> 16 & 0xff, aff3 = affinity >> 32 & 0xff;
    return aff3 << 48 | aff0 / 16 << 44 | aff2 << 32 | uint64_t{kRescheduleId} << 24 | aff1 << 16 |
           uint64_t{1} << (aff0 % 16);
  }

  static inline Core cores_[kCores] = {};
};

}  // namespace hocket::drivers
