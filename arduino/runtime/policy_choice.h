// The policy of an application: one of kernel/sched or policies/, chosen when the system is
// compiled (policies.h, docs/reference/scheduling.md), for boards with arduino/runtime's loops.
#pragma once

#include "admission/demand.h"
#include "arduino/runtime/policies.h"
#include "arduino/runtime/start.h"

namespace hocket::runtime {

/// A loop that joins a core (policies.h): its demand, its rank among the loops of the core, its
/// budget including the kernel's costs (`enforced`), and the length of a turn for policies that
/// take turns.
template <class System>
struct Joining {
  using Duration = typename System::Duration;
  const Demand<typename System::Ticks>& demand;
  unsigned rank;
  Duration enforced;
  Duration turn;

  Duration slice() const { return turn; }
  Duration deadline() const { return Duration(demand.deadline); }
  auto begins() const { return System::now(); }
  bool has_level() const { return demand.has_level; }
  /// The declared level, or the loop's rank if it has declared none.
  uint8_t level() const {
    constexpr unsigned kLowest = LevelOrder<int64_t, 1>::kLevels - 1;
    return static_cast<uint8_t>(demand.has_level ? demand.level : smaller(rank, kLowest));
  }
  uint16_t tickets() const { return larger<uint16_t>(demand.tickets, 1); }
  template <class Create>
  void serve(Create create) const {
    with_server<System>(demand.io, [&](auto... more) {
      create(enforced, Duration(demand.period), begins(), more...);
    });
  }
};

/// Adds a loop by the chosen policy.
template <class System, class Create>
void join(typename System::Vcpu& vcpu, const Joining<System>& loop, Create create) {
  ChosenPolicy::add(vcpu, loop, create);
}

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
