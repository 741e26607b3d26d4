// Admission of sketches: accepts all loops or none, and gives one sentence of explanation for each
// refusal.
//
// Pure: this header knows the loops' declarations and the target's clock, costs and analysis. It
// knows no board and no port. The kernel that loads a sketch uses it at run time. For a board that
// cannot run it (the Uno), the host computer uses it.
#pragma once

#include "admission/splitting.h"
#include "admission/stated.h"
#include "arduino/runtime/promise.h"
#include "arduino/runtime/refusals.h"

namespace hocket::runtime {

/// Summary of one core after admission.
struct CoreReport {
  unsigned loops = 0;
  uint32_t utilization_ppm = 0;
  uint32_t liu_layland_ppm = 0;  // utilization up to which every set fits (Liu and Layland); for
                                 // policies with another bound, that bound
};

/// The core and priority that admission gave to a loop.
template <class Ticks>
struct Place {
  CoreId core = 0;
  unsigned rank = 0;  // priority on its core; 0 is the highest
  Ticks response_bound = 0;
};

/// A loop that fits on no single core: its two parts, each on its own core, and the priority of
/// each.
template <class Ticks>
struct SplitPlace {
  unsigned index = 0;
  Part<Ticks> part[2];
  unsigned rank[2] = {};
};

/// `kMaySplit`: the policy is EDF and threads can migrate, so a loop may be split over two cores.
template <class Rate, SchedulabilityAnalysis Analysis, unsigned kMaxCores, unsigned kMaxLoops,
          bool kMaySplit = false>
class Admission {
 public:
  using Ticks = typename Analysis::Ticks;
  static_assert(kMaxLoops <= UINT8_MAX + 1, "a demand's id is a loop's place");
  static constexpr bool kHasBacklogs =
      requires(Analysis analysis) { analysis.add_backlog(Ticks{}, Ticks{}, 0u); };

  /// Decides whether all loops can be guaranteed on `cores` cores. A loop whose budget is too small
  /// for the board is refused, and the others are placed as if it were not there. `loops` holds
  /// each sketch's loops in the order of their numbers. `top_half`: the longest top half (ticks) of
  /// a pin interrupt that a bottom half among the loops serves.
  bool admit(const LoopDescriptor* const* loops, unsigned count, unsigned cores,
             const Overheads<Ticks>& overheads, Ticks top_half = 0) {
    loops_ = loops;
    count_ = count;
    top_half_ = top_half;
    refusals_.clear();
    begin(cores, overheads);
    if (!pins_exist(cores)) return false;
    const bool large_enough = request_all(overheads);
    refused_count_ = 0;
    Placement<Analysis, kMaxLoops> placement(cores_, cores);
    bool placed = placement.place_all(
        requests_, requested_,
        [this](const Refusal<Ticks>& refusal) { refused_[refused_count_++] = refusal; },
        Refusals<Rate, Ticks>::kMost);
    if constexpr (kMaySplit) {
      if (!placed) placed = place_in_parts(cores, overheads);
    }
    if (!placed) explain(cores, overheads);
    for (unsigned core = 0; core < cores; ++core) note_places(static_cast<CoreId>(core));
    if (!placed) explain_handlers();
    return large_enough && placed;
  }

  /// After admit() has refused: places the refused loops as well, on the core that they are pinned
  /// to, else on the core with the least load. A simulator shows with it what would happen; nothing
  /// is guaranteed then, to any loop. Returns false if some loop cannot run at all: its budget is
  /// too small for the board, or it is pinned to a core that does not exist.
  bool place_anyway(unsigned cores) {
    if (requested_ + left_ != count_) return false;
    for (unsigned i = 0; i < requested_; ++i) {
      Request<Ticks>& request = requests_[i];
      if (request.core != kAnyCore) continue;
      CoreId best = request.pinned;
      for (unsigned core = 0; request.pinned == kAnyCore && core < cores; ++core) {
        const bool less =
            best == kAnyCore || cores_[core].utilization_ppm() < cores_[best].utilization_ppm();
        if (less) best = static_cast<CoreId>(core);
      }
      cores_[best].insert(request.demand);
      request.core = best;
    }
    for (unsigned core = 0; core < cores; ++core) note_places(static_cast<CoreId>(core));
    return true;
  }

  /// The policy gives this loop no budget, so it needs no admission.
  static bool is_free(const Demand<Ticks>& demand) {
    if constexpr (requires { Analysis::is_free(demand); }) return Analysis::is_free(demand);
    return false;
  }

  /// Call before admit(). Reserves `length` in every `distance` (ticks) before all loops, on one
  /// core or on each (kAnyCore). Returns false when there are too many handlers.
  bool add_handler(Ticks length, Ticks distance, CoreId core = kAnyCore) {
    if (handlers_ == kMostHandlers) return false;
    handler_[handlers_++] = {length, distance, core, /*of_board=*/false};
    return true;
  }

  /// Call before admit(). Interrupts that budgets have paid for before they arrive; up to `most` of
  /// them may be pending at the start of any window (FixedPriorityAnalysis::add_backlog()).
  bool add_backlog(Ticks length, Ticks distance, uint32_t most)
    requires kHasBacklogs
  {
    if (backlogs_.count == kMostBacklogs) return false;
    backlogs_.backlog[backlogs_.count++] = {length, distance, most};
    return true;
  }

  /// Like add_handler(), for interrupts of the board's own device, which the sketch has not
  /// declared.
  bool add_device(Ticks length, Ticks distance, CoreId core) {
    if (!add_handler(length, distance, core)) return false;
    handler_[handlers_ - 1].of_board = true;
    return true;
  }

  /// The demand of a loop. A bottom half gets its share of the shortest period of all handler loops
  /// that it may serve, and inherits their priority.
  Demand<Ticks> demand_of(const LoopDescriptor& loop) const {
    Demand<Ticks> demand = demand_in<Rate, Ticks>(loop);
    demand.has_level = loop.priority != LoopDescriptor::kNoPriority;
    if (demand.has_level) demand.level = loop.priority;
    demand.tickets = loop.tickets;
    if (loop.kind != LoopKind::BottomHalf) return demand;
    Ticks shortest = demand.period;
    bool found = false;
    for (unsigned i = 0; i < count_; ++i) {
      if (loops_[i]->kind != LoopKind::Handler || !may_be_for(loop, *loops_[i])) continue;
      const Ticks period = demand_in<Rate, Ticks>(*loops_[i]).period;
      shortest = found ? smaller(shortest, period) : period;
      found = true;
    }
    demand = inherit(demand.budget, demand.period, shortest);
    demand.id = loop.id;
    demand.top_half = top_half_;
    return demand;
  }

  /// Whether this bottom half may serve the handler. If the handler's pin is a constant and another
  /// bottom half is declared for that pin, only that one serves it.
  bool may_be_for(const LoopDescriptor& bottom_half, const LoopDescriptor& handler) const {
    if (handler.pin < 0) return true;
    const auto pin = static_cast<unsigned>(handler.pin);
    if (!bottom_half.is_for_all()) return bottom_half.is_for(pin);
    for (unsigned i = 0; i < count_; ++i) {
      if (loops_[i]->kind == LoopKind::BottomHalf && loops_[i]->is_for(pin)) return false;
    }
    return true;
  }

  /// Admits one more loop beside those already admitted. `index` must be unused; place(index) then
  /// gives the result. On false nothing has changed, and `why_not` says why.
  bool admit_later(const LoopDescriptor& loop, unsigned index, unsigned cores,
                   const Overheads<Ticks>& overheads, Refusals<Rate, Ticks>& why_not) {
    Demand<Ticks> demand = demand_of(loop);
    demand.id = static_cast<uint8_t>(index);
    const Ticks smallest = smallest_budget(overheads.costs);
    if (demand.budget < smallest) {
      why_not.too_small(loop, demand, smallest, smallest);
      return false;
    }
    Request<Ticks> request{demand, loop.core, kAnyCore};
    Placement<Analysis, 1> placement(cores_, cores);
    const bool placed = placement.place_all(&request, 1, [&](const Refusal<Ticks>& refusal) {
      const auto is_taken = [&](const Demand<Ticks>& tried) {
        for (unsigned core = 0; core < cores; ++core) {
          if ((loop.core == kAnyCore || loop.core == core) && takes(core, tried)) return true;
        }
        return false;
      };
      constexpr uint64_t kMillisecond = 1'000'000;  // resolution of an EDF thread's WCET
      const uint64_t largest =
          largest_named(loop, demand.id, refusal.largest_budget, smallest, kMillisecond, is_taken);
      why_not.does_not_fit(loop, loop, refusal, largest, Analysis::kUnbounded);
    });
    for (unsigned core = 0; core < cores; ++core) note_places(static_cast<CoreId>(core));
    return placed;
  }

  /// The place of the loop at this index. Not valid for a loop that was refused.
  const Place<Ticks>& place(unsigned index) const { return places_[index]; }
  /// The core on which this loop found room, even if another loop found none. kAnyCore if this loop
  /// itself was refused.
  CoreId room_of(unsigned index) const {
    for (unsigned i = 0; i < requested_; ++i) {
      if (requests_[i].demand.id == index) return requests_[i].core;
    }
    return kAnyCore;
  }
  /// Loops that were split into two parts.
  unsigned split_count() const { return splits_.count; }
  const SplitPlace<Ticks>& split(unsigned i) const { return splits_.place[i]; }
  CoreReport core(unsigned core) const {
    const Analysis& analysis = cores_[core];
    return {analysis.size(), analysis.utilization_ppm(), analysis.utilization_bound_ppm()};
  }
  /// States the inputs of the analysis for a report (admission/stated.h), as calls of
  /// `rank(stated::Rank)`: first the demands of each core in the order of their ranks, then those
  /// of refused loops.
  template <class OnRank>
  void state_ranks(unsigned cores, OnRank rank) const {
    for (unsigned core = 0; core < cores; ++core) {
      const Analysis& analysis = cores_[core];
      for (unsigned i = 0; i < analysis.size(); ++i) {
        const Demand<Ticks>& demand = analysis[i];
        stated::Rank one = stated::Rank::of(demand, loops_[demand.id]->id, core);
        one.free = is_free(demand) ? 1 : 0;
        one.part = part_on(static_cast<CoreId>(core), demand.id);
        const Ticks bound = one.part == 0 ? places_[demand.id].response_bound : demand.deadline;
        if (bound < Analysis::kUnbounded) one.bound = static_cast<uint64_t>(bound);
        rank(one);
      }
    }
    for (unsigned i = 0; i < count_; ++i) {
      if (loops_[i]->suspended || room_of(i) != kAnyCore || part_on(kAnyCore, i) != 0) continue;
      if (!kPromises<Analysis>) continue;
      Demand<Ticks> demand = demand_of(*loops_[i]);
      demand.id = static_cast<uint8_t>(i);
      stated::Rank one = stated::Rank::of(demand, loops_[i]->id, stated::Rank::kNone);
      one.pinned = loops_[i]->core;
      rank(one);
    }
  }
  template <class OnInterrupts>
  void state_interrupts(OnInterrupts interrupts) const {
    for (unsigned i = 0; i < handlers_; ++i) {
      interrupts(stated::Interrupts{static_cast<uint64_t>(handler_[i].length),
                                    static_cast<uint64_t>(handler_[i].distance),
                                    stated::Interrupts::kAny, handler_[i].core});
    }
    if constexpr (kHasBacklogs) {
      for (unsigned i = 0; i < backlogs_.count; ++i) {
        const Backlog& backlog = backlogs_.backlog[i];
        interrupts(stated::Interrupts{static_cast<uint64_t>(backlog.length),
                                      static_cast<uint64_t>(backlog.distance), backlog.most,
                                      stated::Rank::kNone});
      }
    }
  }

  unsigned reason_count() const { return refusals_.count(); }
  const char* reason(unsigned index) const { return refusals_[index]; }

 private:
  /// Removes all loops from the cores; only handlers and backlogs remain.
  [[gnu::always_inline]] void begin(unsigned cores, const Overheads<Ticks>& overheads) {
    if constexpr (kMaySplit) splits_.count = 0;
    for (unsigned core = 0; core < cores; ++core) {
      cores_[core].reset(overheads);
      for (unsigned i = 0; i < handlers_; ++i) {
        const Handler& handler = handler_[i];
        if (handler.core != kAnyCore && handler.core != core) continue;
        cores_[core].add_handler(handler.length, handler.distance);
      }
      if constexpr (kHasBacklogs) {
        for (unsigned i = 0; i < backlogs_.count; ++i) {
          const Backlog& backlog = backlogs_.backlog[i];
          cores_[core].add_backlog(backlog.length, backlog.distance, backlog.most);
        }
      }
    }
  }

  /// Places each loop on one core. Records no refusals.
  bool place_whole(unsigned cores, const Overheads<Ticks>& overheads) {
    begin(cores, overheads);
    Placement<Analysis, kMaxLoops> placement(cores_, cores);
    return placement.place_all(requests_, requested_, [](const Refusal<Ticks>&) {}, 0);
  }

  /// Used when the loops do not all fit whole: splits some over two cores. A loop that uses idle
  /// time or serves interrupts stays whole, because both belong to one core.
  bool place_in_parts(unsigned cores, const Overheads<Ticks>& overheads)
    requires kMaySplit
  {
    begin(cores, overheads);
    for (unsigned i = 0; i < requested_; ++i) {
      SplitRequest<Ticks>& request = splits_.request[i];
      request.demand = requests_[i].demand;
      request.pinned = requests_[i].pinned;
      const LoopDescriptor& loop = *loops_[request.demand.id];
      request.whole =
          loop.background || loop.kind == LoopKind::BottomHalf || loop.kind == LoopKind::Handler;
    }
    Splitting<Ticks, kMaxLoops, kMaxLoops, kMaxCores> splitting(cores_, cores);
    if (!splitting.place_all(splits_.request, requested_)) {
      place_whole(cores, overheads);  // restores the placement without splits
      return false;
    }
    for (unsigned i = 0; i < requested_; ++i) {
      const SplitRequest<Ticks>& request = splits_.request[i];
      requests_[i].core = request.part[0].core;
      if (request.parts != 2) continue;
      splits_.place[splits_.count++] = {request.demand.id, {request.part[0], request.part[1]}, {}};
    }
    return true;
  }

  /// Refuses, by name, a loop that is pinned to a core that does not exist.
  bool pins_exist(unsigned cores) {
    bool all = true;
    for (unsigned i = 0; i < count_; ++i) {
      const LoopDescriptor& d = *loops_[i];
      if (d.core == LoopDescriptor::kAnyCore || d.core < cores) continue;
      all = false;
      refusals_.no_such_core(d, cores);
    }
    return all;
  }

  /// Requests a place for each loop whose budget is large enough for this board; refuses the
  /// others. Returns true when no budget is too small.
  bool request_all(const Overheads<Ticks>& overheads) {
    const Ticks smallest = smallest_budget(overheads.costs);
    requested_ = left_ = 0;
    for (unsigned i = 0; i < count_; ++i) {
      if (loops_[i]->suspended) {
        ++left_;
        continue;
      }
      Demand<Ticks> demand = demand_of(*loops_[i]);
      demand.id = static_cast<uint8_t>(i);  // loops of two sketches may have the same number
      const bool promised = kPromises<Analysis> && !is_free(demand);
      if (promised && demand.budget < smallest) {
        const Ticks period = demand_in<Rate, Ticks>(*loops_[i]).period;
        refusals_.too_small(*loops_[i], demand, smallest, least_in(period, demand, smallest));
      } else {
        requests_[requested_++] = {demand, loops_[i]->core, kAnyCore};
      }
    }
    return requested_ + left_ == count_;
  }

  /// The least budget, for the loop's declared period, that gives `smallest` in the period in which
  /// it is served. The two periods differ for a bottom half. 0: no budget suffices.
  static Ticks least_in(Ticks period, const Demand<Ticks>& demand, Ticks smallest) {
    if (!demand.io) return smallest;
    if (smallest > demand.period) return 0;
    const Ticks least = proportion(smallest, period, demand.period);
    return proportion(least, demand.period, period) < smallest ? least + 1 : least;
  }

  /// Explains refusals beside handlers. A board's own handlers on all cores are left out: the
  /// sketch cannot change them.
  void explain_handlers() {
    uint64_t ppm = 0;
    unsigned count = 0;
    CoreId core = 0;
    for (unsigned i = 0; i < handlers_; ++i) {
      const Handler& handler = handler_[i];
      if (handler.of_board) refusals_.beside_device(handler.core, handler.ppm());
      if (handler.core == kAnyCore || handler.of_board) continue;
      ++count;
      core = handler.core;
      ppm += handler.ppm();
    }
    if (count > 0) refusals_.beside_handlers(count, core, static_cast<unsigned>(ppm));
  }

  // --- The budget that a refused loop could have ---

  /// Explains each refusal, with the largest budget that would be admitted in place of the one
  /// asked for.
  void explain(unsigned cores, const Overheads<Ticks>& overheads) {
    for (unsigned i = 0; i < requested_; ++i) was_placed_[i] = requests_[i].core != kAnyCore;
    if (kPromises<Analysis> && refused_count_ > 1) explain_largest(cores, overheads);
    bool as_it_was = true;
    for (unsigned i = 0; i < refused_count_; ++i) {
      const Refusal<Ticks>& refusal = refused_[i];
      Request<Ticks>& request = requests_[refusal.request];
      // On several cores a loop with another share is placed in another order, which moves other
      // loops.
      const bool is_simple = cores == 1;
      as_it_was = as_it_was && is_simple;
      const Demand<Ticks> asked = request.demand;
      const auto is_taken = [&](const Demand<Ticks>& tried) {
        if (is_simple) return takes(refusal.core, tried);
        request.demand = tried;
        return takes_place_of(refusal.request, cores, overheads);
      };
      constexpr uint64_t kMicrosecond = 1'000;  // the resolution of a report
      const LoopDescriptor& loop = *loops_[asked.id];
      const uint64_t largest =
          largest_named(loop, asked.id, refusal.largest_budget, smallest_budget(overheads.costs),
                        kMicrosecond, is_taken);
      request.demand = asked;
      refusals_.does_not_fit(loop, *loops_[refusal.victim], refusal, largest, Analysis::kUnbounded);
    }
    if (!as_it_was) place_whole(cores, overheads);
  }

  /// When several small loops are refused, the cause may be one large loop that was placed before
  /// them. The largest loop of all is named if it asks for more than the refused loops together,
  /// and if all loops fit once it asks for less.
  void explain_largest(unsigned cores, const Overheads<Ticks>& overheads) {
    unsigned largest = 0;
    for (unsigned i = 1; i < requested_; ++i) {
      if (share_of(i) > share_of(largest)) largest = i;
    }
    Request<Ticks>& request = requests_[largest];
    const LoopDescriptor& loop = *loops_[request.demand.id];
    uint32_t refused = 0;
    for (unsigned i = 0; i < refused_count_; ++i) refused += share_of(refused_[i].request);
    if (!was_placed_[largest] || share_of(largest) <= refused) return;
    if (loop.kind == LoopKind::BottomHalf) return;
    const Demand<Ticks> asked = request.demand;
    const auto all_fit = [&](const Demand<Ticks>& tried) {
      request.demand = tried;
      bool all = place_whole(cores, overheads);
      if constexpr (kMaySplit) {
        if (!all) all = place_in_parts(cores, overheads);
        splits_.count = 0;
      }
      return all;
    };
    constexpr uint64_t kMicrosecond = 1'000;
    const uint64_t enough =
        largest_named(loop, asked.id, 0, smallest_budget(overheads.costs), kMicrosecond, all_fit);
    request.demand = asked;
    place_whole(cores, overheads);
    if (enough > 0) refusals_.leaves_too_little(loop, enough);
  }
  uint32_t share_of(unsigned request) const {
    return Analysis::utilization_ppm(requests_[request].demand);
  }

  /// The largest whole number of units (in nanoseconds) with which a refused loop is accepted while
  /// one more unit is not; 0: none. It is below what the loop asks for: on several cores more could
  /// be accepted, because a larger share is placed earlier. `most` is the analysis' result in ticks
  /// of the period in which the loop is served. Rounding it to units can change the loop's order
  /// among equals (precedes()), so the result is tested again.
  template <class IsTaken>
  uint64_t largest_named(const LoopDescriptor& loop, uint8_t id, Ticks most, Ticks smallest,
                         uint64_t unit, IsTaken is_taken) const {
    LoopDescriptor tried = loop;
    const auto demand_with = [&](uint64_t units) {
      tried.budget_ns = units * unit;
      Demand<Ticks> demand = demand_of(tried);
      demand.id = id;
      return demand;
    };
    const auto would_be_taken = [&](uint64_t units) {
      const Demand<Ticks> demand = demand_with(units);
      return demand.budget >= smallest && demand.budget <= demand.deadline && is_taken(demand);
    };
    const auto first_above = [&](Ticks budget, uint64_t end) {
      uint64_t below = 0;
      while (end - below > 1) {
        const uint64_t middle = below + (end - below) / 2;
        (demand_with(middle).budget <= budget ? below : end) = middle;
      }
      return end;
    };
    uint64_t too_much = smaller<uint64_t>(loop.deadline_ns / unit, (loop.budget_ns - 1) / unit) + 1;
    uint64_t fitting =
        first_above(larger<Ticks>(most, smallest - 1), too_much) - (most > 0 ? 1 : 0);
    if (fitting == 0 || fitting == too_much) return 0;
    if (!would_be_taken(fitting)) {
      too_much = fitting;
      fitting = 0;
    } else if (fitting + 1 < too_much && would_be_taken(fitting + 1)) {
      ++fitting;
    } else {
      return fitting * unit;
    }
    while (too_much - fitting > 1) {
      const uint64_t middle = fitting + (too_much - fitting) / 2;
      (would_be_taken(middle) ? fitting : too_much) = middle;
    }
    return fitting * unit;
  }

  /// Whether the demand fits on the core beside all that are placed there.
  bool takes(unsigned core, const Demand<Ticks>& demand) {
    Analysis& analysis = cores_[core];
    if (analysis.full()) return false;
    const unsigned rank = analysis.insert(demand);
    const bool fits = analysis.first_misfit(rank) == analysis.size();
    analysis.remove(rank);
    return fits;
  }

  /// Whether this request, as it is now, gets a place, and all requests that were placed before
  /// keep one.
  bool takes_place_of(unsigned index, unsigned cores, const Overheads<Ticks>& overheads) {
    place_whole(cores, overheads);
    bool all = requests_[index].core != kAnyCore;
    for (unsigned i = 0; i < requested_; ++i) {
      all = all && (!was_placed_[i] || requests_[i].core != kAnyCore);
    }
    if constexpr (kMaySplit) {
      if (!all) {
        all = place_in_parts(cores, overheads);
        splits_.count = 0;
      }
    }
    return all;
  }

  void note_places(CoreId core) {
    const Analysis& analysis = cores_[core];
    Ticks bound = 0;
    for (unsigned rank = 0; rank < analysis.size(); ++rank) {
      if (note_part(core, rank)) continue;
      bound = analysis.response_time(rank, bound);
      places_[analysis[rank].id] = {core, rank, bound};
    }
  }

  /// A split loop belongs to the core of its first part. It is done when its second part is done.
  bool note_part([[maybe_unused]] CoreId core, [[maybe_unused]] unsigned rank) {
    if constexpr (kMaySplit) {
      for (unsigned i = 0; i < splits_.count; ++i) {
        SplitPlace<Ticks>& split = splits_.place[i];
        if (split.index != cores_[core][rank].id) continue;
        const bool second = core == split.part[1].core;
        split.rank[second ? 1 : 0] = rank;
        if (!second) {
          places_[split.index] = {core, rank, split.part[1].offset + split.part[1].deadline};
        }
        return true;
      }
    }
    return false;
  }

  /// Which part of a split loop is on this core, 1 or 2. With kAnyCore: 1 if the loop is split. 0:
  /// it has no part there.
  unsigned part_on([[maybe_unused]] CoreId core, [[maybe_unused]] unsigned index) const {
    if constexpr (kMaySplit) {
      for (unsigned i = 0; i < splits_.count; ++i) {
        const SplitPlace<Ticks>& split = splits_.place[i];
        if (split.index != index) continue;
        return core == kAnyCore || core == split.part[0].core ? 1 : 2;
      }
    }
    return 0;
  }

  struct Splits {
    unsigned count = 0;
    SplitRequest<Ticks> request[kMaxLoops];
    SplitPlace<Ticks> place[kMaxCores];  // a core holds at most one first part
  };
  struct NoSplits {
    static constexpr unsigned count = 0;
    static constexpr SplitPlace<Ticks> place[1] = {};
  };

  const LoopDescriptor* const* loops_ = nullptr;
  unsigned count_ = 0;
  [[no_unique_address]] ChosenType<kMaySplit, Splits, NoSplits> splits_;
  unsigned requested_ = 0;
  unsigned left_ = 0;  // loops that have no contract yet
  struct Handler {
    Ticks length;
    Ticks distance;
    CoreId core;
    bool of_board;
    uint64_t ppm() const {
      return static_cast<uint64_t>(length) * 1'000'000 / static_cast<uint64_t>(distance);
    }
  };
  struct Backlog {
    Ticks length;
    Ticks distance;
    uint32_t most;
  };
  static constexpr unsigned kMostBacklogs = 4;  // serial ports of an ATmega2560
  struct Backlogs {
    unsigned count = 0;
    Backlog backlog[kMostBacklogs] = {};
  };
  struct NoBacklogs {};
  [[no_unique_address]] ChosenType<kHasBacklogs, Backlogs, NoBacklogs> backlogs_;
  static constexpr unsigned kMostHandlers = 12;
  Handler handler_[kMostHandlers] = {};
  unsigned handlers_ = 0;
  Ticks top_half_ = 0;
  Analysis cores_[kMaxCores];
  Request<Ticks> requests_[kMaxLoops] = {};
  bool was_placed_[kMaxLoops] = {};
  Refusal<Ticks> refused_[Refusals<Rate, Ticks>::kMost] = {};
  unsigned refused_count_ = 0;
  Place<Ticks> places_[kMaxLoops];
  Refusals<Rate, Ticks> refusals_;
};

}  // namespace hocket::runtime
