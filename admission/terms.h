// The terms of each bound, for a report from which the bound can be recomputed: the summands of the
// analyses, by name. Each term comes from the function that the analysis itself uses, so the two
// cannot differ (docs/decisions/testing-the-scheduler.md). In ticks.
#pragma once

#include "admission/deadline_analysis.h"
#include "admission/delivery.h"
#include "admission/fixed_priority_analysis.h"

namespace hocket {

/// What another entity takes: `times` releases, `ticks` in total.
struct Taken {
  uint64_t times;
  uint64_t ticks;
};

/// The terms of a response time under fixed priorities.
template <class TicksType, unsigned kCapacity>
class FixedPriorityTerms : public FixedPriorityAnalysis<TicksType, kCapacity, /*kBacklogs=*/true> {
  using Base = FixedPriorityAnalysis<TicksType, kCapacity, /*kBacklogs=*/true>;

 public:
  using Base::Base;

  uint64_t enforced_budget(unsigned rank) const { return this->enforced(rank); }
  /// O, summed over all higher ranks.
  uint64_t ahead_before(unsigned rank) const { return rank * this->ahead(); }
  uint64_t top_halves_beside(unsigned rank) const {
    uint64_t sum = 0;
    for (unsigned i = 0; i < this->size(); ++i) {
      if (i != rank) sum += static_cast<uint64_t>((*this)[i].top_half);
    }
    return sum;
  }
  /// By index, in the order in which the interrupts were added.
  Taken interrupts_within(unsigned index, uint64_t window) const {
    const auto& handler = this->handler_[index];
    const uint64_t times = handler.within(window);
    return {times, times * handler.length};
  }
  /// What a virtual CPU of a higher rank takes. An I/O virtual CPU has no whole releases.
  Taken taken_within(unsigned rank, uint64_t window) const {
    const uint64_t times = (*this)[rank].io ? 0 : Base::releases(this->period(rank), window);
    return {times, this->taken(rank, window)};
  }
};

/// The terms of the processor demand by an instant after a common release.
template <class TicksType, unsigned kCapacity>
class DeadlineTerms : public DeadlineAnalysis<TicksType, kCapacity, /*kHybrid=*/true> {
  using Base = DeadlineAnalysis<TicksType, kCapacity, /*kHybrid=*/true>;

 public:
  using Base::Base;

  uint64_t enforced_budget(unsigned rank) const { return this->budget(rank); }
  /// The number of entities with a deadline.
  unsigned with_deadline() const { return this->counted(); }
  uint64_t ahead_of_budget() const { return static_cast<uint64_t>(this->ahead()); }
  uint64_t interrupts_by(uint64_t instant) const {
    if (this->handler_length_ == 0) return 0;
    return this->handler_length_ + this->handler_share_.portion(instant) + 1;
  }
  uint64_t blocking_by(uint64_t instant) const { return this->blocking(instant); }
  uint64_t top_halves() const {
    uint64_t sum = 0;
    for (unsigned i = 0; i < this->counted(); ++i) {
      sum += static_cast<uint64_t>((*this)[i].top_half);
    }
    return sum;
  }
  /// For a virtual CPU whose first deadline is not later than `instant`.
  Taken due_by(unsigned rank, uint64_t instant) const {
    const uint64_t window = instant - this->deadline(rank);
    const uint64_t times = (*this)[rank].io ? 0 : window / this->period(rank) + 1;
    return {times, this->work_within(rank, window)};
  }
  uint64_t total_by(uint64_t instant) const {
    return Base::sum(this->due(instant), blocking_by(instant));
  }
};

/// The terms of the delay from an edge to a handler.
template <class TicksType>
class DeliveryTerms : public Delivery<TicksType> {
  using Base = Delivery<TicksType>;
  using Ticks = TicksType;

 public:
  using Base::Base;

  struct Terms {
    Ticks io_waits, io_ahead, io_periods, io_response, io_work;
    Ticks handler_waits, handler_ahead, handler_response, ending;
  };
  Terms of(const Demand<Ticks>& io, Ticks io_response, Ticks bottom_half,
           const Demand<Ticks>& handler, Ticks handler_response, Ticks wakeups) const {
    const Ticks more = Base::more_budgets(io, bottom_half);
    return {.io_waits = Base::wait(io, 1),
            .io_ahead = Base::comes_back_late(io, more + 1),
            .io_periods = more * io.period,
            .io_response = io_response - io.budget,
            .io_work = bottom_half - more * io.budget,
            .handler_waits = Base::wait(handler, wakeups),
            .handler_ahead = Base::ahead(),
            .handler_response = handler_response - Base::surely_left(handler),
            .ending = Base::ending()};
  }
};

}  // namespace hocket
