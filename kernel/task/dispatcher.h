// From events to context switches: each core's queues, clock and decision.
//
// The dispatcher connects a port's hardware with a policy's decisions. What threads call is in
// kernel.h, on top of it. Everything is static: an image has one kernel, and addresses known at
// link time make short code.
//
//   a thread's call      lock ─ record, decide: `next` ─────────── leave: switch if next ≠ current
//   an interrupt         on_timer, a handler's wake: `next` ─ … ─ after_interrupt: the same
//
// Rules that keep it simple:
//   - each core has its own queues and one lock for them; nothing is scheduled globally;
//   - an object's lock (semaphore …) is taken before a core's lock, and never two cores' locks;
//   - whatever happens only records who runs next. Switching happens in two places: where a thread
//     gives the lock back, and at the end of an interrupt;
//   - a core's lock is held across a context switch, the thread switched to releases it;
//   - what needs the lock takes a LockedCore, which only doors make;
//   - every entry reads the clock once.
#pragma once

#include "kernel/base/construct.h"
#include "kernel/sched/policy.h"
#include "kernel/task/account.h"
#include "kernel/task/decision_timer.h"
#include "kernel/task/policy_observer.h"
#include "kernel/task/port_charges.h"
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
  static constexpr bool kAsksFirst = requires { Config::Trace::wanted; };
  static constexpr bool kObserved = kStatistics || kTraced;
  using Ticks = typename Port::Ticks;
  using Charges = PortCharges<Port>;
  using Policy = typename Config::template Policy<PolicyObserver<Dispatcher, kObserved>>;
  using Instant = typename Policy::Instant;
  using Duration = typename Policy::Duration;
  static constexpr bool kOnlyCore = Port::kCores == 1 && Instant::kCircular;
  static constexpr bool kLone = has_lone_threads<Config>();
  static constexpr bool kOneObject = has_one_object<Config>();
  static_assert(!kOneObject || (kLone && kOnlyCore && !kObserved));
  using Kinds = ThreadKinds<Port, Policy, kStatistics, kLone, kOneObject>;
  using Thread = typename Kinds::Thread;
  using Vcpu = typename Kinds::Vcpu;
  /// What a core runs: a thread, or what else waits on it.
  using Runner = typename Kinds::Runner;
  using Alarm = hocket::Alarm<Ticks>;
  using Entry = void (*)(void*);
  static_assert(policy::check<Policy>());
  /// Whether threads take spinlocks by themselves and only say so (Config::holds_lock).
  static constexpr bool kHoldersSayIt = requires(const Thread& thread) {
    { Config::holds_lock(thread) } -> Same<bool>;
  };

  struct Core {
    [[no_unique_address]] typename Port::Lock lock{};
    Runner* current = nullptr;
    Runner* next = nullptr;  // who runs from the next exit on; current: nothing to do there
    DecisionTimer<Port> timer;
    [[no_unique_address]] Account<Thread, kStatistics> account;
    AlarmQueue<Ticks, Config::kMaxAlarms> alarms;
    Policy policy;
    union {  // made by init_core(): until then all of a core is zeros, which no image carries
      char nothing = 0;
      Runner idle;
    };
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

  /// That interrupts are masked and this core's lock is held: what only then may be called takes
  /// one. Made at doors only, where the lock is taken; nothing but the core's name, so it costs
  /// nothing.
  class LockedCore : public CoreRef {
   public:
    /// Masked.
    [[nodiscard]] static LockedCore take(CoreRef core) {
      Port::lock(core->lock);
      return LockedCore(core);
    }
    /// What the thread that was switched away from took, and left to who goes on.
    [[nodiscard]] static LockedCore taken_over(CoreRef core) { return LockedCore(core); }
    /// The last thing that is done with it.
    void give_back() const { Port::unlock((*this)->lock); }
    /// Calls something that may take the same lock.
    template <class Call>
    void without(Call call) const {
      Port::unlock((*this)->lock);
      call();
      Port::lock((*this)->lock);
    }

   private:
    explicit LockedCore(CoreRef core) : CoreRef(core) {}
  };

  /// Masks interrupts and takes this core's lock; the end is the exit of a thread's call.
  class Locked {
   public:
    Locked() : state_(Port::irq_save()), core(LockedCore::take(this_core())) {}
    ~Locked() {
      leave(core);
      Port::irq_restore(state_);
    }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;

   private:
    typename Port::IrqState state_;

   public:
    const LockedCore core;
  };

  static Instant now() { return Instant(Port::now()); }
  /// The same where interrupts are masked: on some ports the shorter question.
  static Instant masked_now() {
    if constexpr (port::HasMaskedClock<Port>) {
      return Instant(Port::now_masked());
    } else {
      return now();
    }
  }
  static constexpr Core& core(CoreId id) { return cores_[id]; }
  static CoreRef this_core() { return in_register(cores_[Port::core_id()]); }
  static CoreRef core_of(const Thread& thread) {
    if constexpr (Port::kCores == 1) {
      return in_register(cores_[0]);
    } else {
      return in_register(cores_[thread.vcpu->core]);
    }
  }
  static Vcpu& vcpu_of(Thread& thread) {
    if constexpr (kOneObject) {
      return thread;
    } else {
      return *thread.vcpu;
    }
  }
  /// The thread that a core runs. (Where that is no thread but what waits there, it is only named.)
  static Thread& running(CoreRef core) { return static_cast<Thread&>(*core->current); }
  /// Clears a core and says how many priorities it will have. Called once, on that core, before
  /// anything else; the calling context is the core's idle thread from now on.
  [[gnu::cold]] static void init_core(CoreId id, unsigned slots) {
    CoreRef core = cores_[id];
    core->policy.reset(slots);
    construct<Runner>(&core->idle);
    if constexpr (!kOneObject) core->idle.id = Event::kNoThread;
    core->current = core->next = &core->idle;
    const Instant time = masked_now();
    core->account.begin(time, running(core));
    core->timer.reset(time);
  }

  /// Threads run from here on; the calling context waits for interrupts. Never returns.
  [[noreturn]] static void run_core() {
    ask_again(this_core());
    if constexpr (port::IdlesItself<Port>) {  // the port has a loop of its own for that
      static_assert(!kStatistics, "Port::idle() keeps nothing of the idle thread: no statistics");
      Port::idle();
    } else {
      for (;;) {
        Port::irq_save();
        Port::idle_wait();
      }
    }
  }

  // --- From the port's interrupts, masked: they record ---

  static void on_timer() {
    CoreRef core = this_core();
    core->timer.fired();
    core->account.count_timer_interrupt();
    on_interrupt(core, EventKind::TimerInterrupt, Cause::Timer);
  }

  /// Another core, or this one, asks this core to decide (an inter-processor interrupt).
  static void on_reschedule() {
    CoreRef core = this_core();
    core->account.count_ipi();
    on_interrupt(core, EventKind::RescheduleInterrupt, Cause::Interrupt);
  }

  // --- The exits ---

  /// At the end of an interrupt, masked, as the last thing of it: goes on with whoever is to run
  /// now, and so perhaps comes back much later.
  HOCKET_IN_LINE static void after_interrupt() {
    CoreRef core = this_core();
    if (!must_switch(core)) return;
    const LockedCore locked = LockedCore::take(core);
    switch_to_next(locked);
    locked.give_back();
  }
  static bool must_switch(CoreRef core) { return core->next != core->current; }
  static bool must_switch() { return must_switch(this_core()); }

  // --- The event log ---

  static void record(CoreRef core, Instant time, EventKind kind, uint16_t thread, uint32_t arg,
                     Instant value) {
    record(core, time, kind, thread, arg, static_cast<uint64_t>(value.ticks()));
  }
  static void record(CoreRef core, Instant time, EventKind kind, uint16_t thread, uint32_t arg,
                     uint64_t value = 0) {
    if constexpr (kAsksFirst) {
      if (wants_events()) [[unlikely]]
        record_apart(core, time, kind, thread, arg, value);
    } else {
      tell(core, time, kind, thread, arg, value);
    }
  }
  /// Whether anybody wants them now.
  static bool wants_events() {
    if constexpr (kAsksFirst) {
      return Config::Trace::wanted;
    } else {
      return true;
    }
  }

 protected:
  /// A thread gives the core's lock back, and the processor if somebody else is to run now. (In a
  /// handler that waits for its end.)
  HOCKET_IN_LINE static void leave(LockedCore core) {
    if (must_switch(core) && !Port::in_irq()) switch_to_next(core);
    core.give_back();
  }
  /// leave() where it is known that this is no handler, and that a switch is likely.
  HOCKET_IN_LINE static void exit_thread(LockedCore core) {
    if (must_switch(core)) [[likely]]
      switch_in_line(core);
    core.give_back();
  }

  /// (Apart: whoever does not switch keeps few registers.)
  [[gnu::noinline]] static void switch_to_next(LockedCore core) { change_thread(core); }
  HOCKET_STEP static void switch_in_line(LockedCore core) { change_thread(core); }
  [[gnu::always_inline]] static void change_thread(LockedCore core) {
    Runner& previous = *core->current;
    Runner& next = *core->next;
    core->current = &next;
    if constexpr (kTraced) {
      record(core, decided(core), EventKind::Dispatch, next.id, 0);
    }
    Port::context_switch(previous.context, next.context);
    if constexpr (kStatistics) arrived();
  }
  static Instant decided(CoreRef core) {
    if constexpr (kStatistics) {
      return core->account.decided();
    } else {
      return masked_now();
    }
  }
  /// First thing of a thread that has been switched to.
  HOCKET_IN_LINE static void arrived() {
    CoreRef core = this_core();
    core->account.count_switch();
    if (core->account.pays()) core->account.arrive(masked_now());
  }

  /// Decides who runs from the exit on, and sets the timer for the decision after this one. What it
  /// mostly leads to is in line, the rest stands apart, once for all.
  HOCKET_IN_LINE static void decide(LockedCore core, Instant time, Cause cause) {
    if constexpr (Policy::kHasUsual) {
      auto* entity = core->policy.pick_usual(time, cause);
      if (entity == nullptr) return decide_any(core, time, cause);
      go_on_with(core, thread_of(*entity, core, time), time, cause);
    } else {
      decide_any(core, time, cause);
    }
  }
  [[gnu::noinline]] static void decide_any(LockedCore core, Instant time, Cause cause) {
    auto* entity = core->policy.pick_any(time, cause);
    Runner* next = &core->idle;
    if (entity != nullptr) next = &thread_of(*entity, core, time);
    core->account.decide(running(core), static_cast<Thread&>(*next), time, cause, Charges::entry(),
                         core->policy);
    core->next = next;
    arm_unhurried(core);
  }
  HOCKET_STEP static void arm_unhurried(LockedCore core) { arm(core); }
  /// The same for who is not in a hurry.
  HOCKET_RARE static void decide_unhurried(LockedCore core, Instant time, Cause cause) {
    if constexpr (kHoldersSayIt) let_holder_go_on(core, time);
    decide_any(core, time, cause);
  }

  /// Who runs of an entity that was chosen.
  HOCKET_IN_LINE static Thread& thread_of(typename Policy::Entity& entity, LockedCore core,
                                          Instant time) {
    Vcpu& vcpu = static_cast<Vcpu&>(entity);
    if (!vcpu.sleepers().empty()) wake_due(core, vcpu, time);
    return vcpu.ready().front();
  }

  /// Where a thread only says that it holds a spinlock, it is raised when somebody may be about to
  /// preempt it. True: that has changed when the policy must be asked again.
  HOCKET_IN_LINE static bool let_holder_go_on(LockedCore core, Instant time)
    requires kHoldersSayIt
  {
    Thread& current = running(core);
    if (must_switch(core) || current.state != ThreadState::Ready) return false;
    if (!Config::holds_lock(current)) return false;
    core->policy.raise(vcpu_of(current), 0, time, time + Duration(Config::longest_hold()));
    return true;
  }

  /// `next`, another one than who is running, runs from the exit on.
  [[gnu::always_inline]] static void go_on_with(LockedCore core, Thread& next, Instant time,
                                                Cause cause) {
    if constexpr (Policy::kHasUsual) {  // (asked before others write: what it reads is known)
      const Instant event = next_decision(core);
      core->account.change(running(core), next, time, cause, Charges::entry(), core->policy);
      core->next = &next;
      core->timer.set(event);
    } else {
      core->account.decide(running(core), next, time, cause, Charges::entry(), core->policy);
      core->next = &next;
      arm(core);
    }
  }

  /// Sets the timer for the next decision.
  [[gnu::always_inline]] static void arm(LockedCore core) { core->timer.set(next_decision(core)); }
  [[gnu::always_inline]] static Instant next_decision(LockedCore core) {
    Instant next = core->policy.next_event_until(core->timer.latest());
    core->alarms.sooner(true, next);
    return next;
  }

  /// The running thread has left its virtual CPU's ready ones: tells the policy if nobody is left,
  /// and decides.
  HOCKET_STEP static void give_way(LockedCore core, Vcpu& vcpu, Instant time) {
    if constexpr (!kLone) {
      if (!vcpu.ready().empty()) return decide_unhurried(core, time, Cause::Call);
    }
    nobody_ready(core, vcpu, time);
    decide(core, time, Cause::Stop);
  }

  /// The running thread has left its virtual CPU's ready ones: somebody else runs, until it is its
  /// turn again. With the core's lock, before and after.
  HOCKET_RARE static void stop_here(LockedCore core, Vcpu& vcpu, Instant time) {
    give_way(core, vcpu, time);
    switch_in_line(core);
  }

  /// Tells the policy that the virtual CPU has nothing to run now.
  HOCKET_IN_LINE static void nobody_ready(LockedCore core, Vcpu& vcpu, Instant time) {
    if constexpr (Policy::kHasUsual) {
      core->policy.block(vcpu, time);  // in both cases: once in the code
      if (vcpu.sleepers().empty()) return;
    } else {
      if (vcpu.sleepers().empty()) return core->policy.block(vcpu, time);
    }
    core->policy.sleep(vcpu, time, vcpu.sleepers().front().wake_at);
  }

  /// `thread` (ready or new, in no list) sleeps until its wake_at.
  static void insert_sleeper(LockedCore core, Thread& thread, Instant time) {
    thread.state = ThreadState::Sleeping;
    record(core, time, EventKind::Sleep, thread.id, 0, thread.wake_at);
    Vcpu& vcpu = vcpu_of(thread);
    vcpu.sleepers().insert_ordered(
        thread, [](const Thread& a, const Thread& b) { return a.wake_at < b.wake_at; });
  }

  /// Sleepers of a virtual CPU whose time has come become ready, in order.
  HOCKET_APART static void wake_due(LockedCore core, Vcpu& vcpu, Instant time) {
    if constexpr (kLone && Policy::kHasUsual) {  // (the loop below, where there is one at most)
      Thread& thread = vcpu.sleepers().front();
      if (thread.wake_at > time) return;
      vcpu.sleepers().remove(thread);
      thread.state = ThreadState::Ready;
      vcpu.ready().push_back(thread);
      return record(core, time, EventKind::Wake, thread.id, 0);
    }
    while (!vcpu.sleepers().empty() && vcpu.sleepers().front().wake_at <= time) {
      Thread& thread = vcpu.sleepers().pop_front();
      thread.state = ThreadState::Ready;
      vcpu.ready().push_back(thread);
      record(core, time, EventKind::Wake, thread.id, 0);
    }
  }

  /// The core should decide anew, soon: by an interrupt, also for the calling core itself.
  static void ask_again(CoreRef core) { Port::send_reschedule(core.id()); }

  inline static Core cores_[Port::kCores];

 private:
  /// Where registers are many: one for the core, instead of an address for each of its parts.
  static CoreRef in_register(Core& named) {
    Core* core = &named;
    if constexpr (!kOnlyCore) asm("" : "+r"(core));
    return *core;
  }

  static void tell(CoreRef core, Instant time, EventKind kind, uint16_t thread, uint32_t arg,
                   uint64_t value) {
    Config::Trace::record(
        Event{static_cast<uint64_t>(time.ticks()), core.id(), kind, thread, arg, value});
  }
  /// An event that is made only when somebody wants it costs one look when nobody does.
  [[gnu::noinline]] static void record_apart(CoreRef core, Instant time, EventKind kind,
                                             uint16_t thread, uint32_t arg, uint64_t value) {
    tell(core, time, kind, thread, arg, value);
  }

  /// On a circular clock: see Scheduler::refresh.
  static void refresh([[maybe_unused]] LockedCore core, [[maybe_unused]] Instant time) {
    if constexpr (Instant::kCircular) {
      if (!core->timer.refresh_due(time)) return;
      core->policy.refresh(time);
      core->timer.refreshed(time);
    }
  }

  HOCKET_STEP static void on_interrupt(CoreRef here, EventKind kind, Cause cause) {
    const LockedCore core = LockedCore::take(here);
    const Instant entered = masked_now();
    Instant time = entered;
    record(core, time, kind, running(core).id, 0);
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
        core->account.pass_over(running(core), entered - Charges::entry(), masked_now());
      }
    }
    core.give_back();
  }

  /// Alarm handlers may wake threads of any core, so they run without this core's lock.
  HOCKET_RARE static void run_alarms(LockedCore core, Instant time) {
    core->alarms.run_due(time, [&core](auto call) { core.without(call); });
  }
};

}  // namespace hocket
