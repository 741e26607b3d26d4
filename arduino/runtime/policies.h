// What each policy is in the kernel, and what its order and its server want of a loop: once for all
// boards.
//
// There is one struct for each policy, with the name that HOCKET_POLICY() uses in a sketch.
//   kName     the name on the command line and in the report
//   Policy    the kernel's policy; WithIo on boards whose pins have interrupts; Plain where all
//             entities have a budget, or all take turns, and no lock has a ceiling
//   kComparesDeadlines   its order does, besides ranks
//   add       adds a loop: stores what the order needs in its virtual CPU, and calls `create` with
//             the arguments that the server needs
//
// `Joining` is the loop, as the board has it: level(), has_level(), tickets(), deadline(), slice(),
// begins(), and serve(create), which calls `create` for a loop with a budget.
#pragma once

#include "kernel/sched/vcpu_policy.h"
#include "policies/turn_policies.h"

namespace hocket::runtime::policies {

struct vcpu {
  static constexpr const char* kName = "vcpu";
  static constexpr bool kComparesDeadlines = false;
  template <class Rep, unsigned kSlots, unsigned kRefills, class Observer, class Charges>
  using Policy = VcpuPolicy<Rep, kSlots, kRefills, Observer, Charges>;
  template <class Rep, unsigned kSlots, unsigned kRefills, class Observer, class Charges>
  using WithIo = VcpuWithIoPolicy<Rep, kSlots, kRefills, Observer, Charges>;
  template <class Rep, unsigned kSlots, unsigned kRefills, class Observer, class Charges>
  using Plain = PlainVcpuPolicy<Rep, kSlots, kRefills, Observer, Charges>;

  template <class Vcpu, class Joining, class Create>
  static void add(Vcpu&, const Joining& loop, Create create) {
    loop.serve(create);
  }
};

/// (If threads can migrate, a loop may be split over two cores.)
struct edf {
  static constexpr const char* kName = "edf";
  static constexpr bool kComparesDeadlines = true;
  template <class Charges>
  static constexpr bool kMaySplit = requires { requires Charges::kThreadsMigrate; };
  template <class Rep, unsigned kSlots, unsigned kRefills, class Observer, class Charges>
  using Policy = DeadlinePolicy<Rep, kSlots, kRefills, Observer, Charges, kMaySplit<Charges>>;
  template <class Rep, unsigned kSlots, unsigned kRefills, class Observer, class Charges>
  using WithIo = DeadlineWithIoPolicy<Rep, kSlots, kRefills, Observer, Charges, kMaySplit<Charges>>;
  template <class Rep, unsigned kSlots, unsigned kRefills, class Observer, class Charges>
  using Plain = PlainDeadlinePolicy<Rep, kSlots, kRefills, Observer, Charges>;

  template <class Vcpu, class Joining, class Create>
  static void add(Vcpu& vcpu, const Joining& loop, Create create) {
    vcpu.due_after = loop.deadline();
    loop.serve(create);
  }
};

/// A loop with a declared level has no deadline: such loops take turns in the time that the others
/// leave.
struct hybrid_edf {
  static constexpr const char* kName = "hybrid-edf";
  static constexpr bool kComparesDeadlines = true;
  template <class Rep, unsigned kSlots, unsigned kRefills, class Observer, class Charges>
  using Policy = HybridPolicy<Rep, kSlots, kRefills, Observer, Charges>;
  template <class Rep, unsigned kSlots, unsigned kRefills, class Observer, class Charges>
  using WithIo = HybridWithIoPolicy<Rep, kSlots, kRefills, Observer, Charges>;
  template <class Rep, unsigned kSlots, unsigned kRefills, class Observer, class Charges>
  using Plain = PlainHybridPolicy<Rep, kSlots, kRefills, Observer, Charges>;

  template <class Vcpu, class Joining, class Create>
  static void add(Vcpu& vcpu, const Joining& loop, Create create) {
    vcpu.level = loop.level();
    vcpu.due_after = loop.deadline();
    if (loop.has_level()) return create(loop.slice(), decltype(loop.slice())(0), loop.begins());
    loop.serve(create);
  }
};

struct mlq {
  static constexpr const char* kName = "mlq";
  static constexpr bool kComparesDeadlines = false;
  template <class Rep, unsigned kSlots, unsigned, class Observer, class Charges>
  using Policy = LevelPolicy<Rep, kSlots, Observer, Charges>;
  template <class Rep, unsigned kSlots, unsigned kRefills, class Observer, class Charges>
  using WithIo = Policy<Rep, kSlots, kRefills, Observer, Charges>;
  template <class Rep, unsigned kSlots, unsigned, class Observer, class Charges>
  using Plain = PlainLevelPolicy<Rep, kSlots, Observer, Charges>;

  template <class Vcpu, class Joining, class Create>
  static void add(Vcpu& vcpu, const Joining& loop, Create create) {
    vcpu.level = loop.level();
    create(loop.slice());
  }
};

struct bitmap {
  static constexpr const char* kName = "bitmap";
  static constexpr bool kComparesDeadlines = false;
  template <class Rep, unsigned kSlots, unsigned, class Observer, class>
  using Policy = BitmapPolicy<Rep, kSlots, Observer>;
  template <class Rep, unsigned kSlots, unsigned kRefills, class Observer, class Charges>
  using WithIo = Policy<Rep, kSlots, kRefills, Observer, Charges>;
  template <class Rep, unsigned kSlots, unsigned, class Observer, class>
  using Plain = PlainBitmapPolicy<Rep, kSlots, Observer>;

  template <class Vcpu, class Joining, class Create>
  static void add(Vcpu&, const Joining&, Create create) {
    create();
  }
};

struct lottery {
  static constexpr const char* kName = "lottery";
  static constexpr bool kComparesDeadlines = false;
  template <class Rep, unsigned kSlots, unsigned, class Observer, class Charges>
  using Policy = LotteryPolicy<Rep, kSlots, Observer, Charges>;
  template <class Rep, unsigned kSlots, unsigned kRefills, class Observer, class Charges>
  using WithIo = Policy<Rep, kSlots, kRefills, Observer, Charges>;
  template <class Rep, unsigned kSlots, unsigned, class Observer, class Charges>
  using Plain = PlainLotteryPolicy<Rep, kSlots, Observer, Charges>;

  template <class Vcpu, class Joining, class Create>
  static void add(Vcpu& vcpu, const Joining& loop, Create create) {
    vcpu.tickets = loop.tickets();
    create(loop.slice());
  }
};

}  // namespace hocket::runtime::policies

namespace hocket::runtime {

#ifndef HOCKET_KERNEL_POLICY
#define HOCKET_KERNEL_POLICY vcpu
#endif
/// The one that the build has chosen (tools/hocket/builder/policies.py).
using ChosenPolicy = policies::HOCKET_KERNEL_POLICY;

}  // namespace hocket::runtime
