// The kernel's scheduling core (kernel/sched/vcpu_policy.h) run on a task set, event by event.
//
// Servers with an even index are put to sleep until their next work, as a thread that calls
// sleep_until is; those with an odd index block and are woken, as by an interrupt. So both ways are
// tested. With a late budget timer all are woken: a sleeper's own timer interrupt would reveal an
// exhausted budget before the late timer does, which the model's «late» does not mean.
#include "kernel_adapter.h"

#include <algorithm>
#include <map>

#define HOCKET_CHECKED
#include "kernel/sched/vcpu_policy.h"
#include "policies/turn_policies.h"

extern "C" void hocket_check_failed(const char* what, const char* file, unsigned line) {
  throw std::logic_error(std::string(file) + ":" + std::to_string(line) + ": " + what);
}

namespace hocket::test {
namespace {

constexpr unsigned kMostServers = 16;
constexpr unsigned kMostRefills = 16;

struct Recorder {
  static constexpr bool kObserves = true;
  static inline Trace* trace = nullptr;
  static inline std::map<const void*, std::size_t> numbers;  // of the entities

  template <class Entity, class Instant>
  static void released(Entity&, Instant) {}
  template <class Entity, class Instant>
  static void exhausted(Entity&, Instant, Instant) {}
  template <class Entity, class Instant>
  static void responded(Entity& entity, Instant release, Instant finish);
};

using Plain = VcpuPolicy<std::int64_t, kMostServers, kMostRefills, Recorder>;
using WithIo = VcpuWithIoPolicy<std::int64_t, kMostServers, kMostRefills, Recorder>;
using ByDeadline = DeadlinePolicy<std::int64_t, kMostServers, kMostRefills, Recorder>;
using ByDeadlineWithIo = DeadlineWithIoPolicy<std::int64_t, kMostServers, kMostRefills, Recorder>;
using ByLevel = LevelPolicy<std::int64_t, kMostServers, Recorder>;
using Hybrid = HybridPolicy<std::int64_t, kMostServers, kMostRefills, Recorder>;
using HybridWithIo = HybridWithIoPolicy<std::int64_t, kMostServers, kMostRefills, Recorder>;
using Bitmap = BitmapPolicy<std::int64_t, kMostServers, Recorder>;
using Instant = Plain::Instant;
using Duration = Plain::Duration;

template <class Policy>
struct Server : Policy::Entity {
  std::vector<Work> works;  // its own, in order of arrival
  std::size_t arrived = 0;
  Ticks backlog = 0;
  std::size_t index = 0;

  void arrive(Ticks now) {
    while (arrived < works.size() && works[arrived].at <= now) backlog += works[arrived++].amount;
  }
  Ticks next_arrival() const {
    return arrived < works.size() ? works[arrived].at : Instant::never().ticks();
  }
};

template <class Entity, class Instant>
void Recorder::responded(Entity& entity, Instant release, Instant finish) {
  trace->responses.push_back({numbers.at(&entity), release.ticks(), finish.ticks()});
}

template <class Policy>
class Engine {
  using Server = test::Server<Policy>;

 public:
  explicit Engine(const TaskSet& set, const Ordering& ordering = {})
      : set_(set), ordering_(ordering), servers_(set.servers.size()) {
    Recorder::trace = &trace_;
    Recorder::numbers.clear();
    for (std::size_t i = 0; i < servers_.size(); ++i) Recorder::numbers[&servers_[i]] = i;
    policy_.reset(static_cast<unsigned>(set.servers.size()));
    unsigned slot = 0;
    for (const std::size_t i : by_rank(set))
      add_server(i, static_cast<typename Policy::Slot>(slot++));
    for (const Work& work : set.works) servers_[work.server].works.push_back(work);
    for (Server& server : servers_) wait_for_work(server, 0);
  }

  Trace run() {
    for (Ticks now = 0; now < set_.horizon; now = next_instant()) {
      finish_running(now);
      fire_budget_timer(now);
      arrivals(now);
      dispatch(now);
    }
    account(set_.horizon);
    return normalize(std::move(trace_), set_.horizon);
  }

 private:
  void add_server(std::size_t index, typename Policy::Slot slot) {
    const ServerSpec& spec = set_.servers[index];
    Server& server = servers_[index];
    server.index = index;
    server.background = spec.background;
    const Duration budget(spec.budget);
    const Duration period(spec.period);
    const Duration slice(ordering_.slice);
    if constexpr (requires { server.due_after; }) server.due_after = Duration(spec.deadline);
    if constexpr (requires { server.level; }) {
      server.level = static_cast<std::uint8_t>(ordering_.level[index]);
    }
    if constexpr (Same<Policy, Bitmap>) return policy_.add(server, slot);
    if constexpr (Same<Policy, ByLevel>) return policy_.add(server, slot, slice);
    if constexpr (Same<Policy, Hybrid> || Same<Policy, HybridWithIo>) {
      if (ordering_.takes_turns(index))
        return policy_.add(server, slot, slice, Duration(0), Instant(0));
    }
    if constexpr (decltype(server.server)::kServesIo) {
      if (spec.io) return policy_.add(server, slot, budget, period, Instant(0), ForIo{});
    }
    if constexpr (requires { server.server.count(); }) {
      policy_.add(server, slot, budget, period, Instant(0),
                  static_cast<unsigned>(spec.max_refills));
    }
  }

  bool sleeps(const Server& server) const { return set_.late == 0 && server.index % 2 == 0; }

  void wait_for_work(Server& server, Ticks now) {
    if (sleeps(server) && server.next_arrival() != Instant::never().ticks()) {
      policy_.sleep(server, Instant(now), Instant(server.next_arrival()));
    } else {
      policy_.block(server, Instant(now));
    }
  }

  Server* running() { return static_cast<Server*>(policy_.running()); }

  /// Writes down what ran since the last event.
  void account(Ticks now) {
    if (running_ == nullptr || now == since_) return;
    auto& runs = in_background_ ? trace_.background : trace_.runs;
    runs.push_back({running_->index, since_, now});
    running_->backlog -= now - since_;
    since_ = now;
  }

  void finish_running(Ticks now) {
    account(now);
    if (running_ == nullptr) return;
    if (sleeps(*running_)) {  // what came while it ran just joins its backlog
      const Ticks before = running_->backlog;
      if (before > 0) running_->arrive(now);
    }
    if (running_->backlog > 0) return;
    wait_for_work(*running_, now);
    running_ = nullptr;
    cause_ = Cause::Stop;
    decide_ = true;
  }

  void fire_budget_timer(Ticks now) {
    if (running_ == nullptr) return;
    if (in_background_ || now < policy_.limit().ticks() + set_.late) return;
    decide_ = true;
  }

  void arrivals(Ticks now) {
    for (Server& server : servers_) {
      if (sleeps(server)) continue;  // it wakes by itself
      const bool idle = server.state != Policy::Entity::State::Ready;
      server.arrive(now);
      if (!idle || server.backlog == 0) continue;
      const Wakeup effect = policy_.wake(server, Instant(now), Waker::Interrupt);
      if (effect == Wakeup::Decide) decide_ = true;
      if (effect == Wakeup::Takes) taken_ = true;
    }
    if (next_preemption() <= now) decide_ = true;
  }

  void dispatch(Ticks now) {
    if (!decide_ && !taken_) return;
    if (decide_) (void)policy_.pick(Instant(now), cause_);
    decide_ = taken_ = false;
    cause_ = Cause::Timer;
    running_ = running();
    in_background_ = policy_.running_in_background();
    since_ = now;
    if (running_ != nullptr) running_->arrive(now);
    if (next_preemption() <= now)
      throw std::logic_error("kernel: somebody who is due was left out of a decision");
  }

  Ticks next_instant() const {
    Ticks next = set_.horizon;
    if (running_ != nullptr) {
      next = std::min(next, since_ + running_->backlog);
      if (!in_background_) next = std::min(next, policy_.limit().ticks() + set_.late);
    }
    next = std::min(next, next_preemption());
    for (const Server& server : servers_) {
      if (!sleeps(server) || &server == running_) next = std::min(next, server.next_arrival());
    }
    return next;
  }

  /// When somebody else wants the core; the horizon when nobody does.
  Ticks next_preemption() const {
    Instant when{};
    if (!policy_.next_event(when)) return set_.horizon;
    const bool limits = running_ != nullptr && !in_background_ && when == policy_.limit();
    return limits ? next_budget() : when.ticks();
  }

  /// When a server that would come before the running one has budget again: behind the limit, whose
  /// timer may be late, the policy does not say so. (Those who sleep wake by timers of their own;
  /// with late timers nobody does.)
  Ticks next_budget() const {
    Ticks next = set_.horizon;
    for (const Server& server : servers_) {
      if (&server == running_ || !server.is_ready() || !Policy::precedes(server, *running_))
        continue;
      next = std::min(next, server.server.time().ticks());
    }
    return next;
  }

  const TaskSet& set_;
  const Ordering ordering_;
  std::vector<Server> servers_;
  Policy policy_;
  Trace trace_;
  Server* running_ = nullptr;
  Ticks since_ = 0;
  bool in_background_ = false;
  bool decide_ = false;
  bool taken_ = false;
  Cause cause_ = Cause::Timer;
};

}  // namespace

namespace {
bool has_io(const TaskSet& set) {
  return std::any_of(set.servers.begin(), set.servers.end(),
                     [](const ServerSpec& spec) { return spec.io; });
}
}  // namespace

Trace simulate_kernel(const TaskSet& set) {
  return has_io(set) ? Engine<WithIo>(set).run() : Engine<Plain>(set).run();
}

Trace simulate_kernel(const TaskSet& set, const Ordering& ordering) {
  switch (ordering.kind) {
    case Ordering::Kind::Ranks:
      return simulate_kernel(set);
    case Ordering::Kind::Deadlines:
      return has_io(set) ? Engine<ByDeadlineWithIo>(set, ordering).run()
                         : Engine<ByDeadline>(set, ordering).run();
    case Ordering::Kind::Levels:
      return Engine<ByLevel>(set, ordering).run();
    case Ordering::Kind::Hybrid:
      return has_io(set) ? Engine<HybridWithIo>(set, ordering).run()
                         : Engine<Hybrid>(set, ordering).run();
  }
  throw std::logic_error("no such order");
}

Trace simulate_priorities(const TaskSet& set) {
  return Engine<Bitmap>(set).run();
}

}  // namespace hocket::test
