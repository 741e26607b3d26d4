// Admission: can these virtual CPUs be guaranteed on these cores, and if not, why?
//
// Sources: Liu & Layland 1973 and Danish, Li, West 2011, equation 1 (the bound that is reported);
// Joseph & Pandya 1986, Audsley et al. 1993 (exact response-time analysis, which decides);
// first-fit decreasing for the placement. Everything is integer arithmetic in ticks: the answer
// does not depend on rounding.
//
//   R = B + O + C' + Σ_higher (ceil((R + J) / T_j) · C'_j + O)        accepted when J + R ≤ D
//
// C' is the budget plus what the kernel adds for each of its refills (two context switches and a
// timer interrupt), J the lateness of the timer, B the longest section that cannot be preempted. A
// server's budget comes in at most N refills, and none is smaller than the minimum budget.
//
// O is how far a virtual CPU may be ahead of its budget, because it may hold a lock beyond it.
// Later budget pays for that, so it counts once in a window and not once a period
// (docs/decisions/testing-the-scheduler.md, fact F3).
#pragma once

#include "port/contract.h"

namespace hocket {

/// What one virtual CPU asks for, in ticks.
template <class Ticks>
struct Demand {
  Ticks budget = 0;
  Ticks period = 0;
  Ticks deadline = 0;  // at most the period
  uint8_t id = 0;      // breaks ties between equal deadlines
};

/// What the kernel and the other users of the core add to it, in ticks.
template <class Ticks>
struct Overheads {
  port::Costs<Ticks> costs{};
  Ticks blocking = 0;  // longest lock of a virtual CPU of lower priority (besides the kernel's own)
  Ticks overrun = 0;   // longest that a virtual CPU runs on without budget, as it holds a lock
  Ticks minimum_budget = 1;
  unsigned refills = 1;
};

/// The virtual CPUs of one core, in order of priority.
template <class Ticks, unsigned kCapacity>
class CoreAnalysis {
 public:
  static constexpr Ticks kUnbounded =
      static_cast<Ticks>(((uint64_t{1} << (8 * sizeof(Ticks) - 2)) - 1) * 2 + 1);

  explicit CoreAnalysis(const Overheads<Ticks>& overheads) : overheads_(overheads) {}

  unsigned size() const { return size_; }
  bool full() const { return size_ == kCapacity; }
  const Demand<Ticks>& operator[](unsigned rank) const { return demand_[rank]; }

  /// Adds a demand at its priority: shorter deadline first; among equals the smaller budget, whose
  /// response gains more than the other's loses; then the lower id. Returns its rank.
  unsigned insert(const Demand<Ticks>& demand) {
    unsigned rank = 0;
    while (rank < size_ && !precedes(demand, demand_[rank])) ++rank;
    insert_at(rank, demand);
    return rank;
  }

  /// Adds a demand at a given priority.
  void insert_at(unsigned rank, const Demand<Ticks>& demand) {
    for (unsigned i = size_++; i > rank; --i) demand_[i] = demand_[i - 1];
    demand_[rank] = demand;
  }

  void remove(unsigned rank) {
    for (--size_; rank < size_; ++rank) demand_[rank] = demand_[rank + 1];
  }

  /// Longest time from a release until the budget has been received, timer lateness included;
  /// kUnbounded when the core is asked for more than there is.
  Ticks response_time(unsigned rank) const {
    if (overloaded(rank)) return kUnbounded;
    const Ticks own = own_time(rank);
    Ticks response = own;
    unsigned late_steps = 0;
    for (uint32_t step = 0; step < kMostSteps && late_steps < kMostLateSteps; ++step) {
      const Ticks next = own + interference(rank, response);
      if (next == response) return response + overheads_.costs.timer_lateness;
      response = next;
      if (response > demand_[rank].deadline) ++late_steps;
    }
    return kUnbounded;
  }

  bool fits(unsigned rank) const { return response_time(rank) <= demand_[rank].deadline; }

  /// Whether everything from this rank on still has its guarantee (higher ranks are not affected).
  bool fits_from(unsigned rank) const { return first_misfit(rank) == size_; }

  /// First rank from `rank` on whose deadline cannot be guaranteed; size() when there is none.
  unsigned first_misfit(unsigned rank) const {
    while (rank < size_ && fits(rank)) ++rank;
    return rank;
  }

  /// Largest budget with which this demand, and all after it, would fit; 0 when none does.
  Ticks largest_budget(unsigned rank) {
    const Ticks asked = demand_[rank].budget;
    Ticks fitting = 0;
    Ticks too_much = demand_[rank].deadline + 1;
    while (too_much - fitting > 1) {
      demand_[rank].budget = fitting + (too_much - fitting) / 2;
      (fits_from(rank) ? fitting : too_much) = demand_[rank].budget;
    }
    demand_[rank].budget = asked;
    return fitting;
  }

  /// Work that must be done by this demand's deadline after a common release: what R is made of.
  Ticks demand_by_deadline(unsigned rank) const {
    const Ticks deadline = demand_[rank].deadline - overheads_.costs.timer_lateness;
    return own_time(rank) + interference(rank, deadline);
  }

  /// Sum of budget over period, in millionths.
  uint32_t utilization_ppm() const {
    uint32_t sum = 0;
    for (unsigned i = 0; i < size_; ++i) sum += utilization_ppm(demand_[i]);
    return sum;
  }
  static uint32_t utilization_ppm(const Demand<Ticks>& demand) {
    return static_cast<uint32_t>(ratio_ppm(demand.budget, demand.period));
  }

 private:
  // Each step grows by at least one budget. On a core that is nearly full convergence is slow: a
  // response that may yet fit is followed much longer than one that is late already, whose exact
  // value is only shown.
  static constexpr uint32_t kMostSteps = 100'000;
  static constexpr unsigned kMostLateSteps = 1000;

  /// part / whole in millionths, rounded down.
  static uint64_t ratio_ppm(Ticks part, Ticks whole) {
    while (part > kUnbounded / 1'000'000) {
      part /= 2;
      whole /= 2;
    }
    return static_cast<uint64_t>(part * 1'000'000 / larger<Ticks>(whole, 1));
  }

  /// Whether this demand and those above it ask for more than the core has: then the response has
  /// no bound, and looking for it would overflow. (Rounding errs on the side of looking.)
  bool overloaded(unsigned rank) const {
    uint64_t sum = 0;
    for (unsigned i = 0; i <= rank; ++i) sum += ratio_ppm(inflated(i), demand_[i].period);
    return sum > 1'000'000;
  }

  static bool precedes(const Demand<Ticks>& a, const Demand<Ticks>& b) {
    if (a.deadline != b.deadline) return a.deadline < b.deadline;
    return a.budget != b.budget ? a.budget < b.budget : a.id < b.id;
  }

  Ticks inflated(unsigned rank) const {
    const Ticks budget = demand_[rank].budget;
    const Ticks pieces = budget / larger<Ticks>(overheads_.minimum_budget, 1);
    const Ticks refills =
        smaller<Ticks>(larger<Ticks>(pieces, 1), static_cast<Ticks>(overheads_.refills));
    return budget +
           refills * (2 * overheads_.costs.context_switch + overheads_.costs.timer_interrupt);
  }

  /// What adds to the response once, whoever else is on the core.
  Ticks own_time(unsigned rank) const {
    return overheads_.costs.longest_masked + overheads_.blocking + overheads_.overrun +
           inflated(rank);
  }

  Ticks interference(unsigned rank, Ticks window) const {
    Ticks sum = 0;
    for (unsigned i = 0; i < rank; ++i) {
      const Ticks period = demand_[i].period;
      const Ticks releases = (window + overheads_.costs.timer_lateness + period - 1) / period;
      sum += releases * inflated(i) + overheads_.overrun;
    }
    return sum;
  }

  Overheads<Ticks> overheads_;
  Demand<Ticks> demand_[kCapacity];
  unsigned size_ = 0;
};

namespace detail {

/// n(2^{1/n} − 1) in millionths for n = 1, 2, …
struct LiuLaylandTable {
  static constexpr unsigned kEntries = 32;
  uint32_t ppm[kEntries] = {};

  consteval LiuLaylandTable() {
    for (unsigned n = 1; n <= kEntries; ++n) {
      ppm[n - 1] = static_cast<uint32_t>(n * (root_of_two(n) - 1) * 1e6);
    }
  }
  /// x with x^n = 2, by bisection.
  static consteval double root_of_two(unsigned n) {
    double low = 1;
    double high = 2;
    for (unsigned step = 0; step < 50; ++step) {
      const double middle = (low + high) / 2;
      double power = 1;
      for (unsigned i = 0; i < n; ++i) power *= middle;
      (power <= 2 ? low : high) = middle;
    }
    return high;
  }
};
inline constexpr LiuLaylandTable kLiuLayland;
inline constexpr uint32_t kLn2Ppm = 693'147;

}  // namespace detail

/// The utilisation, in millionths, up to which n rate-monotonic virtual CPUs always fit a core (Liu
/// & Layland 1973, theorem 5): n(2^{1/n} − 1); beyond the table its limit, ln 2.
constexpr uint32_t liu_layland_ppm(unsigned n) {
  if (n == 0) return 1'000'000;
  return n <= detail::LiuLaylandTable::kEntries ? detail::kLiuLayland.ppm[n - 1] : detail::kLn2Ppm;
}

}  // namespace hocket
