// The kernel proper: it connects a port's hardware, a policy's decisions and the threads.
//
// Everything is static: an image has one kernel, and addresses known at link time make short code.
// The template parameters say which: `Port` (port/contract.h) and `Config`, the application's
// choices:
//   kMaxSlots        priorities per core: virtual CPUs and lock ceilings
//   kRefills         refills kept per virtual CPU
//   kMaxAlarms       alarms per core
//   Trace            sink of the event log (trace/event.h)
//   Policy<Observer> the scheduling policy
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

template <class Port, class Config>
class Kernel {
  static_assert(port::check<Port>());
  struct Observer;

 public:
  using Ticks = typename Port::Ticks;
  using Policy = typename Config::template Policy<Observer>;
  using Instant = typename Policy::Instant;
  using Duration = typename Policy::Duration;
  using Thread = BasicThread<Port, Policy>;
  using Vcpu = BasicVcpu<Port, Policy>;
  using Alarm = hocket::Alarm<Ticks>;
  using Entry = void (*)(void*);
  static_assert(SchedulingPolicy<Policy>);

  struct Core {
    [[no_unique_address]] typename Port::Lock lock{};
    Policy policy;
    AlarmQueue<Ticks, Config::kMaxAlarms> alarms;
    Thread* current = nullptr;
    Instant accounted_until;
    Instant timer_at = Instant::never();
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
  static Core& core(CoreId id) { return cores_[id]; }
  static Core& this_core() { return cores_[Port::core_id()]; }
  /// The calling thread.
  static Thread& self() { return *this_core().current; }

  // --- Setting up (before or while cores run) ----------------------------------------------------

  /// Clears a core and says how many priorities it will have. Called once, on that core, before
  /// anything else; the calling context is the core's idle thread from now on.
  static void init_core(CoreId id, unsigned slots) {
    Core& core = cores_[id];
    core.policy.reset(slots);
    core.idle.id = Event::kNoThread;
    core.current = &core.idle;
    core.accounted_until = now();
  }

  /// A thread that will call `entry(argument)` on `vcpu`; it does not run before start().
  static void create(Thread& thread, Vcpu& vcpu, port::Stack stack, Entry entry, void* argument) {
    thread.vcpu = &vcpu;
    thread.entry = entry;
    thread.argument = argument;
    thread.state = ThreadState::Stopped;
    Port::context_init(thread.context, stack, &thread_main, &thread);
  }

  /// The thread becomes ready at `at` (which may have passed). From any thread, any core.
  static void start(Thread& thread, Instant at) {
    thread.wake_at = at;
    const typename Port::IrqState state = Port::irq_save();
    Core& target = cores_[thread.vcpu->core];
    Port::lock(target.lock);
    const Instant time = now();
    to_sleep(target, thread, time);
    Port::unlock(target.lock);
    ask_again(target);
    Port::irq_restore(state);
  }

  /// Threads run from here on; the calling context waits for interrupts. Never returns.
  [[noreturn]] static void run_core() {
    ask_again(this_core());
    for (;;) {
      Port::irq_save();
      Port::idle_wait();
    }
  }

  // --- From a thread
  // -------------------------------------------------------------------------------

  /// Waits until `until`; returns at once when it has passed.
  static void sleep_until(Instant until) {
    Locked locked;
    const Instant time = now();
    if (until <= time) return;
    account(locked.core, time);
    Thread& thread = *locked.core.current;
    thread.wake_at = until;
    ++locked.core.counters.sleeps;
    List<Thread>::remove(thread);
    to_sleep(locked.core, thread, time);
    dispatch(locked.core, time);
  }

  /// Lets another ready thread of the same virtual CPU run; returns at once when there is none.
  static void yield() {
    Locked locked;
    Thread& thread = *locked.core.current;
    Vcpu& vcpu = *thread.vcpu;
    if (vcpu.ready.only(thread) && vcpu.sleepers.empty()) return;
    const Instant time = now();
    account(locked.core, time);
    List<Thread>::remove(thread);
    vcpu.ready.push_back(thread);
    vcpu.wake_due(time);
    switch_to(locked.core, vcpu.ready.front(), time);
  }

  /// Ends the calling thread for good; `fault` is 0 when that is as it should be.
  [[noreturn]] static void stop_self(uint32_t fault) {
    Locked locked;
    Core& core = locked.core;
    const Instant time = now();
    account(core, time);
    Thread& thread = *core.current;
    thread.state = ThreadState::Stopped;
    if (fault != 0) record(core, time, EventKind::Fault, thread.id, fault);
    List<Thread>::remove(thread);
    nobody_ready(core, *thread.vcpu, time);
    dispatch(core, time);
    Port::halt("a stopped thread was resumed");
    __builtin_unreachable();
  }

  // --- For synchronisation objects (kernel/task)
  // ---------------------------------------------------

  /// The calling thread waits until wake(). Masked, with the object's own lock held:
  /// `enqueue(thread)` puts the thread into the object's queue and then gives that lock back; this
  /// core's lock is held by then, so that no wake-up is lost.
  template <class Enqueue>
  static void wait(Enqueue enqueue) {
    Core& core = this_core();
    Port::lock(core.lock);
    const Instant time = now();
    account(core, time);
    Thread& thread = *core.current;
    List<Thread>::remove(thread);
    thread.state = ThreadState::Waiting;
    record(core, time, EventKind::Block, thread.id, 0);
    enqueue(thread);
    nobody_ready(core, *thread.vcpu, time);
    dispatch(core, time);
    Port::unlock(core.lock);
  }

  /// A thread that waited (and is in no list any more) can run again. Masked, any core.
  static void wake(Thread& thread) {
    Core& target = cores_[thread.vcpu->core];
    Port::lock(target.lock);
    const Instant time = now();
    record(target, time, EventKind::Wake, thread.id, 0);
    Vcpu& vcpu = *thread.vcpu;
    thread.state = ThreadState::Ready;
    const bool first = vcpu.ready.empty();
    vcpu.ready.push_back(thread);
    const WakeEffect effect = first ? target.policy.wake(vcpu, time) : WakeEffect::None;
    const bool local = &target == &this_core();
    if (effect != WakeEffect::None && local && !Port::in_irq()) {  // handlers decide at their end
      if (effect == WakeEffect::Decide) {
        account(target, time);
        dispatch(target, time);
      } else {
        arm(target);
      }
    }
    Port::unlock(target.lock);
    if (effect != WakeEffect::None && !local) ask_again(target);
  }

  /// The calling thread's virtual CPU competes at `slot` (a lock's ceiling) for at most `longest`.
  static void raise_self(typename Policy::Slot slot, Duration longest) {
    Locked locked;
    locked.core.policy.raise(*locked.core.current->vcpu, slot, now() + longest);
    arm(locked.core);
  }

  /// …and goes back to `slot` with the limit it had there. May switch: others may have waited for
  /// that.
  static void lower_self(typename Policy::Slot slot, Instant hold_until) {
    Locked locked;
    const Instant time = now();
    account(locked.core, time);
    locked.core.policy.lower(*locked.core.current->vcpu, slot, hold_until);
    dispatch(locked.core, time);
  }

  // --- Alarms
  // ----------------------------------------------------------------------------------------

  /// Starts an alarm on the calling core. False when it has as many as it can, or the alarm is
  /// active already or would never end (time/alarm_queue.h).
  static bool start_alarm(Alarm& alarm) {
    Locked locked;
    const bool taken = locked.core.alarms.start(alarm);
    arm(locked.core);
    return taken;
  }

  /// Cancels an alarm of the calling core.
  static void cancel_alarm(Alarm& alarm) {
    Locked locked;
    locked.core.alarms.cancel(alarm);
  }

  // --- From the port's interrupts
  // --------------------------------------------------------------------

  static void on_timer() {
    Core& core = this_core();
    core.timer_at = Instant::never();
    ++core.counters.timer_interrupts;
    on_interrupt(core, EventKind::TimerInterrupt);
  }

  static void on_kick() {
    Core& core = this_core();
    ++core.counters.kicks;
    on_interrupt(core, EventKind::KickInterrupt);
  }

  // --- Accounting
  // ------------------------------------------------------------------------------------

  /// Brings the calling core's statistics up to now.
  static Instant account_now() {
    Locked locked;
    const Instant time = now();
    account(locked.core, time);
    return time;
  }

  /// Brings a core's statistics up to the end of a run; nothing runs any more.
  static void close(CoreId id, Instant end) {
    Core& core = cores_[id];
    if (core.current != nullptr && end > core.accounted_until) account(core, end);
  }

  /// An event about the calling thread.
  static void note(EventKind kind, uint32_t arg, uint64_t value = 0) {
    const typename Port::IrqState state = Port::irq_save();
    Core& core = this_core();
    record(core, now(), kind, core.current->id, arg, value);
    Port::irq_restore(state);
  }

  static void record(Core& core, Instant time, EventKind kind, uint16_t thread, uint32_t arg,
                     Instant value) {
    record(core, time, kind, thread, arg, static_cast<uint64_t>(value.ticks()));
  }
  static void record(Core& core, Instant time, EventKind kind, uint16_t thread, uint32_t arg,
                     uint64_t value = 0) {
    Config::Trace::record(Event{static_cast<uint64_t>(time.ticks()),
                                static_cast<CoreId>(&core - cores_), kind, thread, arg, value});
  }

 private:
  static void thread_main(void* argument) {
    Thread& thread = *static_cast<Thread*>(argument);
    Port::unlock(this_core().lock);
    Port::irq_enable();
    thread.entry(thread.argument);
    stop_self(0);
  }

  /// The time since the last call is charged to whoever ran.
  static void account(Core& core, Instant time) {
    Thread& thread = *core.current;
    thread.cpu_time += time - core.accounted_until;
    thread.meter.add(core.accounted_until, time);
    core.accounted_until = time;
  }

  /// Decides who runs, sets the timer for the next decision, switches.
  static void dispatch(Core& core, Instant time) {
    auto* entity = core.policy.pick(time);
    Thread* next = &core.idle;
    if (entity != nullptr) {
      Vcpu& vcpu = static_cast<Vcpu&>(*entity);
      vcpu.wake_due(time);
      next = &vcpu.ready.front();
    }
    arm(core);
    switch_to(core, *next, time);
  }

  static void arm(Core& core) {
    const Instant next = smaller(core.policy.next_event(), core.alarms.next());
    if (next == core.timer_at) return;
    core.timer_at = next;
    if (next == Instant::never()) {
      Port::alarm_off();
    } else {
      Port::alarm_set(next.ticks());
    }
  }

  static void switch_to(Core& core, Thread& next, Instant time) {
    Thread& previous = *core.current;
    if (&next == &previous) return;
    core.current = &next;
    ++core.counters.thread_switches;
    if (&previous != &core.idle && previous.state == ThreadState::Ready &&
        core.policy.competes(*previous.vcpu, time)) {
      ++core.counters.preemptions;
    }
    record(core, time, EventKind::Dispatch, next.id, 0);
    Port::context_switch(previous.context, next.context);
  }

  static void on_interrupt(Core& core, EventKind kind) {
    Port::lock(core.lock);
    Instant time = now();
    account(core, time);
    record(core, time, kind, core.current->id, 0);
    if (core.alarms.next() <= time) time = run_alarms(core, time);
    dispatch(core, time);
    Port::unlock(core.lock);
  }

  /// Alarm handlers may wake threads of any core, so they run without this core's lock.
  static Instant run_alarms(Core& core, Instant time) {
    Port::unlock(core.lock);
    core.alarms.run_due(time);
    Port::lock(core.lock);
    const Instant after = now();
    account(core, after);
    return after;
  }

  /// `thread` (ready or new, in no list) sleeps until its wake_at.
  static void to_sleep(Core& core, Thread& thread, Instant time) {
    thread.state = ThreadState::Sleeping;
    record(core, time, EventKind::Sleep, thread.id, 0, thread.wake_at);
    Vcpu& vcpu = *thread.vcpu;
    vcpu.sleepers.insert_ordered(
        thread, [](const Thread& a, const Thread& b) { return a.wake_at < b.wake_at; });
    nobody_ready(core, vcpu, time);
  }

  /// Tells the policy when the virtual CPU has nothing to run now.
  static void nobody_ready(Core& core, Vcpu& vcpu, Instant time) {
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

  inline static Core cores_[Port::kCores];
};

/// Turns what the policy reports into statistics and events.
template <class Port, class Config>
struct Kernel<Port, Config>::Observer {
  template <class Entity, class Time>
  static void released(Entity& entity, Time release) {
    ++vcpu(entity).releases;
    note(vcpu(entity), release, EventKind::Release, release);
  }
  template <class Entity, class Time>
  static void responded(Entity& entity, Time release, Time finish) {
    Vcpu& v = vcpu(entity);
    ++v.responses;
    v.worst_response = larger(v.worst_response, finish - release);
    if (finish - release > v.deadline) ++v.deadline_misses;
  }
  template <class Entity, class Time>
  static void exhausted(Entity& entity, Time time, Time next) {
    ++vcpu(entity).exhausted;
    note(vcpu(entity), time, EventKind::BudgetExhausted, next);
  }

 private:
  template <class Entity>
  static Vcpu& vcpu(Entity& entity) {
    return static_cast<Vcpu&>(entity);
  }
  template <class Time>
  static void note(Vcpu& v, Time time, EventKind kind, Time value) {
    const uint16_t thread = v.ready.empty() ? Event::kNoThread : v.ready.front().id;
    record(cores_[v.core], time, kind, thread, 0, value);
  }
};

}  // namespace hocket
