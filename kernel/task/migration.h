// Threads of virtual CPUs in two parts go from one core to another (sched/two_parts.h: where to,
// and since when they are wanted there).
//
//   core 1   runs X │ it departs   │ switch │ hand over ┐
//                     leaving = X    X's registers      │ X is core 2's, and an interrupt
//                                    are on its stack   │
//   core 2   …………………………………………………………………………………………………………………╰▶ │ take in │ decide │ runs X
//
// Who may touch X: the core of the part that it is in (X.vcpu), with that core's lock. So:
//   - X is handed over with the lock of the core that it leaves, when that core does not run it any
//     more: behind the switch away from it, which that lock is held across, or by who wakes it;
//   - handing over is one store. Before it all that belongs to X (the threads and the server of
//     either part) is the old core's, behind it the new one's;
//   - who locks the owner of a thread looks again when it has the lock (Cores::lock_owner);
//   - the new core takes X in when the interrupt comes: a part in which somebody is ready or sleeps,
//     and which its policy has as blocked. What is true twice is done once, and what a wake-up has
//     done meanwhile is not done again;
//   - nobody ever holds two cores' locks.
// The protocol is checked by a model (tests/spin/migration.pml).
//
// Locks: who holds a spinlock is raised and has no budget that ends, so it does not leave. (Who
// holds on for longer than admission has counted falls back, and may leave with the lock.)
//
// Where a policy has no such virtual CPUs all of this is nothing.
#pragma once

#include "kernel/task/core.h"

namespace hocket {

template <class Port, class Config>
class Migration : public Cores<Port, Config> {
  using Base = Cores<Port, Config>;

 public:
  using Base::core_of, Base::kMigrates, Base::running, Base::vcpu_of;
  using typename Base::CoreRef, typename Base::Duration, typename Base::Instant,
      typename Base::LockedCore, typename Base::Policy, typename Base::Thread, typename Base::Vcpu;

  /// Two virtual CPUs are the parts of one, on which `thread` is alone: from a release in the first
  /// part to that of the second it is `offset`, and by `overrun` either may be ahead of its budget.
  /// Before their cores begin.
  static void split(Vcpu& first, Vcpu& second, Thread& thread, Duration offset, Duration overrun)
    requires kMigrates
  {
    join_parts<typename Policy::Entity>(first, second, offset, overrun);
    first.migrant = second.migrant = &thread;
    if constexpr (Port::kOptions.prepares_migrants) Port::may_migrate(thread.context);
  }
  /// One of them has been added to its core. On that core, at boot.
  static void add_part(Vcpu& part)
    requires kMigrates
  {
    const LockedCore core = LockedCore::at_rest(core_of(part));
    part.next_part = core->migrations.parts;
    core->migrations.parts = &part;
  }

 protected:
  // --- Leaving ---

  /// After a decision: whoever has used up a part, and goes on in the other one, leaves.
  HOCKET_IN_LINE static void see_off([[maybe_unused]] LockedCore core) {
    if constexpr (kMigrates) {
      auto* const departed = core->policy.take_departed();
      if (departed != nullptr) [[unlikely]]
        leave_ready(core, static_cast<Vcpu&>(*departed));
    }
  }

  /// The only thread of a part, which has stopped and is among its sleepers, may sleep in the other
  /// part instead: true.
  HOCKET_RARE static bool leaves_asleep(LockedCore core, Vcpu& part)
    requires kMigrates
  {
    if (!Policy::better_elsewhere(part, part.sleepers().front().wake_at)) return false;
    Thread& thread = part.sleepers().pop_front();
    other(part).sleepers().push_back(thread);
    depart(core, thread);
    return true;
  }

  /// A thread that waited, in no list any more, is about to be woken. With its core's lock. True:
  /// it goes on in its other part, whose core has been told.
  HOCKET_IN_LINE static bool goes_on_elsewhere([[maybe_unused]] LockedCore core,
                                               [[maybe_unused]] Thread& thread) {
    if constexpr (kMigrates) {
      if (vcpu_of(thread).other != nullptr) [[unlikely]]
        return wakes_elsewhere(core, thread);
    }
    return false;
  }

  /// First thing behind a switch.
  HOCKET_IN_LINE static void hand_over_leaver([[maybe_unused]] LockedCore core) {
    if constexpr (kMigrates) {
      if (core->migrations.leaving != nullptr) [[unlikely]] {
        Thread& thread = *core->migrations.leaving;
        core->migrations.leaving = nullptr;
        hand_over(thread);
      }
    }
  }

  // --- Coming ---

  /// In the interrupt that another core has sent: who was handed over is taken in. A decision must
  /// follow.
  HOCKET_IN_LINE static void take_in([[maybe_unused]] LockedCore core,
                                     [[maybe_unused]] Instant time) {
    if constexpr (kMigrates) {
      for (Vcpu* part = core->migrations.parts; part != nullptr; part = part->next_part) {
        if (atomic_load(part->migrant->vcpu, order::acquire) != part) continue;
        if (part->state != Policy::Entity::State::Blocked) continue;  // woken here meanwhile
        if (!part->ready().empty()) {
          core->policy.arrive(*part, time, part->wanted);
        } else if (!part->sleepers().empty()) {
          core->policy.arrive(*part, time, part->sleepers().front().wake_at);
        }
      }
    }
  }

 private:
  static Vcpu& other(Vcpu& part) { return static_cast<Vcpu&>(*part.other); }

  HOCKET_RARE static void leave_ready(LockedCore core, Vcpu& part) {
    Thread& thread = part.ready().pop_front();
    other(part).ready().push_back(thread);
    depart(core, thread);
  }

  /// Its registers may not be on its stack yet.
  static void depart(LockedCore core, Thread& thread) {
    if (&thread == &running(core)) {
      core->migrations.leaving = &thread;
    } else {
      hand_over(thread);
    }
  }

  HOCKET_RARE static bool wakes_elsewhere(LockedCore core, Thread& thread) {
    Vcpu& part = vcpu_of(thread);
    if (part.is_ready()) return false;  // the end of its sleep was noticed before
    const Instant time = Base::masked_now();
    if (!Policy::better_elsewhere(part, time)) return false;
    core->policy.block(part, time);
    Base::record(core, time, EventKind::Wake, thread.id, 0);
    thread.state = ThreadState::Ready;
    other(part).ready().push_back(thread);
    other(part).wanted = time;
    hand_over(thread);
    return true;
  }

  /// It is the other part's from now on.
  static void hand_over(Thread& thread) {
    Vcpu& to = other(vcpu_of(thread));
    atomic_store(thread.vcpu, &to, order::release);
    Base::ask_again(core_of(to));
  }
};

}  // namespace hocket
