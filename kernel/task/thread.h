// Threads and the virtual CPUs they run on.
//
// A virtual CPU carries one thread or several; those of one virtual CPU share its budget and take
// turns when they yield or wait. A thread belongs to one virtual CPU and so to one core, for good.
#pragma once

#include "kernel/base/lone.h"
#include "kernel/base/ring.h"
#include "kernel/task/period_meter.h"
#include "port/contract.h"

namespace hocket {

/// SuspendedUntil and WaitingUntil are among the sleepers of their virtual CPU, Suspended and
/// Waiting are not.
enum class ThreadState : uint8_t {
  Stopped,
  Ready,
  Sleeping,
  Waiting,
  WaitingUntil,
  Suspended,
  SuspendedUntil,
};

/// What the kernel measures of a thread and of a virtual CPU as it goes. Empty in a system that
/// keeps no statistics (Config::kStatistics): memory and time are then for the loops alone.
template <class Policy, class Ticks, bool kKept>
struct ThreadStatistics {
  PeriodMeter<Ticks> meter;               // its own work, up to the last switch
  typename Policy::Duration kernel_time;  // what the kernel did for it (account.h)
};
template <class Policy, class Ticks>
struct ThreadStatistics<Policy, Ticks, false> {};

template <class Policy, bool kKept>
struct VcpuStatistics {
  uint32_t releases = 0;
  uint32_t responses = 0;
  uint32_t exhausted = 0;
  uint32_t deadline_misses = 0;
  // After a release, by which the budget has been received or was not needed.
  typename Policy::Duration deadline;
  typename Policy::Duration worst_response;
};
template <class Policy>
struct VcpuStatistics<Policy, false> {};

/// Config::kLoneThreads: each virtual CPU has one thread only; false when left out.
template <class Config>
constexpr bool has_lone_threads() {
  if constexpr (requires { Config::kLoneThreads; }) {
    return Config::kLoneThreads;
  } else {
    return false;
  }
}

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
  uint16_t id = 0;  // its name in the event log
  ThreadState state = ThreadState::Stopped;
  bool resumed = false;      // resume() came while it was not suspended
  void* exchange = nullptr;  // while it waits: what it gives or where it takes (message_queue.h)
};

/// What threads add to a policy's entity. That comes first, so that one pointer is for both: on
/// small processors another one is dear. `kLone`: each virtual CPU has one thread only.
template <class Thread, bool kLone>
struct VcpuThreads {
  Ring<Thread> ready;     // the running thread is its front
  List<Thread> sleepers;  // in order of wake_at
};

template <class Thread>
struct VcpuThreads<Thread, true> {
  Lone<Thread> ready;
  Lone<Thread> sleepers;
};

template <class Port, class Policy, bool kStatistics, bool kLone = false>
struct BasicVcpu : Policy::Entity,
                   VcpuThreads<BasicThread<Port, Policy, kStatistics, kLone>, kLone>,
                   VcpuStatistics<Policy, kStatistics> {
  using Thread = BasicThread<Port, Policy, kStatistics, kLone>;
  using Instant = typename Policy::Instant;
  using Duration = typename Policy::Duration;

  CoreId core = 0;
};

}  // namespace hocket
