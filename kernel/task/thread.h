// Threads and the virtual CPUs they run on.
//
// A virtual CPU carries one thread or several; those of one virtual CPU share its budget and take
// turns when they yield or wait. A thread belongs to one virtual CPU and so to one core, for good.
#pragma once

#include "kernel/base/ring.h"
#include "kernel/task/period_meter.h"
#include "port/contract.h"

namespace hocket {

/// SuspendedUntil is among the sleepers of its virtual CPU, Suspended and Waiting are not.
enum class ThreadState : uint8_t { Stopped, Ready, Sleeping, Waiting, Suspended, SuspendedUntil };

/// What the kernel measures of a thread and of a virtual CPU as it goes. Empty in a system that
/// keeps no statistics (Config::kStatistics): memory and time are then for the loops alone.
template <class Policy, class Ticks, bool kKept>
struct ThreadStatistics {
  PeriodMeter<Ticks> meter;  // all it ever ran, up to the last switch
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

template <class Port, class Policy, bool kStatistics>
struct BasicVcpu;

template <class Port, class Policy, bool kStatistics>
struct BasicThread : ListNode<BasicThread<Port, Policy, kStatistics>>,
                     ThreadStatistics<Policy, typename Port::Ticks, kStatistics> {
  using Instant = typename Policy::Instant;
  using Duration = typename Policy::Duration;

  typename Port::Context context;
  BasicVcpu<Port, Policy, kStatistics>* vcpu = nullptr;
  void (*entry)(void*) = nullptr;
  void* argument = nullptr;
  Instant wake_at;
  uint16_t id = 0;  // its name in the event log
  ThreadState state = ThreadState::Stopped;
  bool resumed = false;      // resume() came while it was not suspended
  void* exchange = nullptr;  // while it waits: what it gives or where it takes (message_queue.h)
};

/// What threads add to a policy's entity. That comes first, so that one pointer is for both: on
/// small processors another one is dear.
template <class Thread>
struct VcpuThreads {
  Ring<Thread> ready;     // the running thread is its front
  List<Thread> sleepers;  // in order of wake_at
};

template <class Port, class Policy, bool kStatistics>
struct BasicVcpu : Policy::Entity,
                   VcpuThreads<BasicThread<Port, Policy, kStatistics>>,
                   VcpuStatistics<Policy, kStatistics> {
  using Thread = BasicThread<Port, Policy, kStatistics>;
  using Instant = typename Policy::Instant;
  using Duration = typename Policy::Duration;

  CoreId core = 0;
};

}  // namespace hocket
