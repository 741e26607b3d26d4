// Admission under fixed priorities: can these virtual CPUs be guaranteed on this core?
//
// Sources: Joseph & Pandya 1986, Audsley et al. 1993 (exact response-time analysis, which decides);
// Liu & Layland 1973 and Danish, Li, West 2011, equation 1 (the bound that is reported).
//
// With W = J + R, the least of these, all in whole ticks:
//
//   W = J + M + B + O_lock + C' + Σ_higher (ceil(W / T_j) · C'_j + O)           accepted when W ≤ D
//
// C' is the enforced budget (account.h), J the lateness of the timer, M the longest masked section,
// B the longest section of a lower one that cannot be preempted. O = L + M + O_lock is how far a
// server may be ahead of its budget: its limit's timer is late, and it may hold a lock beyond it.
// Later budget pays for that, so it counts once in a window and not once a period
// (docs/decisions/testing-the-scheduler.md, fact F3).
//
// An I/O virtual CPU above (pibs_server.h) is no periodic task: with U = C' / T it may take
//
//   I(W) = C' + ⌊U · (W − C')⌋      in place of ⌈W / T⌉ · C'
//
// C' as the window begins, and a little at a time, as much as U allows, from then on. Top halves
// are part of its C', and come before their budget by one for each line at most (a line is masked
// until its bottom half has run): so the top halves of every other I/O virtual CPU count once,
// those of lower ones too. An interrupt that is not masked counts as often as its declared distance
// allows, before all others: ⌈W / distance⌉ · length; of a backlog n at the most, min(n, ⌈W /
// distance⌉) · length. Derivations: docs/decisions/interrupts-on-a-budget.md.
//
// How the least solution is found. Let f(W) be the right side, W* the least solution, x ≤ W*.
// Then y = f(x) ≤ f(W*) = W*, as f does not fall. Each server with y > n · T, where n = ceil(x /
// T), is released again before y, hence before W*; with U = C' / T:
//
//   ceil(W* / T) · C' ≥ W* · U = n · C' + (y − n · T) · U + (W* − y) · U
//
// Each other one has ceil(W* / T) ≥ n. For I/O virtual CPUs, I(W*) > C' + (W* − C') · U − 1, so
//
//   I(W*) ≥ I(x) + (I(y) − I(x) − 1) + (W* − y) · U          where I(y) > I(x), else I(W*) ≥ I(x)
//
// and their (I(y) − I(x) − 1) stands for (y − n · T) · U. All of them in f(W*) = W*, with sums over
// the former only:
//
//   (W* − y) · (1 − ΣU) ≥ Σ (y − n · T) · U
//
// (Of a backlog as much more stands on the right side as it has by y than by x; its U is 0.)
// So y + Σ (y − n · T) · U / (1 − ΣU) is no more than W* either, and that is the next x. Rounding
// U, products and quotient down (share.h) makes it smaller, never larger: W* is not passed. When no
// server is released before y, and no I(y) is more than I(x), f(y) = y, so y = W*, as it is not
// more. From x = 0 the first step leads to f(0) / (1 − U_higher): near there plain iteration
// arrives after a number of steps that grows without bound as the core fills.
//
// Some sets that leave less than a millionth of the core still take many steps. They get an upper
// bound instead: ceil(W / T) · C' ≤ W · U + C', and I(W) ≤ W · U + C', where f(0) has that C'
// already. So W* ≤ (f(0) + ΣC') / (1 − ΣU).
#pragma once

#include "admission/analysis.h"
#include "admission/share.h"

namespace hocket {

/// The utilisation, in millionths, up to which n rate-monotonic virtual CPUs always fit a core (Liu
/// & Layland 1973, theorem 5): n(2^{1/n} − 1); beyond the table its limit, ln 2.
constexpr uint32_t liu_layland_ppm(unsigned n);

/// The virtual CPUs of one core, in order of priority. Contracts are below 2^62 ticks: sums of a
/// window (below 2^63) and what is due in it stay below 2^64, as the shares do not exceed the core.
/// `kBacklogs`: interrupts may be caused before they come (add_backlog()).
template <class TicksType, unsigned kCapacity, bool kBacklogs = false>
class FixedPriorityAnalysis {
 public:
  using Ticks = TicksType;
  static constexpr Ticks kUnbounded =
      static_cast<Ticks>(((uint64_t{1} << (8 * sizeof(Ticks) - 2)) - 1) * 2 + 1);

  constexpr FixedPriorityAnalysis() = default;
  explicit FixedPriorityAnalysis(const Overheads<Ticks>& overheads) : overheads_(overheads) {}

  /// Nobody is on the core.
  void reset(const Overheads<Ticks>& overheads) {
    overheads_ = overheads;
    size_ = 0;
    handler_count_ = 0;
  }

  /// An interrupt of this core, for whose handling no budget pays: it takes `length` from vector to
  /// return, and begins no sooner than `distance` after the one before. False: there are too many.
  bool add_handler(Ticks length, Ticks distance) {
    if (handler_count_ == kMostHandlers) return false;
    handler_[handler_count_++] = {
        static_cast<uint64_t>(length), static_cast<uint64_t>(distance),
        Share::of(static_cast<uint64_t>(length), static_cast<uint64_t>(distance))};
    return true;
  }

  /// The same of interrupts that somebody's budget has paid for before they come: of those that
  /// were paid for before a window begins `most` come in it, and no other one is counted.
  bool add_backlog(Ticks length, Ticks distance, uint32_t most)
    requires kBacklogs
  {
    if (handler_count_ == kMostHandlers) return false;
    handler_[handler_count_++] = {
        static_cast<uint64_t>(length), static_cast<uint64_t>(distance), {}, {most}};
    return true;
  }

  unsigned size() const { return size_; }
  bool full() const { return size_ == kCapacity; }
  const Demand<Ticks>& operator[](unsigned rank) const { return demand_[rank]; }

  /// Adds a demand at its priority and returns its rank.
  unsigned insert(const Demand<Ticks>& demand) {
    unsigned rank = 0;
    while (rank < size_ && !precedes(demand, demand_[rank])) ++rank;
    insert_at(rank, demand);
    return rank;
  }

  /// Adds a demand at a given priority.
  void insert_at(unsigned rank, const Demand<Ticks>& demand) {
    for (unsigned i = size_++; i > rank; --i) {
      demand_[i] = demand_[i - 1];
      share_[i] = share_[i - 1];
    }
    demand_[rank] = demand;
    share_[rank] = share_of(demand);
  }

  void remove(unsigned rank) {
    for (--size_; rank < size_; ++rank) {
      demand_[rank] = demand_[rank + 1];
      share_[rank] = share_[rank + 1];
    }
  }

  /// Longest time from a release until the budget has been received, timer lateness included;
  /// kUnbounded when the core is asked for more than there is. The least bound, unless that takes
  /// more than kMostSteps to find: then one that is larger by less than ΣC' / (1 − ΣU).
  Ticks response_time(unsigned rank) const {
    if (overloaded(rank)) return kUnbounded;
    uint64_t window = 0;
    for (uint32_t step = 0; step < kMostSteps; ++step) {
      const uint64_t due = due_within(rank, window);
      if (due > kMost) return kUnbounded;
      const Releases again = releases_between(rank, window, due);
      if (!again.any) return static_cast<Ticks>(due);
      window = due + again.shares.stretched(again.work, kMost - due);
    }
    return upper_bound(rank);
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
      const Ticks tried = fitting + (too_much - fitting) / 2;
      set_budget(rank, tried);
      (fits_from(rank) ? fitting : too_much) = tried;
    }
    set_budget(rank, asked);
    return fitting < smallest_budget(overheads_.costs) ? 0 : fitting;
  }

  /// What R is made of, by this demand's deadline after a common release.
  Ticks demand_by_deadline(unsigned rank) const {
    const auto deadline = static_cast<uint64_t>(demand_[rank].deadline);
    return static_cast<Ticks>(smaller(due_within(rank, deadline), kMost));
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
  /// Of the virtual CPUs for threads.
  uint32_t utilization_bound_ppm() const {
    unsigned count = 0;
    for (unsigned i = 0; i < size_; ++i) count += demand_[i].io ? 0 : 1;
    return liu_layland_ppm(count);
  }

 private:
  static constexpr uint64_t kMillion = 1'000'000;
  static constexpr unsigned kMostHandlers = 8;
  static constexpr uint64_t kMost = kUnbounded;
  static constexpr uint64_t kTooLarge = ~uint64_t{0};
  static constexpr uint32_t kMostSteps = 10'000;

  struct Most {
    uint64_t count = ~uint64_t{0};
    uint64_t of(uint64_t times) const { return smaller(times, count); }
    bool ends() const { return count != ~uint64_t{0}; }
  };
  struct NoMost {
    static uint64_t of(uint64_t times) { return times; }
    static constexpr bool ends() { return false; }
  };
  struct Handler {
    uint64_t length = 0;
    uint64_t distance = 0;
    Share share;  // of a backlog none
    [[no_unique_address]] ChosenType<kBacklogs, Most, NoMost> most = {};

    uint64_t within(uint64_t window) const { return most.of(releases(distance, window)); }
  };

  /// Higher servers that are released again between two instants.
  struct Releases {
    bool any = false;
    Share shares;       // ΣU
    uint64_t work = 0;  // Σ (y − n · T) · U
  };

  Releases releases_between(unsigned rank, uint64_t from, uint64_t to) const {
    Releases again;
    for (unsigned i = 0; i < handler_count_; ++i) {
      const Handler& handler = handler_[i];
      if (handler.most.ends()) {
        const uint64_t more = handler.within(to) - handler.within(from);
        again.any = again.any || more > 0;
        again.work += more * handler.length;
      } else {
        const uint64_t distance = handler.distance;
        add_releases(again, releases(distance, from) * distance, to, handler.share);
      }
    }
    for (unsigned i = 0; i < rank; ++i) {
      if (demand_[i].io) {
        const uint64_t more = taken_for_io(i, to) - taken_for_io(i, from);
        if (more == 0) continue;
        again.any = true;
        again.shares.add(share_[i]);
        again.work += more - 1;
      } else {
        add_releases(again, releases(period(i), from) * period(i), to, share_[i]);
      }
    }
    return again;
  }
  static void add_releases(Releases& again, uint64_t next, uint64_t to, const Share& share) {
    if (next >= to) return;
    again.any = true;
    again.shares.add(share);
    again.work += share.portion(to - next);
  }

  Ticks upper_bound(unsigned rank) const {
    Share shares;
    uint64_t due = due_within(rank, 0);
    for (unsigned i = 0; i < handler_count_; ++i) {
      if (!shares.add(handler_[i].share.rounded_up())) return kUnbounded;
      due += handler_[i].length * (handler_[i].most.ends() ? handler_[i].within(kMost) : 1);
    }
    for (unsigned i = 0; i < rank; ++i) {
      if (!shares.add(share_[i].rounded_up())) return kUnbounded;
      if (!demand_[i].io) due += enforced(i);
    }
    return static_cast<Ticks>(shares.stretched(due, kMost - 1) + 1);
  }

  /// The right side of the equation; kTooLarge when it is.
  uint64_t due_within(unsigned rank, uint64_t window) const {
    uint64_t sum = own_time(rank);
    bool fits = true;
    const auto add = [&](uint64_t times, uint64_t amount) {
      uint64_t part;
      fits = fits && !__builtin_mul_overflow(times, amount, &part) &&
             !__builtin_add_overflow(sum, part, &sum);
    };
    for (unsigned i = 0; i < handler_count_; ++i) {
      add(handler_[i].within(window), handler_[i].length);
    }
    const auto ahead = static_cast<uint64_t>(overheads_.enforcement()) + lock_overrun();
    for (unsigned i = 0; i < size_; ++i) {
      if (i != rank) add(1, static_cast<uint64_t>(demand_[i].top_half));
      if (i >= rank) continue;
      if (demand_[i].io) {
        add(1, taken_for_io(i, window));
      } else {
        add(releases(period(i), window), enforced(i));
      }
      add(1, ahead);
    }
    return fits ? sum : kTooLarge;
  }

  /// What an I/O virtual CPU takes in a window at most.
  uint64_t taken_for_io(unsigned rank, uint64_t window) const {
    const uint64_t budget = enforced(rank);
    if (window <= budget) return budget;
    const uint64_t periods = (window - budget) / period(rank);
    const uint64_t rest = (window - budget) % period(rank);
    return budget + periods * budget + proportion(budget, rest, period(rank));
  }

  /// What adds to the response once, whoever else is on the core.
  uint64_t own_time(unsigned rank) const {
    const auto& costs = overheads_.costs;
    return static_cast<uint64_t>(costs.timer_lateness) +
           static_cast<uint64_t>(costs.longest_masked) +
           static_cast<uint64_t>(overheads_.blocking + overheads_.once) + lock_overrun() +
           enforced(rank);
  }

  static uint64_t releases(uint64_t period, uint64_t window) {
    return (window + period - 1) / period;
  }
  uint64_t period(unsigned rank) const { return static_cast<uint64_t>(demand_[rank].period); }
  uint64_t lock_overrun() const { return static_cast<uint64_t>(overheads_.overrun); }
  uint64_t enforced(unsigned rank) const {
    return static_cast<uint64_t>(overheads_.enforced(demand_[rank]));
  }

  /// Whether this demand and those above it ask for more than the core has: then nothing bounds
  /// the response, and looking for it could overflow. (Rounding errs on the side of looking.)
  bool overloaded(unsigned rank) const {
    Share sum;
    for (unsigned i = 0; i < handler_count_; ++i) {
      if (!sum.add(handler_[i].share)) return true;
    }
    for (unsigned i = 0; i <= rank; ++i) {
      if (!sum.add(share_[i])) return true;
    }
    return false;
  }

  Share share_of(const Demand<Ticks>& demand) const {
    return Share::of(static_cast<uint64_t>(overheads_.enforced(demand)),
                     static_cast<uint64_t>(demand.period));
  }
  void set_budget(unsigned rank, Ticks budget) {
    demand_[rank].budget = budget;
    share_[rank] = share_of(demand_[rank]);
  }

  /// part / whole in millionths, rounded down.
  static uint64_t ratio_ppm(Ticks part, Ticks whole) {
    while (part > kUnbounded / 1'000'000) {
      part /= 2;
      whole /= 2;
    }
    return static_cast<uint64_t>(part * 1'000'000 / larger<Ticks>(whole, 1));
  }

  Overheads<Ticks> overheads_;
  Demand<Ticks> demand_[kCapacity];
  Share share_[kCapacity];  // of the enforced budgets
  Handler handler_[kMostHandlers];
  unsigned size_ = 0;
  unsigned handler_count_ = 0;
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

constexpr uint32_t liu_layland_ppm(unsigned n) {
  if (n == 0) return 1'000'000;
  return n <= detail::LiuLaylandTable::kEntries ? detail::kLiuLayland.ppm[n - 1] : detail::kLn2Ppm;
}

static_assert(SchedulabilityAnalysis<FixedPriorityAnalysis<int64_t, 1>>);

}  // namespace hocket
