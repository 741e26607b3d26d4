// The cores: what each one has, and the tokens that prove where a caller is.
//
// Everything of a kernel is static: an image has one, and addresses known at link time make short
// code. Its classes are stacked, each built of the one before it and of nothing behind it:
//
//   Cores        core.h         the state of each core; LockedCore, InHandler; clock and event log
//   Dispatcher   dispatcher.h   from a decision to a context switch
//   Blocking     blocking.h     threads stop and are woken
//   Interrupts   interrupts.h   the timer, other cores, handlers
//   Kernel       kernel.h       the life of threads, ceilings, alarms: what applications see
//
// Rules that keep it simple:
//   - each core has its own queues and one lock for them; nothing is scheduled globally;
//   - an object's lock (semaphore …) is taken before a core's lock, and never two cores' locks;
//   - whatever happens only records who runs next. Switching happens in two places: where a thread
//     gives the lock back, and at the end of an interrupt;
//   - a core's lock is held across a context switch, the thread switched to releases it;
//   - a thread is its virtual CPU's core's. Where that may change (migration.h) it does so behind a
//     switch away from it, with that core's lock; and behind a switch back to it, its core is asked
//     for anew;
//   - what needs the lock takes a LockedCore, which only doors make;
//   - an entry reads the clock once for its decision, and again only behind what it has called:
//     alarms' handlers, a top half, work that is done in an interrupt.
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

/// Of a core, where threads may go on on another one (migration.h).
template <class Vcpu, class Thread, bool kKept>
struct Migrations {
  Thread* leaving = nullptr;  // it still runs: handed over behind the switch away from it
  Vcpu* parts = nullptr;      // those that this core has, of virtual CPUs in two parts
};
template <class Vcpu, class Thread>
struct Migrations<Vcpu, Thread, false> {};

/// Of a core: a handler runs whose time nobody pays for (Interrupts::begin_counted).
template <class Instant, bool kKept>
struct CountedTime {
  bool runs = false;
  Instant since;  // up to here somebody has been spared it
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
  /// What a core runs: a thread, or what else waits on it.
  using Runner = typename Kinds::Runner;
  using Alarm = hocket::Alarm<Ticks>;
  using Entry = void (*)(void*);
  static_assert(policy::check<Policy>());
  /// Whether threads may go on on another core (migration.h).
  static constexpr bool kMigrates = kPolicySplits<Policy>;
  static_assert(!kMigrates || port::ThreadsMigrate<Port>);
  static constexpr bool kCountsHandlers = Config::kOptions.counts_handlers;
  static constexpr bool kHoldersSayIt = Config::kOptions.holders_say_it;

  /// What anybody may look at.
  struct Core {
    [[no_unique_address]] typename Port::Lock lock{};
    Runner* current = nullptr;
    Runner* next = nullptr;  // who runs from the next exit on; current: nothing to do there
  };
  /// All of it: what comes here is reached with the lock only, through a LockedCore.
  struct GuardedCore : Core {
    DecisionTimer<Port, Policy::kSlots> timer;
    [[no_unique_address]] Account<Thread, kStatistics> account;
    AlarmQueue<Ticks, Config::kMaxAlarms> alarms;
    [[no_unique_address]] Migrations<Vcpu, Thread, kMigrates> migrations;
    [[no_unique_address]] CountedTime<Instant, kCountsHandlers> counted;
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
    CoreRef(Core& core) : core_(static_cast<GuardedCore*>(&core)) {}  // a Core& is as good
    Core* operator->() const { return whole(); }
    CoreId id() const { return static_cast<CoreId>(whole() - cores_); }

   protected:
    GuardedCore* whole() const { return kOnlyCore ? &cores_[0] : core_; }

   private:
    GuardedCore* core_;
  };

  /// That interrupts are masked and this core's lock is held: what only then may be called takes
  /// one, and the policy, the timer, the alarms and the account are reached through one. Made at
  /// doors only, where the lock is taken; nothing but the core's name, so it costs nothing.
  class LockedCore : public CoreRef {
   public:
    GuardedCore* operator->() const { return this->whole(); }
    /// Masked.
    [[nodiscard]] static LockedCore take(CoreRef core) {
      Port::lock(core->lock);
      return LockedCore(core);
    }
    /// What the thread that was switched away from took, and left to who goes on.
    [[nodiscard]] static LockedCore taken_over(CoreRef core) { return LockedCore(core); }
    /// Nothing runs on that core yet, or any more.
    [[nodiscard]] static LockedCore at_rest(CoreRef core) { return LockedCore(core); }
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

  /// That the caller is in a handler at whose end the kernel goes on with whoever is to run
  /// (hocket_interrupt_exit). Empty, so it costs nothing; checked builds look whether it is true.
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
  /// The same where interrupts are masked: on some ports the shorter question.
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
  /// With the lock of the core that it belongs to. Masked.
  [[nodiscard]] static LockedCore lock_owner(Thread& thread) {
    if constexpr (!kMigrates) return LockedCore::take(core_of(thread));
    for (;;) {
      const CoreRef owner = core_of(thread);
      const LockedCore core = LockedCore::take(owner);
      if (core_of(thread).id() == owner.id()) return core;
      core.give_back();  // it has gone meanwhile
    }
  }
  /// The core whose lock the caller holds, behind what may have been a switch away and back.
  static LockedCore still(LockedCore core) {
    if constexpr (kMigrates) return LockedCore::taken_over(this_core());
    return core;
  }
  /// The thread that a core runs. (Where that is no thread but what waits there, it is only named.)
  static Thread& running(CoreRef core) { return static_cast<Thread&>(*core->current); }
  /// The calling thread.
  static Thread& self() {
    if constexpr (kMigrates) return *self_anywhere();
    return running(this_core());
  }
  /// Whoever runs on this core, asked where that may become another core at any time.
  static Thread* self_anywhere() {
    const typename Port::IrqState state = Port::irq_save();
    auto* const current = this_core()->current;
    Port::irq_restore(state);
    return static_cast<Thread*>(current);
  }

  /// Where the policy draws by lot: with what it begins on a core. Before init_core().
  static constexpr bool kDraws = Policy::kDraws;
  static void seed(CoreId id, uint32_t number)
    requires kDraws
  {
    LockedCore::at_rest(cores_[id])->policy.seed(number);
  }

  /// Clears a core and says how many priorities it will have. Called once, on that core, before
  /// anything else; the calling context is the core's idle thread from now on.
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
  /// Whether anybody wants them now.
  static bool wants_events() {
    if constexpr (kAsksFirst) {
      return Config::Trace::wanted;
    } else {
      return true;
    }
  }

 protected:
  static bool is_this(CoreRef core) { return Port::kCores == 1 || core.id() == Port::core_id(); }
  /// The core should decide anew, soon: by an interrupt, also for the calling core itself.
  static void ask_again(CoreRef core) { Port::send_reschedule(core.id()); }

  inline static GuardedCore cores_[Port::kCores];

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
};

}  // namespace hocket
