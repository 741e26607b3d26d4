// What always holds in the state machine, whatever happens: where an entity is, who runs, when it
// must be asked again, and that no budget gets lost. Its order and its timeline are watched for
// that.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <tuple>
#include <vector>

#include "kernel/sched/deadline_order.h"
#include "kernel/sched/vcpu_policy.h"

namespace hocket {
namespace {

constexpr unsigned kSlots = 16;
using Instant = BasicInstant<int64_t>;
using Duration = BasicDuration<int64_t>;

/// Fixed priorities, and which slots are in the queue.
template <class Order>
struct Watched : Order {
  template <class Entity>
  struct Queue : Order::template Queue<Entity> {
    using Base = typename Order::template Queue<Entity>;
    static inline std::array<bool, kSlots> queued;

    void reset(unsigned slots) {
      queued = {};
      Base::reset(slots);
    }
    void insert(Entity& entity) {
      RC_ASSERT(!queued.at(entity.rank));
      queued.at(entity.rank) = true;
      Base::insert(entity);
    }
    void remove(Entity& entity) {
      queued.at(entity.rank) = false;
      Base::remove(entity);
    }
  };
};

template <class Order>
struct WatchedTimeline : TimelineFor<int64_t, Order> {
  using Base = TimelineFor<int64_t, Order>;
  static inline const WatchedTimeline* last = nullptr;
  void reset(unsigned slots) {
    last = this;
    Base::reset(slots);
  }
};

struct Costs {
  static constexpr bool kOneCore = false;
  static constexpr Duration entry() { return Duration(1); }
  static constexpr Duration switching() { return Duration(2); }
  static constexpr Duration interrupt() { return Duration(2); }
  static constexpr Duration ending() { return entry() + switching(); }
  static constexpr Duration smallest() { return Duration(8); }
};

template <class Order>
class Machine {
  using Server = SporadicServer<int64_t, 4>;
  using WatchedOrder = Watched<Order>;
  using Timeline = WatchedTimeline<WatchedOrder>;
  using Policy = Scheduler<int64_t, Server, WatchedOrder, Timeline, Costs>;
  using Entity = typename Policy::Entity;
  using State = typename Entity::State;

 public:
  static constexpr unsigned kEntities = 5;

  Machine() {
    policy_.reset(kSlots);
    for (unsigned i = 0; i < kEntities; ++i) {
      policy_.add(entity_[i], slot(i), Duration(20 + 5 * i), Duration(100 + 60 * i), Instant(0));
    }
    entity_[2].background = true;
    policy_.add_best_effort(best_effort_, slot(kEntities));
  }

  void step(uint8_t what, uint8_t which, uint8_t span) {
    now_ += span % 40;
    Entity& entity =
        which % (kEntities + 1) == kEntities ? best_effort_ : entity_[which % kEntities];
    switch (what % 9) {
      case 0:
        policy_.block(entity, Instant(now_));
        return decide(Cause::Stop);
      case 1:
        if (!entity.is_ready()) return;
        policy_.sleep(entity, Instant(now_), Instant(now_ + 1 + span % 64));
        return decide(Cause::Stop);
      case 2:
        return wake(entity, Waker::OtherCore);
      case 3:
        return wake(entity, Waker::Thread);
      case 4:
        return wake(entity, Waker::Interrupt);
      case 5:
        if (&entity != policy_.running()) return;
        policy_.raise(entity, ceiling(span % (entity.rank + 1u)), Instant(now_),
                      Instant(now_ + 30));
        if (policy_.due(Instant(now_))) return decide(Cause::Call);
        return check();
      case 6:
        if (&entity != policy_.running()) return;
        policy_.lower(entity, entity.rank, Instant(now_));
        return decide(Cause::Call);
      default:
        return wait_for_the_timer();
    }
  }

 private:
  /// Entities have odd slots; the even one before is that of a ceiling as high.
  static uint8_t slot(unsigned i) { return static_cast<uint8_t>(2 * i + 1); }
  static uint8_t ceiling(unsigned below) { return static_cast<uint8_t>(below / 2 * 2); }

  void wake(Entity& entity, Waker waker) {
    const auto* const before = policy_.running();
    const Wakeup answer = policy_.wake(entity, Instant(now_), waker);
    if (answer == Wakeup::Decide)
      return decide(waker == Waker::Thread ? Cause::Call : Cause::Interrupt);
    RC_ASSERT(policy_.running() == (answer == Wakeup::Takes ? &entity : before));
    check();
  }
  void decide(Cause cause) {
    const auto* const chosen = policy_.pick(Instant(now_), cause);
    RC_ASSERT(chosen == policy_.running());
    check();
    nobody_eligible_comes_before();
  }
  /// The next decision at the instant that it asked for, or a little later.
  void wait_for_the_timer() {
    Instant when;
    if (!policy_.next_event(when)) return;
    now_ = std::max(now_, when.ticks() + now_ % 3);
    decide(Cause::Timer);
  }

  bool queued(const Entity& entity) const {
    return WatchedOrder::template Queue<Entity>::queued.at(entity.rank);
  }
  static bool waits(const Entity& entity) { return Timeline::last->waits(entity.rank); }
  bool charged(const Entity& entity) const {
    return &entity == policy_.running() && !policy_.running_in_background();
  }

  void check() const {
    for (const Entity& entity : entity_) {
      place(entity);
      Duration sum{};
      for (unsigned i = 0; i < entity.server.count(); ++i) sum += entity.server[i].amount;
      RC_ASSERT(sum == Duration(20 + 5 * (entity.rank / 2)));
    }
    place(best_effort_);
  }
  /// In how many places it is: an entity's state says which.
  void place(const Entity& entity) const {
    const unsigned places =
        unsigned{queued(entity)} + unsigned{waits(entity)} + unsigned{charged(entity)};
    switch (entity.state) {
      case State::Blocked:
        RC_ASSERT(places == 0u);
        break;
      case State::Sleeping:
        RC_ASSERT((places == 1u && waits(entity)));
        break;
      case State::Ready:
        // Without a budget it is nowhere but among those who share idle time.
        RC_ASSERT(places == (entity.best_effort && !entity.raised() ? 0u : 1u));
        break;
    }
    if (entity.raised()) RC_ASSERT(entity.is_ready());
  }

  void nobody_eligible_comes_before() const {
    for (const Entity& entity : entity_) {
      const bool wants =
          entity.is_ready() || (entity.state == State::Sleeping && entity.wake_at <= Instant(now_));
      if (!wants || &entity == policy_.running() || !entity.server.usable(Instant(now_))) continue;
      RC_ASSERT(policy_.running() != nullptr);
      RC_ASSERT(!policy_.running_in_background());
      RC_ASSERT(!comes_before(entity, *policy_.running()));
    }
  }
  /// One that is due and still asleep has the place that it will have when it is ready.
  static bool comes_before(const Entity& entity, const Entity& running) {
    if constexpr (requires { typename Order::Key; }) {
      if (!entity.is_ready()) {
        return Order::key(entity, entity.server.time_after(entity.wake_at)) <
               Order::key_now(running);
      }
    }
    return Order::precedes(entity, running);
  }

  Policy policy_;
  std::array<Entity, kEntities> entity_;
  Entity best_effort_;
  int64_t now_ = 0;
};

using Steps = std::vector<std::tuple<uint8_t, uint8_t, uint8_t>>;

/// In each of RapidCheck's hundred cases this many; with HOCKET_LONG=1 more.
unsigned runs_in_a_case() {
  return std::getenv("HOCKET_LONG") != nullptr ? 300 : 30;
}

template <class Order>
void expect_invariants() {
  for (unsigned run = 0; run < runs_in_a_case(); ++run) {
    const auto steps = *rc::gen::arbitrary<Steps>();
    Machine<Order> machine;
    for (const auto& [what, which, span] : steps) machine.step(what, which, span);
  }
}

RC_GTEST_PROP(SchedulerInvariants, HoldWithFixedPriorities, ()) {
  expect_invariants<PriorityOrder<kSlots>>();
}

RC_GTEST_PROP(SchedulerInvariants, HoldWithDeadlines, ()) {
  expect_invariants<DeadlineOrder<int64_t, kSlots>>();
}

}  // namespace
}  // namespace hocket
