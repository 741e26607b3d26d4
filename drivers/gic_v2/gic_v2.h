// Arm GICv2 (GIC-400 and the like) where this software may use both groups: a controller without
// the Security Extensions, or secure access.
//
// Invariants
// - Group 0 is the RealTime level (FIQEn) with priority 0x10, Group 1 the Ordinary one with 0xa0.
// - AckCtl is 0 on the RealTime path: reading GICC_IAR acknowledges Group 0 only, so a FIQ's
//   handler never takes an Ordinary interrupt away.
// - What acknowledge returns holds the sender of an inter-processor interrupt in bits 12-10; EOIR
//   must be given the same.
// - Interrupts 0-15 are software-generated, 16-31 private to a core (their registers are banked by
//   the core that accesses them), 32-1019 shared.
//
// Source: Arm Generic Interrupt Controller Architecture Specification 2.0 (IHI 0048B): 4.3 GICD_…,
// 4.4 GICC_…, under their names; 2.3 and 3.7 grouping.
#pragma once

#include "drivers/interrupt_controller.h"
#include "drivers/mmio.h"

namespace hocket::drivers {

/// How software that also uses Group 0 acknowledges Group 1.
enum class Group1Registers : uint8_t {
  Aliased,  // GICC_AIAR and GICC_AEOIR, as the architecture defines
  Shared,   // GICC_IAR with AckCtl: for models without those two (QEMU 7.2 reads zero there)
};

template <uintptr_t kDistributor, uintptr_t kInterface,
          Group1Registers kGroup1Registers = Group1Registers::Aliased, unsigned kCores = 8,
          class Bus = MemoryBus>
class GicV2 {
  static_assert(kCores <= 8, "a GICv2 has at most 8 CPU interfaces");

 public:
  using Id = uint32_t;
  static constexpr Id kRescheduleId = 0;  // a software-generated interrupt
  static constexpr Id kTimerId = 27;      // the EL1 virtual timer, as BSA (DEN0094) numbers it
  static constexpr Id kNone = 1023;
  static constexpr Id kIds = 1024;
  static constexpr bool kShowsMasked = true;

  [[gnu::cold]] static bool init_distributor() {
    Control::write(0);
    const Id end = limit();
    for (Id id = kFirstShared; id < end; id += 32) quiet(id);
    // A controller that reserves Group 0 for secure software reads its group registers as zero.
    quiet(0);
    if (Groups::read(0) != ~0u) return false;
    Control::write(kGroup0 | kGroup1);
    return true;
  }

  [[gnu::cold]] static bool init_core(CoreId core) {
    if (core >= kCores) return false;
    quiet(0);
    const uint8_t own = own_mask();
    cores_[core] = own != 0 ? own : 1;  // with a single core the targets read as zero
    // Clears active interrupts that were acknowledged and never ended. The running priority of a
    // core that was stopped in a handler would block all others of that level.
    for (unsigned i = 0; i < kActiveWords; ++i) {
      ActivePriorities::write(i, 0);
      ActiveGroup1Priorities::write(i, 0);
    }
    PriorityMask::write(0xff);
    BinaryPoint::write(0);  // the finest preemption
    InterfaceControl::write(kRunning);
    return enable(kRescheduleId, Level::RealTime, core);
  }

  [[gnu::cold]] static bool enable(Id id, Level level, CoreId target) {
    if (!route(id, level, target)) return false;
    unmask(id);
    return true;
  }

  [[gnu::cold]] static bool route(Id id, Level level, CoreId target) {
    if (target >= kCores || cores_[target] == 0 || id >= limit()) return false;
    if (id < kFirstShared && !is_own(target)) return false;
    const uint32_t groups = Groups::read(id / 32);
    Groups::write(id / 32, level == Level::RealTime ? groups & ~bit(id) : groups | bit(id));
    Priorities::write(id, level == Level::RealTime ? real_time_priority(id) : kOrdinaryPriority);
    if (id >= kFirstShared) Targets::write(id, cores_[target]);
    return true;
  }

  /// For an interrupt private to a core: that of the calling core.
  static bool disable(Id id) {
    if (id >= limit()) return false;
    ClearEnable::write(id / 32, bit(id));
    // Reading back waits for the write and its effect (Device memory, one device).
    return (ClearEnable::read(id / 32) & bit(id)) == 0;
  }

  static void mask(Id id) {
    ClearEnable::write(id / 32, bit(id));
    ClearEnable::read(id / 32);  // as in disable()
  }
  static void unmask(Id id) { SetEnable::write(id / 32, bit(id)); }
  static bool pending(Id id) { return (SetPending::read(id / 32) & bit(id)) != 0; }
  static void clear_pending(Id id) { ClearPending::write(id / 32, bit(id)); }
  static void set_pending(Id id) { SetPending::write(id / 32, bit(id)); }

  static bool set_trigger(Id id, Trigger trigger) {
    if (id < kFirstPrivate) return trigger == Trigger::Edge;
    if (id >= limit()) return false;
    const uint32_t edge = edge_bit(id);
    const uint32_t others = Configurations::read(id / 16) & ~edge;
    const uint32_t wanted = trigger == Trigger::Edge ? others | edge : others;
    Configurations::write(id / 16, wanted);
    return Configurations::read(id / 16) == wanted;  // a PPI's trigger may be fixed
  }

  // --- The path of an interrupt ---

  [[gnu::always_inline]] static Id acknowledge_real_time() {
    const uint32_t word = Acknowledge::read();
    return word == kGroup1Pending ? kNone : word;
  }
  [[gnu::always_inline]] static void end_real_time(Id id) { End::write(id); }

  [[gnu::always_inline]] static Id acknowledge_ordinary() {
    if constexpr (kGroup1Registers == Group1Registers::Aliased) {
      return AliasedAcknowledge::read();
    } else {
      return acknowledge_shared();
    }
  }
  [[gnu::always_inline]] static void end_ordinary(Id id) {
    if constexpr (kGroup1Registers == Group1Registers::Aliased) {
      AliasedEnd::write(id);
    } else {
      InterfaceControl::write(kRunning | kAcknowledgeBoth);
      End::write(id);
      InterfaceControl::write(kRunning);
    }
  }
  [[gnu::always_inline]] static constexpr Id number(Id acknowledged) {
    return acknowledged & 0x3ff;
  }

  /// Lets only the timer's interrupt reach the calling core, or all again.
  [[gnu::always_inline]] static void only_timer(bool only) {
    PriorityMask::write(only ? kRealTimePriority : kAll);
  }

  [[gnu::always_inline]] static void send_reschedule(CoreId core) {
    Bus::publish();
    SoftwareInterrupt::write(uint32_t{cores_[core]} << 16 | kRescheduleId);  // NSATT 0: Group 0
  }

 private:
  static constexpr Id kFirstPrivate = 16, kFirstShared = 32, kFirstSpecial = 1020;
  static constexpr Id kGroup1Pending = 1022;  // GICC_IAR: what is pending is not of Group 0
  static constexpr uint8_t kTimerPriority = 0x08, kRealTimePriority = 0x10,
                           kOrdinaryPriority = 0xa0, kAll = 0xff;
  static constexpr uint8_t real_time_priority(Id id) {
    return id == kTimerId ? kTimerPriority : kRealTimePriority;
  }

  static constexpr uint32_t kGroup0 = 1u << 0, kGroup1 = 1u << 1;                 // both CTLRs
  static constexpr uint32_t kAcknowledgeBoth = 1u << 2, kFiqForGroup0 = 1u << 3;  // GICC_CTLR
  static constexpr uint32_t kRunning = kGroup0 | kGroup1 | kFiqForGroup0;

  using Control = Register<Bus, uint32_t, kDistributor + 0x000>;
  using Type = Register<Bus, uint32_t, kDistributor + 0x004>;
  using Groups = Registers<Bus, uint32_t, kDistributor + 0x080>;
  using SetEnable = Registers<Bus, uint32_t, kDistributor + 0x100>;
  using ClearEnable = Registers<Bus, uint32_t, kDistributor + 0x180>;
  using SetPending = Registers<Bus, uint32_t, kDistributor + 0x200>;
  using ClearPending = Registers<Bus, uint32_t, kDistributor + 0x280>;
  using ClearActive = Registers<Bus, uint32_t, kDistributor + 0x380>;
  using Priorities = Registers<Bus, uint8_t, kDistributor + 0x400>;
  using Targets = Registers<Bus, uint8_t, kDistributor + 0x800>;
  using Configurations = Registers<Bus, uint32_t, kDistributor + 0xc00>;
  using SoftwareInterrupt = Register<Bus, uint32_t, kDistributor + 0xf00>;
  using SetSoftwarePending = Registers<Bus, uint8_t, kDistributor + 0xf20>;

  using InterfaceControl = Register<Bus, uint32_t, kInterface + 0x00>;
  using PriorityMask = Register<Bus, uint32_t, kInterface + 0x04>;
  using BinaryPoint = Register<Bus, uint32_t, kInterface + 0x08>;
  using Acknowledge = Register<Bus, uint32_t, kInterface + 0x0c>;
  using End = Register<Bus, uint32_t, kInterface + 0x10>;
  using RunningPriority = Register<Bus, uint32_t, kInterface + 0x14>;
  using AliasedAcknowledge = Register<Bus, uint32_t, kInterface + 0x20>;
  using AliasedEnd = Register<Bus, uint32_t, kInterface + 0x24>;
  using ActivePriorities = Registers<Bus, uint32_t, kInterface + 0xd0>;        // GICC_APRn
  using ActiveGroup1Priorities = Registers<Bus, uint32_t, kInterface + 0xe0>;  // GICC_NSAPRn
  static constexpr unsigned kActiveWords = 4;

  /// Interrupts from 0 up to this one may exist (GICD_TYPER.ITLinesNumber).
  static Id limit() { return smaller((Type::read() % 32 + 1) * 32, kFirstSpecial); }

  /// Resets the 32 interrupts from `first` on: disabled, not pending, not active, Ordinary.
  static void quiet(Id first) {
    const uint32_t word = first / 32;
    ClearEnable::write(word, ~0u);
    ClearPending::write(word, ~0u);
    ClearActive::write(word, ~0u);
    Groups::write(word, ~0u);
    for (Id id = first; id < first + 32; ++id) Priorities::write(id, kOrdinaryPriority);
  }

  /// GICD_ITARGETSR0 to 7 read as the interface of the reading core; 0 on a single core.
  static uint8_t own_mask() { return Targets::read(0); }
  static bool is_own(CoreId core) {
    const uint8_t own = own_mask();
    return own == 0 || own == cores_[core];
  }
  static constexpr uint32_t bit(Id id) { return 1u << (id % 32); }
  static constexpr uint32_t edge_bit(Id id) { return 2u << (id % 16 * 2); }

  /// Acknowledges Group 1 through GICC_IAR. With AckCtl that register returns the highest interrupt
  /// of *both* groups. A RealTime interrupt that arrives at this instant is made pending again and
  /// left to the FIQ.
  static Id acknowledge_shared() {
    InterfaceControl::write(kRunning | kAcknowledgeBoth);
    const uint32_t word = Acknowledge::read();
    const bool ordinary = RunningPriority::read() >= kOrdinaryPriority;
    if (!ordinary) {
      give_back(word);
      End::write(word);
    }
    InterfaceControl::write(kRunning);
    return ordinary ? word : kNone;
  }

  /// Ends an acknowledged interrupt and makes it pending again; a level becomes pending by itself.
  static void give_back(uint32_t word) {
    const Id id = number(word);
    if (id < kFirstPrivate) {
      SetSoftwarePending::write(id, static_cast<uint8_t>(1u << (word >> 10 & 7)));
    } else if ((Configurations::read(id / 16) & edge_bit(id)) != 0) {
      SetPending::write(id / 32, 1u << (id % 32));
    }
  }

  static inline uint8_t cores_[kCores] = {};  // each core's interface, in the form of
                                              // GICD_ITARGETSR
};

}  // namespace hocket::drivers
