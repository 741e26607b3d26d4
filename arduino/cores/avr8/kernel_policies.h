// The policies of policy_keys.h as the Uno's kernel implements them: all entities have a budget, or
// all take turns, and no lock has a ceiling.
//
//   Policy   what it is in the kernel
//            (with an observer, because that is the kernel's own type: one file alone then knows
//            its parts, and the compiler folds what is called once)
//   add      stores what the order needs in a loop's virtual CPU, and calls `create` with the
//            arguments that the server needs
#pragma once

#include "arduino/cores/avr8/kernel_costs.h"
#include "kernel/sched/vcpu_policy.h"
#include "policies/turn_policies.h"

namespace hocket::uno::kernel_policies {

template <class Instant>
using DurationOf = typename Instant::Duration;

struct vcpu {
  static constexpr bool kComparesDeadlines = false;
  template <class Rep, unsigned kSlots, unsigned kRefills, class Observer, class Charges>
  using Policy = PlainVcpuPolicy<Rep, kSlots, kRefills, Observer, Charges>;

  template <class Vcpu, class Entry, class Instant, class Create>
  static void add(Vcpu&, const Entry& entry, uint8_t, Instant at, Create create) {
    using Duration = DurationOf<Instant>;
    create(Duration(static_cast<int32_t>(entry.budget)),
           Duration(static_cast<int32_t>(entry.period)), at);
  }
};

struct edf {
  static constexpr bool kComparesDeadlines = true;
  template <class Rep, unsigned kSlots, unsigned kRefills, class Observer, class Charges>
  using Policy = PlainDeadlinePolicy<Rep, kSlots, kRefills, Observer, Charges>;

  template <class Vcpu, class Entry, class Instant, class Create>
  static void add(Vcpu& vcpu, const Entry& entry, uint8_t rank, Instant at, Create create) {
    vcpu.due_after = DurationOf<Instant>(entry.priority.deadline());
    kernel_policies::vcpu::add(vcpu, entry, rank, at, create);
  }
};

template <class Entry>
int32_t slice_of(const Entry& entry) {
  return static_cast<int32_t>(entry.priority.slice);
}
/// The level of a loop that has declared none: its rank.
template <class Entry>
uint8_t level_of(const Entry& entry, uint8_t rank) {
  return entry.priority.has_level() ? entry.priority.level : rank;
}

struct hybrid_edf {
  static constexpr bool kComparesDeadlines = true;
  template <class Rep, unsigned kSlots, unsigned kRefills, class Observer, class Charges>
  using Policy = PlainHybridPolicy<Rep, kSlots, kRefills, Observer, Charges>;

  template <class Vcpu, class Entry, class Instant, class Create>
  static void add(Vcpu& vcpu, const Entry& entry, uint8_t rank, Instant at, Create create) {
    using Duration = DurationOf<Instant>;
    vcpu.level = level_of(entry, rank);
    vcpu.due_after = Duration(entry.priority.among_equals.deadline());
    if (entry.priority.has_level()) {
      return create(Duration(slice_of(entry)), Duration(0), at);
    }
    kernel_policies::vcpu::add(vcpu, entry, rank, at, create);
  }
};

struct mlq {
  static constexpr bool kComparesDeadlines = false;
  template <class Rep, unsigned kSlots, unsigned, class Observer, class Charges>
  using Policy = PlainLevelPolicy<Rep, kSlots, Observer, Charges>;

  template <class Vcpu, class Entry, class Instant, class Create>
  static void add(Vcpu& vcpu, const Entry& entry, uint8_t rank, Instant, Create create) {
    vcpu.level = level_of(entry, rank);
    create(DurationOf<Instant>(slice_of(entry)));
  }
};

struct bitmap {
  static constexpr bool kComparesDeadlines = false;
  template <class Rep, unsigned kSlots, unsigned, class Observer, class>
  using Policy = PlainBitmapPolicy<Rep, kSlots, Observer>;

  template <class Vcpu, class Entry, class Instant, class Create>
  static void add(Vcpu&, const Entry&, uint8_t, Instant, Create create) {
    create();
  }
};

struct lottery {
  static constexpr bool kComparesDeadlines = false;
  template <class Rep, unsigned kSlots, unsigned, class Observer, class Charges>
  using Policy = PlainLotteryPolicy<Rep, kSlots, Observer, Charges>;

  template <class Vcpu, class Entry, class Instant, class Create>
  static void add(Vcpu& vcpu, const Entry& entry, uint8_t, Instant, Create create) {
    vcpu.tickets = entry.priority.tickets;
    create(DurationOf<Instant>(slice_of(entry)));
  }
};

#ifndef HOCKET_KERNEL_POLICY
#define HOCKET_KERNEL_POLICY vcpu
#endif
using Chosen = HOCKET_KERNEL_POLICY;

}  // namespace hocket::uno::kernel_policies
