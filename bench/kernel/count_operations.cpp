// count_operations N LEVEL OPERATIONS: the kernel with N loops on one core, under valgrind.
//
// LEVEL is `call` (everything a call or an interrupt of the kernel executes), `policy` (the
// scheduling core's part of it) or `burst` (see count_burst). Counting begins after 2 s, more than
// three of the longest periods. Prints, as JSON, a digest of the schedule of these 2 s, which must
// not depend on the queue, and how often the timer interrupted. HOCKET_KERNEL_POLICY chooses
// another policy (arduino/runtime/policies.h), for `call` and `burst`.
#include <cstdlib>
#include <cstring>
#include <memory>

#include "bench/kernel/bitmap_heap.h"
#include "bench/kernel/counter.h"
#include "kernel/base/tournament.h"

// The same policy with the other queue in its place.
#ifdef HOCKET_BENCH_BITMAP_HEAP
namespace hocket {
using bench::BitmapHeap;
}
#define Tournament BitmapHeap
#include "kernel/sched/vcpu_policy.h"
#undef Tournament
#else
#include "arduino/runtime/policy_choice.h"
#endif

#include "bench/kernel/workload.h"

namespace hocket::bench {
namespace {

constexpr unsigned kCapacity = 1024;
constexpr unsigned kRefills = 8;
constexpr CountedPort::Ticks kWarmUp = 2'000'000'000;

/// The policy, with each call that the kernel makes of it counted.
template <class Observer>
class CountedPolicy : public VcpuPolicy<int64_t, kCapacity, kRefills, Observer> {
  using Base = VcpuPolicy<int64_t, kCapacity, kRefills, Observer>;
  template <class Call>
  static decltype(auto) counted(Call call) {
    return Counter::piece(Counter::Level::PolicyOnly, call);
  }

 public:
  using Entity = typename Base::Entity;
  using Instant = typename Base::Instant;

  void block(Entity& entity, Instant now) {
    counted([&] { Base::block(entity, now); });
  }
  void sleep(Entity& entity, Instant now, Instant until) {
    counted([&] { Base::sleep(entity, now, until); });
  }
  Wakeup wake(Entity& entity, Instant now, Waker waker) {
    return counted([&] { return Base::wake(entity, now, waker); });
  }
  Entity* pick(Instant now, Cause cause) {
    return counted([&] { return Base::pick(now, cause); });
  }
  bool next_event(Instant& when) const {
    return counted([&] { return Base::next_event(when); });
  }
};

struct NoTrace {
  static constexpr bool kAsksFirst = false;
  static void record(const Event&) {}
};

/// The bare policy and the wrapped one: the wrapper's own code must not be in the whole call.
template <template <class> class Chosen>
struct Config {
  static constexpr unsigned kMaxAlarms = 1;
  static constexpr KernelOptions kOptions;
  using Trace = NoTrace;
  template <class Observer>
  using Policy = Chosen<Observer>;
};
#ifdef HOCKET_BENCH_BITMAP_HEAP
template <class Observer>
using BarePolicy = VcpuPolicy<int64_t, kCapacity, kRefills, Observer>;
#else
template <class Observer>
using BarePolicy =
    runtime::ChosenPolicy::Policy<int64_t, kCapacity, kRefills, Observer, NoCharges<int64_t>>;
#endif

template <template <class> class Chosen>
void run(unsigned loops, unsigned operations) {
  using System = Kernel<CountedPort, Config<Chosen>>;
  const auto workload = std::make_unique<Workload<System>>(loops);
  workload->play(kWarmUp, [] { return false; });
  std::printf("{\"timer_interrupts\": %u, \"schedule\": \"%016llx\"}\n",
              System::counters(0).timer_interrupts,
              static_cast<unsigned long long>(workload->schedule));
  Counter::counting = true;
  Counter::piece(Counter::level, [] {});
  Counter::operation("empty");
  const uint64_t enough = workload->operations + operations;
  workload->play(CountedPort::kNoAlarm - 1, [&] { return workload->operations >= enough; });
}

/// With what the policy's server wants to know.
template <class Policy>
void add(Policy& policy, typename Policy::Entity& entity, uint16_t slot,
         typename Policy::Duration budget, typename Policy::Duration period) {
  if constexpr (Policy::SupplyServer::kAlwaysUsable) {
    if constexpr (Policy::SupplyServer::kLimited) {
      policy.add(entity, slot, budget);
    } else {
      policy.add(entity, slot);
    }
  } else {
    policy.add(entity, slot, budget, period, typename Policy::Instant(0));
  }
}

/// All loops have used a half of their budgets and sleep until the same instant: the decision at
/// that instant, the worst that can be made up, and those that follow, as each stops at once.
void count_burst(unsigned loops) {
  using Policy = BarePolicy<SilentObserver>;
  using Instant = Policy::Instant;
  using Duration = Policy::Duration;
  const Instant until(100'000'000);
  const Duration budget(1'000);
  const Duration period(1'000'000'000);
  const auto policy = std::make_unique<Policy>();
  std::deque<Policy::Entity> entities(loops);
  policy->reset(loops);
  Instant now(0);
  for (unsigned i = 0; i < loops; ++i) {
    add(*policy, entities[i], static_cast<uint16_t>(i), budget, period);
    static_cast<void>(policy->wake(entities[i], now, Waker::Thread));
  }
  for (unsigned i = 0; i < loops; ++i) {
    Policy::Entity* running = policy->pick(now, Cause::Stop);
    if (running == nullptr) std::abort();
    now += Duration(budget.ticks() / 2);
    policy->sleep(*running, now, until);
  }
  Counter::counting = true;
  Counter::piece(Counter::level, [] {});
  Counter::operation("empty");
  Policy::Entity* running = nullptr;
  Counter::piece(Counter::level, [&] { running = policy->pick(until, Cause::Timer); });
  if (running != &entities[0]) std::abort();
  Counter::operation("burst");
  for (unsigned i = 1; i < loops; ++i) {
    policy->block(*running, until);
    Counter::piece(Counter::level, [&] { running = policy->pick(until, Cause::Stop); });
    if (running == nullptr) std::abort();
    Counter::operation("burst");
  }
}

}  // namespace
}  // namespace hocket::bench

int main(int count, char** arguments) {
  using namespace hocket::bench;
  if (count != 4) return 2;
  const auto loops = static_cast<unsigned>(std::atoi(arguments[1]));
  const auto operations = static_cast<unsigned>(std::atoi(arguments[3]));
  if (loops < 1 || loops > kCapacity) return 2;
  if (std::strcmp(arguments[2], "policy") == 0) {
    Counter::level = Counter::Level::PolicyOnly;
    run<CountedPolicy>(loops, operations);
  } else if (std::strcmp(arguments[2], "call") == 0) {
    run<BarePolicy>(loops, operations);
  } else if (std::strcmp(arguments[2], "burst") == 0) {
    count_burst(loops);
  } else {
    return 2;
  }
  return 0;
}
