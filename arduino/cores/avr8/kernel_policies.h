// The policies of arduino/runtime/policies.h in the Uno's kernel (policy_keys.h has the sketch's
// side). With an observer, because that is the kernel's own type: one file alone then knows its
// parts, and the compiler folds what is called once.
#pragma once

#include "arduino/cores/avr8/kernel_costs.h"
#include "arduino/runtime/policies.h"

namespace hocket::uno::kernel_policies {

using Chosen = runtime::ChosenPolicy;

/// A loop that begins at `at`, of the table of loops.
template <class Entry, class Instant>
struct Joining {
  using Duration = typename Instant::Duration;
  const Entry& entry;
  uint8_t rank;
  Instant at;

  static Duration of(uint32_t ticks) { return Duration(static_cast<int32_t>(ticks)); }
  Duration slice() const { return of(entry.priority.slice); }
  Duration deadline() const {
    if constexpr (requires { entry.priority.among_equals; }) {
      return Duration(entry.priority.among_equals.deadline());
    } else {
      return Duration(entry.priority.deadline());
    }
  }
  Instant begins() const { return at; }
  bool has_level() const { return entry.priority.has_level(); }
  /// The level of a loop that has declared none: its rank.
  uint8_t level() const { return has_level() ? entry.priority.level : rank; }
  uint8_t tickets() const { return entry.priority.tickets; }
  template <class Create>
  void serve(Create create) const {
    create(of(entry.budget), of(entry.period), at);
  }
};

template <class Vcpu, class Entry, class Instant, class Create>
void add(Vcpu& vcpu, const Entry& entry, uint8_t rank, Instant at, Create create) {
  Chosen::add(vcpu, Joining<Entry, Instant>{entry, rank, at}, create);
}

}  // namespace hocket::uno::kernel_policies
