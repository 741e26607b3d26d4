// The kernel as threads and synchronisation objects see it.
//
// The template parameters say which kernel it is: `Port` (port/contract.h) and `Config`, the
// application's choices:
//   kMaxAlarms       alarms per core
//   Trace            sink of the event log (trace/event.h)
//   kStatistics      false: nothing is measured (cpu_time, meter, counters); true when left out
//   Policy<Observer> the scheduling policy, with its capacity
// All functions are static; those of other files of kernel/task (Semaphore, Mutex) are built on
// wait() and wake(). How a decision becomes a switch is in dispatcher.h.
#pragma once

#include "kernel/task/dispatcher.h"

namespace hocket {

template <class Port, class Config>
class Kernel : public Dispatcher<Port, Config> {
  using Base = Dispatcher<Port, Config>;

 public:
  using Processor = Port;
  using Base::core_of;
  using Base::now;
  using Base::record;
  using Base::this_core;
  using typename Base::Alarm;
  using typename Base::Core;
  using typename Base::CoreRef;
  using typename Base::Duration;
  using typename Base::Entry;
  using typename Base::Instant;
  using typename Base::Locked;
  using typename Base::Policy;
  using typename Base::Thread;
  using typename Base::Vcpu;

  /// The calling thread.
  static Thread& self() { return *this_core()->current; }

  // --- Threads ---

  /// A thread that will call `entry(argument)` on `vcpu`; it does not run before start().
  static void create(Thread& thread, Vcpu& vcpu, port::Stack stack, Entry entry, void* argument) {
    thread.vcpu = &vcpu;
    thread.entry = entry;
    thread.argument = argument;
    thread.state = ThreadState::Stopped;
    Port::context_init(thread.context, stack, &thread_main, &thread);
  }

  /// The thread becomes ready at `at` (which may have passed). From any thread, any core.
  static void start(Thread& thread, Instant at) {
    thread.wake_at = at;
    const typename Port::IrqState state = Port::irq_save();
    CoreRef target = core_of(thread);
    Port::lock(target->lock);
    const Instant time = masked_now();
    insert_sleeper(target, thread, time);
    // A virtual CPU whose sleep has ended unnoticed stays ready: its other threads have waited for
    // that.
    if (!thread.vcpu->is_ready()) nobody_ready(target, *thread.vcpu, time);
    Port::unlock(target->lock);
    ask_again(target);
    Port::irq_restore(state);
  }

  /// Waits until `until`; returns at once when it has passed.
  static void sleep_until(Instant until) {
    Locked locked;
    const Instant time = masked_now();
    if (until <= time) return;
    account(locked.core, time);
    Thread& thread = *locked.core->current;
    thread.wake_at = until;
    count(locked.core->counters.sleeps);
    thread.vcpu->ready.pop_front();  // the caller itself
    insert_sleeper(locked.core, thread, time);
    give_way(locked.core, *thread.vcpu, time);
  }

  /// Lets another ready thread of the same virtual CPU run; returns at once when there is none.
  static void yield() {
    Locked locked;
    Thread& thread = *locked.core->current;
    Vcpu& vcpu = *thread.vcpu;
    if constexpr (Base::kObserved) {
      if (vcpu.ready.single() && vcpu.sleepers.empty()) return;
      yield_timed(locked.core, thread, vcpu);
      return;
    }
    if (vcpu.sleepers.empty() && vcpu.ready.single()) return;  // the caller itself
    if (!vcpu.sleepers.empty()) {
      yield_timed_out_of_line(locked.core, thread, vcpu);
    } else {  // with nobody to wake and nobody to tell, the time is not asked for
      yield_to(locked.core, thread, vcpu.ready.rotate());
    }
  }

  /// Waits until resume(); returns at once when that came since the last time (so that a thread
  /// that is resumed just before it suspends itself is not lost).
  static void suspend_self() {
    Locked locked;
    Thread& thread = *locked.core->current;
    if (thread.resumed) {
      thread.resumed = false;
      return;
    }
    const Instant time = masked_now();
    account(locked.core, time);
    stop_running(locked.core, thread, ThreadState::Suspended, time);
    give_way(locked.core, *thread.vcpu, time);
  }

  /// As suspend_self(), but no longer than until `until`. True: resumed; false: the time has come.
  /// What resumes it before it runs on counts, at that instant and later too: both at once is true,
  /// and several are one.
  static bool suspend_self_until(Instant until) {
    Locked locked;
    Thread& thread = *locked.core->current;
    if (!thread.resumed) {
      const Instant time = masked_now();
      if (until <= time) return false;
      account(locked.core, time);
      thread.wake_at = until;
      thread.vcpu->ready.pop_front();
      insert_sleeper(locked.core, thread, time);
      thread.state = ThreadState::SuspendedUntil;
      give_way(locked.core, *thread.vcpu, time);
    }
    const bool resumed = thread.resumed;
    thread.resumed = false;
    return resumed;
  }

  /// Lets a thread go on that has suspended itself, or will next. False when an earlier resume() is
  /// kept for it already: this one is lost. From threads and interrupt handlers, any core.
  static bool resume(Thread& thread) {
    const typename Port::IrqState state = Port::irq_save();
    CoreRef target = core_of(thread);
    Port::lock(target->lock);
    const bool taken = !thread.resumed;
    if (thread.state == ThreadState::Suspended) {
      make_ready(target, thread);
    } else if (thread.state == ThreadState::SuspendedUntil) {
      thread.resumed = true;
      List<Thread>::remove(thread);
      make_ready(target, thread);
    } else {
      thread.resumed = true;
      Port::unlock(target->lock);
    }
    Port::irq_restore(state);
    return taken;
  }

  /// Ends the calling thread for good; `fault` is 0 when that is as it should be.
  [[noreturn]] static void stop_self(uint32_t fault) {
    Locked locked;
    CoreRef core = locked.core;
    const Instant time = masked_now();
    account(core, time);
    Thread& thread = *core->current;
    thread.state = ThreadState::Stopped;
    if (fault != 0) record(core, time, EventKind::Fault, thread.id, fault);
    thread.vcpu->ready.pop_front();
    give_way(core, *thread.vcpu, time);
    Port::halt("a stopped thread was resumed");
    __builtin_unreachable();
  }

  // --- For synchronisation objects ---

  /// The calling thread waits until wake(). Masked, with the object's own lock held:
  /// `enqueue(thread)` puts the thread into the object's queue and then gives that lock back; this
  /// core's lock is held by then, so that no wake-up is lost.
  template <class Enqueue>
  static void wait(Enqueue enqueue) {
    CoreRef core = this_core();
    Port::lock(core->lock);
    const Instant time = masked_now();
    account(core, time);
    Thread& thread = *core->current;
    stop_running(core, thread, ThreadState::Waiting, time);
    enqueue(thread);
    give_way(core, *thread.vcpu, time);
    Port::unlock(core->lock);
  }

  /// A thread that waited (and is in no list any more) can run again. Masked, any core.
  static void wake(Thread& thread) {
    CoreRef target = core_of(thread);
    Port::lock(target->lock);
    make_ready(target, thread);
  }

  /// The calling thread's virtual CPU competes at `slot` (a lock's ceiling) for at most `longest`.
  static void raise_self(typename Policy::Slot slot, Duration longest) {
    Locked locked;
    locked.core->policy.raise(*locked.core->current->vcpu, slot, masked_now() + longest);
    arm(locked.core);
  }

  /// …and goes back to `slot` with the limit it had there. May switch: others may have waited for
  /// that.
  static void lower_self(typename Policy::Slot slot, Instant hold_until) {
    Locked locked;
    const Instant time = masked_now();
    locked.core->policy.lower(*locked.core->current->vcpu, slot, hold_until);
    dispatch(locked.core, time);
  }

  // --- Alarms ---

  /// Starts an alarm on the calling core. False when it has as many as it can, or the alarm is
  /// active already or would never end (time/alarm_queue.h).
  static bool start_alarm(Alarm& alarm) {
    Locked locked;
    const bool taken = locked.core->alarms.start(alarm);
    if (!locked.core->alarms.runs()) arm(locked.core);  // else the interrupt's end does
    return taken;
  }

  /// Cancels an alarm of the calling core.
  static void cancel_alarm(Alarm& alarm) {
    Locked locked;
    locked.core->alarms.cancel(alarm);
  }

  /// Cancels an alarm that was started on this core, the calling one or another; waits until its
  /// handler, if that runs on another core, has come to its end. From threads; from handlers for
  /// alarms of their own core.
  static void cancel_alarm(Alarm& alarm, CoreId on) {
    Core& core = cores_[on];
    for (bool running = true; running; Port::relax()) {
      const typename Port::IrqState state = Port::irq_save();
      Port::lock(core.lock);
      core.alarms.cancel(alarm);
      running = core.alarms.runs(alarm) && on != Port::core_id();
      Port::unlock(core.lock);
      Port::irq_restore(state);
    }
  }

  // --- Accounting ---

  /// Brings a core's statistics up to the end of a run; nothing runs any more.
  static void close(CoreId id, Instant end) {
    CoreRef core = cores_[id];
    if (core->current != nullptr && end > core->accounted_until) account(core, end);
  }

  /// An event about the calling thread.
  static void note(EventKind kind, uint32_t arg, uint64_t value = 0) {
    const typename Port::IrqState state = Port::irq_save();
    CoreRef core = this_core();
    record(core, masked_now(), kind, core->current->id, arg, value);
    Port::irq_restore(state);
  }

 private:
  using Base::account;
  using Base::arm;
  using Base::ask_again;
  using Base::choose;
  using Base::cores_;
  using Base::count;
  using Base::dispatch;
  using Base::give_way;
  using Base::insert_sleeper;
  using Base::masked_now;
  using Base::nobody_ready;
  using Base::switch_threads;
  using Base::takes_over;
  using Base::wake_due;
  using Base::yield_to;

  /// The running thread will wait for something, in no list of its virtual CPU.
  static void stop_running(CoreRef core, Thread& thread, ThreadState state, Instant time) {
    thread.vcpu->ready.pop_front();
    thread.state = state;
    record(core, time, EventKind::Block, thread.id, 0);
  }

  /// A thread in no list can run again; switches if it comes first on this core. With the lock of
  /// its core, which is given back.
  static void make_ready(CoreRef target, Thread& thread) {
    const Instant time = masked_now();
    record(target, time, EventKind::Wake, thread.id, 0);
    Vcpu& vcpu = *thread.vcpu;
    thread.state = ThreadState::Ready;
    if constexpr (Base::kDecidesAtWakes) {
      if (takes_over(target, vcpu, time)) {
        vcpu.ready.push_first(thread);
        return go_on_with(target, thread, time);
      }
    }
    add_ready(target, vcpu, thread, time);
  }

  HOCKET_IN_LINE HOCKET_APART static void add_ready(CoreRef target, Vcpu& vcpu, Thread& thread,
                                                    Instant time) {
    if (!vcpu.ready.empty()) {
      vcpu.ready.push_back(thread);
      return Port::unlock(target->lock);
    }
    vcpu.ready.push_first(thread);
    const WakeEffect effect = target->policy.wake(vcpu, time);
    const bool local = Port::kCores == 1 || target.id() == this_core().id();
    if (effect != WakeEffect::None && local) follow_wake(target, effect, time);
    Port::unlock(target->lock);
    if (effect != WakeEffect::None && !local) ask_again(target);
  }

  /// On the virtual CPU's own core; a handler's end acts on it (after_interrupt).
  HOCKET_IN_LINE static void follow_wake(CoreRef core, WakeEffect effect, Instant time) {
    if constexpr (Base::kDecidesAtWakes) {
      if (effect != WakeEffect::Decide) return arm(core);
      Thread& next = choose(core, time);
      if (&next != core->current) go_on_with(core, next, time);
    } else if (Port::in_irq()) {
      core->must_decide = true;
    } else if (effect == WakeEffect::Decide) {
      dispatch(core, time);
    } else {
      arm(core);
    }
  }

  /// `next`, which does not run now, does from here on, or from the end of this handler on.
  HOCKET_IN_LINE static void go_on_with(CoreRef core, Thread& next, Instant time) {
    if (!Port::in_irq()) return switch_threads(core, *core->current, next, time);
    core->next = &next;
  }

  HOCKET_IN_LINE static void yield_timed(CoreRef core, Thread& thread, Vcpu& vcpu) {
    const Instant time = masked_now();
    account(core, time);
    vcpu.ready.rotate();
    wake_due(core, vcpu, time);
    Thread& next = vcpu.ready.front();
    if (&next != &thread) switch_threads(core, thread, next, time);
  }
  /// Where it is the rare case, it must not cost the other one registers.
  [[gnu::noinline]] static void yield_timed_out_of_line(CoreRef core, Thread& thread, Vcpu& vcpu) {
    yield_timed(core, thread, vcpu);
  }

  static void thread_main(void* argument) {
    Thread& thread = *static_cast<Thread*>(argument);
    Port::unlock(this_core()->lock);
    Port::irq_enable();
    thread.entry(thread.argument);
    stop_self(0);
  }
};

}  // namespace hocket
