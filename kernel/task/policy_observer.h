// Turns what a policy reports about itself into statistics and events of the kernel.
#pragma once

#include "kernel/base/periods.h"
#include "kernel/base/time.h"
#include "kernel/trace/event.h"

namespace hocket {

/// The observer of a policy. (`Cores` names its policy and the policy its observer, so these
/// functions are instantiated after `Cores` is complete.)
template <class Cores, bool kObserved>
struct PolicyObserver {
  static constexpr bool kObserves = kObserved;

  template <class Entity, class Time>
  static void released(Entity& entity, Time release) {
    if constexpr (Cores::kStatistics) {
      if (!continues(entity)) ++vcpu(entity).releases;
    }
    note(vcpu(entity), release, EventKind::Release, release);
  }
  template <class Entity, class Time>
  static void responded(Entity& entity, Time release, Time finish) {
    if constexpr (Cores::kStatistics) {
      auto& v = vcpu(entity);
      ++v.responses;
      v.worst_response = larger(v.worst_response, finish - release);
      if (v.deadline > decltype(v.deadline)(0) && finish - release > v.deadline) {
        // The budget is due again after each deadline, so a response that is several deadlines late
        // has missed all of them.
        const auto due = v.deadline.ticks();
        v.deadline_misses +=
            static_cast<uint32_t>(deadlines_before((finish - release).ticks(), due, due));
      }
    }
  }
  template <class Entity, class Time>
  static void exhausted(Entity& entity, Time time, Time next) {
    if constexpr (Cores::kStatistics) ++vcpu(entity).exhausted;
    note(vcpu(entity), time, EventKind::BudgetExhausted, next);
    note(vcpu(entity), next, EventKind::Replenish, next);
  }

 private:
  /// Whether this is the second part of a response that was released in the first part
  /// (sched/two_parts.h).
  template <class Entity>
  static bool continues(const Entity& entity) {
    if constexpr (requires { entity.before; }) return entity.before > decltype(entity.before)(0);
    return false;
  }
  template <class Entity>
  static auto& vcpu(Entity& entity) {
    return static_cast<typename Cores::Vcpu&>(entity);
  }
  template <class Vcpu, class Time>
  static void note(Vcpu& v, Time time, EventKind kind, Time value) {
    if constexpr (Cores::kTraced) {
      if (!Cores::wants_events()) return;
      // With several threads, the first one stands for the virtual CPU.
      uint16_t thread = Event::kNoThread;
      if (!v.ready().empty()) {
        thread = v.ready().front().id;
      } else if (!v.sleepers().empty()) {
        thread = v.sleepers().front().id;
      }
      Cores::record(Cores::core(v.core), time, kind, thread, 0, value);
    }
  }
};

}  // namespace hocket
