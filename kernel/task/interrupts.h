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
  using Base::kHoldersSayIt, Base::kStatistics, Base::must_switch, Base::record, Base::this_core;
  using typename Base::Charges, typename Base::CoreRef, typename Base::Duration,
      typename Base::Instant, typename Base::LockedCore, typename Base::Policy,
      typename Base::Thread, typename Base::Vcpu;

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
    locked.give_back();
  }

  // --- From handlers ---

  /// In the handler of an interrupt whose work `thread` does on an I/O virtual CPU: lets it go on
  /// as resume() does, and has it pay for the handler, which takes `length` at most from vector to
  /// return. Its own core only. (Where the policy has no I/O virtual CPUs it is resume().)
  static void top_half(Thread& thread, [[maybe_unused]] Duration length) {
    if constexpr (kHasIo<Policy>) {
      top_half_for_io(thread, length);
    } else {
      Base::resume(thread);
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
      if (!Base::must_switch(core)) core->account.pass_over(*core->current, entered, time);
    }
    core.give_back();
  }

 protected:
  using Base::decide_any, Base::end_suspension, Base::follow_wakeup, Base::go_on_with,
      Base::let_holder_go_on, Base::masked_now, Base::note_ready, Base::switch_to_next,
      Base::thread_of;

 private:
  HOCKET_STEP static void on_interrupt(LockedCore core, EventKind kind, Cause cause) {
    const Instant entered = masked_now();
    Instant time = entered;
    record(core, time, kind, core->current->id, 0);
    if constexpr (Config::kMaxAlarms > 0) {
      if (core->alarms.due(time)) {
        run_alarms(core, time);
        time = masked_now();
      }
    }
    refresh(core, time);
    if constexpr (kHoldersSayIt) let_holder_go_on(core, time);
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
        core->account.pass_over(*core->current, entered - Charges::entry(), masked_now());
      }
    }
    core.give_back();
  }

  /// Alarm handlers may wake threads of any core, so they run without this core's lock.
  HOCKET_RARE static void run_alarms(LockedCore core, Instant time) {
    core->alarms.run_due(time, [&core](auto call) { core.without(call); });
  }

  /// On a circular clock: see Scheduler::refresh.
  static void refresh([[maybe_unused]] LockedCore core, [[maybe_unused]] Instant time) {
    if constexpr (Instant::kCircular) {
      if (!core->timer.refresh_due(time)) return;
      core->policy.refresh(time);
      core->timer.refreshed(time);
    }
  }

  static void top_half_for_io(Thread& thread, Duration length)
    requires kHasIo<Policy>
  {
    const LockedCore core = LockedCore::take(this_core());
    const Instant time = masked_now();
    Vcpu& vcpu = *thread.vcpu;
    if (end_suspension(thread)) {
      note_ready(core, thread, time);
      vcpu.ready.push_back(thread);
    }
    const Wakeup answer = core->policy.top_half(vcpu, time, length);
    if (answer == Wakeup::Takes) {
      go_on_with(core, vcpu.ready.front(), time, Cause::Interrupt);
    } else if (answer != Wakeup::Same) {
      follow_wakeup(core, answer, masked_now(), Cause::Interrupt);
    }
    if constexpr (Base::kStatistics) {
      if (!Base::must_switch(core)) {
        core->account.pass_over(*core->current, time - Base::Charges::entry(), masked_now());
      }
    }
    core.give_back();
  }
};

}  // namespace hocket
