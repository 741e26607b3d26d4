// The policy of an application: one of kernel/sched or policies/, chosen when the system is
// compiled (tools/hocket/builder/policies.py, docs/reference/scheduling.md).
//
// There is one struct for each policy, with the name that HOCKET_POLICY() uses in a sketch.
// HOCKET_KERNEL_POLICY names the one that the build has chosen:
//   kName    the name on the command line and in the report
//   Policy   the kernel's policy; WithIo on boards whose pins have interrupts
//   add      adds a loop: stores what the order needs in its virtual CPU, and calls `create` with
//            the arguments that the server needs
//            calls `create` with what the server wants to know
#pragma once

#include "admission/demand.h"
#include "arduino/runtime/start.h"
#include "kernel/sched/vcpu_policy.h"
#include "policies/turn_policies.h"

namespace hocket::runtime {

/// A loop that joins a core: its demand, its rank among the loops of the core, its budget including
/// the kernel's costs (`enforced`), and the length of a turn for policies that take turns.
template <class System>
struct Joining {
  using Duration = typename System::Duration;
  const Demand<typename System::Ticks>& demand;
  unsigned rank;
  Duration enforced;
  Duration slice;

  Duration period() const { return Duration(demand.period); }
  Duration deadline() const { return Duration(demand.deadline); }
  /// The declared level, or the loop's rank if it has declared none.
  uint8_t level() const {
    constexpr unsigned kLowest = LevelOrder<int64_t, 1>::kLevels - 1;
    return static_cast<uint8_t>(demand.has_level ? demand.level : smaller(rank, kLowest));
  }
};

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

/// (If threads can migrate, a loop may be split over two cores.)
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

/// A loop with a declared level has no deadline: such loops take turns in the time that the others
/// leave.
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

/// Seeds the lottery: runs with the same number draw the same tickets. Before any core starts.
template <class System>
void seed_policy([[maybe_unused]] uint32_t number) {
  if constexpr (System::kDraws) {
    for (unsigned i = 0; i < System::Processor::kCores; ++i) {
      System::seed(static_cast<CoreId>(i), number);
    }
  }
}

}  // namespace hocket::runtime
