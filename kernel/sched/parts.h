// What the parts of a policy must offer: a server, an order, a timeline (state_machine.h says what
// each is for), and charges.
//
// No member is optional. An order in which nothing happens at the end of a turn says so with
// NoTurns (order.h). A misspelt hook is therefore a missing hook, and does not compile.
#pragma once

#include "kernel/sched/entity.h"

namespace hocket::parts {

// --- Servers: the supply of an entity (sporadic_server.h) ---

/// kLimited: an entity can use up its supply. kAlwaysUsable: an entity never has to wait for
/// supply. kServesIo: some entities are I/O virtual CPUs. kFew: the server has few refills on a
/// small processor; stop() then returns whether it has put them in order.
template <class S>
concept KnowsItsKind = requires {
  typename S::Instant;
  typename S::Duration;
  { S::kLimited } -> Same<const bool&>;
  { S::kAlwaysUsable } -> Same<const bool&>;
  { S::kServesIo } -> Same<const bool&>;
  { S::kFew } -> Same<const bool&>;
};

/// time: since when, or from when on, there is supply. rest: how much of it is left.
template <class S>
concept Supplies = requires(const S& server, typename S::Instant at) {
  { server.time() } -> Same<typename S::Instant>;
  { server.usable(at) } -> Same<bool>;
  { server.rest() } -> Same<typename S::Duration>;
};

/// Events of the owner: it has used an amount, wakes, or stops.
template <class S>
concept Accounts = requires(S& server, typename S::Instant at, typename S::Duration amount) {
  server.consume(amount);
  server.use_up(amount);
  server.stop(amount);
  requires !S::kFew || requires {
    { server.stop(amount) } -> Same<bool>;
  };
  server.join_crumbs(amount);
  { server.unblock(at) } -> Same<bool>;
  { server.unblock_unhurried(at) } -> Same<bool>;
  server.refresh(at);
};

template <class S>
concept Server = KnowsItsKind<S> && Supplies<S> && Accounts<S>;

// --- Orders: which ready entity comes first (priority_order.h) ---

/// kByRank: of two entities that become ready, the one with the lower rank comes first. kByKey:
/// each entity has a key, by which waiting entities are ordered. kSplits: entities may be parts of
/// split virtual CPUs. kDraws: the queue draws lots, from a seed.
template <class O>
concept Ranks = requires {
  typename O::Slot;
  typename O::Place;
  requires O::kSlots > 0;
  O::kRanking;
  { O::kByRank } -> Same<const bool&>;
  { O::kByKey } -> Same<const bool&>;
  { O::kSplits } -> Same<const bool&>;
  { O::kDraws } -> Same<const bool&>;
};

template <class O, class Entity>
concept Compares = requires(const Entity& entity) {
  { O::precedes(entity, entity) } -> Same<bool>;
};

/// reach: the slot below which entities precede the given one. With keys, key: of an entity whose
/// budget counts from an instant on; key_now: of a ready entity; last_key: of an entity without
/// budget.
template <class O, class Entity>
concept Reaches = requires(const Entity& entity, typename Entity::Instant since) {
  requires(!O::kByKey) || requires {
    { O::key(entity, since) < O::Key::last() } -> Same<bool>;
    { O::key_now(entity) } -> Same<typename O::Key>;
    { O::last_key(entity) } -> Same<typename O::Key>;
  };
  requires O::kByKey || requires {
    { O::reach(entity) } -> Same<typename O::Slot>;
    O::kAll;
  };
};

/// joined: the entity joins its core. stopped: it is no longer ready. end_turn: it has used up its
/// limit and is still ready. keep_recent: on a circular clock, while it waits for its turn.
template <class O, class Entity>
concept FollowsTurns = requires(Entity& entity, typename Entity::Instant now) {
  O::joined(entity);
  O::stopped(entity);
  O::end_turn(entity, now);
  O::keep_recent(entity, now);
};

/// The eligible entities that do not run. at: the owner of a slot. raise, lower: moves the entity
/// to a ceiling's slot. settle: moves it back to its own slot.
template <class O, class Entity>
concept Queues = requires(typename O::template Queue<Entity> queue, Entity& entity,
                          typename O::Slot slot, typename Entity::Instant now) {
  queue.reset(1u);
  queue.join(entity, slot);
  queue.insert(entity);
  queue.remove(entity);
  queue.raise(entity, slot, now);
  queue.lower(entity, slot);
  queue.settle(entity);
  { queue.first() } -> Same<Entity*>;
  { queue.at(slot) } -> Same<Entity*>;
  requires !O::kDraws || requires { queue.seed(1u); };
};

/// An entity as an order sees it.
template <class Server, class O>
struct AnyEntity : SchedulingEntity<AnyEntity<Server, O>, Server, O, true, true, false> {};

template <class O, class Server, class Entity = AnyEntity<Server, O>>
concept Order = Ranks<O> && Compares<O, Entity> && Reaches<O, Entity> && FollowsTurns<O, Entity> &&
                Queues<O, Entity>;

// --- Timelines: which entity is due when (base/tournament.h, priority_search_tree.h,
// few_instants.h) ---

/// kSetsAside: due entities that come later are kept apart. kAsks: the timeline asks the owner of a
/// slot until when it waits.
template <class T, class Instant>
concept KeepsInstants = requires(T timeline, typename T::Slot slot, Instant now) {
  timeline.reset(1u);
  timeline.clear(slot);
  { timeline.due(now) } -> Same<bool>;
  { T::kNone } -> Same<const typename T::Slot&>;
  { T::kSetsAside } -> Same<const bool&>;
  { T::kAsks } -> Same<const bool&>;
  requires !T::kSetsAside || requires {
    timeline.set_aside(slot);
    { timeline.first_aside() } -> Same<typename T::Slot>;
    { timeline.newly_due(now) } -> Same<bool>;
    { timeline.due_below(slot, now) } -> Same<bool>;
  };
};

/// first_due: the first of the due entities. earliest: the earliest instant of those below a slot
/// or key.
template <class T, class O, class Instant>
concept FindsTheFirst = requires(T timeline, typename T::Slot slot, Instant at) {
  { timeline.first_due(at) } -> Same<typename T::Slot>;
  requires O::kByKey || requires {
    timeline.wait(slot, at);
    { timeline.earliest(slot, at) } -> Same<Instant>;
  };
  requires(!O::kByKey) || requires(typename O::Key key) {
    timeline.wait(slot, key, at);
    { timeline.earliest(key, at) } -> Same<Instant>;
  };
};

/// On a circular clock there are few entities, and the timeline asks them for their instants.
template <class Slot, class Instant>
struct AnyWaiters {
  static constexpr bool kByKey = false;
  static Instant until(Slot) { return Instant(); }
};
template <class T, class Instant, class Waiters = AnyWaiters<typename T::Slot, Instant>>
concept AsksWaiters = requires(T timeline, typename T::Slot slot, Instant at, Waiters waiters) {
  timeline.wait(slot, at);
  { timeline.take_due(at, waiters) } -> Same<typename T::Slot>;
  { timeline.first_due(at, waiters) } -> Same<typename T::Slot>;
  timeline.stay(at);
  { timeline.earliest(slot, at, waiters) } -> Same<Instant>;
  { timeline.bound(slot, true, at, waiters) } -> Same<bool>;
};

template <class T, class O, class Instant>
concept Timeline = KeepsInstants<T, Instant> && (!Instant::kCircular || AsksWaiters<T, Instant>) &&
                   (Instant::kCircular || FindsTheFirst<T, O, Instant>);

// --- The kernel's costs (policy.h: NoCharges; docs/decisions/who-pays.md) ---

/// kOneCore: no entity is ever woken from another core.
template <class C, class Duration>
concept Charges = requires {
  { C::kOneCore } -> Same<const bool&>;
  { C::entry() } -> Same<Duration>;
  { C::switching() } -> Same<Duration>;
  { C::interrupt() } -> Same<Duration>;
  { C::ending() } -> Same<Duration>;
  { C::smallest() } -> Same<Duration>;
};

}  // namespace hocket::parts
