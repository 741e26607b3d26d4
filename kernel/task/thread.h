// Threads and the virtual CPUs they run on.
//
// A virtual CPU carries one thread or several; those of one virtual CPU share its budget and take
// turns when they yield or wait. A thread belongs to one virtual CPU and so to one core, for good.
#pragma once

#include "kernel/base/list.h"
#include "kernel/task/period_meter.h"
#include "port/contract.h"

namespace hocket {

enum class ThreadState : uint8_t { Stopped, Ready, Sleeping, Waiting, Suspended };

template <class Port, class Policy>
struct BasicVcpu;

template <class Port, class Policy>
struct BasicThread : ListNode<BasicThread<Port, Policy>> {
  using Instant = typename Policy::Instant;
  using Duration = typename Policy::Duration;

  typename Port::Context context;
  BasicVcpu<Port, Policy>* vcpu = nullptr;
  void (*entry)(void*) = nullptr;
  void* argument = nullptr;
  Instant wake_at;
  PeriodMeter<typename Port::Ticks> meter;  // all it ever ran, up to the last switch
  uint16_t id = 0;                          // its name in the event log
  ThreadState state = ThreadState::Stopped;
  bool resumed = false;      // resume() came while it was not suspended
  void* exchange = nullptr;  // while it waits: what it gives or where it takes (message_queue.h)
};

template <class Port, class Policy>
struct BasicVcpu : Policy::Entity {
  using Thread = BasicThread<Port, Policy>;
  using Instant = typename Policy::Instant;
  using Duration = typename Policy::Duration;

  List<Thread> ready;     // the running thread is its front
  List<Thread> sleepers;  // in order of wake_at
  CoreId core = 0;

  // Statistics, kept by the kernel as the policy reports.
  uint32_t releases = 0;
  uint32_t responses = 0;
  uint32_t exhausted = 0;
  uint32_t deadline_misses = 0;
  Duration deadline;  // after a release, by which the budget has been received or was not needed
  Duration worst_response;
};

}  // namespace hocket
