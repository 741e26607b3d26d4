// What a scheduling policy must offer. One policy per application, chosen at compile time.
//
// A policy is pure: it is told what happened and when, and answers who runs next and when it must
// be asked again. It owns one core's entities (a virtual CPU, a reservation, a thread: whatever it
// schedules) and knows neither threads nor hardware. The kernel calls the hooks with the core
// locked, and `now` never goes back. There is no hook for «time has passed»: who runs is charged by
// the policy itself when it stops or reaches its limit (docs/decisions/policies-are-pure.md).
#pragma once

#include "kernel/base/time.h"

namespace hocket {

/// What must follow a wake-up.
enum class WakeEffect : uint8_t {
  None,    // somebody more important runs on
  Timer,   // the policy must be asked again at another time than before (next_event)
  Decide,  // it may run now (pick)
};

/// When pick() must be called at the latest if nothing happens until then. On a circular clock,
/// which has no «never»: whether it must be called at all by itself, and when.
template <class P>
concept KnowsItsNextEvent = requires(P policy) {
  { policy.next_event() } -> Same<typename P::Instant>;
} || requires(P policy, typename P::Instant when) {
  { policy.next_event(when) } -> Same<bool>;
};

template <class P>
concept SchedulingPolicy = KnowsItsNextEvent<P> &&
                           requires(P policy, typename P::Entity& entity, typename P::Instant now) {
                             /// Nobody is ready; the entity gets nothing until it wakes.
                             policy.block(entity, now);
                             /// As block(), and it becomes ready by itself at the given instant.
                             policy.sleep(entity, now, now);
                             /// The entity is ready since the given instant: now, or an earlier one
                             /// that was noticed late. Nothing happens when it is ready already.
                             { policy.wake(entity, now) } -> Same<WakeEffect>;
                             /// Chooses who runs from now on; nullptr leaves the core idle.
                             { policy.pick(now) } -> Same<typename P::Entity*>;
                             /// Whether the policy counts the entity as ready.
                             { entity.is_ready() } -> Same<bool>;
                             /// Whether a ready entity that does not run could have run on (it was
                             /// preempted, not throttled).
                             { policy.competes(entity, now) } -> Same<bool>;
                             /// Whether the first entity comes before the second where both wait
                             /// for the same thing.
                             { P::precedes(entity, entity) } -> Same<bool>;
                           };

/// What a policy tells about itself as it works: the kernel turns it into trace and statistics.
/// Every function may be left empty.
template <class Entity, class Instant>
struct SilentObserver {
  static constexpr bool kObserves = false;  // nothing is lost when it is not told
  static void released(Entity&, Instant /*release*/) {}
  static void responded(Entity&, Instant /*release*/, Instant /*finish*/) {}
  static void exhausted(Entity&, Instant /*now*/, Instant /*next refill*/) {}
};

}  // namespace hocket
