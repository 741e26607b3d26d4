// From events to context switches: each core's queues, clock and decision.
//
// The dispatcher connects a port's hardware with a policy's decisions. What threads call is in
// kernel.h, on top of it. Everything is static: an image has one kernel, and addresses known at
// link time make short code.
//
// Rules that keep it simple:
//   - each core has its own queues and one lock for them; nothing is scheduled globally;
//   - an object's lock (semaphore …) is taken before a core's lock, and never two cores' locks;
//   - a core's lock is held across a context switch, the thread switched to releases it;
//   - every entry reads the clock once, accounts for the time until then, then decides.
#pragma once

#include "kernel/sched/policy.h"
#include "kernel/task/counters.h"
#include "kernel/task/decision_timer.h"
#include "kernel/task/policy_observer.h"
#include "kernel/task/thread.h"
#include "kernel/time/alarm_queue.h"
#include "kernel/trace/event.h"

namespace hocket {

template <class Port, class Config>
class Dispatcher {
  static_assert(port::check<Port>());

 public:
  static constexpr bool kStatistics = keeps_statistics<Config>();
  static constexpr bool kTraced = !Same<typename Config::Trace, NoTrace>;
  static constexpr bool kObserved = kStatistics || kTraced;
  using Ticks = typename Port::Ticks;
  using Policy = typename Config::template Policy<PolicyObserver<Dispatcher, kObserved>>;
  using Instant = typename Policy::Instant;
  using Duration = typename Policy::Duration;
  static constexpr bool kOnlyCore = Port::kCores == 1 && Instant::kCircular;
  /// Where a policy knows a short way from a wake-up to who runs (takes_over), a handler's wake-up
  /// decides at once and the handler's end only switches. (Not where each switch is measured: what
  /// the handler does after that is not the next thread's.)
  static constexpr bool kDecidesAtWakes =
      !kStatistics && Instant::kCircular &&
      requires(Policy policy, typename Policy::Entity& entity, Instant now) {
        { policy.takes_over(entity, now, now) } -> Same<bool>;
      };
  using Thread = BasicThread<Port, Policy, kStatistics>;
  using Vcpu = BasicVcpu<Port, Policy, kStatistics>;
  using Alarm = hocket::Alarm<Ticks>;
  using Entry = void (*)(void*);
  static_assert(SchedulingPolicy<Policy>);

  struct Core {
    [[no_unique_address]] typename Port::Lock lock{};
    Policy policy;
    AlarmQueue<Ticks, Config::kMaxAlarms> alarms;
    Thread* current = nullptr;
    bool must_decide = false;  // a handler woke somebody: its end decides (after_interrupt)
    Thread* next = nullptr;    // kDecidesAtWakes: or has decided who runs from its end on
    Instant accounted_until;
    DecisionTimer<Port> timer;
    Thread idle;
    Counters counters;
  };

  /// A core, named. On a small processor with one core its address is a constant: what is handed
  /// around then is not looked at. (Where registers are many, one of them is the shorter way.)
  class CoreRef {
   public:
    CoreRef(Core& core) : core_(&core) {}  // a Core& is as good
    Core* operator->() const { return kOnlyCore ? &cores_[0] : core_; }
    Core& operator*() const { return *operator->(); }
    CoreId id() const { return static_cast<CoreId>(operator->() - cores_); }

   private:
    Core* core_;
  };

  /// Proof that interrupts are masked and this core's lock is held; gives both back at the end.
  class Locked {
   public:
    Locked() : state_(Port::irq_save()), core(this_core()) { Port::lock(core->lock); }
    ~Locked() {
      Port::unlock(core->lock);
      Port::irq_restore(state_);
    }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;

   private:
    typename Port::IrqState state_;

   public:
    CoreRef core;
  };

  static Instant now() { return Instant(Port::now()); }
  /// The same where interrupts are masked: on some ports the shorter question.
  static Instant masked_now() {
    if constexpr (requires { Port::now_masked(); }) {
      return Instant(Port::now_masked());
    } else {
      return now();
    }
  }
  static constexpr Core& core(CoreId id) { return cores_[id]; }
  static CoreRef this_core() { return cores_[Port::core_id()]; }
  static CoreRef core_of(const Thread& thread) {
    return cores_[Port::kCores == 1 ? 0 : thread.vcpu->core];
  }
  /// Clears a core and says how many priorities it will have. Called once, on that core, before
  /// anything else; the calling context is the core's idle thread from now on.
  static void init_core(CoreId id, unsigned slots) {
    CoreRef core = cores_[id];
    core->policy.reset(slots);
    core->idle.id = Event::kNoThread;
    core->current = &core->idle;
    const Instant time = masked_now();
    core->accounted_until = time;
    core->timer.reset(time);
  }

  /// Threads run from here on; the calling context waits for interrupts. Never returns.
  [[noreturn]] static void run_core() {
    ask_again(this_core());
    if constexpr (requires { Port::idle(); }) {  // the port has a loop of its own for that
      Port::idle();
    } else {
      for (;;) {
        Port::irq_save();
        Port::idle_wait();
      }
    }
  }

  // --- From the port's interrupts ---

  static void on_timer() {
    CoreRef core = this_core();
    core->timer.fired();
    count(core->counters.timer_interrupts);
    on_interrupt(core, EventKind::TimerInterrupt);
  }

  static void on_kick() {
    CoreRef core = this_core();
    count(core->counters.kicks);
    on_interrupt(core, EventKind::KickInterrupt);
  }

  /// At the end of a device's handler, masked: if it woke somebody, decides who runs.
  static void after_interrupt() {
    CoreRef core = this_core();
    if constexpr (kDecidesAtWakes) {
      Thread* const next = core->next;
      if (next == nullptr) return;
      core->next = nullptr;
      switch_threads(core, *core->current, *next, Instant());
    } else {
      if (!core->must_decide) return;
      Port::lock(core->lock);
      dispatch(core, masked_now());
      Port::unlock(core->lock);
    }
  }

  // --- The event log ---

  static void record(CoreRef core, Instant time, EventKind kind, uint16_t thread, uint32_t arg,
                     Instant value) {
    record(core, time, kind, thread, arg, static_cast<uint64_t>(value.ticks()));
  }
  static void record(CoreRef core, Instant time, EventKind kind, uint16_t thread, uint32_t arg,
                     uint64_t value = 0) {
    Config::Trace::record(
        Event{static_cast<uint64_t>(time.ticks()), core.id(), kind, thread, arg, value});
  }

 protected:
  /// The time since the last call is charged to whoever ran.
  HOCKET_IN_LINE static void account([[maybe_unused]] CoreRef core, [[maybe_unused]] Instant time) {
    if constexpr (kStatistics) account_for(core, time);
  }
  HOCKET_IN_LINE static void account_for(CoreRef core, Instant time) {
    const Instant since = core->accounted_until;
    core->accounted_until = time;
    core->current->meter.add(since, time);
  }

  /// Accounts, decides who runs, sets the timer for the next decision, switches.
  [[gnu::noinline]] static void dispatch(CoreRef core, Instant time) {
    account(core, time);
    decide(core, time);
  }

  /// The running thread has left its virtual CPU's ready ones: tells the policy if nobody is left,
  /// and decides.
  [[gnu::noinline]] static void give_way(CoreRef core, Vcpu& vcpu, Instant time) {
    switch_to(core, leave_vcpu(core, vcpu, time), time);
  }
  /// (Apart from the switch, so that what is kept across that is little; choose(), too.)
  HOCKET_IN_LINE HOCKET_APART static Thread& leave_vcpu(CoreRef core, Vcpu& vcpu, Instant time) {
    nobody_ready(core, vcpu, time);
    return choose(core, time);
  }

  /// As dispatch(), for whoever has accounted already.
  HOCKET_IN_LINE static void decide(CoreRef core, Instant time) {
    switch_to(core, choose(core, time), time);
  }

  /// A thread of `vcpu`, in which nobody was ready, is awake. True: it is who runs from now on, and
  /// the timer is set. False: nothing has been done.
  [[gnu::always_inline]] static bool takes_over(CoreRef core, Vcpu& vcpu, Instant time)
    requires kDecidesAtWakes
  {
    Instant next;
    if (!core->policy.takes_over(vcpu, time, next)) return false;
    core->timer.set(core->alarms.sooner(true, next), next);
    return true;
  }

  /// Who runs from now on; the timer is set for the decision after this one.
  HOCKET_IN_LINE HOCKET_APART static Thread& choose(CoreRef core, Instant time) {
    core->must_decide = false;
    core->next = nullptr;
    auto* entity = core->policy.pick(time);
    Thread* next = &core->idle;
    if (entity != nullptr) {
      Vcpu& vcpu = static_cast<Vcpu&>(*entity);
      if (!vcpu.sleepers.empty()) wake_due(core, vcpu, time);
      next = &vcpu.ready.front();
    }
    arm(core);
    if constexpr (kStatistics) {
      Thread& previous = *core->current;
      if (&previous != next && &previous != &core->idle && previous.state == ThreadState::Ready &&
          core->policy.competes(*previous.vcpu, time)) {
        count(core->counters.preemptions);
      }
    }
    return *next;
  }

  /// Sets the timer for the next decision.
  HOCKET_IN_LINE static void arm(CoreRef core) {
    if constexpr (Instant::kCircular) {
      Instant next;
      const bool wanted = core->alarms.sooner(core->policy.next_event(next), next);
      core->timer.set(wanted, next);
    } else {
      core->timer.set(core->alarms.next(core->policy.next_event()));
    }
  }

  /// `next` runs from now on, if it does not run already.
  HOCKET_IN_LINE static void switch_to(CoreRef core, Thread& next, Instant time) {
    Thread& previous = *core->current;
    if (&previous == &next) return;
    switch_threads(core, previous, next, time);
  }

  /// The same where it is known to be another one.
  HOCKET_IN_LINE static void switch_threads(CoreRef core, Thread& previous, Thread& next,
                                            Instant time) {
    note_switch(core, next, time);
    Port::context_switch(previous.context, next.context);
  }

  /// The same out of a thread, for another one, where nobody is told the time.
  HOCKET_IN_LINE static void yield_to(CoreRef core, Thread& previous, Thread& next) {
    if constexpr (requires { Port::yield_to(previous.context, next.context); }) {
      note_switch(core, next, Instant());
      Port::yield_to(previous.context, next.context);
    } else {
      switch_threads(core, previous, next, Instant());
    }
  }

  HOCKET_IN_LINE static void note_switch(CoreRef core, Thread& next, Instant time) {
    core->current = &next;
    count(core->counters.thread_switches);
    record(core, time, EventKind::Dispatch, next.id, 0);
  }

  /// `thread` (ready or new, in no list) sleeps until its wake_at.
  static void insert_sleeper(CoreRef core, Thread& thread, Instant time) {
    thread.state = ThreadState::Sleeping;
    record(core, time, EventKind::Sleep, thread.id, 0, thread.wake_at);
    Vcpu& vcpu = *thread.vcpu;
    vcpu.sleepers.insert_ordered(
        thread, [](const Thread& a, const Thread& b) { return a.wake_at < b.wake_at; });
  }

  /// Sleepers of a virtual CPU whose time has come become ready, in order.
  HOCKET_IN_LINE HOCKET_APART static void wake_due(CoreRef core, Vcpu& vcpu, Instant time) {
    while (!vcpu.sleepers.empty() && vcpu.sleepers.front().wake_at <= time) {
      Thread& thread = vcpu.sleepers.pop_front();
      thread.state = ThreadState::Ready;
      vcpu.ready.push_back(thread);
      record(core, time, EventKind::Wake, thread.id, 0);
    }
  }

  /// Tells the policy when the virtual CPU has nothing to run now.
  HOCKET_IN_LINE static void nobody_ready(CoreRef core, Vcpu& vcpu, Instant time) {
    if (!vcpu.ready.empty()) return;
    if (vcpu.sleepers.empty()) {
      core->policy.block(vcpu, time);
    } else {
      core->policy.sleep(vcpu, time, vcpu.sleepers.front().wake_at);
    }
  }

  /// The core should decide anew, soon: by a kick, also for the calling core itself.
  static void ask_again(CoreRef core) { Port::core_kick(core.id()); }

  static void count(uint32_t& counter) {
    if constexpr (kStatistics) ++counter;
  }

  inline static Core cores_[Port::kCores];

 private:
  /// On a circular clock: see VcpuPolicy::refresh.
  static void refresh([[maybe_unused]] CoreRef core, [[maybe_unused]] Instant time) {
    if constexpr (Instant::kCircular) {
      if (!core->timer.refresh_due(time)) return;
      core->policy.refresh(time);
      core->timer.refreshed(time);
    }
  }

  static void on_interrupt(CoreRef core, EventKind kind) {
    Port::lock(core->lock);
    Instant time = masked_now();
    account(core, time);
    record(core, time, kind, core->current->id, 0);
    if constexpr (Config::kMaxAlarms > 0) {
      if (core->alarms.due(time)) {
        run_alarms(core, time);
        if (kind == EventKind::TimerInterrupt && only_alarms(core, time)) {
          return Port::unlock(core->lock);
        }
        time = masked_now();
        account(core, time);
      }
    }
    refresh(core, time);
    decide(core, time);
    Port::unlock(core->lock);
  }

  /// Alarm handlers may wake threads of any core, so they run without this core's lock.
  HOCKET_IN_LINE static void run_alarms(CoreRef core, Instant time) {
    core->alarms.run_due(time, [&core](auto call) {
      Port::unlock(core->lock);
      call();
      Port::lock(core->lock);
    });
  }

  /// After alarms that woke nobody, before the policy wants to be asked: sets the timer, and
  /// nothing is decided. (Late by what the handlers took, which the next interrupt makes up for.)
  HOCKET_IN_LINE static bool only_alarms(CoreRef core, Instant time) {
    if (core->must_decide || core->next != nullptr) return false;
    if constexpr (Instant::kCircular) {
      if (core->timer.refresh_due(time)) return false;
      Instant next;
      bool wanted = core->policy.next_event(next);
      if (wanted && next <= time) return false;
      wanted = core->alarms.sooner(wanted, next);
      core->timer.set(wanted, next);
    } else {
      const Instant policy_next = core->policy.next_event();
      if (policy_next <= time) return false;
      core->timer.set(core->alarms.next(policy_next));
    }
    return true;
  }
};

}  // namespace hocket
