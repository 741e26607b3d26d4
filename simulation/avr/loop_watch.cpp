#include "simulation/avr/loop_watch.h"

#include "arduino/cores/avr8/kernel_costs.h"
#include "kernel/base/tick_rate.h"

namespace hocket::avr {
namespace {

constexpr Cycles kIterationLogGap = kCyclesPerSecond / 10'000;  // as arduino/runtime/sketch.cpp

/// A kernel that is not held up notices due work within this time.
constexpr Cycles kPunctual = kCyclesPerSecond / 1'000;

/// A deadline where nothing is due.
constexpr Cycles kNever = Cycles{1} << 60;

/// A span that a loop declares, as the kernel has it: in whole ticks.
Cycles cycles_of(uint64_t ticks) {
  return ticks * (kCyclesPerSecond / uno::kTickHz);
}
TickDemand demand(const uno::Loop& loop) {
  return TickRate<uno::kTickHz>::demand(loop.budget_ns, loop.period_ns, loop.deadline_ns);
}

using Instant = BasicInstant<int64_t>;
Instant instant(Cycles cycle) {
  return Instant(static_cast<int64_t>(cycle));
}

}  // namespace

LoopWatch::LoopWatch(const uno::Loop& loop, uint16_t number, bool promised)
    : loop_(loop),
      number_(number),
      memory_(loop.memory),
      budget_(promised ? cycles_of(demand(loop).deadline) : kNever),
      calls_(cycles_of(demand(loop).period), cycles_of(demand(loop).deadline)) {}

void LoopWatch::start(Cycles at) {
  const Cycles period = cycles_of(demand(loop_).period);
  meter_.start(instant(at), BasicDuration<int64_t>(static_cast<int64_t>(period)));
  calls_.start(at);
}

void LoopWatch::ran(Cycles from, Cycles to) {
  cpu_ += to - from;
  meter_.add(instant(from), instant(to));
}

void LoopWatch::iterated(Cycles now, EventLog& log) {
  ++iterations_;
  if (!logged_ || now - *logged_ >= kIterationLogGap) {
    logged_ = now;
    log.record(now, EventKind::Iteration, number_, static_cast<uint32_t>(iterations_));
  }
  if (loop_.periodic) calls_.done(now);  // (what hears of the event asks for this call's release)
}

void LoopWatch::stack(uint16_t used, unsigned size) {
  stack_used_ = std::max(stack_used_, used);
  stack_size_ = size;
}

void LoopWatch::look(LoopNow now, Cycles entered, EventLog& log) {
  // Without refills, what it may use it may use since it is ready.
  if (!now.has_budget) now.head = now.ready && seen_.ready ? seen_.head : entered;
  if (now.ready && !seen_.ready) {
    released(due_at(now, entered), log);
  } else if (now.ready && now.head_end != seen_.head_end) {  // another refill
    budget_.received(entered);
    ++exhausted_;
    log.record_until(entered, EventKind::BudgetExhausted, number_, now.head);
    log.record_until(now.head, EventKind::Replenish, number_, now.head);
    released(now.head, log);
  } else if (!now.ready && seen_.ready) {
    budget_.received(entered);
  }
  thread_changed(now, entered, log);
  seen_ = now;
}

/// Since when a loop that has just been released should have been: where interrupts kept the kernel
/// from seeing that, its budget begins when it has seen it, but was due before.
Cycles LoopWatch::due_at(const LoopNow& now, Cycles entered) const {
  const Cycles due = std::max(seen_.wake_at, seen_.head);
  const bool only_seen_now = now.head <= entered + kPunctual;
  const bool late = seen_.waits == Waits::ForTime && due + kPunctual < now.head;
  return late && only_seen_now ? due : now.head;
}

/// With a budget that was due and has not been received.
Responses LoopWatch::budget_until(Cycles now) const {
  Responses all = budget_;
  const Cycles period = cycles_of(demand(loop_).period);
  const Cycles due = std::max(seen_.wake_at, seen_.head);
  if (seen_.ready) {
    all.overdue(now, period);
  } else if (seen_.waits == Waits::ForTime && due + kPunctual < now) {  // it was not woken
    all.release(due);
    all.overdue(now, period);
  }
  return all;
}

void LoopWatch::thread_changed(const LoopNow& now, Cycles entered, EventLog& log) {
  const bool slept_on = now.waits == Waits::ForTime && now.wake_at != seen_.wake_at;
  if (now.waits == seen_.waits && !slept_on) return;
  switch (now.waits) {
    case Waits::No:
      ++wakes_;
      return log.record(entered, EventKind::Wake, number_);
    case Waits::ForTime:
      if (seen_.waits != Waits::ForEver) ++sleeps_;  // that was its start
      return log.record_until(entered, EventKind::Sleep, number_, now.wake_at);
    case Waits::ForSomething:
      return log.record(entered, EventKind::Block, number_);
    case Waits::ForEver:
      return;
  }
}

void LoopWatch::released(Cycles at, EventLog& log) {
  budget_.release(at);
  log.record_until(at, EventKind::Release, number_, at);
}

program::LoopRun LoopWatch::facts(Cycles now, bool has_kernel) {
  program::LoopRun run{};
  run.iterations = iterations_;
  run.cpu_time = nanos(cpu_);
  run.stack_size = stack_size_ > 0 ? stack_size_ : loop_.stack_bytes;
  run.stack_used = stack_used_;
  if (!has_kernel) return run;  // it is not scheduled
  meter_.advance(instant(now));
  if (meter_.windows() > 0) {
    run.least_cpu = nanos(static_cast<Cycles>(meter_.least().ticks()));
    run.most_cpu = nanos(static_cast<Cycles>(meter_.most().ticks()));
  }
  const Responses counted = loop_.periodic ? calls_.until(now) : budget_until(now);
  run.exhausted = exhausted_;
  run.releases = counted.releases();
  run.deadline_misses = counted.misses();
  run.worst_response = nanos(counted.worst());
  run.switches = switches_;
  run.preemptions = preemptions_;
  run.sleeps = sleeps_;
  run.wakes = wakes_;
  return run;
}

program::LoopCounts LoopWatch::counts(Cycles now, bool has_kernel) const {
  program::LoopCounts so_far{.id = loop_.id,
                             .iterations = iterations_,
                             .exhausted = {},
                             .deadline_misses = {},
                             .worst_response = {}};
  if (!has_kernel) return so_far;
  const Responses counted = loop_.periodic ? Calls(calls_).until(now) : budget_until(now);
  so_far.exhausted = exhausted_;
  so_far.deadline_misses = counted.misses();
  so_far.worst_response = nanos(counted.worst());
  return so_far;
}

}  // namespace hocket::avr
