// Virtual CPUs by earliest deadline first, experimental: sporadic servers as in vcpu_policy.h, in
// the order of their deadlines, with an analysis of their own.
//
// A core is accepted when, with what the kernel adds (account.h) and T_min the shortest period,
//
//   Σ C' / T + (L + M + blocking + Σ O) / T_min ≤ 1
//
// Source: Liu & Layland 1973, theorem 7, with every blocking and overrun counted in the shortest
// period, which is sufficient and not exact. Deadlines before the end of a period are refused.
#pragma once

#include "kernel/sched/admission.h"
#include "kernel/sched/deadline_order.h"
#include "kernel/sched/vcpu_policy.h"

namespace hocket {

template <class Ticks, unsigned kCapacity>
class DeadlineAnalysis : public FixedPriorityAnalysis<Ticks, kCapacity> {
  using Base = FixedPriorityAnalysis<Ticks, kCapacity>;

 public:
  constexpr DeadlineAnalysis() = default;
  explicit DeadlineAnalysis(const Overheads<Ticks>& overheads) { reset(overheads); }
  void reset(const Overheads<Ticks>& overheads) {
    overheads_ = overheads;
    Base::reset(overheads);
  }

  /// All of a core, or nobody.
  unsigned first_misfit(unsigned rank) const { return feasible() ? this->size() : rank; }
  Ticks response_time(unsigned rank) const {
    return feasible() ? (*this)[rank].deadline : Base::kUnbounded;
  }
  /// What is due by the end of its period when all are released at its begin.
  Ticks demand_by_deadline(unsigned rank) const {
    Ticks sum = once();
    for (unsigned i = 0; i < this->size(); ++i) {
      sum += (*this)[rank].deadline / (*this)[i].period * enforced((*this)[i]);
    }
    return sum;
  }
  Ticks largest_budget(unsigned rank) {
    const Demand<Ticks> asked = (*this)[rank];
    Ticks fitting = 0;
    Ticks too_much = asked.deadline + 1;
    while (too_much - fitting > 1) {
      Demand<Ticks> tried = asked;
      tried.budget = fitting + (too_much - fitting) / 2;
      replace(rank, tried);
      (feasible() ? fitting : too_much) = tried.budget;
    }
    replace(rank, asked);
    return fitting < smallest_budget(overheads_.costs) ? 0 : fitting;
  }
  static constexpr uint32_t utilization_bound_ppm() { return 1'000'000; }

 private:
  Ticks enforced(const Demand<Ticks>& demand) const {
    return enforced_budget(demand.budget, overheads_.activation());
  }
  /// What may stand in somebody's way once.
  Ticks once() const {
    const Ticks late = overheads_.enforcement();
    return late + overheads_.blocking +
           static_cast<Ticks>(this->size()) * (late + overheads_.overrun);
  }
  bool feasible() const {
    Share sum;
    Ticks shortest = Base::kUnbounded;
    for (unsigned i = 0; i < this->size(); ++i) {
      const Demand<Ticks>& demand = (*this)[i];
      if (demand.io) return false;  // not derived for this order
      if (demand.deadline < demand.period || !sum.add(share(enforced(demand), demand.period))) {
        return false;
      }
      shortest = smaller(shortest, demand.period);
    }
    return this->size() == 0 || sum.add(share(once(), shortest));
  }
  static Share share(Ticks part, Ticks whole) {
    return Share::of(static_cast<uint64_t>(part), static_cast<uint64_t>(whole)).rounded_up();
  }
  void replace(unsigned rank, const Demand<Ticks>& demand) {
    this->remove(rank);
    this->insert_at(rank, demand);
  }

  Overheads<Ticks> overheads_;
};

template <class Rep, unsigned kSlots, unsigned kRefills, class Observer = SilentObserver,
          class Charges = NoCharges<Rep>>
struct DeadlinePolicy : Scheduler<Rep, SporadicServer<Rep, kRefills>, DeadlineOrder<kSlots>,
                                  TimelineFor<Rep, kSlots>, Charges, Observer> {
  template <unsigned kCapacity>
  using Analysis = DeadlineAnalysis<Rep, kCapacity>;
};

}  // namespace hocket
