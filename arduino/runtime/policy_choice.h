// Which policy an application has: one of kernel/sched, chosen when the system is compiled
// (tools/hocket/builder/policies.py, docs/reference/scheduling.md).
//
// A struct for each, named as HOCKET_POLICY() names it in a sketch; HOCKET_KERNEL_POLICY is the one
// that the build has chosen:
//   kName    what the command line and the report call it
//   Policy   what it is in the kernel; WithIo where pins have interrupts
//   add      a loop joins: notes down in its virtual CPU what the order wants to know of it, and
//            calls `create` with what the server wants to know
#pragma once

#include "admission/demand.h"
#include "arduino/runtime/start.h"
#include "kernel/sched/vcpu_policy.h"
#include "policies/turn_policies.h"

namespace hocket::runtime {

/// Of a loop that joins a core: what it has declared, its place among the loops of the core, its
/// budget with what the kernel costs, and how long a turn is where loops take turns.
template <class System>
struct Joining {
  using Duration = typename System::Duration;
  const Demand<typename System::Ticks>& demand;
  unsigned rank;
  Duration enforced;
  Duration slice;

  Duration period() const { return Duration(demand.period); }
  Duration deadline() const { return Duration(demand.deadline); }
  /// Declared, or its place.
  uint8_t level() const {
    constexpr unsigned kLowest = LevelOrder<int64_t, 1>::kLevels - 1;
    return static_cast<uint8_t>(demand.has_level ? demand.level : smaller(rank, kLowest));
  }
};
inline constexpr uint64_t kSliceNs = 10'000'000;

namespace policies {

struct vcpu {
  static constexpr const char* kName = "vcpu";
  template <class Rep, unsigned kSlots, unsigned kRefills, class Observer, class Charges>
  using Policy = VcpuPolicy<Rep, kSlots, kRefills, Observer, Charges>;
  template <class Rep, unsigned kSlots, unsigned kRefills, class Observer, class Charges>
  using WithIo = VcpuWithIoPolicy<Rep, kSlots, kRefills, Observer, Charges>;

  template <class System, class Create>
  static void add(typename System::Vcpu&, const Joining<System>& loop, Create create) {
    with_server<System>(loop.demand.io, [&](auto... more) {
      create(loop.enforced, loop.period(), System::now(), more...);
    });
  }
};

/// (Where threads can go on on another core, a loop may have a part on each of two.)
struct edf {
  static constexpr const char* kName = "edf";
  template <class Charges>
  static constexpr bool kMaySplit = requires { requires Charges::kThreadsMigrate; };
  template <class Rep, unsigned kSlots, unsigned kRefills, class Observer, class Charges>
  using Policy = DeadlinePolicy<Rep, kSlots, kRefills, Observer, Charges, kMaySplit<Charges>>;
  template <class Rep, unsigned kSlots, unsigned kRefills, class Observer, class Charges>
  using WithIo = DeadlineWithIoPolicy<Rep, kSlots, kRefills, Observer, Charges, kMaySplit<Charges>>;

  template <class System, class Create>
  static void add(typename System::Vcpu& vcpu, const Joining<System>& loop, Create create) {
    vcpu.due_after = loop.deadline();
    policies::vcpu::add<System>(vcpu, loop, create);
  }
};

/// Who has declared a level has no deadline: it takes turns, in what the others leave.
struct hybrid_edf {
  static constexpr const char* kName = "hybrid-edf";
  template <class Rep, unsigned kSlots, unsigned kRefills, class Observer, class Charges>
  using Policy = HybridPolicy<Rep, kSlots, kRefills, Observer, Charges>;
  template <class Rep, unsigned kSlots, unsigned kRefills, class Observer, class Charges>
  using WithIo = HybridWithIoPolicy<Rep, kSlots, kRefills, Observer, Charges>;

  template <class System, class Create>
  static void add(typename System::Vcpu& vcpu, const Joining<System>& loop, Create create) {
    using Duration = typename System::Duration;
    vcpu.due_after = loop.deadline();
    vcpu.level = loop.level();
    if (loop.demand.has_level) return create(loop.slice, Duration(0), System::now());
    policies::vcpu::add<System>(vcpu, loop, create);
  }
};

struct mlq {
  static constexpr const char* kName = "mlq";
  template <class Rep, unsigned kSlots, unsigned, class Observer, class Charges>
  using Policy = LevelPolicy<Rep, kSlots, Observer, Charges>;
  template <class Rep, unsigned kSlots, unsigned kRefills, class Observer, class Charges>
  using WithIo = Policy<Rep, kSlots, kRefills, Observer, Charges>;

  template <class System, class Create>
  static void add(typename System::Vcpu& vcpu, const Joining<System>& loop, Create create) {
    vcpu.level = loop.level();
    create(loop.slice);
  }
};

struct bitmap {
  static constexpr const char* kName = "bitmap";
  template <class Rep, unsigned kSlots, unsigned, class Observer, class>
  using Policy = BitmapPolicy<Rep, kSlots, Observer>;
  template <class Rep, unsigned kSlots, unsigned kRefills, class Observer, class Charges>
  using WithIo = Policy<Rep, kSlots, kRefills, Observer, Charges>;

  template <class System, class Create>
  static void add(typename System::Vcpu&, const Joining<System>&, Create create) {
    create();
  }
};

struct lottery {
  static constexpr const char* kName = "lottery";
  template <class Rep, unsigned kSlots, unsigned, class Observer, class Charges>
  using Policy = LotteryPolicy<Rep, kSlots, Observer, Charges>;
  template <class Rep, unsigned kSlots, unsigned kRefills, class Observer, class Charges>
  using WithIo = Policy<Rep, kSlots, kRefills, Observer, Charges>;

  template <class System, class Create>
  static void add(typename System::Vcpu& vcpu, const Joining<System>& loop, Create create) {
    vcpu.tickets = larger<uint16_t>(loop.demand.tickets, 1);
    create(loop.slice);
  }
};

}  // namespace policies

#ifndef HOCKET_KERNEL_POLICY
#define HOCKET_KERNEL_POLICY vcpu
#endif
using ChosenPolicy = policies::HOCKET_KERNEL_POLICY;

/// Where lots are drawn: runs with the same number draw the same. Before any core begins.
template <class System>
void seed_policy([[maybe_unused]] uint32_t number) {
  if constexpr (System::kDraws) {
    for (unsigned i = 0; i < System::Processor::kCores; ++i) {
      System::seed(static_cast<CoreId>(i), number);
    }
  }
}

}  // namespace hocket::runtime
