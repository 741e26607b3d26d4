// See kernel_core.h. Servers have odd slots; the even one before is that of a ceiling as high.
#include "kernel_core.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#define HOCKET_CHECKED
#include "kernel/sched/deadline_policy.h"
#include "kernel/sched/vcpu_policy.h"
#include "policies/turn_policies.h"

namespace hocket::test {
namespace {

/// Two for each server. Most sets are small, and a policy has room for as many slots as it may
/// have.
constexpr unsigned kFewSlots = 16, kMostSlots = 512;

/// The charges of the set that is being played.
template <class Rep>
struct PlayedCharges {
  using Duration = BasicDuration<Rep>;
  static constexpr bool kOneCore = false;
  static inline Costs costs;

  static Duration of(Ticks ticks) { return Duration(static_cast<Rep>(ticks)); }
  static Duration entry() { return of(costs.entry); }
  static Duration switching() { return of(costs.change); }
  static Duration interrupt() { return of(costs.interrupt); }
  static Duration ending() { return of(costs.end()); }
  static Duration smallest() { return of(std::max<Ticks>(1, costs.wake())); }
};

/// Notices that a refill has ended.
struct EndObserver {
  static constexpr bool kObserves = true;
  static inline bool ended = false;

  template <class Entity, class Instant>
  static void released(Entity&, Instant) {}
  template <class Entity, class Instant>
  static void responded(Entity&, Instant, Instant) {}
  template <class Entity, class Instant>
  static void exhausted(Entity&, Instant, Instant) {
    ended = true;
  }
};

template <class Rep, class Policy, unsigned kSlots>
class KernelCore : public CoreEngine {
  using Charges = PlayedCharges<Rep>;
  using Instant = typename Policy::Instant;
  using Duration = typename Policy::Duration;
  using Slot = typename Policy::Slot;

 public:
  KernelCore(const Workload& set, Ticks begin) : begin_(begin), entities_(set.servers.size()) {
    if (2 * set.servers.size() > kSlots) throw std::logic_error("too many servers");
    Charges::costs = set.costs;
    policy_.reset(static_cast<unsigned>(2 * set.servers.size()));
    for (std::size_t i = 0; i < entities_.size(); ++i) {
      auto& entity = entities_[i];
      const Slot slot = this->slot(static_cast<int>(i));
      const Duration budget = duration(enforced_budget(set, i));
      const Duration period = duration(set.servers[i].period);
      if constexpr (kHybrid) {
        entity.due_after = period;
        if (set.servers[i].turns != 0) {
          policy_.add(entity, slot, period, Duration(0), at(0));
          continue;
        }
      }
      if constexpr (decltype(entity.server)::kServesIo) {
        if (set.servers[i].io != 0) {
          policy_.add(entity, slot, budget, period, at(0), ForIo{});
          continue;
        }
      }
      policy_.add(entity, slot, budget, period, at(0), static_cast<unsigned>(set.refills));
    }
  }

  void block(int server, Ticks now) override {
    refresh(now);
    policy_.block(entity(server), at(now));
    stopped_ = true;
  }

  void sleep(int server, Ticks now, Ticks until) override {
    refresh(now);
    policy_.sleep(entity(server), at(now), at(until));
    stopped_ = true;
  }

  Effect wake(int server, Ticks now, Waker waker) override {
    refresh(now);
    const auto who = waker == Waker::Call        ? hocket::Waker::Thread
                     : waker == Waker::Interrupt ? hocket::Waker::Interrupt
                                                 : hocket::Waker::OtherCore;
    switch (policy_.wake(entity(server), at(now), who)) {
      case Wakeup::Same:
        return Effect::None;
      case Wakeup::Rearm:
        return Effect::Timer;
      case Wakeup::Decide:
        return Effect::Decide;
      case Wakeup::Takes:
        taken_ = true;
        return Effect::Decide;
    }
    throw std::logic_error("no such wake-up");
  }

  Effect top_half(int server, Ticks now, Ticks length) override {
    refresh(now);
    if constexpr (decltype(entities_[0].server)::kServesIo) {
      note_running();
      switch (policy_.top_half(entity(server), at(now), duration(length))) {
        case Wakeup::Same:
          return Effect::None;
        case Wakeup::Rearm:
          return Effect::Timer;
        case Wakeup::Decide:
          return Effect::Decide;
        case Wakeup::Takes:
          return Effect::Takes;
      }
    }
    throw std::logic_error("no top halves without I/O virtual CPUs");
  }

  void raise(int server, int ceiling, Ticks now, Ticks hold_until) override {
    policy_.raise(entity(server), static_cast<Slot>(2 * ceiling), at(now),
                  at(std::min(hold_until, now + kLong)));
  }

  void lower(int server, Ticks now) override {
    policy_.lower(entity(server), slot(server), at(now));
  }

  Choice pick(Ticks now, Cause cause) override {
    refresh(now);
    const bool stopped = stopped_;
    stopped_ = false;
    if (taken_) {
      taken_ = false;
      return {number(policy_.running()), true, true};
    }
    auto* const before = policy_.running();
    if (before != nullptr) note_running();
    EndObserver::ended = false;
    const auto why = stopped                     ? hocket::Cause::Stop
                     : cause == Cause::Call      ? hocket::Cause::Call
                     : cause == Cause::Interrupt ? hocket::Cause::Interrupt
                                                 : hocket::Cause::Timer;
    auto* const chosen = policy_.pick(at(now), why);
    return {number(chosen), stopped || chosen != before || EndObserver::ended, came_first(chosen)};
  }

  bool would_preempt(int server, Ticks now) override {
    refresh(now);
    const auto* const running = policy_.running();
    typename Policy::Entity& waiter = entity(server);
    if (running == nullptr || policy_.running_in_background()) return true;
    const auto before = waiter.server;
    static_cast<void>(waiter.server.unblock(at(now)));  // (it may have used some of its head)
    const bool precedes = Policy::precedes(waiter, *running);
    waiter.server = before;
    return precedes;
  }

  Ticks next_event() override {
    Instant when{};
    if (!policy_.next_event(when)) return kNever;
    const auto distance = static_cast<Rep>((when - at(now_)).ticks());
    return now_ + distance;
  }

 private:
  static constexpr Ticks kLong = 100'000'000;

  static Slot slot(int server) { return static_cast<Slot>(2 * server + 1); }
  static Duration duration(Ticks ticks) { return Duration(static_cast<Rep>(ticks)); }
  Instant at(Ticks ticks) const {
    return Instant(static_cast<Rep>(begin_ + ticks));  // wraps where Rep does
  }
  typename Policy::Entity& entity(int server) {
    return entities_[static_cast<std::size_t>(server)];
  }
  int number(const typename Policy::Entity* entity) const {
    return entity == nullptr ? kIdleCore : static_cast<int>(entity - entities_.data());
  }
  /// Who runs, as it is before a decision changes when it is due.
  void note_running() {
    ran_ = policy_.running();
    if (ran_ == nullptr) return;
    slot_before_ = ran_->slot;
    if constexpr (kHybrid) {
      key_before_ = Hybrid::key_now(*ran_);
    } else if constexpr (kDeadlines) {
      due_before_ = Order::due_now(*ran_);
    }
  }
  bool came_first(const typename Policy::Entity* chosen) const {
    if (chosen == nullptr || chosen == ran_) return false;
    if (ran_ == nullptr) return true;
    if constexpr (kHybrid) {
      const auto key = Hybrid::key_now(*chosen);
      if (key < key_before_ || key_before_ < key) return key < key_before_;
    } else if constexpr (kDeadlines) {
      const auto due = Order::due_now(*chosen);
      if (due != due_before_) return due < due_before_;
    }
    return chosen->slot < slot_before_;
  }
  /// As often as it must be: the runs are far shorter than a quarter of a turn.
  void refresh(Ticks now) {
    now_ = now;
    if constexpr (kCircularTime<Rep>) {
      if (now < refreshed_ + kLong) return;
      for (unsigned slot = 0; slot < kSlots; ++slot) policy_.refresh(slot, at(now));
      refreshed_ = now;
    }
  }

  using Order = DeadlineOrder<Rep, kSlots>;
  using Hybrid = HybridOrder<Rep, kSlots>;
  static constexpr bool kDeadlines = requires(typename Policy::Entity waiter) { waiter.due_after; };
  static constexpr bool kHybrid =
      kDeadlines && requires(typename Policy::Entity waiter) { waiter.level; };

  Ticks begin_;
  const typename Policy::Entity* ran_ = nullptr;
  Slot slot_before_ = 0;
  Instant due_before_;
  typename Hybrid::Key key_before_{};
  Ticks now_ = 0;
  Ticks refreshed_ = 0;
  Policy policy_;
  std::vector<typename Policy::Entity> entities_;
  bool stopped_ = false;
  bool taken_ = false;
};

/// Sets without I/O virtual CPUs are played by the policy that has none.
template <class Rep, unsigned kRefills, unsigned kSlots>
std::unique_ptr<CoreEngine> make_of(const Workload& set, Ticks begin) {
  using Charges = PlayedCharges<Rep>;
  using Plain = VcpuPolicy<Rep, kSlots, kRefills, EndObserver, Charges>;
  using WithIo = VcpuWithIoPolicy<Rep, kSlots, kRefills, EndObserver, Charges>;
  using ByDeadline = DeadlineWithIoPolicy<Rep, kSlots, kRefills, EndObserver, Charges>;
  using Hybrid = HybridWithIoPolicy<Rep, kSlots, kRefills, EndObserver, Charges>;
  const auto any = [&](Ticks WorkServer::* is) {
    return std::any_of(set.servers.begin(), set.servers.end(),
                       [is](const WorkServer& s) { return s.*is != 0; });
  };
  if (any(&WorkServer::turns)) return std::make_unique<KernelCore<Rep, Hybrid, kSlots>>(set, begin);
  if (set.by_deadline) return std::make_unique<KernelCore<Rep, ByDeadline, kSlots>>(set, begin);
  if (any(&WorkServer::io)) return std::make_unique<KernelCore<Rep, WithIo, kSlots>>(set, begin);
  return std::make_unique<KernelCore<Rep, Plain, kSlots>>(set, begin);
}

template <class Rep, unsigned kRefills>
std::unique_ptr<CoreEngine> make(const Workload& set, Ticks begin) {
  if constexpr (!kCircularTime<Rep>) {  // a small processor has few loops
    if (2 * set.servers.size() > kFewSlots) return make_of<Rep, kRefills, kMostSlots>(set, begin);
  }
  return make_of<Rep, kRefills, kFewSlots>(set, begin);
}

}  // namespace

std::unique_ptr<CoreEngine> make_kernel_core(const Workload& set) {
  return make<std::int64_t, 16>(set, 0);
}

std::unique_ptr<CoreEngine> make_small_kernel_core(const Workload& set) {
  return make<std::int32_t, 3>(set, (Ticks{1} << 31) - set.horizon / 2);
}

}  // namespace hocket::test
