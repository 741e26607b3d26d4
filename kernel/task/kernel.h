// The kernel as threads and synchronisation objects see it.
//
// The template parameters say which kernel it is: `Port` (port/contract.h) and `Config`, the
// application's choices:
//   kMaxAlarms       alarms per core
//   Trace            sink of the event log (trace/event.h)
//   kStatistics      false: nothing is measured (cpu_time, meter, counters); true when left out
//   kLoneThreads     true: each virtual CPU has one thread only; false when left out
//   kOneObject       true: these two are one object (thread.h); false when left out
//   Policy<Observer> the scheduling policy, with its capacity
// All functions are static; those of other files of kernel/task (Semaphore, Mutex) are built on
// wait() and wake(). How a decision becomes a switch is in dispatcher.h.
//
// Contexts: what may block is for threads only, and checked builds check that; what wakes is for
// threads and handlers; what only handlers may call takes an InHandler.
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
  using Base::running;
  using Base::this_core;
  using Base::vcpu_of;
  using typename Base::Alarm;
  using typename Base::Core;
  using typename Base::CoreRef;
  using typename Base::Duration;
  using typename Base::Entry;
  using typename Base::Instant;
  using typename Base::Locked;
  using typename Base::LockedCore;
  using typename Base::Policy;
  using typename Base::Thread;
  using typename Base::Vcpu;

  /// That the caller is in a handler at whose end the kernel goes on with whoever is to run
  /// (hocket_interrupt_exit). Empty, so it costs nothing; checked builds look whether it is true.
  class InHandler {
   public:
    [[nodiscard]] static InHandler here() {
      HOCKET_CHECK(Port::in_irq());
      return {};
    }

   private:
    InHandler() {}
  };

  /// The calling thread.
  static Thread& self() { return running(this_core()); }

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
    if constexpr (Base::kStatistics) Base::arrived();
    LockedCore::taken_over(this_core()).give_back();
    Port::irq_enable();
  }

  /// The thread becomes ready at `at` (which may have passed). From any thread, any core.
  [[gnu::cold]] static void start(Thread& thread, Instant at) {
    HOCKET_CHECK(!Port::in_irq());
    thread.wake_at = at;
    const typename Port::IrqState state = Port::irq_save();
    const LockedCore target = LockedCore::take(core_of(thread));
    const Instant time = masked_now();
    insert_sleeper(target, thread, time);
    // A virtual CPU whose sleep has ended unnoticed stays ready: its other threads have waited for
    // that.
    if (!vcpu_of(thread).is_ready()) nobody_ready(target, vcpu_of(thread), time);
    target.give_back();
    ask_again(target);
    Port::irq_restore(state);
  }

  /// Waits until `until`; returns at once when it has passed. Threads only.
  static void sleep_until(Instant until) {
    HOCKET_CHECK(!Port::in_irq());
    const typename Port::IrqState state = Port::irq_save();
    const LockedCore core = LockedCore::take(this_core());
    const Instant time = masked_now();
    if (until > time) {
      Thread& thread = running(core);
      thread.wake_at = until;
      core->account.count_sleep();
      vcpu_of(thread).ready().pop_front();  // the caller itself
      insert_sleeper(core, thread, time);
      stop_here(core, vcpu_of(thread), time);
    }
    core.give_back();
    Port::irq_restore(state);
  }

  /// Lets another ready thread of the same virtual CPU run; returns at once when there is none.
  /// Threads only.
  static void yield() {
    HOCKET_CHECK(!Port::in_irq());
    if constexpr (Base::kLone) return;
    Locked locked;
    Thread& thread = running(locked.core);
    Vcpu& vcpu = vcpu_of(thread);
    if (vcpu.ready().single() && vcpu.sleepers().empty()) return;  // the caller itself
    if constexpr (Base::kObserved) {
      yield_timed(locked.core, thread, vcpu);
    } else if (!vcpu.sleepers().empty()) {
      yield_timed_out_of_line(locked.core, thread, vcpu);
    } else {  // with nobody to wake and nobody to tell, the time is not asked for
      yield_to(locked.core, thread, vcpu.ready().rotate());
    }
  }

  /// Waits until resume(); returns at once when that came since the last time (so that a thread
  /// that is resumed just before it suspends itself is not lost). Threads only.
  static void suspend_self() {
    HOCKET_CHECK(!Port::in_irq());
    Locked locked;
    Thread& thread = running(locked.core);
    if (thread.resumed) {
      thread.resumed = false;
      return;
    }
    const Instant time = masked_now();
    stop_running(locked.core, thread, ThreadState::Suspended, time);
    stop_here(locked.core, vcpu_of(thread), time);
  }

  /// As suspend_self(), but no longer than until `until`. True: resumed; false: the time has come.
  /// What resumes it before it runs on counts, at that instant and later too: both at once is true,
  /// and several are one. Threads only.
  static bool suspend_self_until(Instant until) {
    HOCKET_CHECK(!Port::in_irq());
    Locked locked;
    Thread& thread = running(locked.core);
    if (!thread.resumed) {
      const Instant time = masked_now();
      if (until <= time) return false;
      thread.wake_at = until;
      vcpu_of(thread).ready().pop_front();
      insert_sleeper(locked.core, thread, time);
      thread.state = ThreadState::SuspendedUntil;
      stop_here(locked.core, vcpu_of(thread), time);
    }
    const bool resumed = thread.resumed;
    thread.resumed = false;
    return resumed;
  }

  /// Lets a thread go on that has suspended itself, or will next. False when an earlier resume() is
  /// kept for it already: this one is lost. From threads and interrupt handlers, any core.
  static bool resume(Thread& thread) {
    const typename Port::IrqState state = Port::irq_save();
    const LockedCore target = LockedCore::take(core_of(thread));
    const bool taken = !thread.resumed;
    const bool woken = end_suspension(thread);
    if (woken && is_this(target)) {
      wake_own(target, thread);
    } else if (woken) {
      make_ready_afar(target, thread);
    } else {
      target.give_back();
    }
    Port::irq_restore(state);
    return taken;
  }

  /// resume() in a handler, or where the kernel works for one, at whose end goes on whoever is to
  /// run. Its own core only.
  static void resume_at_exit(Thread& thread, InHandler) {
    HOCKET_CHECK(is_this(core_of(thread)));
    const LockedCore core = LockedCore::take(this_core());
    if (end_suspension(thread)) return wake_in_handler(core, thread);
    core.give_back();
  }

  /// In the handler of an interrupt whose work `thread` does on an I/O virtual CPU: lets it go on
  /// as resume() does, and has it pay for the handler, which takes `length` at most from vector to
  /// return. Its own core only. (Where the policy has no I/O virtual CPUs it is resume().)
  static void top_half(Thread& thread, [[maybe_unused]] Duration length) {
    if constexpr (kHasIo<Policy>) {
      top_half_for_io(thread, length);
    } else {
      resume(thread);
    }
  }

  /// In a handler that began at `begin`, and whose time is counted in the analysis: who runs is not
  /// charged with it, and it is nobody's own work.
  static void pass_over(Instant begin) {
    const LockedCore core = LockedCore::take(this_core());
    const Instant time = masked_now();
    const Instant entered = begin - Base::Charges::entry();
    const Wakeup answer = core->policy.pass_over(time - entered);
    if (answer != Wakeup::Same) follow_wakeup(core, answer, time, Cause::Interrupt);
    if constexpr (Base::kStatistics) {
      if (!Base::must_switch(core)) core->account.pass_over(running(core), entered, time);
    }
    core.give_back();
  }

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

  /// Ends the calling thread for good; `fault` is 0 when that is as it should be.
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

  // --- For synchronisation objects ---

  /// The calling thread waits until wake(). Masked, with the object's own lock held:
  /// `enqueue(thread)` puts the thread into the object's queue and then gives that lock back; this
  /// core's lock is held by then, so that no wake-up is lost. Threads only.
  template <class Enqueue>
  HOCKET_RARE static void wait(Enqueue enqueue) {
    HOCKET_CHECK(!Port::in_irq());
    const LockedCore core = LockedCore::take(this_core());
    const Instant time = masked_now();
    Thread& thread = running(core);
    stop_running(core, thread, ThreadState::Waiting, time);
    enqueue(thread);
    stop_here(core, vcpu_of(thread), time);
    core.give_back();
  }

  /// A thread that waited (and is in no list any more) can run again; switches if it comes first on
  /// this core, in a handler at its end. Masked, any core.
  [[gnu::noinline]] static void wake(Thread& thread) {
    const LockedCore target = LockedCore::take(core_of(thread));
    if (!is_this(target)) return make_ready_afar(target, thread);
    wake_own(target, thread);
  }

  /// wake(), likewise.
  static void wake_at_exit(Thread& thread, InHandler) {
    HOCKET_CHECK(is_this(core_of(thread)));
    const LockedCore core = LockedCore::take(this_core());
    wake_in_handler(core, thread);
  }

  /// The calling thread's virtual CPU competes at `slot` (a lock's ceiling) for at most `longest`.
  /// May switch, to one above that who is due just now.
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

  /// Starts an alarm on the calling core. False when it has as many as it can, or the alarm is
  /// active already or would never end (time/alarm_queue.h).
  [[nodiscard]] static bool start_alarm(Alarm& alarm)
    requires(Config::kMaxAlarms > 0)
  {
    Locked locked;
    const bool taken = locked.core->alarms.start(alarm);
    if (!locked.core->alarms.runs()) arm(locked.core);  // else the interrupt's end does
    return taken;
  }

  /// Cancels an alarm of the calling core.
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

  /// Brings a core's statistics up to the end of a run; nothing runs any more.
  static void close(CoreId id, Instant end) {
    CoreRef core = cores_[id];
    if (core->current != nullptr) core->account.close(running(core), end);
  }

  /// An event about the calling thread.
  static void note(EventKind kind, uint32_t arg, uint64_t value = 0) {
    const typename Port::IrqState state = Port::irq_save();
    CoreRef core = this_core();
    record(core, masked_now(), kind, running(core).id, arg, value);
    Port::irq_restore(state);
  }

 private:
  static void top_half_for_io(Thread& thread, Duration length)
    requires kHasIo<Policy>
  {
    const LockedCore core = LockedCore::take(this_core());
    const Instant time = masked_now();
    Vcpu& vcpu = vcpu_of(thread);
    if (end_suspension(thread)) {
      note_ready(core, thread, time);
      vcpu.ready().push_back(thread);
    }
    const Wakeup answer = core->policy.top_half(vcpu, time, length);
    if (answer == Wakeup::Takes) {
      go_on_with(core, vcpu.ready().front(), time, Cause::Interrupt);
    } else if (answer != Wakeup::Same) {
      follow_wakeup(core, answer, masked_now(), Cause::Interrupt);
    }
    if constexpr (Base::kStatistics) {
      if (!Base::must_switch(core)) {
        core->account.pass_over(running(core), time - Base::Charges::entry(), masked_now());
      }
    }
    core.give_back();
  }

  using Base::arm;
  using Base::arm_unhurried;
  using Base::ask_again;
  using Base::cores_;
  using Base::decide_unhurried;
  using Base::go_on_with;
  using Base::insert_sleeper;
  using Base::kOneObject;
  using Base::masked_now;
  using Base::nobody_ready;
  using Base::stop_here;
  using Base::wake_due;

  static bool is_this(CoreRef core) { return Port::kCores == 1 || core.id() == Port::core_id(); }

  /// The running thread will wait for something, in no list of its virtual CPU.
  HOCKET_IN_LINE static void stop_running(LockedCore core, Thread& thread, ThreadState state,
                                          Instant time) {
    vcpu_of(thread).ready().pop_front();
    thread.state = state;
    record(core, time, EventKind::Block, thread.id, 0);
  }

  /// With the lock of its core. True: the thread had suspended itself, and is in no list now; else
  /// the resume() is kept for it.
  HOCKET_IN_LINE static bool end_suspension(Thread& thread) {
    const bool sleeping = thread.state == ThreadState::SuspendedUntil;
    if (sleeping) vcpu_of(thread).sleepers().remove(thread);
    const bool suspended = thread.state == ThreadState::Suspended;
    if (!suspended) thread.resumed = true;
    return suspended || sleeping;
  }

  HOCKET_IN_LINE static void note_ready(LockedCore target, Thread& thread, Instant time) {
    record(target, time, EventKind::Wake, thread.id, 0);
    thread.state = ThreadState::Ready;
  }

  /// A thread of this core, in no list, can run again. With the core's lock, which is given back.
  HOCKET_IN_LINE static void wake_own(LockedCore core, Thread& thread) {
    if (Port::in_irq()) return wake_in_handler(core, thread);
    wake_in_thread(core, thread);
  }
  HOCKET_RARE static void wake_in_handler(LockedCore core, Thread& thread) {
    make_ready(core, thread, Waker::Interrupt);
    core.give_back();
  }
  HOCKET_RARE static void wake_in_thread(LockedCore core, Thread& thread) {
    make_ready(core, thread, Waker::Thread);
    Base::exit_thread(core);
  }

  /// A thread of this core, in no list, can run again: records who runs from the exit on. With the
  /// core's lock.
  HOCKET_STEP static void make_ready(LockedCore core, Thread& thread, Waker waker) {
    const Instant time = masked_now();
    note_ready(core, thread, time);
    Vcpu& vcpu = vcpu_of(thread);
    if constexpr (!Base::kLone) {
      if (!vcpu.ready().empty()) return vcpu.ready().push_back(thread);
    }
    vcpu.ready().push_first(thread);
    bool raised = false;
    if constexpr (Base::kHoldersSayIt) raised = Base::let_holder_go_on(core, time);
    const Cause cause = waker == Waker::Interrupt ? Cause::Interrupt : Cause::Call;
    Wakeup answer = Wakeup::Same;
    if (core->policy.takes_over(vcpu, time, waker, answer)) {
      return go_on_with(core, thread, time, cause);
    }
    if (answer != Wakeup::Same || raised) follow_wakeup(core, answer, time, cause);
  }
  [[gnu::noinline]] static void follow_wakeup(LockedCore core, Wakeup answer, Instant time,
                                              Cause cause) {
    if (answer == Wakeup::Decide) return decide_unhurried(core, time, cause);
    arm_unhurried(core);
  }

  /// The same for another core, whose lock is given back; that core decides.
  [[gnu::noinline]] static void make_ready_afar(LockedCore target, Thread& thread) {
    const Instant time = masked_now();
    note_ready(target, thread, time);
    Vcpu& vcpu = vcpu_of(thread);
    const bool first = vcpu.ready().empty();
    vcpu.ready().push_back(thread);
    const Wakeup answer = first ? target->policy.wake(vcpu, time, Waker::OtherCore) : Wakeup::Same;
    target.give_back();
    if (answer != Wakeup::Same) ask_again(target);
  }

  /// Takes turns on one virtual CPU: nothing that a policy knows.
  HOCKET_IN_LINE static void yield_timed(LockedCore core, Thread& thread, Vcpu& vcpu) {
    const Instant time = masked_now();
    vcpu.ready().rotate();
    wake_due(core, vcpu, time);
    Thread& next = vcpu.ready().front();
    if (&next == &thread) return;
    core->account.take_turns(thread, time);
    core->next = &next;
  }
  /// Where it is the rare case, it must not cost the other one registers.
  [[gnu::noinline]] static void yield_timed_out_of_line(LockedCore core, Thread& thread,
                                                        Vcpu& vcpu) {
    yield_timed(core, thread, vcpu);
  }
  HOCKET_IN_LINE static void yield_to(LockedCore core, Thread& thread, Thread& next) {
    core->next = &next;
    if constexpr (port::YieldsDirectly<Port>) {
      static_assert(!Base::kObserved, "Port::yield_to() passes by what looks at switches");
      core->current = &next;
      Port::yield_to(thread.context, next.context);
    }
  }

  static void thread_main(void* argument) {
    Thread& thread = *static_cast<Thread*>(argument);
    begin_thread();
    thread.entry(thread.argument);
    stop_self(0);
  }
};

}  // namespace hocket
