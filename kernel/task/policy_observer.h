// What a policy tells about itself, as statistics and events (the last part of dispatcher.h).
#pragma once

#include "kernel/task/dispatcher.h"

namespace hocket {

/// Turns what the policy reports into statistics and events.
template <class Port, class Config>
struct Dispatcher<Port, Config>::Observer {
  static constexpr bool kObserves = kObserved;
  template <class Entity, class Time>
  static void released(Entity& entity, Time release) {
    if constexpr (kStatistics) ++vcpu(entity).releases;
    note(vcpu(entity), release, EventKind::Release, release);
  }
  template <class Entity, class Time>
  static void responded(Entity& entity, Time release, Time finish) {
    if constexpr (kStatistics) {
      Vcpu& v = vcpu(entity);
      ++v.responses;
      v.worst_response = larger(v.worst_response, finish - release);
      if (finish - release > v.deadline) ++v.deadline_misses;
    }
  }
  template <class Entity, class Time>
  static void exhausted(Entity& entity, Time time, Time next) {
    if constexpr (kStatistics) ++vcpu(entity).exhausted;
    note(vcpu(entity), time, EventKind::BudgetExhausted, next);
    note(vcpu(entity), next, EventKind::Replenish, next);
  }

 private:
  template <class Entity>
  static Vcpu& vcpu(Entity& entity) {
    return static_cast<Vcpu&>(entity);
  }
  template <class Time>
  static void note(Vcpu& v, Time time, EventKind kind, Time value) {
    if constexpr (Same<typename Config::Trace, NoTrace>) return;
    // Of several threads the first one stands for the virtual CPU.
    uint16_t thread = Event::kNoThread;
    if (!v.ready.empty()) {
      thread = v.ready.front().id;
    } else if (!v.sleepers.empty()) {
      thread = v.sleepers.front().id;
    }
    record(cores_[v.core], time, kind, thread, 0, value);
  }
};

}  // namespace hocket
