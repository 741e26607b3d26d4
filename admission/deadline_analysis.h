// Admission by earliest deadline first: exact processor demand, for deadlines up to the period. In
// ticks.
//
// Sources: Baruah, Rosier, Howell 1990 (processor demand); Zhang, Burns 2009 (QPA: only few
// deadlines must be tested); Baker 1991 and Baruah 2006 (blocking under the stack resource policy).
//
// A core is accepted if H(t) ≤ t at each absolute deadline t after a common release:
//
//   H(t) = J + M + Σ tops + B(t) + I(t) + Σ_{D_i ≤ t} (N_i(t) + O)
//
//   N_i(t) = (⌊(t − D_i) / T_i⌋ + 1) · C'_i       of a loop
//          = C'_i + ⌈(t − D_i) · C'_i / T_i⌉      of an I/O virtual CPU
//
// C', J, M and O are defined in fixed_priority_analysis.h. Σ tops are the top halves of all lines
// of I/O virtual CPUs: one of each may precede the budget that pays for it, whatever the deadlines.
// B(t) is the longest section of an entity whose deadline is later than t, with a lock that is used
// by an entity whose deadline is not later. (A timer is set only for an entity that will preempt,
// and that entity pays for it: kernel/sched/deadline_order.h.) I(t) are interrupts that no budget
// pays for, as many as their distances allow: I(t) = Σ length + ⌈t · Σ length / distance⌉. This is
// a line, so that what holds at deadlines holds between them too.
//
// An I/O virtual CPU (pibs_server.h) may use C' whenever it is eligible, and after using u it is
// eligible again u · T / C' later. Take the first and the last activation in a window: they are
// eligible n apart, and the last one is due D later. Between them it used at most U · n, and in the
// last one at most C'. That is a periodic task's demand without its steps: the line that touches
// them from above. The line is tested where it begins and where other demands step. Between these
// points, t grows at least as fast as all lines together.
//
// A sporadic server's refills are pieces of a budget, each with a deadline D after it becomes
// usable. In any period they add up to at most C', so they demand no more than this. A nap moves a
// head, together with what was consumed of it before its deadline was moved. That changes nothing:
// what the window lost at its start was done before (docs/decisions/earliest-deadline-first.md).
//
// Where to test. There are three upper limits; no deadline at or after one of them needs a test.
// They are: the end L of the longest busy interval; the point where the line Σ U · (t + T − D) +
// what comes once falls below t; and the longest deadline plus a common multiple of all periods,
// because the demand grows by at most that multiple in it. The search begins at the least of these
// and goes down: if H(t) ≤ t, every deadline from H(t) to t holds, because H decreases with t. (B
// does not; the longest section that counts up to t is taken for it.) A search upwards in the same
// way finds the first deadline that does not hold: the next candidate is the first instant by which
// more than t is due.
#pragma once

#include "admission/analysis.h"
#include "admission/ranked_demands.h"

namespace hocket {

/// A critical section: an entity with the deadline `holder` holds a lock for `length`, and the
/// shortest deadline of that lock's users is `user`.
template <class Ticks>
struct CriticalSection {
  Ticks length = 0;
  Ticks holder = 0;
  Ticks user = 0;
};

/// `kHybrid`: a demand with a level has no deadline, and demands nothing.
template <class TicksType, unsigned kCapacity, bool kHybrid = false>
class DeadlineAnalysis : public RankedDemands<TicksType, kCapacity> {
  using Base = RankedDemands<TicksType, kCapacity>;

 public:
  using Ticks = TicksType;
  using Base::insert_at, Base::remove;

  /// Deadlines decide which entity comes first (analysis.h).
  static constexpr bool kByDeadline = true;

  constexpr DeadlineAnalysis() = default;
  explicit DeadlineAnalysis(const Overheads<Ticks>& overheads) { reset(overheads); }
  void reset(const Overheads<Ticks>& overheads) {
    Base::reset(overheads);
    this->overheads_.by_deadline = true;
    sections_ = handlers_ = 0;
    handler_share_ = Share();
    handler_length_ = 0;
  }

  /// As FixedPriorityAnalysis::add_handler().
  bool add_handler(Ticks length, Ticks distance) {
    if (handlers_ == Base::kMostHandlers) return false;
    ++handlers_;
    const auto taken = static_cast<uint64_t>(length);
    const Share own = Share::of(taken, static_cast<uint64_t>(distance)).rounded_up();
    if (!handler_share_.add(own)) handler_share_ = Share::of(1, 1);
    handler_length_ += taken;
    return true;
  }

  /// Returns false if there are too many. Sections of locks that every entity of the core uses
  /// belong in overheads.blocking.
  bool add_section(const CriticalSection<Ticks>& section) {
    if (sections_ == kMostSections) return false;
    section_[sections_++] = section;
    return true;
  }

  unsigned insert(const Demand<Ticks>& demand) {
    const bool free = is_free(demand);
    const unsigned counts = counted();
    const unsigned rank = free ? this->place_among(counts, this->size(), demand)
                               : this->place_among(0, counts, demand);
    insert_at(rank, demand);
    return rank;
  }
  static constexpr bool is_free(const Demand<Ticks>& demand) { return kHybrid && demand.has_level; }

  /// Whether the order can guarantee anything for this demand.
  static constexpr bool supports(const Demand<Ticks>& demand) {
    return demand.budget > 0 && demand.budget <= demand.deadline &&
           demand.deadline <= demand.period;
  }

  /// EDF is feasible for the whole core or not at all. Returns size() or the given rank.
  unsigned first_misfit(unsigned rank) const { return feasible() ? this->size() : rank; }
  Ticks response_time(unsigned rank, Ticks = 0) const {
    return feasible() && !is_free((*this)[rank]) ? (*this)[rank].deadline : Base::kUnbounded;
  }
  /// Whether everything is refused because the search was given up. This happens only on a core
  /// that has almost nothing left, with periods that have no small common multiple.
  bool undecided() const { return answer() == Answer::Unknown && first_overload() == 0; }
  /// What is due by this demand's deadline after a common release.
  Ticks demand_by_deadline(unsigned rank) const { return demand_by((*this)[rank].deadline); }
  Ticks demand_by(Ticks instant) const {
    const auto t = static_cast<uint64_t>(instant);
    return static_cast<Ticks>(smaller(sum(due(t), blocking(t)), kMost));
  }

  /// The first instant after a common release by which more is due than there is time. 0: there is
  /// none, or it is too far away to be found.
  Ticks first_overload() const {
    if (counted() == 0 || !all_supported()) return 0;
    const uint64_t end = overloaded() ? kMost : horizon();
    uint64_t t = next_deadline(0);
    for (uint32_t step = 0; step < kMostSteps && t < end; ++step) {
      if (sum(due(t), blocking(t)) > t) return static_cast<Ticks>(t);
      const uint64_t most_blocking = blocking_from(t);
      if (most_blocking > t) {
        t = next_deadline(t + 1);
        continue;
      }
      t = next_deadline(first_with_more_due(t + 1, t - most_blocking));
    }
    return 0;
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
    return fitting < smallest_budget(this->overheads_.costs) ? 0 : fitting;
  }
  static constexpr uint32_t utilization_bound_ppm() { return 1'000'000; }

  /// What delays every entity once, without blocking. A deadline must exceed the budget by at least
  /// this.
  Ticks once() const { return ahead() + static_cast<Ticks>(common()); }
  Ticks enforced(const Demand<Ticks>& demand) const { return this->overheads_.enforced(demand); }

  /// Replaces the demand of a rank.
  void replace(unsigned rank, const Demand<Ticks>& demand) { this->put(rank, demand); }

 protected:  // (terms.h)
  static constexpr unsigned kMostSections = 8;
  static constexpr uint32_t kMostSteps = 20'000;
  /// Tests of single demands, which allow more steps for few demands.
  static constexpr uint32_t kMostLooks = 400'000;
  using Base::kMost, Base::kTooLarge;

  /// Demands without a level come first; this is their number.
  unsigned counted() const {
    unsigned count = this->size();
    while (kHybrid && count > 0 && is_free((*this)[count - 1])) --count;
    return count;
  }

  static uint64_t sum(uint64_t a, uint64_t b) {
    uint64_t result;
    return __builtin_add_overflow(a, b, &result) ? kTooLarge : result;
  }
  static uint64_t product(uint64_t a, uint64_t b) {
    uint64_t result;
    return __builtin_mul_overflow(a, b, &result) ? kTooLarge : result;
  }
  uint64_t budget(unsigned i) const { return Base::enforced(i); }
  uint64_t period(unsigned i) const { return Base::period(i); }
  uint64_t deadline(unsigned i) const { return Base::deadline(i); }

  /// O: the most by which a server may exceed its budget.
  Ticks ahead() const { return this->overheads_.enforcement() + this->overheads_.overrun; }
  uint64_t common() const {
    const auto& costs = this->overheads_.costs;
    uint64_t all = static_cast<uint64_t>(costs.timer_lateness) +
                   static_cast<uint64_t>(costs.longest_masked + this->overheads_.once) +
                   handler_length_;
    for (unsigned i = 0; i < counted(); ++i) all += static_cast<uint64_t>((*this)[i].top_half);
    return all;
  }

  bool all_supported() const {
    for (unsigned i = 0; i < counted(); ++i) {
      if (!supports((*this)[i])) return false;
    }
    return true;
  }

  /// True if the demand certainly exceeds the core.
  bool overloaded() const {
    Share all = handler_share_;
    for (unsigned i = 0; i < counted(); ++i) {
      if (!all.add(this->share(i))) return true;
    }
    return false;
  }

  enum class Answer : uint8_t { Holds, DoesNot, Unknown };
  bool feasible() const { return answer() == Answer::Holds; }
  /// Whether all deadlines hold.
  Answer answer() const {
    if (counted() == 0) return Answer::Holds;
    if (!all_supported() || overloaded()) return Answer::DoesNot;
    const uint64_t end = horizon();
    if (end == kTooLarge) return Answer::Unknown;
    uint64_t t = last_deadline(end);
    const uint32_t most_steps = larger(kMostSteps, kMostLooks / counted());
    for (uint32_t step = 0; step < most_steps; ++step) {
      if (t == 0) return Answer::Holds;
      const uint64_t now_due = due(t);
      if (sum(now_due, blocking(t)) > t) return Answer::DoesNot;
      t = last_deadline(smaller(t, sum(now_due, blocking_until(t))));
    }
    return Answer::Unknown;
  }

  /// H(t) without B(t).
  uint64_t due(uint64_t t) const {
    uint64_t all = sum(common(), handler_share_.portion(t));
    if (handler_length_ > 0) all = sum(all, 1);
    for (unsigned i = 0; i < counted(); ++i) {
      if (deadline(i) > t) continue;
      all = sum(all, sum(work_within(i, t - deadline(i)), static_cast<uint64_t>(ahead())));
    }
    return all;
  }
  /// N(t): the work of all releases within the window.
  uint64_t work_within(unsigned i, uint64_t window) const {
    const uint64_t periods = window / period(i);
    const uint64_t whole = product(periods + 1, budget(i));
    if (!(*this)[i].io) return whole;
    const uint64_t rest = window % period(i);
    const uint64_t part = proportion(rest, budget(i), period(i));
    // The rounding error is less than a period, so it is exact even if both products wrap.
    return sum(whole, part + (rest * budget(i) != part * period(i) ? 1 : 0));
  }

  /// Whether an entity without a deadline may hold a lock: one that takes turns, or one in idle
  /// time. The latter has its budget, and the work due by its deadline, in addition.
  bool blocks_always() const { return this->overheads_.idle_time || counted() < this->size(); }

  /// The longest of the sections for which `counts` is true.
  template <class Counts>
  uint64_t longest(Counts counts) const {
    Ticks most = 0;
    for (unsigned i = 0; i < sections_; ++i) {
      if (counts(section_[i])) most = larger(most, section_[i].length);
    }
    if (this->overheads_.blocking > most) {
      Ticks latest = 0, earliest = Base::kUnbounded;
      for (unsigned i = 0; i < counted(); ++i) {
        latest = larger(latest, (*this)[i].deadline);
        earliest = smaller(earliest, (*this)[i].deadline);
      }
      if (blocks_always()) latest = Base::kUnbounded;
      if (counts(CriticalSection<Ticks>{this->overheads_.blocking, latest, earliest})) {
        most = this->overheads_.blocking;
      }
    }
    return static_cast<uint64_t>(most);
  }
  /// B(t); the largest B up to t; and the largest B from t on.
  uint64_t blocking(uint64_t t) const {
    return longest([t](const auto& s) {
      return static_cast<uint64_t>(s.user) <= t && t < static_cast<uint64_t>(s.holder);
    });
  }
  uint64_t blocking_until(uint64_t t) const {
    return longest([t](const auto& s) { return static_cast<uint64_t>(s.user) <= t; });
  }
  uint64_t blocking_from(uint64_t t) const {
    return longest([t](const auto& s) { return t < static_cast<uint64_t>(s.holder); });
  }

  /// No deadline from there on is the first one that does not hold; kTooLarge: unknown. (From the
  /// last holder's deadline on, only sections that always block still do.)
  uint64_t horizon() const {
    uint64_t last = 0;
    for (unsigned i = 0; i < sections_; ++i) {
      last = larger(last, static_cast<uint64_t>(section_[i].holder));
    }
    for (unsigned i = 0; i < counted(); ++i) last = larger(last, deadline(i));
    const uint64_t first_round = sum(common_multiple(), last + 1);
    uint64_t end = smaller(where_the_line_falls_below(), first_round);
    end = smaller(end, longest_busy_interval());
    return larger(end, last);
  }
  /// The common multiple of all periods, if the demand in that time does not exceed it: then all
  /// deadlines hold if those of the first such interval do. kTooLarge otherwise.
  uint64_t common_multiple() const {
    uint64_t multiple = 1;
    for (unsigned i = 0; i < counted(); ++i) {
      multiple = product(multiple, period(i) / common_divisor(multiple, period(i)));
      if (multiple > kMost) return kTooLarge;
    }
    uint64_t due = handler_share_.portion(multiple) + (handler_length_ > 0 ? 1 : 0);
    for (unsigned i = 0; i < counted(); ++i) {
      due = sum(due, product(multiple / period(i), budget(i)));
    }
    return due <= multiple ? multiple : kTooLarge;
  }
  static uint64_t common_divisor(uint64_t a, uint64_t b) {
    while (b != 0) {
      const uint64_t rest = a % b;
      a = b;
      b = rest;
    }
    return a;
  }
  /// The least solution of L = what comes once + Σ ⌈L / T⌉ · C'.
  uint64_t longest_busy_interval() const {
    if (handler_length_ > 0 || serves_io()) return kTooLarge;  // (the line is as good)
    uint64_t end = 1;
    for (uint32_t step = 0; step < kMostSteps; ++step) {
      uint64_t work = everything_once();
      for (unsigned i = 0; i < counted(); ++i) {
        work = sum(work, product((end - 1) / period(i) + 1, budget(i)));
      }
      if (work == end) return end;
      if (work > kMost) break;
      end = work;
    }
    return kTooLarge;
  }
  bool serves_io() const {
    for (unsigned i = 0; i < counted(); ++i) {
      if ((*this)[i].io) return true;
    }
    return false;
  }
  uint64_t where_the_line_falls_below() const {
    Share all = handler_share_;
    uint64_t above = everything_once() + 1;
    for (unsigned i = 0; i < counted(); ++i) {
      const Share own = this->share(i).rounded_up();
      if (!all.add(own)) return kTooLarge;
      above += own.portion(period(i) - deadline(i)) + 1;
    }
    const uint64_t end = all.stretched(above, kMost);
    return end == kMost ? kTooLarge : end + 1;
  }
  uint64_t everything_once() const {
    return common() + counted() * static_cast<uint64_t>(ahead()) +
           (blocks_always() ? static_cast<uint64_t>(this->overheads_.blocking) : 0);
  }

  // --- Absolute deadlines after a common release (only the first one for an I/O virtual CPU) ---

  /// The last deadline before t; 0: none.
  uint64_t last_deadline(uint64_t t) const {
    uint64_t last = 0;
    for (unsigned i = 0; i < counted(); ++i) {
      if (deadline(i) >= t) continue;
      last = larger(last, (*this)[i].io ? deadline(i) : t - 1 - (t - 1 - deadline(i)) % period(i));
    }
    each_begin_of_blocking([&](uint64_t begin) {
      if (begin < t && begin > last && falls_on_a_line(begin)) last = begin;
    });
    return last;
  }
  /// The first deadline at t or later.
  uint64_t next_deadline(uint64_t t) const {
    uint64_t next = kMost;
    for (unsigned i = 0; i < counted(); ++i) {
      const uint64_t first = deadline(i);
      if ((*this)[i].io) {
        if (first >= t) next = smaller(next, first);
        continue;
      }
      const uint64_t jobs = first >= t ? 0 : (t - first - 1) / period(i) + 1;
      next = smaller(next, sum(first, product(jobs, period(i))));
    }
    each_begin_of_blocking([&](uint64_t begin) {
      if (begin >= t && begin < next && falls_on_a_line(begin)) next = begin;
    });
    return next;
  }
  template <class Visit>
  void each_begin_of_blocking(Visit visit) const {
    for (unsigned i = 0; i < sections_; ++i) visit(static_cast<uint64_t>(section_[i].user));
  }
  /// Whether an I/O virtual CPU may have work due at t, without a deadline of a job there.
  bool falls_on_a_line(uint64_t t) const {
    for (unsigned i = 0; i < counted(); ++i) {
      if ((*this)[i].io && deadline(i) <= t) return true;
    }
    return false;
  }
  /// The first instant from `from` on by which more than `amount` is due; kMost: none.
  uint64_t first_with_more_due(uint64_t from, uint64_t amount) const {
    uint64_t step = 1;
    uint64_t low = from;  // no instant before it has more due
    while (low + step < kMost && due(low + step) <= amount) {
      low += step;
      step *= 2;
    }
    uint64_t high = smaller(low + step, kMost);
    while (low < high) {
      const uint64_t middle = low + (high - low) / 2;
      if (due(middle) > amount) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  CriticalSection<Ticks> section_[kMostSections] = {};
  unsigned sections_ = 0;
  unsigned handlers_ = 0;
  Share handler_share_;
  uint64_t handler_length_ = 0;
};

}  // namespace hocket
