// Watches one loop: the time that it got, the depth of its stack, and the kernel's decisions about
// it.
#pragma once

#include <optional>

#include "arduino/cores/avr8/image/declared.h"
#include "kernel/task/period_meter.h"
#include "simulation/avr/event_log.h"
#include "simulation/avr/kernel_view.h"
#include "simulation/avr/responses.h"
#include "simulation/program/facts.h"

namespace hocket::avr {

class LoopWatch {
 public:
  /// `number`: its thread's in the event log. `promised`: its budget is due by its deadline.
  LoopWatch(const uno::Loop& loop, uint16_t number, bool promised);

  unsigned id() const { return loop_.id; }
  uint16_t number() const { return number_; }
  /// The address of its memory; 0 while that is unknown (the plain loop()).
  uint16_t memory() const { return memory_; }
  void found(uint16_t memory) { memory_ = memory; }
  unsigned stack_bytes() const { return loop_.stack_bytes; }

  /// All loops are released at `at`, and the windows of its periods count from there.
  void start(Cycles at);
  /// The loop ran.
  void ran(Cycles from, Cycles to);
  /// Its body has run to the end.
  void iterated(Cycles now, EventLog& log);
  /// Its stack had this depth, out of `size` bytes.
  void stack(uint16_t used, unsigned size);

  /// The kernel's view of it, after a decision of the kernel that began at `entered`.
  void look(LoopNow now, Cycles entered, EventLog& log);
  /// It would run now if no other loop came first.
  bool competes(Cycles now) const { return seen_.ready && seen_.head <= now; }
  /// For a periodic loop: the release of the call in progress, or of the next one.
  Cycles release() const { return calls_.release(); }
  bool waits() const { return seen_.waits != Waits::No; }
  uint64_t sleeps() const { return sleeps_; }
  uint64_t wakes() const { return wakes_; }
  /// Its thread was switched to; it was preempted.
  void switched_to() { ++switches_; }
  void preempted() { ++preemptions_; }

  program::LoopRun facts(Cycles now, bool has_kernel);
  /// The same for a run that continues. Changes nothing.
  program::LoopCounts counts(Cycles now, bool has_kernel) const;

 private:
  void thread_changed(const LoopNow& now, Cycles entered, EventLog& log);
  void released(Cycles at, EventLog& log);
  Cycles due_at(const LoopNow& now, Cycles entered) const;
  Responses budget_until(Cycles now) const;

  uno::Loop loop_;
  uint16_t number_;
  uint16_t memory_;
  uint64_t iterations_ = 0;
  std::optional<Cycles> logged_;  // the last iteration in the log
  Cycles cpu_ = 0;
  PeriodMeter<int64_t> meter_;
  uint16_t stack_used_ = 0;
  unsigned stack_size_ = 0;

  LoopNow seen_;
  Responses budget_;  // of its virtual CPU
  Calls calls_;       // of a periodic loop's body
  uint64_t exhausted_ = 0;
  uint64_t sleeps_ = 0;
  uint64_t wakes_ = 0;
  uint64_t switches_ = 0;
  uint64_t preemptions_ = 0;
};

}  // namespace hocket::avr
