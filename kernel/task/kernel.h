// The kernel as applications see it: the life of threads, ceilings, alarms and accounting, on top
// of what the other classes of kernel/task do (core.h has the stack of them).
//
// The template parameters say which kernel it is: `Port` (ports/contract/port.h) and `Config`, the
// application's choices:
//   kMaxAlarms       alarms per core
//   Trace            sink of the event log (trace/event.h)
//   kOptions         what else it is to do, or never needs (options.h)
//   Policy<Observer> the scheduling policy, with its capacity
// All functions are static; synchronisation objects (semaphore.h) are built on wait() and
// wake() of blocking.h.
#pragma once

#include "kernel/task/interrupts.h"

namespace hocket {

template <class Port, class Config>
class Kernel : public Interrupts<Port, Config> {
  using Base = Interrupts<Port, Config>;

 public:
  using Base::core_of, Base::kOneObject, Base::kStatistics, Base::record, Base::running,
      Base::this_core, Base::vcpu_of;
  using typename Base::Alarm, typename Base::CoreRef, typename Base::Duration, typename Base::Entry,
      typename Base::Instant, typename Base::Locked, typename Base::LockedCore,
      typename Base::Policy, typename Base::Thread, typename Base::Vcpu;

  // --- Threads ---

  /// A thread that will call `entry(argument)` on `vcpu`, in the protection domain `domain`; it
  /// does not run before start().
  static void create(Thread& thread, Vcpu& vcpu, port::Stack stack, Entry entry, void* argument,
                     typename Port::Domain domain = {}) {
    if constexpr (!kOneObject) thread.vcpu = &vcpu;
    thread.state = ThreadState::Stopped;
    if constexpr (kOneObject) {
      Port::context_init(thread.context, stack, entry, argument, domain);
    } else {
      thread.entry = entry;
      thread.argument = argument;
      Port::context_init(thread.context, stack, &thread_main, &thread, domain);
    }
  }

  /// The first thing of a thread, with the core's lock from who switched to it. Where a thread and
  /// its virtual CPU are one object, its entry calls it and never returns; else thread_main does.
  static void begin_thread() {
    if constexpr (Base::kStatistics || Base::kMigrates) Base::arrived();
    LockedCore::taken_over(this_core()).give_back();
    Port::irq_enable();
  }

  /// A virtual CPU joins its core, before its first thread is started; what follows is for the
  /// policy (Scheduler::add). Any core.
  template <class... Contract>
  static void add(Vcpu& vcpu, typename Policy::Slot slot, Contract... contract) {
    const typename Port::IrqState state = Port::irq_save();
    const LockedCore core = LockedCore::take(core_of(vcpu));
    core->policy.add(vcpu, slot, contract...);
    core.give_back();
    Port::irq_restore(state);
  }
  /// One without a budget, which runs in idle time.
  static void add_best_effort(Vcpu& vcpu, typename Policy::Slot slot) {
    const typename Port::IrqState state = Port::irq_save();
    const LockedCore core = LockedCore::take(core_of(vcpu));
    core->policy.add_best_effort(vcpu, slot);
    core.give_back();
    Port::irq_restore(state);
  }

  /// The thread becomes ready at `at` (which may have passed). From any thread, any core.
  [[gnu::cold]] static void start(Thread& thread, Instant at) {
    HOCKET_CHECK(!Port::in_irq());
    thread.wake_at = at;
    const typename Port::IrqState state = Port::irq_save();
    const LockedCore target = Base::lock_owner(thread);
    const Instant time = masked_now();
    insert_sleeper(target, thread, time);
    // A virtual CPU whose sleep has ended unnoticed stays ready: its other threads have waited for
    // that.
    if (!vcpu_of(thread).is_ready()) nobody_ready(target, vcpu_of(thread), time);
    target.give_back();
    ask_again(target);
    Port::irq_restore(state);
  }

  /// Ends the calling thread for good; `fault` is 0 when that is as it should be. Threads only.
  [[noreturn, gnu::cold]] static void stop_self(uint32_t fault) {
    HOCKET_CHECK(!Port::in_irq());
    Locked locked;
    const LockedCore core = locked.core;
    const Instant time = masked_now();
    Thread& thread = running(core);
    thread.state = ThreadState::Stopped;
    if (fault != 0) record(core, time, EventKind::Fault, thread.id, fault);
    vcpu_of(thread).ready().pop_front();
    stop_here(core, vcpu_of(thread), time);
    Port::halt("a stopped thread was resumed");
    __builtin_unreachable();
  }

  /// Threads run from here on; the calling context waits for interrupts. Never returns.
  [[noreturn]] static void run_core() {
    ask_again(this_core());
    if constexpr (Port::kOptions.idles_itself) {  // the port has a loop of its own for that
      static_assert(!kStatistics, "Port::idle() keeps nothing of the idle thread: no statistics");
      Port::idle();
    } else {
      for (;;) {
        Port::irq_save();
        Port::idle_wait();
      }
    }
  }

  // --- I/O virtual CPUs ---

  /// Another budget and period for the I/O virtual CPU of a thread; admission knows the larger
  /// ones. False: it is in the middle of what it has, and must be asked again. Any core.
  static bool change_io([[maybe_unused]] Thread& thread, [[maybe_unused]] Duration budget,
                        [[maybe_unused]] Duration period) {
    if constexpr (kHasIo<Policy>) {
      const typename Port::IrqState state = Port::irq_save();
      const LockedCore target = LockedCore::take(core_of(thread));
      auto& server = vcpu_of(thread).server;
      const bool between =
          target->policy.running() != &vcpu_of(thread) && server.consumed() == Duration(0);
      if (between) server.change(budget, period);
      target.give_back();
      Port::irq_restore(state);
      return between;
    }
    return false;
  }

  // --- Ceilings ---

  /// The calling thread's virtual CPU competes at `slot` (a lock's ceiling) for at most `longest`.
  /// May switch, to one above that who is due just now. Threads only, as the next.
  static void raise_self(typename Policy::Slot slot, Duration longest) {
    HOCKET_CHECK(!Port::in_irq());
    Locked locked;
    const Instant time = masked_now();
    auto& policy = locked.core->policy;
    policy.raise(vcpu_of(running(locked.core)), slot, time, time + longest);
    if (policy.due(time)) return decide_unhurried(locked.core, time, Cause::Call);
    arm(locked.core);
  }

  /// …and goes back to `slot` with the limit it had there. May switch: others may have waited for
  /// that.
  static void lower_self(typename Policy::Slot slot, Instant hold_until) {
    HOCKET_CHECK(!Port::in_irq());
    Locked locked;
    const Instant time = masked_now();
    locked.core->policy.lower(vcpu_of(running(locked.core)), slot, time, hold_until);
    decide_unhurried(locked.core, time, Cause::Call);
  }

  // --- Alarms ---

  /// Starts an alarm on the calling core, from a thread or a handler. False when it has as many as
  /// it can, or the alarm is active already or would never end (time/alarm_queue.h).
  [[nodiscard]] static bool start_alarm(Alarm& alarm)
    requires(Config::kMaxAlarms > 0)
  {
    Locked locked;
    const bool taken = locked.core->alarms.start(alarm);
    if (!locked.core->alarms.runs()) arm(locked.core);  // else the interrupt's end does
    return taken;
  }

  /// Cancels an alarm of the calling core, from a thread or a handler of it.
  static void cancel_alarm(Alarm& alarm)
    requires(Config::kMaxAlarms > 0)
  {
    Locked locked;
    locked.core->alarms.cancel(alarm);
  }

  /// Cancels an alarm that was started on this core, the calling one or another; waits until its
  /// handler, if that runs on another core, has come to its end. From threads; from handlers for
  /// alarms of their own core.
  static void cancel_alarm(Alarm& alarm, CoreId on)
    requires(Config::kMaxAlarms > 0)
  {
    HOCKET_CHECK(!Port::in_irq() || on == Port::core_id());  // its handler may wait for this one
    for (bool running = true; running; Port::relax()) {
      const typename Port::IrqState state = Port::irq_save();
      const LockedCore core = LockedCore::take(cores_[on]);
      core->alarms.cancel(alarm);
      running = core->alarms.runs(alarm) && on != Port::core_id();
      core.give_back();
      Port::irq_restore(state);
    }
  }

  // --- Accounting ---

  /// Who runs on a core where nobody is ready.
  static constexpr typename Base::Runner& idle(CoreId id) { return cores_[id].idle; }
  /// What has been counted on a core until now, besides what its threads count.
  static const Counters& counters(CoreId id) { return cores_[id].account.counters; }

  /// Brings a core's statistics up to the end of a run; nothing runs any more.
  static void close(CoreId id, Instant end) {
    const LockedCore core = LockedCore::at_rest(cores_[id]);
    if (core->current != nullptr) core->account.close(running(core), end);
  }

  /// An event about the calling thread; in a handler, about whom it has interrupted.
  static void note(EventKind kind, uint32_t arg, uint64_t value = 0) {
    if (!Base::wants_events()) [[likely]]
      return;
    const typename Port::IrqState state = Port::irq_save();
    CoreRef core = this_core();
    record(core, masked_now(), kind, running(core).id, arg, value);
    Port::irq_restore(state);
  }

 private:
  using Base::arm, Base::ask_again, Base::cores_, Base::decide_unhurried, Base::insert_sleeper,
      Base::masked_now, Base::nobody_ready, Base::stop_here;

  static void thread_main(void* argument) {
    Thread& thread = *static_cast<Thread*>(argument);
    begin_thread();
    thread.entry(thread.argument);
    stop_self(0);
  }
};

}  // namespace hocket
