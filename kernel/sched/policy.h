// What a scheduling policy must offer. One policy per application, chosen at compile time.
//
// A policy is pure: it is told what happened and when, and answers who runs next and when it must
// be asked again. It owns one core's entities (a virtual CPU, a reservation, a thread: whatever it
// schedules) and knows neither threads nor hardware. The kernel calls the hooks with the core
// locked, and `now` never goes back. There is no hook for «time has passed»: who runs is charged by
// the policy itself when it stops or reaches its limit (docs/decisions/policies-are-pure.md).
//
// The scheduler that all policies share is in scheduler.h, its state machine in state_machine.h; a
// policy is put together of it and of a server, an order and a timeline (vcpu_policy.h,
// bitmap_policy.h).
#pragma once

#include "kernel/base/time.h"

namespace hocket {

/// Who wakes an entity: that decides who pays for what follows (docs/decisions/who-pays.md).
enum class Waker : uint8_t {
  Thread,     // the running thread, by a call of its own
  Interrupt,  // a handler on the entity's core
  OtherCore,  // an inter-processor interrupt will follow, unless the answer is Same
};

/// What must follow a wake-up.
enum class Wakeup : uint8_t {
  Same,    // somebody more important runs on
  Rearm,   // the policy must be asked again at another time than before (next_event)
  Decide,  // somebody else may have to run (pick)
  Takes,   // the woken entity runs from now on: the decision is made
};

/// Why a decision is made: that decides from when on whoever is chosen is charged.
enum class Cause : uint8_t {
  Call,       // a call of the running thread, which goes on or is preempted
  Stop,       // the running entity has stopped: it has paid for the switch that follows
  Timer,      // the timer's interrupt, whose entry is paid by whoever preempts or has used up
  Interrupt,  // another interrupt: likewise
};

/// What the kernel costs, as the account knows it (docs/decisions/who-pays.md): static functions,
/// of a port's declared constants (task/port_charges.h). This one charges nothing: for tests.
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
  /// The least rest that is worth an activation; at least one tick.
  static constexpr Duration smallest() { return Duration(1); }
};

/// What a policy tells about itself as it works: the kernel turns it into trace and statistics.
/// Every function may be left empty.
struct SilentObserver {
  static constexpr bool kObserves = false;  // nothing is lost when it is not told
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

/// A core begins with `slots` priorities; an entity without budget runs in idle time only. (A
/// system that has none says so: kBestEffort.)
template <class P>
concept TakesEntities = requires(P p, typename P::Entity& entity) {
  p.reset(1u);
  { P::precedes(entity, entity) } -> Same<bool>;
} && (requires { requires !P::kBestEffort; } ||
      requires(P p, typename P::Entity& entity, typename P::Slot slot) {
        p.add_best_effort(entity, slot);
      });

/// block: nobody of the entity is ready; it gets nothing until it wakes. sleep: the same, and it
/// becomes ready by itself at the given instant. wake: it is ready now; nothing happens when it is
/// already.
template <class P>
concept FollowsEntities = requires(P p, typename P::Entity& entity, typename P::Instant now) {
  p.block(entity, now);
  p.sleep(entity, now, now);
  { p.wake(entity, now, Waker::Thread) } -> Same<Wakeup>;
  { entity.is_ready() } -> Same<bool>;
};

/// pick: chooses who runs from now on; nullptr leaves the core idle. It is pick_usual, if there is
/// one (kHasUsual), and pick_any where that finds nobody. next_event: whether pick()
/// must be called by itself, and when at the latest. running: who was chosen last. competes:
/// whether a ready entity that does not run could have run on (it was preempted, not throttled).
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

/// raise: the running entity takes a lock whose ceiling has `slot`, for no longer than until the
/// second instant; pick() follows if somebody is due. lower: it gives it back and is where it was.
/// A system without ceilings says so (kCeilings) and has neither.
template <class P>
concept HasCeilings =
    !P::kCeilings || requires(P p, typename P::Entity& entity, typename P::Instant now) {
      p.raise(entity, typename P::Slot(0), now, now);
      { p.due(now) } -> Same<bool>;
      p.lower(entity, typename P::Slot(0), now, now);
    };

/// Says by name which part a policy lacks; a kernel instantiates it.
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
