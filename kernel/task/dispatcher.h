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
#include "kernel/task/thread.h"
#include "kernel/time/alarm_queue.h"
#include "kernel/trace/event.h"

namespace hocket {

/// Things counted since boot, per core.
struct Counters {
  uint32_t thread_switches = 0;
  uint32_t preemptions = 0;
  uint32_t timer_interrupts = 0;
  uint32_t kicks = 0;
  uint32_t sleeps = 0;
};

/// Whether a system keeps statistics: yes, unless its Config says otherwise.
template <class Config>
constexpr bool keeps_statistics() {
  if constexpr (requires { Config::kStatistics; }) {
    return Config::kStatistics;
  } else {
    return true;
  }
}

template <class Port, class Config>
class Dispatcher {
  static_assert(port::check<Port>());
  struct Observer;

 public:
  using Ticks = typename Port::Ticks;
  using Policy = typename Config::template Policy<Observer>;
  using Instant = typename Policy::Instant;
  using Duration = typename Policy::Duration;
  static constexpr bool kStatistics = keeps_statistics<Config>();
  static constexpr bool kObserved = kStatistics || !Same<typename Config::Trace, NoTrace>;
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
    bool must_decide = false;  // a handler woke somebody; its end decides (after_interrupt)
    Instant accounted_until;
    Instant decide_at;   // when the policy must be asked again; alarms may come before
    Instant timer_at;    // what the port's alarm is set to; no_alarm() when it is not
    Instant refresh_at;  // on a circular clock: when instants of the past must be refreshed
    Thread idle;
    Counters counters;
  };

  /// Proof that interrupts are masked and this core's lock is held; gives both back at the end.
  class Locked {
   public:
    Locked() : state_(Port::irq_save()), core(this_core()) { Port::lock(core.lock); }
    ~Locked() {
      Port::unlock(core.lock);
      Port::irq_restore(state_);
    }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;

   private:
    typename Port::IrqState state_;

   public:
    Core& core;
  };

  static Instant now() { return Instant(Port::now()); }
  static constexpr Core& core(CoreId id) { return cores_[id]; }
  static Core& this_core() { return cores_[Port::core_id()]; }
  static Core& core_of(const Thread& thread) {
    return cores_[Port::kCores == 1 ? 0 : thread.vcpu->core];
  }
  /// Clears a core and says how many priorities it will have. Called once, on that core, before
  /// anything else; the calling context is the core's idle thread from now on.
  static void init_core(CoreId id, unsigned slots) {
    Core& core = cores_[id];
    core.policy.reset(slots);
    core.idle.id = Event::kNoThread;
    core.current = &core.idle;
    const Instant time = now();
    core.accounted_until = time;
    core.timer_at = no_alarm(time);
    core.refresh_at = time + kRefreshGap;
  }

  /// Threads run from here on; the calling context waits for interrupts. Never returns.
  [[noreturn]] static void run_core() {
    ask_again(this_core());
    for (;;) {
      Port::irq_save();
      Port::idle_wait();
    }
  }

  // --- From the port's interrupts ---

  static void on_timer() {
    Core& core = this_core();
    core.timer_at = no_alarm(core.timer_at);
    count(core.counters.timer_interrupts);
    on_interrupt(core, EventKind::TimerInterrupt);
  }

  static void on_kick() {
    Core& core = this_core();
    count(core.counters.kicks);
    on_interrupt(core, EventKind::KickInterrupt);
  }

  /// At the end of a device's handler, masked: if it woke somebody, decides who runs.
  static void after_interrupt() {
    Core& core = this_core();
    if (!core.must_decide) return;
    Port::lock(core.lock);
    dispatch(core, now());
    Port::unlock(core.lock);
  }

  // --- The event log ---

  static void record(Core& core, Instant time, EventKind kind, uint16_t thread, uint32_t arg,
                     Instant value) {
    record(core, time, kind, thread, arg, static_cast<uint64_t>(value.ticks()));
  }
  static void record(Core& core, Instant time, EventKind kind, uint16_t thread, uint32_t arg,
                     uint64_t value = 0) {
    Config::Trace::record(Event{static_cast<uint64_t>(time.ticks()),
                                static_cast<CoreId>(&core - cores_), kind, thread, arg, value});
  }

 protected:
  /// The time since the last call is charged to whoever ran.
  HOCKET_IN_LINE static void account([[maybe_unused]] Core& core, [[maybe_unused]] Instant time) {
    if constexpr (kStatistics) account_for(core, time);
  }
  HOCKET_IN_LINE static void account_for(Core& core, Instant time) {
    const Instant since = core.accounted_until;
    core.accounted_until = time;
    core.current->meter.add(since, time);
  }

  /// Accounts, decides who runs, sets the timer for the next decision, switches.
  [[gnu::noinline]] static void dispatch(Core& core, Instant time) {
    account(core, time);
    decide(core, time);
  }

  /// The running thread has left its virtual CPU's ready ones: tells the policy if nobody is left,
  /// and decides.
  [[gnu::noinline]] static void give_way(Core& core, Vcpu& vcpu, Instant time) {
    nobody_ready(core, vcpu, time);
    decide(core, time);
  }

  /// As dispatch(), for whoever has accounted already.
  HOCKET_IN_LINE static void decide(Core& core, Instant time) {
    core.must_decide = false;
    auto* entity = core.policy.pick(time);
    Thread* next = &core.idle;
    if (entity != nullptr) {
      Vcpu& vcpu = static_cast<Vcpu&>(*entity);
      wake_due(core, vcpu, time);
      next = &vcpu.ready.front();
    }
    arm(core);
    Thread& previous = *core.current;
    if (&previous == next) return;
    if constexpr (kStatistics) {
      if (&previous != &core.idle && previous.state == ThreadState::Ready &&
          core.policy.competes(*previous.vcpu, time)) {
        count(core.counters.preemptions);
      }
    }
    switch_to(core, previous, *next, time);
  }

  HOCKET_IN_LINE static void arm(Core& core) {
    core.decide_at = next_decision(core);
    const Instant next = core.alarms.next(core.decide_at);
    if (next != core.timer_at) set_timer(core, next);
  }
  HOCKET_IN_LINE static void set_timer(Core& core, Instant next) {
    core.timer_at = next;
    if constexpr (!Instant::kCircular) {
      if (next == Instant::never()) return Port::alarm_off();
    }
    Port::alarm_set(next.ticks());
  }

  HOCKET_IN_LINE static void switch_to(Core& core, Thread& previous, Thread& next, Instant time) {
    core.current = &next;
    count(core.counters.thread_switches);
    record(core, time, EventKind::Dispatch, next.id, 0);
    Port::context_switch(previous.context, next.context);
  }

  /// `thread` (ready or new, in no list) sleeps until its wake_at.
  static void insert_sleeper(Core& core, Thread& thread, Instant time) {
    thread.state = ThreadState::Sleeping;
    record(core, time, EventKind::Sleep, thread.id, 0, thread.wake_at);
    Vcpu& vcpu = *thread.vcpu;
    vcpu.sleepers.insert_ordered(
        thread, [](const Thread& a, const Thread& b) { return a.wake_at < b.wake_at; });
  }

  /// Sleepers of a virtual CPU whose time has come become ready, in order.
  HOCKET_IN_LINE static void wake_due(Core& core, Vcpu& vcpu, Instant time) {
    while (!vcpu.sleepers.empty() && vcpu.sleepers.front().wake_at <= time) {
      Thread& thread = vcpu.sleepers.pop_front();
      thread.state = ThreadState::Ready;
      vcpu.ready.push_back(thread);
      record(core, time, EventKind::Wake, thread.id, 0);
    }
  }

  /// Tells the policy when the virtual CPU has nothing to run now.
  HOCKET_IN_LINE static void nobody_ready(Core& core, Vcpu& vcpu, Instant time) {
    if (!vcpu.ready.empty()) return;
    if (vcpu.sleepers.empty()) {
      core.policy.block(vcpu, time);
    } else {
      core.policy.sleep(vcpu, time, vcpu.sleepers.front().wake_at);
    }
  }

  /// The core should decide anew, soon: by a kick, also for the calling core itself.
  static void ask_again(Core& core) {
    const auto id = static_cast<CoreId>(&core - cores_);
    Port::core_kick(id);
  }

  static void count(uint32_t& counter) {
    if constexpr (kStatistics) ++counter;
  }

  inline static Core cores_[Port::kCores];

 private:
  // A quarter of a turn with a margin: the interrupt may be late.
  static constexpr Duration kRefreshGap{Instant::quarter_turn().ticks() / 2};

  /// When the core must decide at the latest; on a circular clock always some day.
  HOCKET_IN_LINE static Instant next_decision(const Core& core) {
    if constexpr (Instant::kCircular) {
      return core.policy.next_event(core.refresh_at);
    } else {
      return core.policy.next_event();
    }
  }

  /// A value of Core::timer_at that differs from all that can be asked for at about `time`.
  static Instant no_alarm([[maybe_unused]] Instant time) {
    if constexpr (Instant::kCircular) {
      return time - Instant::quarter_turn();
    } else {
      return Instant::never();
    }
  }

  /// On a circular clock: see VcpuPolicy::refresh.
  static void refresh([[maybe_unused]] Core& core, [[maybe_unused]] Instant time) {
    if constexpr (Instant::kCircular) {
      if (time < core.refresh_at) return;
      core.policy.refresh(time);
      core.refresh_at = time + kRefreshGap;
    }
  }

  static void on_interrupt(Core& core, EventKind kind) {
    Port::lock(core.lock);
    Instant time = now();
    account(core, time);
    record(core, time, kind, core.current->id, 0);
    const bool alarms = core.alarms.due(time);
    if (alarms) run_alarms(core, time);
    if (kind == EventKind::TimerInterrupt && time < core.decide_at && !core.must_decide) {
      set_timer(core, core.alarms.next(core.decide_at));  // it was for alarms only: nobody woke
    } else {
      if (alarms) time = now();
      account(core, time);
      refresh(core, time);
      decide(core, time);
    }
    Port::unlock(core.lock);
  }

  /// Alarm handlers may wake threads of any core, so they run without this core's lock.
  HOCKET_IN_LINE static void run_alarms(Core& core, Instant time) {
    core.alarms.run_due(time, [&core](auto call) {
      Port::unlock(core.lock);
      call();
      Port::lock(core.lock);
    });
  }
};

/// Turns what the policy reports into statistics and events.
template <class Port, class Config>
struct Dispatcher<Port, Config>::Observer {
  template <class Entity, class Time>
  static void released(Entity& entity, Time release) {
    if constexpr (kStatistics) ++vcpu(entity).releases;
    note(vcpu(entity), release, EventKind::Release, release);
  }
  template <class Entity, class Time>
  static void responded(Entity& entity, Time release, Time finish) {
    if constexpr (kStatistics) {
      Vcpu& v = vcpu(entity);
      ++v.responses;
      v.worst_response = larger(v.worst_response, finish - release);
      if (finish - release > v.deadline) ++v.deadline_misses;
    }
  }
  template <class Entity, class Time>
  static void exhausted(Entity& entity, Time time, Time next) {
    if constexpr (kStatistics) ++vcpu(entity).exhausted;
    note(vcpu(entity), time, EventKind::BudgetExhausted, next);
    note(vcpu(entity), next, EventKind::Replenish, next);
  }

 private:
  template <class Entity>
  static Vcpu& vcpu(Entity& entity) {
    return static_cast<Vcpu&>(entity);
  }
  template <class Time>
  static void note(Vcpu& v, Time time, EventKind kind, Time value) {
    if constexpr (Same<typename Config::Trace, NoTrace>) return;
    // Of several threads the first one stands for the virtual CPU.
    List<Thread>& threads = v.ready.empty() ? v.sleepers : v.ready;
    const uint16_t thread = threads.empty() ? Event::kNoThread : threads.front().id;
    record(cores_[v.core], time, kind, thread, 0, value);
  }
};

}  // namespace hocket
