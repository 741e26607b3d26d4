// Interrupts: the timer's, those of other cores, and what handlers report to the kernel.
//
// Legal context: interrupts masked. These functions only record which thread runs next;
// after_interrupt(), the last call of an interrupt, switches to it. Durations are in ticks of the
// port's clock.
#pragma once

#include "kernel/task/blocking.h"

namespace hocket {

template <class Port, class Config>
class Interrupts : public Blocking<Port, Config> {
  using Base = Blocking<Port, Config>;

 public:
  using Base::core_of, Base::kCountsHandlers, Base::kHoldersSayIt, Base::kStatistics,
      Base::must_switch, Base::record, Base::resume, Base::running, Base::this_core, Base::vcpu_of;
  using typename Base::Charges, typename Base::CoreRef, typename Base::Duration,
      typename Base::InHandler, typename Base::Instant, typename Base::LockedCore,
      typename Base::Policy, typename Base::Thread, typename Base::Vcpu;

  // --- Called by the port: these record only ---

  static void on_timer() {
    const LockedCore core = LockedCore::take(this_core());
    core->timer.fired();
    core->account.count_timer_interrupt();
    on_interrupt(core, EventKind::TimerInterrupt, Cause::Timer);
  }

  /// An inter-processor interrupt: another core, or this one, requests a decision of this core.
  static void on_reschedule() {
    const LockedCore core = LockedCore::take(this_core());
    core->account.count_ipi();
    on_interrupt(core, EventKind::RescheduleInterrupt, Cause::Interrupt);
  }

  /// The last call of an interrupt, masked: switches to the thread that is to run now, and so may
  /// return much later.
  HOCKET_IN_LINE static void after_interrupt() {
    CoreRef core = this_core();
    if (!must_switch(core)) return;
    const LockedCore locked = LockedCore::take(core);
    switch_to_next(locked);
    Base::still(locked).give_back();
  }

  // --- Called by handlers, masked, on their own core ---

  /// For the handler of an interrupt whose work `thread` does on an I/O virtual CPU. Resumes the
  /// thread, and charges it for the handler, which takes at most `length` from vector to return.
  /// Own core only. For a policy without I/O virtual CPUs this is resume().
  static void top_half(Thread& thread, [[maybe_unused]] Duration length, InHandler) {
    if constexpr (kHasIo<Policy>) {
      const LockedCore core = LockedCore::take(this_core());
      top_half_for_io(core, thread, masked_now(), length, /*raised=*/false);
    } else {
      Base::resume(thread);
    }
  }

  /// The result of the work that serve() calls: the thread to resume, or null, and whether work is
  /// left.
  struct Served {
    Thread* woken;
    bool more;
  };

  /// top_half() for short work, which takes at most `most`. If the I/O virtual CPU takes the core
  /// at once, `work()` runs here, on its budget, without a switch to its thread; the thread then
  /// does what is left. Returns true if nothing is left. The core's lock is free during the work,
  /// but no other code may wake `thread` meanwhile.
  template <class Work>
  static bool serve(Thread& thread, Duration length, [[maybe_unused]] Duration most,
                    [[maybe_unused]] Work work, InHandler) {
    if constexpr (kHasIo<Policy>) {
      const LockedCore core = LockedCore::take(this_core());
      const Instant time = masked_now();
      bool raised = false;
      if constexpr (Base::kHoldersSayIt) raised = Base::let_holder_go_on(core, time);
      if (core->policy.would_take(vcpu_of(thread), time, most) &&
          thread.state == ThreadState::Suspended) [[likely]] {
        return serve_at_once(core, thread, time, work);
      }
      top_half_for_io(core, thread, time, length, raised);
    } else {
      resume(thread);
    }
    return false;
  }

  /// For an interrupt that is meant for one thread, which has suspended itself. If that thread
  /// takes the core at once, it runs from the exit on and pays as for any wake-up [1]. Otherwise
  /// this does nothing and returns false.
  HOCKET_IN_LINE static bool wake_at_once([[maybe_unused]] Thread& thread, InHandler) {
    if constexpr (kHasIo<Policy>) {
      if (Port::kCores > 1 && !is_this(core_of(thread))) return false;
      if (thread.state != ThreadState::Suspended) return false;
      const LockedCore core = LockedCore::take(this_core());
      const Instant time = masked_now();
      if constexpr (Base::kHoldersSayIt) Base::let_holder_go_on(core, time);
      Vcpu& vcpu = vcpu_of(thread);
      const bool takes =
          !Base::must_switch(core) && core->policy.would_take(vcpu, time, Duration(0));
      if (takes) [[likely]] {
        note_ready(core, thread, time);
        vcpu.ready().push_back(thread);
        core->policy.begin_service(vcpu, time);
        go_on_with(core, thread, time, Cause::Interrupt);
      }
      core.give_back();
      return takes;
    } else {
      return false;
    }
  }

  /// Sets the timer for the next decision again, after a handler has used it for something else.
  static void rearm(InHandler) {
    const LockedCore core = LockedCore::take(this_core());
    arm_unhurried(core);
    core.give_back();
  }

 protected:
  using Base::arm_unhurried, Base::decide_any, Base::end_suspension, Base::follow_wakeup,
      Base::go_on_with, Base::is_this, Base::let_holder_go_on, Base::masked_now, Base::note_ready,
      Base::switch_to_next, Base::thread_of;

 private:
  /// Whether the analysis counts the time of alarm handlers. The interrupted thread then pays
  /// neither for them nor for the way in and out.
  static constexpr bool kSparesAlarms = Config::kOptions.alarm_frame != 0;

  HOCKET_STEP static void on_interrupt(LockedCore core, EventKind kind, Cause cause) {
    const Instant entered = masked_now();
    Instant time = entered;
    if constexpr (kCountsHandlers) Base::in_counted(core, time);
    record(core, time, kind, running(core).id, 0);
    if constexpr (Config::kMaxAlarms > 0) {
      if (core->alarms.due(time)) {
        const auto* const before = core->next;
        run_alarms(core, time);
        time = masked_now();
        // A thread that a handler has let run has paid for its activation, which is this interrupt
        // [1]. It is not spared the interrupt as well.
        if (core->next != before) cause = Cause::Call;
        if constexpr (kSparesAlarms) {
          const Duration took = time - entered + Duration(Config::kOptions.alarm_frame);
          static_cast<void>(core->policy.pass_over(took));
          Config::alarms_took(core, took);
          // Usually nothing else has happened, and the running thread continues. (A decision would
          // also exempt it from the cost of a timer interrupt, for which no other entity has paid.)
          Instant next = Base::next_of_policy(core);
          if (time < next && !must_switch(core)) {
            core->alarms.sooner(true, next);
            core->timer.set(next);
            return core.give_back();
          }
        }
      }
    }
    refresh(core, time);
    if (kind == EventKind::RescheduleInterrupt) Base::take_in(core, time);
    if constexpr (kHoldersSayIt) {
      // The running thread continues because it says that it holds a spinlock. The interrupt is
      // therefore its own time (Cause::Call), as the rest of its hold is. What it says may be a
      // lie: if the interrupt were not charged, each lie would give the thread more budget, and it
      // could run for ever.
      if (let_holder_go_on(core, time)) [[unlikely]]
        return end_interrupt(core, time, entered, Cause::Call);
    }
    if constexpr (Policy::kHasUsual) {
      // If there is one, it is another entity than the running one.
      if (auto* entity = core->policy.pick_usual(time, cause)) {
        go_on_with(core, thread_of(*entity, core, time), time, cause);
        return core.give_back();
      }
    }
    end_interrupt(core, time, entered, cause);
  }
  /// The decision of an interrupt, whatever it leads to.
  HOCKET_RARE static void end_interrupt(LockedCore core, Instant time, Instant entered,
                                        Cause cause) {
    decide_any(core, time, cause);
    if constexpr (kStatistics) {
      if (!must_switch(core)) {
        core->account.pass_over(running(core), entered - Charges::entry(), masked_now());
      }
    }
    core.give_back();
  }

  /// Runs without this core's lock, because alarm handlers may wake threads of any core.
  HOCKET_RARE static void run_alarms(LockedCore core, Instant time) {
    core->alarms.run_due(time, [&core](auto call) { core.without(call); });
  }

  /// On a circular clock only: see Scheduler::refresh.
  static void refresh([[maybe_unused]] LockedCore core, [[maybe_unused]] Instant time) {
    if constexpr (Instant::kCircular) {
      if (!core->timer.refresh_due(time) || !core->policy.may_refresh(time)) return;
      core->policy.refresh(core->timer.next_slot(time), time);
    }
  }

  /// The core's lock is held, and is released here.
  [[gnu::noinline]] static void top_half_for_io(LockedCore core, Thread& thread, Instant time,
                                                Duration length, bool raised)
    requires kHasIo<Policy>
  {
    Vcpu& vcpu = vcpu_of(thread);
    if (end_suspension(thread)) {
      note_ready(core, thread, time);
      vcpu.ready().push_back(thread);
    }
    const Wakeup answer = core->policy.top_half(vcpu, time, length);
    if (answer == Wakeup::Takes) {
      go_on_with(core, vcpu.ready().front(), time, Cause::Interrupt);
    } else if (answer != Wakeup::Same || raised) {
      follow_wakeup(core, answer, masked_now(), Cause::Interrupt);
    }
    if constexpr (Base::kStatistics) {
      if (!Base::must_switch(core)) {
        core->account.pass_over(running(core), time - Base::Charges::entry(), masked_now());
      }
    }
    core.give_back();
  }

  /// The I/O virtual CPU runs from the interrupt's entry on, on the interrupted thread's stack. If
  /// it has one thread, the policy is called after the work, which costs less.
  template <class Work>
  HOCKET_IN_LINE static bool serve_at_once(LockedCore core, Thread& thread, Instant time, Work work)
    requires kHasIo<Policy>
  {
    Vcpu& io = vcpu_of(thread);
    if constexpr (!Base::kLone) core->policy.begin_service(io, time);
    Served done{};
    core.without([&done, &work] { done = work(); });
    const bool here = done.woken != nullptr && is_this(core_of(*done.woken));
    if (done.more || others_came(io)) [[unlikely]] {
      if constexpr (Base::kLone) core->policy.begin_service(io, time);
      serve_on(core, thread, time, done.woken);
      return false;
    }
    const Instant end = masked_now();
    core->account.serve(running(core), thread, time - Base::Charges::entry(), end);
    if (here && end_suspension(*done.woken)) [[likely]] {
      note_ready(core, *done.woken, end);
      if (hand_over(core, io, *done.woken, time, end)) {
        Base::go_on_paid(core, *done.woken, end, thread);
        core.give_back();
        return true;
      }
    } else {
      if constexpr (Base::kLone) core->policy.begin_service(io, time);
      core->policy.block(io, end);
    }
    Base::decide_any(core, end, Cause::Stop);
    core->account.paid_by(thread);
    core.give_back();
    if (done.woken != nullptr && !here) resume(*done.woken);
    return true;
  }
  /// Whether another core has woken other threads of the I/O virtual CPU meanwhile.
  HOCKET_IN_LINE static bool others_came([[maybe_unused]] Vcpu& io) {
    if constexpr (Base::kLone) return false;
    return !io.ready().empty();
  }
  /// The I/O virtual CPU has served since `began`. It stops and lets `woken` continue. Returns true
  /// if `woken` runs from now on.
  HOCKET_IN_LINE static bool hand_over(LockedCore core, Vcpu& io, Thread& woken,
                                       [[maybe_unused]] Instant began, Instant time)
    requires kHasIo<Policy>
  {
    Vcpu& vcpu = vcpu_of(woken);
    if constexpr (Base::kLone) {
      vcpu.ready().push_first(woken);
      return core->policy.serve(io, vcpu, began, time);
    } else {
      const bool first = vcpu.ready().empty();  // else its turn comes behind the others' there
      vcpu.ready().push_back(woken);
      first ? core->policy.hand_over(io, vcpu, time) : core->policy.block(io, time);
      return false;
    }
  }
  /// The thread of the I/O virtual CPU does the rest of the work.
  [[gnu::noinline]] static void serve_on(LockedCore core, Thread& thread, Instant time,
                                         Thread* woken) {
    Vcpu& io = vcpu_of(thread);
    note_ready(core, thread, time);
    io.ready().push_back(thread);
    go_on_with(core, io.ready().front(), time, Cause::Interrupt);
    const bool here = woken != nullptr && is_this(core_of(*woken));
    if (here && end_suspension(*woken)) {
      Base::make_ready_apart(core, *woken, Waker::Thread, masked_now());
    }
    core.give_back();
    if (woken != nullptr && !here) resume(*woken);
  }
};

}  // namespace hocket
