// What interrupts lead to: the timer's, another core's, and those that handlers say something of.
//
// All of it is called with interrupts masked, and only records who runs next; after_interrupt()
// goes on with that one as the last thing of the interrupt.
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

  // --- From the port: they record ---

  static void on_timer() {
    const LockedCore core = LockedCore::take(this_core());
    core->timer.fired();
    core->account.count_timer_interrupt();
    on_interrupt(core, EventKind::TimerInterrupt, Cause::Timer);
  }

  /// Another core, or this one, asks this core to decide (an inter-processor interrupt).
  static void on_reschedule() {
    const LockedCore core = LockedCore::take(this_core());
    core->account.count_ipi();
    on_interrupt(core, EventKind::RescheduleInterrupt, Cause::Interrupt);
  }

  /// At the end of an interrupt, masked, as the last thing of it: goes on with whoever is to run
  /// now, and so perhaps comes back much later.
  HOCKET_IN_LINE static void after_interrupt() {
    CoreRef core = this_core();
    if (!must_switch(core)) return;
    const LockedCore locked = LockedCore::take(core);
    switch_to_next(locked);
    Base::still(locked).give_back();
  }

  // --- From handlers, masked, on their own core ---

  /// In the handler of an interrupt whose work `thread` does on an I/O virtual CPU: lets it go on
  /// as resume() does, and has it pay for the handler, which takes `length` at most from vector to
  /// return. Its own core only. (Where the policy has no I/O virtual CPUs it is resume().)
  static void top_half(Thread& thread, [[maybe_unused]] Duration length, InHandler) {
    if constexpr (kHasIo<Policy>) {
      const LockedCore core = LockedCore::take(this_core());
      top_half_for_io(core, thread, masked_now(), length, /*raised=*/false);
    } else {
      Base::resume(thread);
    }
  }

  /// What serve() is told by the work that it calls: who goes on (null: nobody), and whether there
  /// is more to do.
  struct Served {
    Thread* woken;
    bool more;
  };

  /// top_half() where the work is short, at most `most`: if the I/O virtual CPU takes the core at
  /// once, its work is done here, by `work()`, in its time and without a switch to its thread. What
  /// is left then that thread does. True: nothing is left. The core's lock is free during the work,
  /// but `thread` is woken by nobody else.
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

  /// An interrupt that is for one thread, which has suspended itself: where that one takes the core
  /// at once, it runs from the exit on, and pays as for any wake-up [1]. Else nothing has happened:
  /// false.
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

  /// In a handler that began at `begin`, and whose time is counted in the analysis: who runs is not
  /// charged with it, and it is nobody's own work.
  static void pass_over(Instant begin, InHandler) {
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

  /// A handler begins that others may interrupt, and whose time is counted in the analysis: until
  /// end_counted() whoever runs is spared it, and so is whoever is let run meanwhile, which the
  /// kernel's own interrupts may decide (others wake nobody meanwhile). Masked.
  static void begin_counted(InHandler)
    requires kCountsHandlers
  {
    const LockedCore core = LockedCore::take(this_core());
    core->counted.runs = true;
    core->counted.since = masked_now() - Charges::entry();
    core.give_back();
  }
  /// …and ends: what is left of it is the way out, which takes no longer than the way in.
  static void end_counted(InHandler)
    requires kCountsHandlers
  {
    const LockedCore core = LockedCore::take(this_core());
    const Instant time = masked_now();
    const Wakeup answer = spare_counted(core, time + Charges::entry());
    core->counted.runs = false;
    if (answer != Wakeup::Same) follow_wakeup(core, answer, time, Cause::Interrupt);
    core.give_back();
  }

  /// The timer is set for the next decision again: the handler has used it for something else.
  static void rearm(InHandler) {
    const LockedCore core = LockedCore::take(this_core());
    arm_unhurried(core);
    core.give_back();
  }

 protected:
  using Base::arm_unhurried, Base::decide_any, Base::end_suspension, Base::follow_wakeup,
      Base::go_on_with, Base::is_this, Base::let_holder_go_on, Base::make_ready, Base::masked_now,
      Base::note_ready, Base::switch_to_next, Base::thread_of;

 private:
  /// Whether the time of alarms' handlers is counted in the analysis, so that the interrupted
  /// thread is not charged with it, nor with the way in and out.
  static constexpr bool kSparesAlarms = Config::kOptions.alarm_frame != 0;

  HOCKET_STEP static void on_interrupt(LockedCore core, EventKind kind, Cause cause) {
    const Instant entered = masked_now();
    Instant time = entered;
    if constexpr (kCountsHandlers) in_counted(core, time);
    record(core, time, kind, running(core).id, 0);
    if constexpr (Config::kMaxAlarms > 0) {
      if (core->alarms.due(time)) {
        run_alarms(core, time);
        time = masked_now();
        if constexpr (kSparesAlarms) {
          const Duration took = time - entered + Duration(Config::kOptions.alarm_frame);
          static_cast<void>(core->policy.pass_over(took));
          Config::alarms_took(core, took);
          // Mostly nothing else has happened: then the running thread goes on. (A decision would
          // spare it an interrupt of the timer as well, which nobody has paid for.)
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
      // The running thread goes on because it says that it holds a spinlock, so the interrupt is
      // its own time (Cause::Call), as the rest of its hold is. What it says may be a lie: a thread
      // that was spared the interrupt would have more budget after each lie, and so run for ever.
      if (let_holder_go_on(core, time)) [[unlikely]]
        return end_interrupt(core, time, entered, Cause::Call);
    }
    if constexpr (Policy::kHasUsual) {
      if (auto* entity = core->policy.pick_usual(time, cause)) {  // somebody else than who runs
        go_on_with(core, thread_of(*entity, core, time), time, cause);
        return core.give_back();
      }
    }
    end_interrupt(core, time, entered, cause);
  }
  /// Whatever it has led to.
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

  /// Whoever runs has been spared a counted handler's time until now. What an interrupt of it takes
  /// has its own account, whether it changes anything or not.
  HOCKET_STEP static void in_counted(LockedCore core, Instant time)
    requires kCountsHandlers
  {
    if (!core->counted.runs) [[likely]]
      return;
    const Instant entered = time - Charges::entry();
    static_cast<void>(spare_counted(core, entered));  // a decision follows
    core->counted.since = larger(core->counted.since, entered + Charges::interrupt());
  }
  static Wakeup spare_counted(LockedCore core, Instant until)
    requires kCountsHandlers
  {
    const Instant since = core->counted.since;
    if (until <= since) return Wakeup::Same;
    core->counted.since = until;
    if constexpr (kStatistics) {
      if (!Base::must_switch(core)) core->account.pass_over(running(core), since, until);
    }
    return core->policy.pass_over(until - since);
  }

  /// Alarm handlers may wake threads of any core, so they run without this core's lock.
  HOCKET_RARE static void run_alarms(LockedCore core, Instant time) {
    core->alarms.run_due(time, [&core](auto call) { core.without(call); });
  }

  /// On a circular clock: see Scheduler::refresh.
  static void refresh([[maybe_unused]] LockedCore core, [[maybe_unused]] Instant time) {
    if constexpr (Instant::kCircular) {
      if (!core->timer.refresh_due(time) || !core->policy.may_refresh(time)) return;
      core->policy.refresh(core->timer.next_slot(time), time);
    }
  }

  /// With the core's lock, which is given back.
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

  /// The I/O virtual CPU runs from the interrupt's entry on, whoever's stack that is on. (Where it
  /// has one thread, that it did is written down behind its work, which is shorter.)
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
  /// Other threads of the I/O virtual CPU were woken meanwhile, by another core.
  HOCKET_IN_LINE static bool others_came([[maybe_unused]] Vcpu& io) {
    if constexpr (Base::kLone) return false;
    return !io.ready().empty();
  }
  /// The I/O virtual CPU, which has served since `began`, stops, and lets `woken` go on: true, it
  /// runs from now on.
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
  /// Its thread does the rest.
  [[gnu::noinline]] static void serve_on(LockedCore core, Thread& thread, Instant time,
                                         Thread* woken) {
    Vcpu& io = vcpu_of(thread);
    note_ready(core, thread, time);
    io.ready().push_back(thread);
    go_on_with(core, io.ready().front(), time, Cause::Interrupt);
    const bool here = woken != nullptr && is_this(core_of(*woken));
    if (here && end_suspension(*woken)) make_ready(core, *woken, Waker::Thread);
    core.give_back();
    if (woken != nullptr && !here) resume(*woken);
  }
};

}  // namespace hocket
