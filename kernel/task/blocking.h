// Threads stop, and are woken: the two halves of every wait.
//
//   wait()          until wake()     for synchronisation objects, which keep the queue
//   wait_until()    until wake_early(), or an instant
//   suspend_self()  until resume()   for one thread that another one knows
//   sleep_until()   until an instant
//   yield()         until its turn comes again
//
// A wake-up reads from here down: wake() → make_ready() → StateMachine::takes_over(), which says
// whether it runs at once → Dispatcher::go_on_with(), which records that → exit_thread(), which
// switches. What wakes in a handler records only; the interrupt's end switches.
//
// Contexts: what may block is for threads only, and checked builds check that; what wakes is for
// threads and handlers; what only handlers may call takes an InHandler.
#pragma once

#include "kernel/task/dispatcher.h"

namespace hocket {

template <class Port, class Config>
class Blocking : public Dispatcher<Port, Config> {
  using Base = Dispatcher<Port, Config>;

 public:
  using Base::core_of, Base::record, Base::running, Base::this_core, Base::vcpu_of;
  using typename Base::CoreRef, typename Base::Instant, typename Base::InHandler,
      typename Base::Locked, typename Base::LockedCore, typename Base::Thread, typename Base::Vcpu;

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
    still(core).give_back();
  }

  /// A thread that waited (and is in no list any more) can run again; switches if it comes first on
  /// this core, in a handler at its end. From threads and handlers, masked, any core.
  [[gnu::noinline]] static void wake(Thread& thread) {
    const LockedCore target = lock_owner(thread);
    if (goes_on_elsewhere(target, thread)) return target.give_back();
    if (!is_this(target)) return make_ready_afar(target, thread);
    wake_own(target, thread);
  }

  /// wait(), but no longer than until `until`. What has ended it is the object's to know, which
  /// looks into its queue afterwards. resume() does not end it, and is kept for later. Threads
  /// only.
  template <class Enqueue>
  HOCKET_RARE static void wait_until(Instant until, Enqueue enqueue) {
    HOCKET_CHECK(!Port::in_irq());
    const LockedCore core = LockedCore::take(this_core());
    const Instant time = masked_now();
    Thread& thread = running(core);
    if (until > time) {
      thread.wake_at = until;
      vcpu_of(thread).ready().pop_front();
      insert_sleeper(core, thread, time);
      thread.state = ThreadState::WaitingUntil;
    }
    enqueue(thread);
    if (until > time) stop_here(core, vcpu_of(thread), time);
    still(core).give_back();
  }

  /// Ends the wait_until() of a thread, whose object looks again then; nothing happens when it has
  /// ended already. From threads and handlers, masked, any core.
  static void wake_early(Thread& thread) {
    const LockedCore target = lock_owner(thread);
    if (thread.state != ThreadState::WaitingUntil) return target.give_back();
    vcpu_of(thread).sleepers().remove(thread);
    if (goes_on_elsewhere(target, thread)) return target.give_back();
    if (!is_this(target)) return make_ready_afar(target, thread);
    wake_own(target, thread);
  }

  /// wake() in a handler, or where the kernel works for one, at whose end goes on whoever is to
  /// run. Its own core only.
  static void wake_at_exit(Thread& thread, InHandler) {
    HOCKET_CHECK(is_this(core_of(thread)));
    const LockedCore core = LockedCore::take(this_core());
    wake_in_handler(core, thread);
  }

  // --- Suspending and resuming ---

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
      suspend_running_until(locked.core, thread, until, time);
    }
    return take_permit(thread);
  }

  /// suspend_self_until() in two calls, where a switch is made only at the end of a call: the first
  /// stops the thread, if it does; what the second says holds when it runs again. Threads only.
  static void begin_suspension(Instant until) {
    Locked locked;
    Thread& thread = running(locked.core);
    const Instant time = masked_now();
    if (thread.resumed || until <= time) return;
    suspend_running_until(locked.core, thread, until, time);
  }
  static bool suspension_was_ended() {
    Locked locked;
    return take_permit(running(locked.core));
  }

  /// Lets a thread go on that has suspended itself, or will next. False when an earlier resume() is
  /// kept for it already: this one is lost. From threads and interrupt handlers, any core.
  static bool resume(Thread& thread) {
    const typename Port::IrqState state = Port::irq_save();
    const LockedCore target = lock_owner(thread);
    const bool taken = !thread.resumed;
    const bool wakes_there = end_suspension(thread) && !goes_on_elsewhere(target, thread);
    if (wakes_there && is_this(target)) {
      wake_own(target, thread);
    } else if (wakes_there) {
      make_ready_afar(target, thread);
    } else {
      target.give_back();
    }
    Port::irq_restore(state);
    return taken;
  }

  /// resume(), likewise.
  static void resume_at_exit(Thread& thread, InHandler) {
    HOCKET_CHECK(is_this(core_of(thread)));
    const LockedCore core = LockedCore::take(this_core());
    if (end_suspension(thread)) return wake_in_handler(core, thread);
    core.give_back();
  }

  // --- Sleeping, and taking turns ---

  /// Waits until `until`; returns at once when it has passed. Threads only.
  static void sleep_until(Instant until) {
    HOCKET_CHECK(!Port::in_irq());
    const typename Port::IrqState state = Port::irq_save();
    const LockedCore core = LockedCore::take(this_core());
    const Instant time = masked_now();
    if (until > time) {
      Thread& thread = running(core);
      thread.wake_at = until;
      if constexpr (Base::kStatistics) ++thread.counters.sleeps;
      vcpu_of(thread).ready().pop_front();  // the caller itself
      insert_sleeper(core, thread, time);
      stop_here(core, vcpu_of(thread), time);
    }
    still(core).give_back();
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

 protected:
  using Base::arm_unhurried, Base::ask_again, Base::decide_unhurried, Base::go_on_with,
      Base::goes_on_elsewhere, Base::insert_sleeper, Base::is_this, Base::lock_owner,
      Base::masked_now, Base::still, Base::stop_here, Base::wake_due;

  // --- Waking ---

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
    if constexpr (Config::kOptions.tells_woken_behind) {
      if (waker == Waker::Interrupt && core->policy.running() != &vcpu) Config::woken_behind(vcpu);
    }
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

  HOCKET_IN_LINE static void note_ready(LockedCore target, Thread& thread, Instant time) {
    record(target, time, EventKind::Wake, thread.id, 0);
    thread.state = ThreadState::Ready;
  }

  // --- Suspending ---

  /// The running thread will wait for something, in no list of its virtual CPU.
  HOCKET_IN_LINE static void stop_running(LockedCore core, Thread& thread, ThreadState state,
                                          Instant time) {
    vcpu_of(thread).ready().pop_front();
    thread.state = state;
    record(core, time, EventKind::Block, thread.id, 0);
  }

  HOCKET_IN_LINE static void suspend_running_until(LockedCore core, Thread& thread, Instant until,
                                                   Instant time) {
    thread.wake_at = until;
    vcpu_of(thread).ready().pop_front();
    insert_sleeper(core, thread, time);
    thread.state = ThreadState::SuspendedUntil;
    stop_here(core, vcpu_of(thread), time);
  }
  HOCKET_IN_LINE static bool take_permit(Thread& thread) {
    const bool resumed = thread.resumed;
    thread.resumed = false;
    return resumed;
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

 private:
  // --- Taking turns ---

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
    if constexpr (Port::kOptions.yields_directly) {
      static_assert(!Base::kObserved, "Port::yield_to() passes by what looks at switches");
      core->current = &next;
      Port::yield_to(thread.context, next.context);
    }
  }
};

}  // namespace hocket
