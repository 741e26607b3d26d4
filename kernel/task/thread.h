// Threads and the virtual CPUs they run on.
//
// A virtual CPU carries one thread or several. The threads of one virtual CPU share its budget and
// take turns when they yield or wait. A thread belongs permanently to one virtual CPU, and so to
// one core. The thread of a virtual CPU in two parts (sched/two_parts.h) is the exception: it
// belongs to one part after the other.
#pragma once

#include "kernel/base/lone.h"
#include "kernel/base/ring.h"
#include "kernel/task/counters.h"
#include "kernel/task/period_meter.h"
#include "ports/contract/port.h"

namespace hocket {

/// In the states SuspendedUntil and WaitingUntil a thread is in the list of its virtual CPU's
/// sleepers. In Suspended and Waiting it is not.
enum class ThreadState : uint8_t {
  Stopped,
  Ready,
  Sleeping,
  Waiting,
  WaitingUntil,
  Suspended,
  SuspendedUntil,
};

/// What the kernel measures of each thread and each virtual CPU. Empty in a system without
/// statistics (KernelOptions).
template <class Policy, class Ticks, bool kKept>
struct ThreadStatistics {
  ThreadCounters counters;
  PeriodMeter<Ticks> meter;               // the thread's own work, up to the last switch
  typename Policy::Duration kernel_time;  // kernel time on behalf of the thread (account.h)
};
template <class Policy, class Ticks>
struct ThreadStatistics<Policy, Ticks, false> {};

template <class Policy, bool kKept>
struct VcpuStatistics {
  uint32_t releases = 0;
  uint32_t responses = 0;
  uint32_t exhausted = 0;
  uint32_t deadline_misses = 0;
  // Relative to a release: by then the budget must have been received, or not needed.
  typename Policy::Duration deadline;
  typename Policy::Duration worst_response;
};
template <class Policy>
struct VcpuStatistics<Policy, false> {};

template <class Port, class Policy, bool kStatistics, bool kLone>
struct BasicVcpu;

template <class Port, class Policy, bool kStatistics, bool kLone = false>
struct BasicThread : ListNode<BasicThread<Port, Policy, kStatistics, kLone>>,
                     ThreadStatistics<Policy, typename Port::Ticks, kStatistics> {
  using Instant = typename Policy::Instant;
  using Duration = typename Policy::Duration;

  typename Port::Context context;
  BasicVcpu<Port, Policy, kStatistics, kLone>* vcpu = nullptr;
  void (*entry)(void*) = nullptr;
  void* argument = nullptr;
  Instant wake_at;
  uint16_t id = 0;  // names the thread in the event log
  ThreadState state = ThreadState::Stopped;
  bool resumed = false;  // resume() was called while it was not suspended
  // While it waits: the item to send, or where to put one (bench/kernel/aarch64/message_queue.h).
  void* exchange = nullptr;
};

/// The fields of one part of a split virtual CPU, in policies that split: its thread, and the next
/// part on its core. The thread is in one of the two parts at any time.
template <class Vcpu, class Thread, bool kKept>
struct VcpuPart {
  Thread* migrant = nullptr;
  Vcpu* next_part = nullptr;
};
template <class Vcpu, class Thread>
struct VcpuPart<Vcpu, Thread, false> {};

/// Whether a policy can split virtual CPUs into two parts.
template <class Policy>
inline constexpr bool kPolicySplits = Policy::kSplits;

/// What threads add to a policy's entity. In BasicVcpu the entity comes first, so that one pointer
/// serves for both; a second pointer is expensive on small processors. `kLone`: each virtual CPU
/// has exactly one thread.
template <class Thread, bool kLone>
class VcpuThreads {
 public:
  auto& ready() { return ready_; }        // the running thread is its front
  auto& sleepers() { return sleepers_; }  // ordered by wake_at

 private:
  ChosenType<kLone, Lone<Thread>, Ring<Thread>> ready_;
  ChosenType<kLone, Lone<Thread>, List<Thread>> sleepers_;
};

template <class Port, class Policy, bool kStatistics, bool kLone = false>
struct BasicVcpu : Policy::Entity,
                   VcpuThreads<BasicThread<Port, Policy, kStatistics, kLone>, kLone>,
                   VcpuStatistics<Policy, kStatistics>,
                   VcpuPart<BasicVcpu<Port, Policy, kStatistics, kLone>,
                            BasicThread<Port, Policy, kStatistics, kLone>, kPolicySplits<Policy>> {
  using Thread = BasicThread<Port, Policy, kStatistics, kLone>;
  using Instant = typename Policy::Instant;
  using Duration = typename Policy::Duration;

  CoreId core = 0;
};

/// What a processor runs: only a context.
template <class Port>
struct ContextOnly {
  typename Port::Context context;
};

/// A virtual CPU and its only thread in one object, for small processors. Fields that both would
/// have, and pointers to each other, exist once or not at all. The state says whether it is ready
/// or sleeps, so its two queues are views of that state.
template <class Port, class Policy>
struct LoneThread : ContextOnly<Port>, Policy::Entity {
  using Instant = typename Policy::Instant;
  using Duration = typename Policy::Duration;

  struct Ready {
    LoneThread& self;
    bool empty() const { return self.state != ThreadState::Ready; }
    LoneThread& front() const { return self; }
    static bool single() { return true; }
    static void push_back(LoneThread&) {}
    static void push_first(LoneThread&) {}
    static void pop_front() {}
    LoneThread& rotate() const { return self; }
  };
  struct Sleepers {
    LoneThread& self;
    bool empty() const {
      return self.state != ThreadState::Sleeping && self.state != ThreadState::SuspendedUntil &&
             self.state != ThreadState::WaitingUntil;
    }
    LoneThread& front() const { return self; }
    template <class Earlier>
    static void insert_ordered(LoneThread&, Earlier) {}
    static void remove(LoneThread&) {}
    LoneThread& pop_front() const { return self; }
  };
  Ready ready() { return {*this}; }
  Sleepers sleepers() { return {*this}; }

  ThreadState state = ThreadState::Stopped;
  bool resumed = false;  // resume() was called while it was not suspended
  uint8_t id = 0;
};

template <class Port, class Policy, bool kStatistics, bool kLone, bool kOneObject>
struct ThreadKinds {
  using Thread = BasicThread<Port, Policy, kStatistics, kLone>;
  using Vcpu = BasicVcpu<Port, Policy, kStatistics, kLone>;
  using Runner = Thread;
};
template <class Port, class Policy, bool kStatistics, bool kLone>
struct ThreadKinds<Port, Policy, kStatistics, kLone, true> {
  using Thread = LoneThread<Port, Policy>;
  using Vcpu = Thread;
  using Runner = ContextOnly<Port>;
};

}  // namespace hocket
