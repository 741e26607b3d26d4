// The interface of a scheduling policy. An application has one policy, chosen at compile time.
//
// A policy is pure: the kernel reports each event and its time, and the policy answers which entity
// runs next and when it must be called again. A policy object owns the entities of one core
// (virtual CPUs, reservations, threads: whatever it schedules) and knows neither threads nor
// hardware. Legal context: the kernel calls every hook with the core locked, and `now` never
// decreases. There is no hook for the passing of time: the policy itself charges the running entity
// when that stops or reaches its limit (docs/decisions/one-state-machine.md).
//
// All policies here share the scheduler in scheduler.h and the state machine in state_machine.h. A
// policy combines them with a server, an order and a timeline (vcpu_policy.h, bitmap_policy.h).
#pragma once

#include "kernel/base/time.h"

namespace hocket {

/// The source of a wake-up. It decides which entity pays for what follows
/// (docs/decisions/who-pays.md).
enum class Waker : uint8_t {
  Thread,     // a call of the running thread
  Interrupt,  // a handler on the entity's core
  OtherCore,  // code of another core; if the answer is not Same, it sends an interrupt
};

/// What must follow a wake-up.
enum class Wakeup : uint8_t {
  Same,    // nothing: an entity that comes first runs on
  Rearm,   // the timer must be set again: next_event() has changed
  Decide,  // pick(): another entity may have to run
  Takes,   // nothing more: the woken entity runs from now on
};

/// Why a decision is made. It decides from when on the chosen entity is charged.
enum class Cause : uint8_t {
  Call,       // a call of the running thread, which continues or is preempted
  Stop,       // the running entity has stopped: it has paid for the switch that follows
  Timer,      // the timer's interrupt; the entity that preempts or ends its budget pays for it
  Interrupt,  // another interrupt; the same entity pays
};

/// The kernel's costs, as static functions, from a port's declared constants (task/port_charges.h;
/// docs/decisions/who-pays.md). This class charges nothing, and is for tests.
template <class Rep>
struct NoCharges {
  using Duration = BasicDuration<Rep>;
  /// Whether no entity is ever woken from another core.
  static constexpr bool kOneCore = false;
  /// E: from the interrupted code to the kernel's reading of the clock.
  static constexpr Duration entry() { return Duration(0); }
  /// S: from a reading of the clock to the next thread's first instruction.
  static constexpr Duration switching() { return Duration(0); }
  /// I: an interrupt that changes nothing.
  static constexpr Duration interrupt() { return Duration(0); }
  /// E + S: what the end of a budget costs.
  static constexpr Duration ending() { return Duration(0); }
  /// The smallest rest that is worth an activation. At least one tick.
  static constexpr Duration smallest() { return Duration(1); }
};

/// What a policy reports about itself: the kernel makes a trace and statistics of it. Every
/// function may be empty.
struct SilentObserver {
  static constexpr bool kObserves = false;  // false: the policy may skip what only observers need
  template <class Entity, class Instant>
  static void released(Entity&, Instant /*release*/) {}
  template <class Entity, class Instant>
  static void responded(Entity&, Instant /*release*/, Instant /*finish*/) {}
  template <class Entity, class Instant>
  static void exhausted(Entity&, Instant /*now*/, Instant /*next refill*/) {}
};

/// Whether some entities of a policy are I/O virtual CPUs (pibs_server.h).
template <class P>
inline constexpr bool kHasIo = P::SupplyServer::kServesIo;

namespace policy {

template <class P>
concept HasTypes = requires {
  typename P::Entity;
  typename P::Instant;
  typename P::Duration;
  typename P::Slot;
  requires P::kSlots > 0;
};

/// reset: the core starts with `slots` priorities. add_best_effort: adds an entity without budget,
/// which runs in idle time only. A policy without such entities sets kBestEffort to false.
template <class P>
concept TakesEntities = requires(P p, typename P::Entity& entity) {
  p.reset(1u);
  { P::precedes(entity, entity) } -> Same<bool>;
} && (requires { requires !P::kBestEffort; } ||
      requires(P p, typename P::Entity& entity, typename P::Slot slot) {
        p.add_best_effort(entity, slot);
      });

/// block: the entity has nothing to run and gets no time until it wakes. sleep: the same, and it
/// becomes ready by itself at the given instant. wake: it is ready now; no effect if it is ready
/// already.
template <class P>
concept FollowsEntities = requires(P p, typename P::Entity& entity, typename P::Instant now) {
  p.block(entity, now);
  p.sleep(entity, now, now);
  { p.wake(entity, now, Waker::Thread) } -> Same<Wakeup>;
  { entity.is_ready() } -> Same<bool>;
};

/// pick: chooses the entity that runs from now on; null leaves the core idle. It calls pick_usual
/// if there is one (kHasUsual), and pick_any if that returns null. next_event: whether pick() must
/// be called without another event, and when at the latest. running: the entity chosen last.
/// competes: whether a ready entity that does not run could have run on (it was preempted, not
/// throttled).
template <class P>
concept Decides = requires(P p, typename P::Entity& entity, typename P::Instant now) {
  { p.pick(now, Cause::Interrupt) } -> Same<typename P::Entity*>;
  { P::kHasUsual } -> Same<const bool&>;
  { p.pick_usual(now, Cause::Stop) } -> Same<typename P::Entity*>;
  { p.pick_any(now, Cause::Stop) } -> Same<typename P::Entity*>;
  { p.next_event(now) } -> Same<bool>;
  { p.running() } -> Same<typename P::Entity*>;
  { p.competes(entity, now) } -> Same<bool>;
};

/// raise: the running entity takes a lock whose ceiling has `slot`, and holds it until the second
/// instant at the latest; pick() follows if an entity is due. lower: it releases the lock and
/// returns to its former slot. A system without ceilings sets kCeilings to false, and has neither.
template <class P>
concept HasCeilings =
    !P::kCeilings || requires(P p, typename P::Entity& entity, typename P::Instant now) {
      p.raise(entity, typename P::Slot(0), now, now);
      { p.due(now) } -> Same<bool>;
      p.lower(entity, typename P::Slot(0), now);
    };

/// Reports which part a policy lacks, as a compile-time error. Each kernel instantiates it.
template <class P>
constexpr bool check() {
  static_assert(HasTypes<P>, "the policy lacks Entity, Instant, Duration, Slot or kSlots");
  static_assert(TakesEntities<P>, "the policy lacks reset, add_best_effort or precedes");
  static_assert(FollowsEntities<P>, "the policy lacks block, sleep, wake or Entity::is_ready");
  static_assert(Decides<P>,
                "the policy lacks pick, pick_usual, pick_any, next_event, running or competes");
  static_assert(HasCeilings<P>,
                "the policy lacks raise or lower, and does not say kCeilings = false");
  return true;
}

}  // namespace policy
}  // namespace hocket
