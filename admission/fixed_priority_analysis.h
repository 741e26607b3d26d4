// Admission under fixed priorities: decides whether these virtual CPUs can be guaranteed on this
// core. In ticks.
//
// Sources: Joseph & Pandya 1986, Audsley et al. 1993 (exact response-time analysis, which decides);
// Liu & Layland 1973 and Danish, Li, West 2011, equation 1 (the bound that is reported).
//
// W = J + R is the least solution, in whole ticks, of:
//
//   W = J + M + B + O_lock + C' + Σ_higher (ceil(W / T_j) · C'_j + O)           accepted when W ≤ D
//
// C' is the enforced budget (charges.h), J the lateness of the timer, M the longest masked section,
// and B the longest section of a lower-priority entity that cannot be preempted. O = L + M + O_lock
// is the most by which a server may exceed its budget: the timer of its limit is late, and it may
// hold a lock beyond the limit. Later budget pays for that, so it counts once in a window and not
// once a period (docs/decisions/testing-the-scheduler.md, fact F3).
//
// An I/O virtual CPU of higher priority (pibs_server.h) is not a periodic task. With U = C' / T it
// may take
//
//   I(W) = C' + ⌊U · (W − C')⌋      in place of ⌈W / T⌉ · C'
//
// C' as the window begins, and from then on a little at a time, as U allows. Top halves are part of
// its C'. They precede their budget by at most one for each line, because a line is masked until
// its bottom half has run. The top halves of every other I/O virtual CPU therefore count once, also
// those of lower priority. An interrupt that is not masked counts as often as its declared distance
// allows, before everything else: ⌈W / distance⌉ · length. A backlog of n counts at most n times:
// min(n, ⌈W / distance⌉) · length. Derivations: docs/decisions/interrupts-on-a-budget.md.
//
// How the least solution is found. Let f(W) be the right side, W* the least solution, and x ≤ W*.
// Then y = f(x) ≤ f(W*) = W*, because f does not decrease. Each server with y > n · T, where n =
// ceil(x / T), is released again before y, hence before W*. With U = C' / T:
//
//   ceil(W* / T) · C' ≥ W* · U = n · C' + (y − n · T) · U + (W* − y) · U
//
// Each other server has ceil(W* / T) ≥ n. For I/O virtual CPUs, I(W*) > C' + (W* − C') · U − 1, so
//
//   I(W*) ≥ I(x) + (I(y) − I(x) − 1) + (W* − y) · U          where I(y) > I(x), else I(W*) ≥ I(x)
//
// and their (I(y) − I(x) − 1) replaces (y − n · T) · U. Put all of these into f(W*) = W*, with sums
// over the servers that are released again only:
//
//   (W* − y) · (1 − ΣU) ≥ Σ (y − n · T) · U
//
// (For a backlog, add to the right side what it has more by y than by x; its U is 0.) So y + Σ (y −
// n · T) · U / (1 − ΣU) is at most W* too, and is the next x. U, products and the quotient are
// rounded down (share.h), which makes the next x smaller, never larger, so W* is not passed. If no
// server is released before y, and no I(y) exceeds I(x), then f(y) = y; y is at most W*, so y = W*.
// From x = 0 the first step leads to f(0) / (1 − U_higher). Close to that point, plain iteration
// needs a number of steps that grows without bound as the core fills.
//
// If all bounds are wanted, each search begins at the bound of the rank above. Let f' belong to the
// rank below f. Then f' ≥ f, because only f' counts the lower rank's own C' and what the rank above
// takes besides. So the least solution of f is at most that of f'.
//
// Each time a demand is added, all ranks must be tested. W* ≤ D holds if some x ≤ D has f(x) ≤ x.
// Such an x is kept for each rank, together with f(x); at first x = D. A demand that is added above
// adds what it takes by x, which is one product. Only if f(x) > x must W* be found, and with it
// another x: the last one before something is released again. A demand that is added below adds
// only its top half, since nothing else of it has effect upwards.
//
// Some sets that leave less than a millionth of the core take many steps nevertheless. They get an
// upper bound instead: ceil(W / T) · C' ≤ W · U + C', and I(W) ≤ W · U + C', where f(0) already
// includes that C'. So W* ≤ (f(0) + ΣC') / (1 − ΣU).
#pragma once

#include "admission/analysis.h"
#include "admission/ranked_demands.h"

namespace hocket {

/// The virtual CPUs of one core, in order of priority. `kBacklogs`: interrupts may be paid for
/// before they arrive (add_backlog()).
template <class TicksType, unsigned kCapacity, bool kBacklogs = false>
class FixedPriorityAnalysis : public RankedDemands<TicksType, kCapacity> {
  using Base = RankedDemands<TicksType, kCapacity>;

 public:
  using Ticks = TicksType;
  using Base::kUnbounded, Base::size;

  constexpr FixedPriorityAnalysis() = default;
  explicit FixedPriorityAnalysis(const Overheads<Ticks>& overheads) : Base(overheads) {}

  /// Removes all entities.
  void reset(const Overheads<Ticks>& overheads) {
    Base::reset(overheads);
    handler_count_ = 0;
    top_halves_ = 0;
    ios_ = 0;
    newest_ = late_ = kNone;
  }

  /// Adds an interrupt of this core whose handling no budget pays for. It takes `length` from
  /// vector to return, and begins at least `distance` after the previous one. Returns false if
  /// there are too many.
  bool add_handler(Ticks length, Ticks distance) {
    return add({static_cast<uint64_t>(length), static_cast<uint64_t>(distance),
                Share::of(static_cast<uint64_t>(length), static_cast<uint64_t>(distance))});
  }

  /// Adds interrupts that some budget has paid for before they arrive. Of those that were paid for
  /// before a window begins, at most `most` arrive in it; no others are counted.
  bool add_backlog(Ticks length, Ticks distance, uint32_t most)
    requires kBacklogs
  {
    return add({static_cast<uint64_t>(length), static_cast<uint64_t>(distance), {}, {most}});
  }

  /// Adds a demand at its priority and returns its rank.
  unsigned insert(const Demand<Ticks>& demand) {
    const unsigned rank = this->place_among(0, size(), demand);
    insert_at(rank, demand);
    return rank;
  }

  /// Adds a demand at a given priority.
  void insert_at(unsigned rank, const Demand<Ticks>& demand) {
    for (unsigned i = size(); i > rank; --i) seen_[i] = seen_[i - 1];
    Base::insert_at(rank, demand);
    top_halves_ += top_half(rank);
    ios_ += demand.io ? 1 : 0;
    each_delayed_by(rank, [](uint64_t& due, uint64_t part) { due += part; });
    seen_[rank] = {this->deadline(rank), due_by(rank, this->deadline(rank))};
    newest_ = rank + 1;
    late_ = kNone;
  }

  void remove(unsigned rank) {
    each_delayed_by(rank, [](uint64_t& due, uint64_t part) { due -= part; });
    top_halves_ -= top_half(rank);
    ios_ -= (*this)[rank].io ? 1 : 0;
    Base::remove(rank);
    for (unsigned i = rank; i < size(); ++i) seen_[i] = seen_[i + 1];
    if (rank + 1 == newest_) {
      remember_late();
    } else {
      for (unsigned i = 0; i < size(); ++i) seen_[i].least = 0;
    }
    newest_ = kNone;
  }

  /// The longest time from a release until the budget has been received, including timer lateness,
  /// or kUnbounded if the core is overloaded. It is the least bound, unless that takes more than
  /// kMostSteps to find; then it is larger by less than ΣC' / (1 − ΣU). An entity that fits has a
  /// bound within its deadline. `at_least`: the response time of a higher rank.
  Ticks response_time(unsigned rank, Ticks at_least = 0) const {
    if (overloaded(rank)) return kUnbounded;
    const Found found = least_window(rank, static_cast<uint64_t>(at_least), kMost);
    if (found.window > kMost && !found.gave_up) return kUnbounded;
    const Ticks bound = found.gave_up ? upper_bound(rank) : static_cast<Ticks>(found.window);
    const Seen& seen = seen_[rank];
    return seen.fits() ? smaller(bound, static_cast<Ticks>(seen.by)) : bound;
  }

  bool fits(unsigned rank) const { return !overloaded(rank) && keeps_deadline(rank); }

  /// The first rank whose deadline is no longer guaranteed since the demand of rank `newcomer` was
  /// added; size() if there is none. Top halves precede all entities, so a newcomer's top halves
  /// also delay the ranks above it.
  unsigned first_misfit(unsigned newcomer) const {
    const bool reaches_up = newcomer < size() && (*this)[newcomer].top_half > 0;
    return first_misfit_from(reaches_up ? 0 : newcomer);
  }

  /// The largest budget with which this demand would be admitted beside all others; 0 if none
  /// would. Another budget may give it another place among demands with the same deadline
  /// (precedes()), and an I/O virtual CPU takes more or less of those. The largest budget is
  /// therefore searched for place by place.
  Ticks largest_budget(unsigned rank) {
    const Demand<Ticks> asked = (*this)[rank];
    remove(rank);
    unsigned first = rank, last = rank;
    while (first > 0 && (*this)[first - 1].deadline == asked.deadline) --first;
    while (last < size() && (*this)[last].deadline == asked.deadline) ++last;
    Ticks largest = 0;
    for (unsigned place = last + 1; largest == 0 && place-- > first;) {
      Ticks least = larger<Ticks>(smallest_budget(this->overheads_.costs), 1);
      Ticks most = asked.deadline;
      if (place > first) least = larger(least, least_behind((*this)[place - 1], asked));
      if (place < last) most = most_before((*this)[place], asked);
      if (least <= most) largest = largest_budget_at(place, asked, least, most);
    }
    insert_at(rank, asked);
    return largest;
  }

  /// The terms of R that are due by this demand's deadline after a common release.
  Ticks demand_by_deadline(unsigned rank) const {
    return static_cast<Ticks>(smaller(due_within(rank, this->deadline(rank)), kMost));
  }

 protected:  // (terms.h)
  using Base::kMost, Base::kMostHandlers, Base::kTooLarge;
  static constexpr uint32_t kMostSteps = 10'000;
  static constexpr unsigned kNone = 0;  // (for ranks that are counted from 1)

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
    Share share;  // a backlog has none
    [[no_unique_address]] ChosenType<kBacklogs, Most, NoMost> most = {};

    uint64_t within(uint64_t window) const { return most.of(releases(distance, window)); }
  };

  /// What is due by some instant up to the deadline. It is modulo 2^64, but is read only if the
  /// core is not overloaded, and then it is less.
  struct Seen {
    uint64_t by = 0;
    uint64_t due = 0;
    uint64_t least = 0;  // a lower bound of W*, without the demand added last
    bool fits() const { return due <= by; }
  };

  bool add(const Handler& handler) {
    if (handler_count_ == kMostHandlers) return false;
    handler_[handler_count_++] = handler;
    for (unsigned i = 0; i < size(); ++i)
      seen_[i].due += handler.within(seen_[i].by) * handler.length;
    return true;
  }

  // --- Whether all fit ---

  unsigned first_misfit_from(unsigned first) const {
    Share load;
    if (!add_handlers(load)) return first;
    for (unsigned rank = 0; rank < size(); ++rank) {
      if (!load.add(this->share(rank))) return larger(rank, first);
      if (rank >= first && !keeps_deadline(rank)) return rank;
    }
    return size();
  }

  /// Requires a core that is not overloaded up to this rank.
  bool keeps_deadline(unsigned rank) const { return seen_[rank].fits() || look_again(rank); }

  /// A demand was added since `seen` was computed: finds W*, and the last instant by which no more
  /// is due.
  [[gnu::noinline]] bool look_again(unsigned rank) const {
    const uint64_t deadline = this->deadline(rank);
    Seen& seen = seen_[rank];
    const Found found = least_window(rank, seen.least, deadline);
    if (found.window <= deadline) {
      seen.by = larger(found.window, smaller(found.until, deadline));
      seen.due = found.window;
      return true;
    }
    late_ = rank + 1;
    if (!found.gave_up) return false;
    const auto bound = static_cast<uint64_t>(upper_bound(rank));
    if (bound > deadline) return false;
    seen.by = bound;
    seen.due = due_by(rank, bound);
    return true;
  }

  /// The demand added last is being removed because it made another one late. That rank will be
  /// tested again for the next attempt; this keeps a lower bound, so that the search need not begin
  /// at 0.
  void remember_late() {
    if (late_ == newest_ || late_ == kNone) return;
    const unsigned rank = late_ - 1 - (late_ > newest_ ? 1 : 0);
    const Found found = least_window(rank, seen_[rank].least, this->deadline(rank));
    if (found.window <= this->deadline(rank)) seen_[rank].least = found.window;
  }

  /// Changes what is due for each other rank by what the demand of `rank` takes there.
  template <class Change>
  void each_delayed_by(unsigned rank, Change change) {
    const uint64_t own = top_half(rank);
    for (unsigned i = 0; i < rank && own > 0; ++i) change(seen_[i].due, own);
    const uint64_t once = own + ahead();
    for (unsigned i = rank + 1; i < size(); ++i) {
      change(seen_[i].due, once + taken(rank, seen_[i].by));
    }
  }

  // --- The largest budget ---

  /// The least budget with which `asked` follows `other`, which has the same deadline.
  static Ticks least_behind(const Demand<Ticks>& other, const Demand<Ticks>& asked) {
    return other.budget + (other.id < asked.id ? 0 : 1);
  }
  /// The largest budget with which `asked` precedes `other`.
  static Ticks most_before(const Demand<Ticks>& other, const Demand<Ticks>& asked) {
    return other.budget - (other.id < asked.id ? 1 : 0);
  }

  /// The largest fitting budget from `least` to `most` at this place; 0 if `least` does not fit.
  /// (At one place, more budget is more demand for all lower ranks.) A rank that was late with a
  /// larger budget probably is late with the next, so it is tested first.
  Ticks largest_budget_at(unsigned place, Demand<Ticks> demand, Ticks least, Ticks most) {
    demand.budget = least;
    insert_at(place, demand);
    const bool any = first_misfit(place) == size();
    unsigned late = place;
    if (any && !fits_behind(place, most, late)) {
      while (most - least > 1) {
        const Ticks tried = least + (most - least) / 2;
        (fits_behind(place, tried, late) ? least : most) = tried;
      }
      most = least;
    }
    remove(place);
    return any ? most : 0;
  }

  /// Whether all ranks from `place` on keep their deadlines if the demand there has this budget.
  /// `late` is the rank to test first; on failure, the one that is late.
  bool fits_behind(unsigned place, Ticks budget, unsigned& late) {
    const Demand<Ticks> known = (*this)[place];  // seen_[] was computed with this one
    Demand<Ticks> tried = known;
    tried.budget = budget;
    this->put(place, tried);
    const bool fits = fits_behind(place, known, late);
    this->put(place, known);
    return fits;
  }
  bool fits_behind(unsigned place, const Demand<Ticks>& known, unsigned& late) const {
    if (size() > 0 && overloaded(size() - 1)) return false;
    uint64_t window = 0;
    if (!fits_in_place_of(known, place, late, window)) return false;
    window = 0;  // from here on a lower bound for the next rank
    for (unsigned rank = place; rank < size(); ++rank) {
      if (rank == late || fits_in_place_of(known, place, rank, window)) continue;
      late = rank;
      return false;
    }
    return true;
  }
  /// `window` is a lower bound, and is improved if the rank fits.
  bool fits_in_place_of(const Demand<Ticks>& known, unsigned place, unsigned rank,
                        uint64_t& window) const {
    Seen& seen = seen_[rank];
    const auto less = [&] {  // demand of `place` that `seen` does not include
      const Demand<Ticks>& tried = (*this)[place];
      return rank == place ? static_cast<uint64_t>(tried.budget - known.budget)
                           : taken(tried, seen.by) - taken(known, seen.by);
    };
    if (seen.due + less() <= seen.by) return true;
    const uint64_t deadline = this->deadline(rank);
    const Found found = least_window(rank, larger(window, seen.least), deadline);
    if (found.gave_up) return static_cast<uint64_t>(upper_bound(rank)) <= deadline;
    if (found.window > deadline) return false;
    window = found.window;
    seen.by = larger(found.window, smaller(found.until, deadline));
    seen.due = found.window - less();
    return true;
  }

  // --- The least solution ---

  /// No higher-priority work is released after `window` and before `until`. A window above the
  /// limit stands for any value above it.
  struct Found {
    uint64_t window;
    uint64_t until = 0;
    bool gave_up = false;
  };

  /// Finds W = f(W) for a core that is not overloaded, from a window that is at most W, up to
  /// `limit`. The demand of loops is not recounted in each step, because most of them have no
  /// release between one window and the next.
  Found least_window(unsigned rank, uint64_t window, uint64_t limit) const {
    uint64_t once_and_loops = begin_counting(rank, window);
    for (uint32_t step = 0; step < kMostSteps; ++step) {
      const uint64_t due = once_and_loops + due_of_others(rank, window);
      if (due > limit) return {kTooLarge};
      const Releases again = releases_between(rank, window, due);
      if (!again.any) return {due, larger(due, again.next)};
      window = due + again.shares.stretched(again.work, kMost - due);
      once_and_loops += count_on(rank, window);
    }
    return {kTooLarge, 0, /*gave_up=*/true};
  }

  /// What is due within the window, without interrupts and I/O virtual CPUs. Sets `next_` to the
  /// next release of each loop above.
  uint64_t begin_counting(unsigned rank, uint64_t window) const {
    uint64_t due = own_time(rank) + (top_halves_ - top_half(rank)) + rank * ahead();
    for (unsigned i = 0; i < rank; ++i) {
      if ((*this)[i].io) {
        next_[i] = kTooLarge;
      } else {
        const uint64_t times = releases(this->period(i), window);
        next_[i] = times * this->period(i);
        due += times * this->enforced(i);
      }
    }
    return due;
  }
  /// How much more is due within this larger window.
  uint64_t count_on(unsigned rank, uint64_t window) const {
    uint64_t more = 0;
    for (unsigned i = 0; i < rank; ++i) {
      if (next_[i] >= window) continue;
      const uint64_t times = releases(this->period(i), window - next_[i]);
      next_[i] += times * this->period(i);
      more += times * this->enforced(i);
    }
    return more;
  }
  uint64_t due_of_others(unsigned rank, uint64_t window) const {
    uint64_t due = 0;
    for (unsigned i = 0; i < handler_count_; ++i) {
      due += handler_[i].within(window) * handler_[i].length;
    }
    for (unsigned i = 0; i < rank && ios_ > 0; ++i) {
      if ((*this)[i].io) due += taken(i, window);
    }
    return due;
  }

  /// What is released between two instants; for loops, since `next_`.
  struct Releases {
    bool any = false;
    Share shares;               // ΣU
    uint64_t work = 0;          // Σ (y − n · T) · U
    uint64_t next = kTooLarge;  // if nothing is released: nothing is before this; 0: unknown

    void add(const Share& share, uint64_t part) {
      any = true;
      shares.add(share);
      work += part;
    }
  };
  Releases releases_between(unsigned rank, uint64_t from, uint64_t to) const {
    Releases again;
    for (unsigned i = 0; i < rank; ++i) {
      const uint64_t next = next_[i];
      again.next = smaller(again.next, next);
      if (next < to) again.add(this->share(i), this->share(i).portion(to - next));
    }
    for (unsigned i = 0; i < handler_count_; ++i) {
      const Handler& handler = handler_[i];
      const uint64_t times = handler.within(from), more = handler.within(to) - times;
      const uint64_t next = times * handler.distance;
      again.next = handler.most.ends() ? 0 : smaller(again.next, next);
      if (more == 0) continue;
      again.add(handler.share,
                handler.most.ends() ? more * handler.length : handler.share.portion(to - next));
    }
    for (unsigned i = 0; i < rank && ios_ > 0; ++i) {
      if (!(*this)[i].io) continue;
      again.next = 0;
      const uint64_t more = taken(i, to) - taken(i, from);
      if (more > 0) again.add(this->share(i), more - 1);
    }
    return again;
  }

  Ticks upper_bound(unsigned rank) const {
    Share shares;
    uint64_t due = due_within(rank, 0);
    for (unsigned i = 0; i < handler_count_; ++i) {
      if (!shares.add(handler_[i].share.rounded_up())) return kUnbounded;
      due += handler_[i].length * (handler_[i].most.ends() ? handler_[i].within(kMost) : 1);
    }
    for (unsigned i = 0; i < rank; ++i) {
      if (!shares.add(this->share(i).rounded_up())) return kUnbounded;
      if (!(*this)[i].io) due += this->enforced(i);
    }
    return static_cast<Ticks>(shares.stretched(due, kMost - 1) + 1);
  }

  // --- What is due ---

  /// The right side of the equation, or kTooLarge on overflow.
  uint64_t due_within(unsigned rank, uint64_t window) const {
    uint64_t sum = 0;
    bool fits = true;
    each_part(rank, window, [&](uint64_t times, uint64_t amount) {
      uint64_t part;
      fits = fits && !__builtin_mul_overflow(times, amount, &part) &&
             !__builtin_add_overflow(sum, part, &sum);
    });
    return fits ? sum : kTooLarge;
  }
  /// due_within() if the result is known to be below 2^64.
  uint64_t due_by(unsigned rank, uint64_t window) const {
    uint64_t sum = 0;
    each_part(rank, window, [&](uint64_t times, uint64_t amount) { sum += times * amount; });
    return sum;
  }

  /// Visits each summand of what may be due within a window: how often, and how much each time.
  template <class Visit>
  void each_part(unsigned rank, uint64_t window, Visit visit) const {
    visit(1, own_time(rank));
    for (unsigned i = 0; i < handler_count_; ++i) {
      visit(handler_[i].within(window), handler_[i].length);
    }
    visit(1, top_halves_ - top_half(rank));
    visit(rank, ahead());
    for (unsigned i = 0; i < rank; ++i) {
      if ((*this)[i].io) {
        visit(1, taken(i, window));
      } else {
        visit(releases(this->period(i), window), this->enforced(i));
      }
    }
  }

  /// The most that a higher server takes in a window, without what it may exceed its budget by.
  uint64_t taken(unsigned rank, uint64_t window) const { return taken((*this)[rank], window); }
  uint64_t taken(const Demand<Ticks>& demand, uint64_t window) const {
    const auto budget = static_cast<uint64_t>(this->overheads_.enforced(demand));
    const auto period = static_cast<uint64_t>(demand.period);
    if (!demand.io) return releases(period, window) * budget;
    if (window <= budget) return budget;
    const uint64_t periods = (window - budget) / period;
    const uint64_t rest = (window - budget) % period;
    return budget + periods * budget + proportion(budget, rest, period);
  }

  /// What adds to the response once, whatever else is on the core.
  uint64_t own_time(unsigned rank) const {
    const auto& overheads = this->overheads_;
    const auto& costs = overheads.costs;
    return static_cast<uint64_t>(costs.timer_lateness) +
           static_cast<uint64_t>(costs.longest_masked) +
           static_cast<uint64_t>(overheads.blocking + overheads.once) + lock_overrun() +
           this->enforced(rank);
  }
  /// O: the most by which a server may exceed its budget.
  uint64_t ahead() const {
    return static_cast<uint64_t>(this->overheads_.enforcement()) + lock_overrun();
  }
  uint64_t top_half(unsigned rank) const { return static_cast<uint64_t>((*this)[rank].top_half); }
  uint64_t lock_overrun() const { return static_cast<uint64_t>(this->overheads_.overrun); }

  static uint64_t releases(uint64_t period, uint64_t window) {
    return (window + period - 1) / period;
  }

  bool add_handlers(Share& load) const {
    for (unsigned i = 0; i < handler_count_; ++i) {
      if (!load.add(handler_[i].share)) return false;
    }
    return true;
  }
  /// Whether this demand and those above it demand more than the core has. Then nothing bounds the
  /// response, and the search could overflow. Rounding errs towards searching.
  bool overloaded(unsigned rank) const {
    Share load;
    if (!add_handlers(load)) return true;
    for (unsigned i = 0; i <= rank; ++i) {
      if (!load.add(this->share(i))) return true;
    }
    return false;
  }

  mutable Seen seen_[kCapacity];
  mutable uint64_t next_[kCapacity] = {};  // valid during least_window()
  Handler handler_[kMostHandlers];
  unsigned handler_count_ = 0;
  uint64_t top_halves_ = 0;  // of all
  unsigned ios_ = 0;
  // All zero before a demand is added, so that it takes no room in an image.
  unsigned newest_ = kNone;        // rank + 1 of the demand added last
  mutable unsigned late_ = kNone;  // rank + 1 of one found late since then
};

static_assert(SchedulabilityAnalysis<FixedPriorityAnalysis<int64_t, 1>>);

}  // namespace hocket
