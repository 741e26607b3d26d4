// Threads block and are woken: the two halves of every wait.
//
//   wait()          until wake()     for synchronisation objects, which keep the queue
//   wait_until()    until wake_early(), or an instant
//   suspend_self()  until resume()   for one thread that another one knows
//   sleep_until()   until an instant
//   yield()         until its turn comes again
//
// Read a wake-up in this order: wake() → make_ready() → StateMachine::takes_over(), which says
// whether the woken thread runs at once → Dispatcher::go_on_with(), which records that →
// exit_thread(), which switches. A wake-up in a handler only records the decision; the end of the
// interrupt switches.
//
// Legal contexts: functions that may block are for threads only, and checked builds verify that.
// Functions that wake are for threads and handlers. Functions for handlers only take an InHandler.
// Instants are in ticks of the port's clock.
#pragma once

#include "kernel/task/counted_handlers.h"

namespace hocket {

template <class Port, class Config>
class Blocking : public CountedHandlers<Port, Config> {
  using Base = CountedHandlers<Port, Config>;

 public:
  using Base::core_of, Base::record, Base::running, Base::this_core, Base::vcpu_of;
  using typename Base::CoreRef, typename Base::Instant, typename Base::InHandler,
      typename Base::Locked, typename Base::LockedCore, typename Base::Thread, typename Base::Vcpu;

  // --- For synchronisation objects ---

  /// The calling thread waits until wake(). Call this masked, with the object's own lock held:
  /// `enqueue(thread)` puts the thread into the object's queue and then releases that lock. This
  /// core's lock is held by then, so no wake-up is lost. Threads only.
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

  /// A thread that waited, and is in no list any more, becomes ready. If it comes first on this
  /// core, it runs at once, or at the end of the calling handler. From threads and handlers,
  /// masked, on any core.
  [[gnu::noinline]] static void wake(Thread& thread) {
    const LockedCore target = lock_owner(thread);
    if (goes_on_elsewhere(target, thread)) return target.give_back();
    if (!is_this(target)) return make_ready_afar(target, thread);
    wake_own(target, thread);
  }

  /// wait(), but no longer than until `until`. The object checks its queue afterwards to learn what
  /// ended the wait. A resume() does not end it, and is kept for later. Threads only.
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

  /// Ends a thread's wait_until(); its object then checks its queue. Does nothing if the wait has
  /// ended already. From threads and handlers, masked, on any core.
  static void wake_early(Thread& thread) {
    const LockedCore target = lock_owner(thread);
    if (thread.state != ThreadState::WaitingUntil) return target.give_back();
    vcpu_of(thread).sleepers().remove(thread);
    if (goes_on_elsewhere(target, thread)) return target.give_back();
    if (!is_this(target)) return make_ready_afar(target, thread);
    wake_own(target, thread);
  }

  /// wake() for handlers, and for kernel code that works for a handler. The thread to run is
  /// switched to at the handler's end. Own core only.
  static void wake_at_exit(Thread& thread, InHandler) {
    HOCKET_CHECK(is_this(core_of(thread)));
    const LockedCore core = LockedCore::take(this_core());
    wake_in_handler(core, thread);
  }

  // --- Suspending and resuming ---

  /// Waits until resume(). Returns at once if resume() was called since the last suspension, so
  /// that a resume() just before suspend_self() is not lost. Threads only.
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

  /// suspend_self(), but no longer than until `until`. Returns true if the thread was resumed,
  /// false if the time is over. Every resume() before the thread runs again counts, also one at
  /// that instant or later, and several count as one. Threads only.
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

  /// suspend_self_until() in two calls, for systems that switch only at the end of a call.
  /// begin_suspension() stops the thread if it must wait. suspension_was_ended() returns the result
  /// when the thread runs again. Threads only.
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

  /// Ends the present suspension of a thread, or its next one. Returns false if an earlier resume()
  /// is still kept for it; then this one is lost. From threads and interrupt handlers, on any core.
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

  /// resume() for handlers, as wake_at_exit(). Own core only.
  static void resume_at_exit(Thread& thread, InHandler) {
    HOCKET_CHECK(is_this(core_of(thread)));
    const LockedCore core = LockedCore::take(this_core());
    if (end_suspension(thread)) return wake_in_handler(core, thread);
    core.give_back();
  }

  // --- Sleeping, and taking turns ---

  /// Waits until `until`. Returns at once if that has passed. Threads only.
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

  /// Lets another ready thread of the same virtual CPU run. Returns at once if there is none.
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
    } else {  // no thread to wake and no observer: the clock is not read
      yield_to(locked.core, thread, vcpu.ready().rotate());
    }
  }

 protected:
  using Base::arm_unhurried, Base::ask_again, Base::decide_unhurried, Base::go_on_with,
      Base::goes_on_elsewhere, Base::insert_sleeper, Base::is_this, Base::lock_owner,
      Base::masked_now, Base::still, Base::stop_here, Base::wake_due;

  // --- Waking ---

  /// A thread of this core, in no list, becomes ready. The core's lock is held, and is released
  /// here.
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

  /// A thread of this core, in no list, becomes ready. Records which thread runs from the exit on.
  /// The core's lock is held.
  HOCKET_STEP static void make_ready(LockedCore core, Thread& thread, Waker waker) {
    const Instant time = masked_now();
    if constexpr (Base::kCountsHandlers) {
      if (waker == Waker::Interrupt) return make_ready_in_handler(core, thread, time);
    }
    make_ready_at(core, thread, waker, time);
  }
  HOCKET_IN_LINE static void make_ready_in_handler(LockedCore core, Thread& thread, Instant time)
    requires Base::kCountsHandlers
  {
    const auto decide = [core, &thread, time] {
      make_ready_apart(core, thread, Waker::Interrupt, time);
    };
    if (Base::wakes_in_counted(core)) return Base::decide_in_counted(core, time, decide);
    decide();
  }
  /// make_ready_at() out of line: one copy for callers that are not worth one each.
  [[gnu::noinline]] static void make_ready_apart(LockedCore core, Thread& thread, Waker waker,
                                                 Instant time) {
    make_ready_at(core, thread, waker, time);
  }
  /// In line, also where the kernel is made small: there it has one caller.
  [[gnu::always_inline]] static void make_ready_at(LockedCore core, Thread& thread, Waker waker,
                                                   Instant time) {
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

  /// make_ready() for another core, which makes the decision. Its lock is held, and is released
  /// here.
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

  /// The running thread blocks, and is then in no list of its virtual CPU.
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

  /// Call with the lock of the thread's core. Returns true if the thread had suspended itself; it
  /// is in no list now. Otherwise, and if its suspension has a time limit, the resume() is kept:
  /// take_permit() consumes it.
  HOCKET_IN_LINE static bool end_suspension(Thread& thread) {
    const bool sleeping = thread.state == ThreadState::SuspendedUntil;
    if (sleeping) vcpu_of(thread).sleepers().remove(thread);
    const bool suspended = thread.state == ThreadState::Suspended;
    if (!suspended) thread.resumed = true;
    return suspended || sleeping;
  }

 private:
  // --- Taking turns ---

  /// Threads of one virtual CPU take turns; the policy does not know about that.
  HOCKET_IN_LINE static void yield_timed(LockedCore core, Thread& thread, Vcpu& vcpu) {
    const Instant time = masked_now();
    vcpu.ready().rotate();
    wake_due(core, vcpu, time);
    Thread& next = vcpu.ready().front();
    if (&next == &thread) return;
    core->account.take_turns(thread, time);
    core->next = &next;
  }
  /// Out of line, so that the common path of yield() saves no registers.
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
