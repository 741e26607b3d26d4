// The cores: the state of each one, and the tokens that prove a caller's context.
//
// Everything of a kernel is static: an image has one kernel, and addresses that are known at link
// time make short code. The kernel is a stack of classes. Each is built on the one before it and
// uses nothing of the later ones:
//
//   Cores            core.h              state of each core; LockedCore, InHandler; clock, event log
//   Migration        migration.h         threads of split virtual CPUs move between cores
//   Dispatcher       dispatcher.h        from a decision to a context switch
//   CountedHandlers  counted_handlers.h  handlers whose time no thread pays for
//   Blocking         blocking.h          threads block and are woken
//   Interrupts       interrupts.h        the timer, other cores, handlers
//   Kernel           kernel.h            threads, ceilings, alarms: the interface for applications
//
// Rules that keep it simple:
//   - Each core has its own queues and one lock for them. Nothing is scheduled globally.
//   - An object's lock (of a semaphore, for example) is taken before a core's lock. The locks of
//     two cores are never held at once.
//   - An event only records which thread runs next. Switches happen in two places: where a thread
//     releases the core's lock, and at the end of an interrupt.
//   - A core's lock is held across a context switch; the thread that is switched to releases it.
//   - A thread belongs to the core of its virtual CPU. Where that may change (migration.h), it
//     changes after a switch away from the thread, with that core's lock held. After a switch back
//     to the thread, the core is determined again.
//   - A function that needs the lock takes a LockedCore, which only entry points create.
//   - An entry point reads the clock once for its decision, and again only after a call of other
//     code: alarm handlers, a top half, work that is done in an interrupt.
#pragma once

#include "kernel/base/atomic.h"
#include "kernel/base/construct.h"
#include "kernel/sched/policy.h"
#include "kernel/task/account.h"
#include "kernel/task/decision_timer.h"
#include "kernel/task/options.h"
#include "kernel/task/policy_observer.h"
#include "kernel/task/port_charges.h"
#include "kernel/task/thread.h"
#include "kernel/time/alarm_queue.h"
#include "kernel/trace/event.h"

namespace hocket {

/// Per-core state for threads that may move to another core (migration.h).
template <class Vcpu, class Thread, bool kKept>
struct Migrations {
  Thread* leaving = nullptr;  // still running; is handed over after the switch away from it
  Vcpu* parts = nullptr;      // this core's parts of split virtual CPUs
};
template <class Vcpu, class Thread>
struct Migrations<Vcpu, Thread, false> {};

/// Per-core state while a handler runs that no entity pays for (counted_handlers.h).
template <class Instant, bool kKept>
struct CountedTime {
  bool runs = false;
  bool ends_passed = false;  // with pass_over()
  Instant since;             // the handler's time until here has been accounted for
};
template <class Instant>
struct CountedTime<Instant, false> {};

template <class Port, class Config>
class Cores {
  static_assert(port::check<Port>());

 public:
  using Processor = Port;
  static constexpr bool kStatistics = Config::kOptions.statistics;
  static constexpr bool kTraced = !Same<typename Config::Trace, NoTrace>;
  static constexpr bool kAsksFirst = Config::Trace::kAsksFirst;
  static constexpr bool kObserved = kStatistics || kTraced;
  using Ticks = typename Port::Ticks;
  using Policy = typename Config::template Policy<PolicyObserver<Cores, kObserved>>;
  using Charges = PortCharges<Port>;
  using Instant = typename Policy::Instant;
  using Duration = typename Policy::Duration;
  static constexpr bool kOnlyCore = Port::kCores == 1 && Instant::kCircular;
  static constexpr bool kLone = Config::kOptions.lone_threads;
  static constexpr bool kOneObject = Config::kOptions.one_object;
  static_assert(!kOneObject || (kLone && kOnlyCore && !kObserved));
  using Kinds = ThreadKinds<Port, Policy, kStatistics, kLone, kOneObject>;
  using Thread = typename Kinds::Thread;
  using Vcpu = typename Kinds::Vcpu;
  /// What a core runs: a thread, or its idle context.
  using Runner = typename Kinds::Runner;
  using Alarm = hocket::Alarm<Ticks>;
  using Entry = void (*)(void*);
  static_assert(policy::check<Policy>());
  /// Whether threads may move to another core (migration.h).
  static constexpr bool kMigrates = kPolicySplits<Policy>;
  static_assert(!kMigrates || port::ThreadsMigrate<Port>);
  static constexpr bool kCountsHandlers = Config::kOptions.counts_handlers;
  static constexpr bool kHoldersSayIt = Config::kOptions.holders_say_it;

  /// The part of a core that may be read without its lock.
  struct Core {
    [[no_unique_address]] typename Port::Lock lock{};
    Runner* current = nullptr;
    Runner* next = nullptr;  // runs from the next exit on; equal to current: no switch
  };
  /// All of a core. What is added here is reached through a LockedCore only.
  struct GuardedCore : Core {
    DecisionTimer<Port, Policy::kSlots> timer;
    [[no_unique_address]] Account<Thread, kStatistics> account;
    AlarmQueue<Ticks, Config::kMaxAlarms> alarms;
    [[no_unique_address]] Migrations<Vcpu, Thread, kMigrates> migrations;
    [[no_unique_address]] CountedTime<Instant, kCountsHandlers> counted;
    Policy policy;
    // Constructed by init_core(). A core is all zeros before, which takes no room in an image.
    union {
      char nothing = 0;
      Runner idle;
    };
  };

  /// A reference to a core. On a small processor with one core its address is a constant, so the
  /// value that is passed around is not used. With many registers, passing it in one of them is
  /// shorter.
  class CoreRef {
   public:
    /// Implicit: a Core& is a reference to the same core.
    CoreRef(Core& core) : core_(static_cast<GuardedCore*>(&core)) {}
    Core* operator->() const { return whole(); }
    CoreId id() const { return static_cast<CoreId>(whole() - cores_); }

   protected:
    GuardedCore* whole() const { return kOnlyCore ? &cores_[0] : core_; }

   private:
    GuardedCore* core_;
  };

  /// Proves that interrupts are masked and this core's lock is held. Functions that require this
  /// take a LockedCore, and the policy, the timer, the alarms and the account are reached through
  /// one. Only entry points, which take the lock, create one. It is only a reference to the core,
  /// so it costs nothing.
  class LockedCore : public CoreRef {
   public:
    GuardedCore* operator->() const { return this->whole(); }
    /// Takes the core's lock. Interrupts must be masked.
    [[nodiscard]] static LockedCore take(CoreRef core) {
      Port::lock(core->lock);
      return LockedCore(core);
    }
    /// For the thread that was switched to: the previous thread took the lock and left it held.
    [[nodiscard]] static LockedCore taken_over(CoreRef core) { return LockedCore(core); }
    /// For a core on which nothing runs yet, or nothing any more.
    [[nodiscard]] static LockedCore at_rest(CoreRef core) { return LockedCore(core); }
    /// Releases the lock. The token must not be used afterwards.
    void give_back() const { Port::unlock((*this)->lock); }
    /// Calls code that may take the same lock.
    template <class Call>
    void without(Call call) const {
      Port::unlock((*this)->lock);
      call();
      Port::lock((*this)->lock);
    }

   private:
    explicit LockedCore(CoreRef core) : CoreRef(core) {}
  };

  /// Proves that the caller is in a handler at whose end the kernel switches to the next thread
  /// (hocket_interrupt_exit). It is empty and costs nothing; checked builds verify the claim.
  class InHandler {
   public:
    [[nodiscard]] static InHandler here() {
      HOCKET_CHECK(Port::in_irq());
      return {};
    }

   private:
    InHandler() {}
  };

  static Instant now() { return Instant(Port::now()); }
  /// now() with interrupts masked, which is shorter on some ports.
  static Instant masked_now() {
    if constexpr (Port::kOptions.masked_clock) {
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
    } else if constexpr (kMigrates) {
      return in_register(cores_[atomic_load(thread.vcpu, order::acquire)->core]);
    } else {
      return in_register(cores_[thread.vcpu->core]);
    }
  }
  static CoreRef core_of(const Vcpu& vcpu)
    requires(!kOneObject)
  {
    return in_register(cores_[Port::kCores == 1 ? 0 : vcpu.core]);
  }
  static Vcpu& vcpu_of(Thread& thread) {
    if constexpr (kOneObject) {
      return thread;
    } else {
      return *thread.vcpu;
    }
  }
  /// Takes the lock of the core that owns the thread. Interrupts must be masked.
  [[nodiscard]] static LockedCore lock_owner(Thread& thread) {
    if constexpr (!kMigrates) return LockedCore::take(core_of(thread));
    for (;;) {
      const CoreRef owner = core_of(thread);
      const LockedCore core = LockedCore::take(owner);
      if (core_of(thread).id() == owner.id()) return core;
      core.give_back();  // the thread has moved meanwhile
    }
  }
  /// The core whose lock the caller holds. After a possible switch away and back, it may be another
  /// core than before.
  static LockedCore still(LockedCore core) {
    if constexpr (kMigrates) return LockedCore::taken_over(this_core());
    return core;
  }
  /// The thread that a core runs. If the core is idle, the result may be named but not used.
  static Thread& running(CoreRef core) { return static_cast<Thread&>(*core->current); }
  /// The calling thread.
  static Thread& self() {
    if constexpr (kMigrates) return *self_anywhere();
    return running(this_core());
  }
  /// The thread that runs on this core, for callers that may be moved to another core at any time.
  static Thread* self_anywhere() {
    const typename Port::IrqState state = Port::irq_save();
    auto* const current = this_core()->current;
    Port::irq_restore(state);
    return static_cast<Thread*>(current);
  }

  /// For a policy that draws lots: the seed of a core. Call this before init_core().
  static constexpr bool kDraws = Policy::kDraws;
  static void seed(CoreId id, uint32_t number)
    requires kDraws
  {
    LockedCore::at_rest(cores_[id])->policy.seed(number);
  }

  /// Clears a core and sets the number of its priorities. Call this once, on that core, before
  /// anything else. The calling context becomes the core's idle thread.
  [[gnu::cold]] static void init_core(CoreId id, unsigned slots) {
    const LockedCore core = LockedCore::at_rest(cores_[id]);
    core->policy.reset(slots);
    if constexpr (kMigrates) core->migrations = {};
    construct<Runner>(&core->idle);
    if constexpr (!kOneObject) core->idle.id = Event::kNoThread;
    core->current = core->next = &core->idle;
    const Instant time = masked_now();
    core->account.begin(time, running(core));
    core->timer.reset(time);
  }

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
  /// Whether events are wanted now.
  static bool wants_events() {
    if constexpr (kAsksFirst) {
      return Config::Trace::wanted;
    } else {
      return true;
    }
  }

 protected:
  static bool is_this(CoreRef core) { return Port::kCores == 1 || core.id() == Port::core_id(); }
  /// Requests a decision of the core by an interrupt, also for the calling core.
  static void ask_again(CoreRef core) { Port::send_reschedule(core.id()); }

  inline static GuardedCore cores_[Port::kCores];

 private:
  /// With many registers, one register for the core is shorter than an address for each of its
  /// fields.
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
  /// Out of line, so that an event that is not wanted costs one test.
  [[gnu::noinline]] static void record_apart(CoreRef core, Instant time, EventKind kind,
                                             uint16_t thread, uint32_t arg, uint64_t value) {
    tell(core, time, kind, thread, arg, value);
  }
};

}  // namespace hocket
