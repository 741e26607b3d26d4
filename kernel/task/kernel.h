// The kernel's interface for applications: threads, ceilings, alarms and accounting, on top of the
// other classes of kernel/task (core.h has the stack of them).
//
// Template parameters: `Port` (ports/contract/port.h) and `Config`, the application's choices:
//   kMaxAlarms       alarms per core
//   Trace            sink of the event log (trace/event.h)
//   kOptions         what else the kernel is to do, or never needs (options.h)
//   Policy<Observer> the scheduling policy, with its capacity
// All functions are static. Each one states its legal contexts: threads, handlers, which core.
// Checked builds stop on a call from the wrong context. Instants and durations are in ticks of the
// port's clock. Synchronisation objects (semaphore.h) are built on wait() and wake() of blocking.h.
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

  /// Creates a thread that calls `entry(argument)` on `vcpu`, in the protection domain `domain`. It
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

  /// The first code of a new thread. The core's lock is still held from the switch to it. If a
  /// thread and its virtual CPU are one object, the entry calls this and never returns; otherwise
  /// thread_main does.
  static void begin_thread() {
    if constexpr (Base::kStatistics || Base::kMigrates) Base::arrived();
    LockedCore::taken_over(this_core()).give_back();
    Port::irq_enable();
  }

  /// Adds a virtual CPU to its core, before its first thread is started. `contract` holds the
  /// arguments for the policy (Scheduler::add). From any core.
  template <class... Contract>
  static void add(Vcpu& vcpu, typename Policy::Slot slot, Contract... contract) {
    const typename Port::IrqState state = Port::irq_save();
    const LockedCore core = LockedCore::take(core_of(vcpu));
    core->policy.add(vcpu, slot, contract...);
    core.give_back();
    Port::irq_restore(state);
  }
  /// Adds a virtual CPU without budget, which runs in idle time. From any core.
  static void add_best_effort(Vcpu& vcpu, typename Policy::Slot slot) {
    const typename Port::IrqState state = Port::irq_save();
    const LockedCore core = LockedCore::take(core_of(vcpu));
    core->policy.add_best_effort(vcpu, slot);
    core.give_back();
    Port::irq_restore(state);
  }

  /// Makes the thread ready at `at`, which may have passed. From any thread, on any core.
  [[gnu::cold]] static void start(Thread& thread, Instant at) {
    HOCKET_CHECK(!Port::in_irq());
    thread.wake_at = at;
    const typename Port::IrqState state = Port::irq_save();
    const LockedCore target = Base::lock_owner(thread);
    const Instant time = masked_now();
    insert_sleeper(target, thread, time);
    // If the virtual CPU's sleep has ended unnoticed, it stays ready: its other threads were
    // waiting for that.
    if (!vcpu_of(thread).is_ready()) nobody_ready(target, vcpu_of(thread), time);
    target.give_back();
    ask_again(target);
    Port::irq_restore(state);
  }

  /// Ends the calling thread permanently. `fault` is 0 for a regular end. Threads only.
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

  /// Starts the threads of this core. The calling context becomes the idle thread. Never returns.
  [[noreturn]] static void run_core() {
    ask_again(this_core());
    if constexpr (Port::kOptions.idles_itself) {  // the port has its own idle loop
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

  /// Changes the budget and period of a thread's I/O virtual CPU. Admission must have accepted the
  /// larger ones. Returns false if the virtual CPU runs or has used part of its budget; call again
  /// later. From any core.
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

  /// Raises the calling thread's virtual CPU to `slot` (a lock's ceiling) for at most `longest`.
  /// May switch to a thread that is due now and above the ceiling. Threads only.
  static void raise_self(typename Policy::Slot slot, Duration longest) {
    HOCKET_CHECK(!Port::in_irq());
    Locked locked;
    const Instant time = masked_now();
    auto& policy = locked.core->policy;
    policy.raise(vcpu_of(running(locked.core)), slot, time, time + longest);
    if (policy.due(time)) return decide_unhurried(locked.core, time, Cause::Call);
    arm(locked.core);
  }

  /// Returns the calling thread's virtual CPU to `slot`. May switch, because other threads may have
  /// waited for that. Threads only.
  static void lower_self(typename Policy::Slot slot) {
    HOCKET_CHECK(!Port::in_irq());
    Locked locked;
    const Instant time = masked_now();
    locked.core->policy.lower(vcpu_of(running(locked.core)), slot, time);
    decide_unhurried(locked.core, time, Cause::Call);
  }

  // --- Alarms ---

  /// Starts an alarm on the calling core. Returns false if the core has no room for another alarm,
  /// if this one is active already, or if it would repeat for ever at one instant
  /// (time/alarm_queue.h). From threads and handlers.
  [[nodiscard]] static bool start_alarm(Alarm& alarm)
    requires(Config::kMaxAlarms > 0)
  {
    Locked locked;
    const bool taken = locked.core->alarms.start(alarm);
    if (!locked.core->alarms.runs())
      arm(locked.core);  // otherwise the end of the interrupt sets the timer
    return taken;
  }

  /// Cancels an alarm of the calling core. From threads, and from handlers of this core.
  static void cancel_alarm(Alarm& alarm)
    requires(Config::kMaxAlarms > 0)
  {
    Locked locked;
    locked.core->alarms.cancel(alarm);
  }

  /// Cancels an alarm that was started on core `on`, and waits until its handler has ended if that
  /// runs on another core. From threads; from handlers only for alarms of their own core.
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

  /// What runs on a core when no thread is ready.
  static constexpr typename Base::Runner& idle(CoreId id) { return cores_[id].idle; }
  /// What has been counted on a core until now, besides what its threads count.
  static const Counters& counters(CoreId id) { return cores_[id].account.counters; }

  /// Brings a core's statistics up to the end of a run; nothing runs any more.
  static void close(CoreId id, Instant end) {
    const LockedCore core = LockedCore::at_rest(cores_[id]);
    if (core->current != nullptr) core->account.close(running(core), end);
  }

  /// Records an event about the calling thread; in a handler, about the interrupted thread.
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
