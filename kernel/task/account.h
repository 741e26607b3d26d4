// What a core counts and measures: the own work and kernel time of each thread, and events. The
// functions are called with interrupts masked and the core's lock held.
//
//   own work of A │ entry, decision, switch │ own work of B
//   ──────────────┼─────────────────────────┼──────────────▶
//        decided ─╯                 arrived ╯      the middle is kernel time: B's if it preempted A,
//                                                  A's if A stopped (docs/decisions/who-pays.md)
//
// Empty in a system that observes nothing, to save memory and time.
#pragma once

#include "kernel/sched/policy.h"
#include "kernel/task/counters.h"
#include "kernel/task/thread.h"

namespace hocket {

template <class Thread, bool kKept>
class Account {
 public:
  using Instant = typename Thread::Instant;
  using Duration = typename Thread::Duration;

  void begin(Instant time, Thread&) {
    since_ = decided_ = time;
    payer_ = nullptr;
  }

  Counters counters;
  void count_timer_interrupt() { ++counters.timer_interrupts; }
  void count_ipi() { ++counters.ipis; }

  /// A decision: `next` runs from the exit on. If there are several decisions before an exit, the
  /// last one counts, and the time between them is no thread's own work.
  template <class Policy>
  HOCKET_IN_LINE void decide(Thread& current, Thread& next, Instant time, Cause cause,
                             Duration entry, const Policy& policy) {
    if (&current == &next) {
      payer_ = nullptr;
      return;
    }
    change(current, next, time, cause, entry, policy);
  }

  /// decide() for two different threads.
  template <class Policy>
  HOCKET_IN_LINE void change(Thread& current, Thread& next, Instant time, Cause cause,
                             Duration entry, const Policy& policy) {
    const bool interrupt = cause == Cause::Timer || cause == Cause::Interrupt;
    const Instant entered = interrupt ? time - entry : time;
    const bool stopped = cause == Cause::Stop;
    const bool first = payer_ == nullptr;
    if (first && since_ < entered) work(current, entered);
    decided_ = time;
    payer_ = stopped ? &current : &next;
    if (first && !stopped && current.state == ThreadState::Ready && current.vcpu != nullptr &&
        policy.competes(*current.vcpu, time)) {
      ++current.counters.preemptions;
    }
  }

  /// From `entered` until now, an interrupt has done the work of `worker`, which stops now.
  /// `worker` pays for the switch that follows (paid_by).
  HOCKET_IN_LINE void serve(Thread& current, Thread& worker, Instant entered, Instant now) {
    if (since_ < entered) work(current, entered);
    if (since_ < now) work(worker, now);
  }
  HOCKET_IN_LINE void paid_by(Thread& thread) {
    if (payer_ != nullptr) payer_ = &thread;
  }
  /// change() and paid_by() after serve(), if another thread runs from the exit on.
  HOCKET_IN_LINE void change_paid(Instant time, Thread& payer) {
    decided_ = time;
    payer_ = &payer;
  }

  /// A thread yields to another thread of its virtual CPU. No other virtual CPU pays for that.
  HOCKET_IN_LINE void take_turns(Thread& current, Instant time) {
    decided_ = time;
    if (since_ < time) work(current, time);
  }

  /// Whether a thread pays for kernel time until arrive().
  bool pays() const { return payer_ != nullptr; }

  /// The thread that was switched to continues here.
  HOCKET_IN_LINE void arrive(Instant time) {
    if (since_ < time) payer_->kernel_time += time - since_;
    payer_ = nullptr;
    since_ = time;
  }

  /// An interrupt began at `entered` and changed nothing: its time is no thread's own work.
  HOCKET_IN_LINE void pass_over(Thread& current, Instant entered, Instant until) {
    if (since_ < entered) work(current, entered);
    since_ = until;
  }

  /// A decision has chosen another thread. Its run begins later by `time`, which belongs to no
  /// thread.
  void put_off(Duration time) {
    if (pays()) since_ += time;
  }

  Instant decided() const { return decided_; }

  /// The run ended at `end`. The time until then is the running thread's own work.
  void close(Thread& current, Instant end) {
    if (since_ < end) work(current, end);
  }

 private:
  HOCKET_IN_LINE void work(Thread& thread, Instant until) {
    thread.meter.add(since_, until);
    since_ = until;
  }

  Instant since_;            // all time until here has been accounted for
  Instant decided_;          // time of the last decision to switch
  Thread* payer_ = nullptr;  // pays for the kernel time since `since_`, from a decision to its exit
};

template <class Thread>
class Account<Thread, false> {
 public:
  static void begin(typename Thread::Instant, Thread&) {}
  static void count_timer_interrupt() {}
  static void count_ipi() {}
  template <class Policy>
  static void decide(Thread&, Thread&, typename Thread::Instant, Cause, typename Thread::Duration,
                     const Policy&) {}
  template <class Policy>
  static void change(Thread&, Thread&, typename Thread::Instant, Cause, typename Thread::Duration,
                     const Policy&) {}
  static void serve(Thread&, Thread&, typename Thread::Instant, typename Thread::Instant) {}
  static void paid_by(Thread&) {}
  static void change_paid(typename Thread::Instant, Thread&) {}
  static void take_turns(Thread&, typename Thread::Instant) {}
  static void close(Thread&, typename Thread::Instant) {}
};

}  // namespace hocket
