// What a policy tells about itself, as statistics and events of the kernel that it decides for.
#pragma once

#include "kernel/base/periods.h"
#include "kernel/base/time.h"
#include "kernel/trace/event.h"

namespace hocket {

/// The observer of a policy. (Its functions are made when `Cores` is complete: that names its
/// policy, and the policy its observer.)
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
        // Its budget is due again after each deadline: what comes several late has missed them all.
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
  /// It is the second part of what was released in the first one (sched/two_parts.h).
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
      // Of several threads the first one stands for the virtual CPU.
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
