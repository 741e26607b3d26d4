// From a decision to a context switch.
//
//   a thread's call   Locked ─ record, decide: `next` ──────────────── exit: switch if next ≠ current
//   an interrupt      on_timer, a handler's wake: `next` ─ … ─ after_interrupt: the same
//
// The dispatcher connects a policy's decisions with a port's hardware. It asks the policy, records
// the chosen thread in `next`, accounts for the time, and sets the timer for the following
// decision. The switch itself happens at an exit, with the core's lock held.
//
// Legal context: functions that take a LockedCore need masked interrupts and that core's lock.
// Instants are in ticks of the port's clock.
#pragma once

#include "kernel/task/migration.h"

namespace hocket {

template <class Port, class Config>
class Dispatcher : public Migration<Port, Config> {
  using Base = Migration<Port, Config>;

 public:
  using Base::kHoldersSayIt, Base::kLone, Base::kMigrates, Base::kStatistics, Base::kTraced;
  using Base::masked_now, Base::record, Base::running, Base::this_core, Base::vcpu_of;
  using typename Base::Charges, typename Base::CoreRef, typename Base::Duration,
      typename Base::Instant, typename Base::LockedCore, typename Base::Policy,
      typename Base::Thread, typename Base::Vcpu;

  /// Masks interrupts and takes this core's lock. Its destructor is the exit of a thread's call.
  class Locked {
   public:
    Locked() : state_(Port::irq_save()), core(LockedCore::take(this_core())) {}
    ~Locked() {
      leave(still(core));
      Port::irq_restore(state_);
    }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;

   private:
    typename Port::IrqState state_;

   public:
    const LockedCore core;
  };

  static bool must_switch(CoreRef core) { return core->next != core->current; }
  static bool must_switch() { return must_switch(this_core()); }

 protected:
  using Base::still;

  // --- The decision ---

  /// `next`, which is not the running thread, runs from the exit on.
  [[gnu::always_inline]] static void go_on_with(LockedCore core, Thread& next, Instant time,
                                                Cause cause) {
    if constexpr (Policy::kHasUsual) {
      // Read before the account writes, so that the compiler can keep the values.
      const Instant event = next_decision(core);
      core->account.change(running(core), next, time, cause, Charges::entry(), core->policy);
      core->next = &next;
      core->timer.set(event);
    } else {
      core->account.decide(running(core), next, time, cause, Charges::entry(), core->policy);
      core->next = &next;
      Base::see_off(core);
      arm(core);
    }
  }

  /// The same, if the time until now has been accounted for. `payer` pays for the switch.
  HOCKET_IN_LINE static void go_on_paid(LockedCore core, Thread& next, Instant time,
                                        Thread& payer) {
    Base::see_off(core);
    const Instant event = next_decision(core);
    core->account.change_paid(time, payer);
    core->next = &next;
    core->timer.set(event);
  }

  /// Sets the timer for the next decision.
  [[gnu::always_inline]] static void arm(LockedCore core) { core->timer.set(next_decision(core)); }
  [[gnu::always_inline]] static Instant next_decision(LockedCore core) {
    Instant next = next_of_policy(core);
    core->alarms.sooner(true, next);
    return next;
  }
  /// next_decision() without alarms.
  [[gnu::always_inline]] static Instant next_of_policy(LockedCore core) {
    if constexpr (Port::kOptions.moves_alarm) {
      const Instant others = core->policy.others_until(core->timer.latest());
      Instant first = others;
      core->alarms.sooner(true, first);
      Port::alarm_moves_until(first.ticks());
      return core->policy.limit_until(others);
    } else {
      return core->policy.next_event_until(core->timer.latest());
    }
  }

  /// Decides which thread runs from the exit on, and sets the timer for the following decision. The
  /// usual outcomes are in line; all others are one function out of line.
  HOCKET_IN_LINE static void decide(LockedCore core, Instant time, Cause cause) {
    if constexpr (Policy::kHasUsual) {
      auto* entity = core->policy.pick_usual(time, cause);
      if (entity == nullptr) return decide_any(core, time, cause);
      go_on_with(core, thread_of(*entity, core, time), time, cause);
    } else {
      decide_any(core, time, cause);
    }
  }
  [[gnu::noinline]] static void decide_any(LockedCore core, Instant time, Cause cause) {
    auto* entity = core->policy.pick_any(time, cause);
    typename Base::Runner* next = &core->idle;
    if (entity != nullptr) next = &thread_of(*entity, core, time);
    core->account.decide(running(core), static_cast<Thread&>(*next), time, cause, Charges::entry(),
                         core->policy);
    core->next = next;
    Base::see_off(core);
    arm_unhurried(core);
  }
  HOCKET_STEP static void arm_unhurried(LockedCore core) { arm(core); }
  /// decide(), out of line, for callers where code size matters more than speed. Raises the holder
  /// of a spinlock first (kHoldersSayIt).
  HOCKET_RARE static void decide_unhurried(LockedCore core, Instant time, Cause cause) {
    if constexpr (kHoldersSayIt) let_holder_go_on(core, time);
    decide_any(core, time, cause);
  }

  /// The thread of a chosen entity that runs.
  HOCKET_IN_LINE static Thread& thread_of(typename Policy::Entity& entity, LockedCore core,
                                          Instant time) {
    Vcpu& vcpu = static_cast<Vcpu&>(entity);
    if (!vcpu.sleepers().empty()) wake_due(core, vcpu, time);
    return vcpu.ready().front();
  }

  /// For systems in which a thread only sets a flag when it holds a spinlock: raises the holder
  /// before another thread may preempt it. Returns true if the timer must be set again.
  HOCKET_IN_LINE static bool let_holder_go_on(LockedCore core, Instant time)
    requires kHoldersSayIt
  {
    Thread& current = running(core);
    if (must_switch(core) || current.state != ThreadState::Ready) return false;
    if (!Config::holds_lock(current)) return false;
    core->policy.raise(vcpu_of(current), 0, time, time + Duration(Config::longest_hold()));
    return true;
  }

  // --- What leads to a decision, and what it may find ---

  /// The running thread is no longer among its virtual CPU's ready threads. Tells the policy if
  /// none is left, and decides.
  HOCKET_STEP static void give_way(LockedCore core, Vcpu& vcpu, Instant time) {
    if constexpr (!kLone) {
      if (!vcpu.ready().empty()) return decide_unhurried(core, time, Cause::Call);
    }
    nobody_ready(core, vcpu, time);
    decide(core, time, Cause::Stop);
  }

  /// The same, and switches. Returns when the thread runs again. The core's lock is held before and
  /// after.
  HOCKET_RARE static void stop_here(LockedCore core, Vcpu& vcpu, Instant time) {
    give_way(core, vcpu, time);
    switch_in_line(core);
  }

  /// Tells the policy that the virtual CPU has no thread to run now.
  HOCKET_IN_LINE static void nobody_ready(LockedCore core, Vcpu& vcpu, Instant time) {
    if constexpr (kMigrates) {
      core->policy.block(vcpu, time);
      if (vcpu.sleepers().empty()) return;
      if (Base::leaves_asleep(core, vcpu)) return;
      return core->policy.sleep(vcpu, time, vcpu.sleepers().front().wake_at);
    }
    if constexpr (Policy::kHasUsual) {
      core->policy.block(vcpu, time);  // common to both cases, to save code
      if (vcpu.sleepers().empty()) return;
    } else {
      if (vcpu.sleepers().empty()) return core->policy.block(vcpu, time);
    }
    core->policy.sleep(vcpu, time, vcpu.sleepers().front().wake_at);
  }

  /// `thread` (ready or new, in no list) sleeps until its wake_at.
  static void insert_sleeper(LockedCore core, Thread& thread, Instant time) {
    thread.state = ThreadState::Sleeping;
    record(core, time, EventKind::Sleep, thread.id, 0, thread.wake_at);
    Vcpu& vcpu = vcpu_of(thread);
    vcpu.sleepers().insert_ordered(
        thread, [](const Thread& a, const Thread& b) { return a.wake_at < b.wake_at; });
  }

  /// Makes the sleepers of a virtual CPU ready whose time has come, in order.
  HOCKET_APART static void wake_due(LockedCore core, Vcpu& vcpu, Instant time) {
    if constexpr (kLone && Policy::kHasUsual) {  // (the loop below, for at most one sleeper)
      Thread& thread = vcpu.sleepers().front();
      if (thread.wake_at > time) return;
      vcpu.sleepers().remove(thread);
      thread.state = ThreadState::Ready;
      vcpu.ready().push_back(thread);
      return record(core, time, EventKind::Wake, thread.id, 0);
    }
    while (!vcpu.sleepers().empty() && vcpu.sleepers().front().wake_at <= time) {
      Thread& thread = vcpu.sleepers().pop_front();
      thread.state = ThreadState::Ready;
      vcpu.ready().push_back(thread);
      record(core, time, EventKind::Wake, thread.id, 0);
    }
  }

  // --- The exit ---

  /// The end of a thread's call: switches if another thread is to run now, and releases the core's
  /// lock. In a handler, the switch waits for the handler's end.
  HOCKET_IN_LINE static void leave(LockedCore core) {
    if (must_switch(core) && !Port::in_irq()) switch_to_next(core);
    still(core).give_back();
  }
  /// leave() for callers that are not handlers and are likely to switch.
  HOCKET_IN_LINE static void exit_thread(LockedCore core) {
    if (must_switch(core)) [[likely]]
      switch_in_line(core);
    still(core).give_back();
  }

  /// Out of line, so that a call that does not switch saves few registers.
  [[gnu::noinline]] static void switch_to_next(LockedCore core) { change_thread(core); }
  HOCKET_STEP static void switch_in_line(LockedCore core) { change_thread(core); }
  [[gnu::always_inline]] static void change_thread(LockedCore core) {
    auto& previous = *core->current;
    auto& next = *core->next;
    core->current = &next;
    if constexpr (kStatistics) ++next.counters.switches;
    if constexpr (kTraced) {
      record(core, decided(core), EventKind::Dispatch, next.id, 0);
    }
    Port::context_switch(previous.context, next.context);
    if constexpr (kStatistics || kMigrates) arrived();
  }
  static Instant decided(LockedCore core) {
    if constexpr (kStatistics) {
      return core->account.decided();
    } else {
      return masked_now();
    }
  }
  /// Call this first in a thread after a switch to it.
  HOCKET_IN_LINE static void arrived() {
    const LockedCore core = LockedCore::taken_over(this_core());
    if constexpr (kStatistics) {
      if (core->account.pays()) core->account.arrive(masked_now());
    }
    Base::hand_over_leaver(core);
  }
};

}  // namespace hocket
