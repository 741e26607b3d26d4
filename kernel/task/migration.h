// Moves the threads of split virtual CPUs from one core to another (sched/two_parts.h says where
// to, and from when on they want to run there).
//
//   core 1   runs X │ it departs   │ switch │ hand over ┐
//                     leaving = X    X's registers      │ X is core 2's, and an interrupt
//                                    are on its stack   │
//   core 2   …………………………………………………………………………………………………………………╰▶ │ take in │ decide │ runs X
//
// X belongs to the core of the part in which it is (X.vcpu), and is protected by that core's lock.
// Hence:
//   - X is handed over with the lock of the core that it leaves, and only when that core no longer
//     runs it: after the switch away from it, during which that lock is held, or by a waker;
//   - handing over is one store. Before it, everything of X (the threads and the servers of both
//     parts) belongs to the old core; after it, to the new one;
//   - code that locks the owner of a thread checks the owner again under the lock
//     (Cores::lock_owner);
//   - the new core takes X in when the interrupt arrives: X's part has a ready or sleeping thread,
//     but its policy has it as blocked. One interrupt serves several hand-overs, and a wake-up that
//     came first is not repeated;
//   - no code ever holds the locks of two cores.
// A model checks this protocol (tests/spin/migration.pml).
//
// Locks: the holder of a spinlock is raised and its budget does not end, so it does not leave. A
// holder that exceeds the hold time that admission has counted falls back, and may leave with the
// lock.
//
// For a policy that does not split, all of this is empty.
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

  /// Makes two virtual CPUs the parts of one, with `thread` as its only thread. The second part is
  /// released `offset` after the first. `overrun` is the most by which either may exceed its
  /// budget. Call this before their cores begin.
  static void split(Vcpu& first, Vcpu& second, Thread& thread, Duration offset, Duration overrun)
    requires kMigrates
  {
    join_parts<typename Policy::Entity>(first, second, offset, overrun);
    first.migrant = second.migrant = &thread;
    if constexpr (Port::kOptions.prepares_migrants) Port::may_migrate(thread.context);
  }
  /// Registers a part that has been added to its core. Call this on that core, at boot.
  static void add_part(Vcpu& part)
    requires kMigrates
  {
    const LockedCore core = LockedCore::at_rest(core_of(part));
    part.next_part = core->migrations.parts;
    core->migrations.parts = &part;
  }

 protected:
  // --- Leaving ---

  /// After a decision: a thread that has used up one part, and continues in the other, leaves.
  HOCKET_IN_LINE static void see_off([[maybe_unused]] LockedCore core) {
    if constexpr (kMigrates) {
      auto* const departed = core->policy.take_departed();
      if (departed != nullptr) [[unlikely]]
        leave_ready(core, static_cast<Vcpu&>(*departed));
    }
  }

  /// The only thread of a part has stopped and is among its sleepers. Returns true if it sleeps in
  /// the other part instead.
  HOCKET_RARE static bool leaves_asleep(LockedCore core, Vcpu& part)
    requires kMigrates
  {
    if (!Policy::better_elsewhere(part, part.sleepers().front().wake_at)) return false;
    Thread& thread = part.sleepers().pop_front();
    other(part).sleepers().push_back(thread);
    depart(core, thread);
    return true;
  }

  /// A waiting thread, which is in no list any more, is about to be woken. Call with its core's
  /// lock. Returns true if it continues in its other part; that part's core has been notified.
  HOCKET_IN_LINE static bool goes_on_elsewhere([[maybe_unused]] LockedCore core,
                                               [[maybe_unused]] Thread& thread) {
    if constexpr (kMigrates) {
      if (vcpu_of(thread).other != nullptr) [[unlikely]]
        return wakes_elsewhere(core, thread);
    }
    return false;
  }

  /// Call this first after a switch.
  HOCKET_IN_LINE static void hand_over_leaver([[maybe_unused]] LockedCore core) {
    if constexpr (kMigrates) {
      if (core->migrations.leaving != nullptr) [[unlikely]] {
        Thread& thread = *core->migrations.leaving;
        core->migrations.leaving = nullptr;
        hand_over(thread);
      }
    }
  }

  // --- Arriving ---

  /// In the interrupt that another core has sent: takes in the threads that were handed over. A
  /// decision must follow.
  HOCKET_IN_LINE static void take_in([[maybe_unused]] LockedCore core,
                                     [[maybe_unused]] Instant time) {
    if constexpr (kMigrates) {
      for (Vcpu* part = core->migrations.parts; part != nullptr; part = part->next_part) {
        if (atomic_load(part->migrant->vcpu, order::acquire) != part) continue;
        if (part->state != Policy::Entity::State::Blocked) continue;  // already woken here
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

  /// The thread's registers may not be on its stack yet; then it leaves after the switch.
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

  /// Gives the thread to the other part's core.
  static void hand_over(Thread& thread) {
    Vcpu& to = other(vcpu_of(thread));
    atomic_store(thread.vcpu, &to, order::release);
    Base::ask_again(core_of(to));
  }
};

}  // namespace hocket
