// Handlers whose time the analysis counts, so that no thread pays for it.
//
//   handler   ├─ E ─┼─────────── its time ───────────┤ exit, perhaps a switch
//   spared    ├ interrupted one ─┼─ E ─┼ woken one ──┤ a wake-up in its middle decides that
//                                 wake-up              another thread runs
//
// The interrupted thread is spared the handler's time up to each decision in its middle. The thread
// chosen there is spared the time from then on, because it does not run before the handler's end.
// It pays for its activation [1] as for any wake-up, although that lies within the handler here.
#pragma once

#include "kernel/task/dispatcher.h"

namespace hocket {

template <class Port, class Config>
class CountedHandlers : public Dispatcher<Port, Config> {
  using Base = Dispatcher<Port, Config>;

 public:
  using Base::kCountsHandlers, Base::kStatistics;
  using typename Base::Charges, typename Base::Duration, typename Base::InHandler,
      typename Base::Instant, typename Base::LockedCore;

  /// Called at the end of a handler that began at `begin` and whose time the analysis counts. The
  /// running thread is not charged for that time, and its own work does not contain it. If the
  /// handler has woken threads, the kernel knows when it began (Config::handler_began,
  /// count_since).
  static void pass_over(Instant begin, InHandler) {
    const LockedCore core = LockedCore::take(Base::this_core());
    const Instant time = Base::masked_now();
    if constexpr (kCountsHandlers) {
      if (core->counted.runs) [[unlikely]]
        return pass_over_rest(core, time);
    }
    const Instant entered = begin - Charges::entry();
    const Wakeup answer = core->policy.pass_over(time - entered);
    if (answer != Wakeup::Same) Base::arm_unhurried(core);
    if constexpr (kStatistics) {
      if (!Base::must_switch(core)) core->account.pass_over(Base::running(core), entered, time);
    }
    core.give_back();
  }
  /// Called in such a handler before it wakes threads, which is before pass_over().
  static void count_since([[maybe_unused]] Instant begin, InHandler) {
    if constexpr (kCountsHandlers) {
      const LockedCore core = LockedCore::take(Base::this_core());
      if (!core->counted.runs) begin_passed(core, begin);
      core.give_back();
    }
  }

  /// A handler begins that other interrupts may preempt and whose time the analysis counts. Until
  /// end_counted() the running thread is spared that time, and so is each thread that a decision
  /// chooses meanwhile. Call it with interrupts masked.
  static void begin_counted(InHandler)
    requires kCountsHandlers
  {
    const LockedCore core = LockedCore::take(Base::this_core());
    core->counted = {.runs = true, .since = Base::masked_now() - Charges::entry()};
    core.give_back();
  }
  /// That handler ends. What is left of it is its exit, which takes no longer than the entry.
  static void end_counted(InHandler)
    requires kCountsHandlers
  {
    const LockedCore core = LockedCore::take(Base::this_core());
    const Instant time = Base::masked_now();
    const Wakeup answer = spare_counted(core, time + Charges::entry());
    core->counted.runs = false;
    if (answer != Wakeup::Same) Base::arm_unhurried(core);
    core.give_back();
  }

 protected:
  /// An interrupt comes in the middle of such a handler. Spares the running thread the handler's
  /// time until now. The time of the interrupt has its own account, whether it changes anything or
  /// not.
  HOCKET_STEP static void in_counted(LockedCore core, Instant time)
    requires kCountsHandlers
  {
    if (!core->counted.runs) [[likely]]
      return;
    const Instant entered = time - Charges::entry();
    static_cast<void>(spare_counted(core, entered));  // a decision follows
    core->counted.since = larger(core->counted.since, entered + Charges::interrupt());
  }

  /// Whether the wake-up comes from such a handler.
  HOCKET_STEP static bool wakes_in_counted(LockedCore core)
    requires kCountsHandlers
  {
    if (core->counted.runs) return true;
    if constexpr (requires(Instant& begin) { Config::handler_began(begin); }) {
      Instant begin;
      if (!Config::handler_began(begin)) return false;
      begin_passed(core, begin);
      return true;
    }
    return false;
  }
  /// The handler's wake-up, at `time`. `decide` may choose another thread than the running one.
  template <class Decide>
  HOCKET_STEP static void decide_in_counted(LockedCore core, Instant time, Decide decide)
    requires kCountsHandlers
  {
    static_cast<void>(spare_counted(core, time - Charges::entry()));  // pass_over() sets the timer
    const auto* const before = core->policy.running();
    decide();
    if (core->policy.running() != before) {
      core->counted.since = larger(core->counted.since, time);  // [1]
    }
  }

 private:
  static void begin_passed(LockedCore core, Instant begin) {
    core->counted = {.runs = true, .ends_passed = true, .since = begin - Charges::entry()};
  }
  [[gnu::noinline]] static void pass_over_rest(LockedCore core, Instant time) {
    static_cast<void>(spare_counted(core, time));
    if (core->counted.ends_passed) core->counted.runs = false;
    Base::arm_unhurried(core);
    core.give_back();
  }

  static Wakeup spare_counted(LockedCore core, Instant until)
    requires kCountsHandlers
  {
    const Instant since = core->counted.since;
    if (until <= since) return Wakeup::Same;
    core->counted.since = until;
    if constexpr (kStatistics) {
      if (Base::must_switch(core)) {
        core->account.put_off(until - since);
      } else {
        core->account.pass_over(Base::running(core), since, until);
      }
    }
    return core->policy.pass_over(until - since);
  }
};

}  // namespace hocket
