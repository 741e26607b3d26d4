// Placement by earliest deadline first, in which a virtual CPU may be split into parts on two
// cores. In ticks.
//
// Source: Burns, Davis, Wang, Zhang 2012, "Partitioned EDF scheduling for multiprocessors using a
// C=D task splitting scheme". The deadline of the first part equals its work: once released it runs
// at once, and is done by a fixed instant. The second part is then released on the other core, with
// the rest of the work and of the time.
//
//   core 1   ▓▓▓▓▓▓                            C1, done by D1 = C1 + what may delay it once
//   core 2         │      ▓▓▓▓      │          C − C1, released D1 later, done by D − D1
//            release                D
//
// The first part is used up in every period. An overrun of its budget is missing in the next
// period, so the first part gets O more than its share of C.
//
// Each part pays for its own activation. Handing over from the first part to the second takes time
// (task/migration.h), which the offset includes. A core has at most one first part, which precedes
// all others there.
//
// Two methods are tried. The first is first fit, largest share first; what is left over is split
// where the largest part of it fits. If that fails, the second fills one core after the other, and
// splits the virtual CPU that fits best over the boundary to the next core; largest shares first,
// then smallest first. A pinned virtual CPU is placed first, and is never split.
#pragma once

#include "admission/deadline_analysis.h"
#include "admission/placement.h"

namespace hocket {

/// What runs of a virtual CPU on one core: `budget` in every period, released `offset` after the
/// virtual CPU's release, and done `deadline` after the part's release.
template <class Ticks>
struct Part {
  CoreId core = kAnyCore;
  Ticks budget = 0;
  Ticks offset = 0;
  Ticks deadline = 0;
};

/// One virtual CPU to place, and the result: one part, two parts, or none.
template <class Ticks>
struct SplitRequest {
  Demand<Ticks> demand;
  CoreId pinned = kAnyCore;
  bool whole = false;  // must not be split
  uint8_t parts = 0;
  Part<Ticks> part[2];
};

template <class Ticks, unsigned kCapacity, unsigned kMostRequests, unsigned kMostCores>
class Splitting {
 public:
  using Analysis = DeadlineAnalysis<Ticks, kCapacity>;
  using Requested = SplitRequest<Ticks>;

  /// `cores` is an array of `core_count` empty analyses.
  Splitting(Analysis* cores, unsigned core_count) : cores_(cores), core_count_(core_count) {}

  /// Returns true if all are placed. Otherwise the ones that are not placed have no parts.
  bool place_all(Requested* requests, unsigned count) {
    requests_ = requests;
    count_ = count;
    sort_by_share();
    return first_fit() || fill(/*small_first=*/false) || fill(/*small_first=*/true) ||
           first_fit();  // (again, to restore its placement)
  }

 private:
  Requested& by_share(unsigned i) { return requests_[order_[i]]; }

  void sort_by_share() {
    for (unsigned i = 0; i < count_; ++i) {
      unsigned place = i;
      for (; place > 0 && larger_share(requests_[i], requests_[order_[place - 1]]); --place) {
        order_[place] = order_[place - 1];
      }
      order_[place] = i;
    }
  }
  static bool larger_share(const Requested& a, const Requested& b) {
    const uint32_t share_a = Analysis::utilization_ppm(a.demand);
    const uint32_t share_b = Analysis::utilization_ppm(b.demand);
    return share_a != share_b ? share_a > share_b : a.demand.id < b.demand.id;
  }

  void begin() {
    for (unsigned core = 0; core < core_count_; ++core) {
      while (cores_[core].size() > 0) cores_[core].remove(cores_[core].size() - 1);
      has_first_part_[core] = false;
    }
    for (unsigned i = 0; i < count_; ++i) requests_[i].parts = 0;
  }

  // --- First fit, then splitting ---

  bool first_fit() {
    begin();
    bool all = place_pinned();
    for (unsigned i = 0; i < count_; ++i) {
      Requested& request = by_share(i);
      for (unsigned core = 0; is_free(request) && core < core_count_; ++core) {
        place_whole(request, core);
      }
    }
    for (unsigned i = 0; i < count_; ++i) {
      if (may_be_split(by_share(i))) split_anywhere(by_share(i));
      all = all && !is_free(by_share(i));
    }
    return all;
  }

  /// Puts the first part where the largest part fits, among cores for which another core can take
  /// the rest.
  void split_anywhere(Requested& request) {
    Part<Ticks> best;
    unsigned second = core_count_;
    for (unsigned core = 0; core < core_count_; ++core) {
      const Part<Ticks> first = largest_first_part(request.demand, core);
      if (first.budget <= best.budget) continue;
      for (unsigned other = 0; other < core_count_; ++other) {
        if (other == core || !takes(other, rest_of(request.demand, first))) continue;
        best = first;
        second = other;
        break;
      }
    }
    if (best.budget == 0) return;
    put_first(request, best);
    put_second(request, static_cast<CoreId>(second));
  }

  // --- Filling one core after the other ---

  bool fill(bool small_first) {
    begin();
    if (!place_pinned()) return false;
    Requested* carried = nullptr;
    for (unsigned core = 0; core < core_count_; ++core) {
      if (carried != nullptr) {
        if (!takes(core, rest_of(carried->demand, carried->part[0]))) return false;
        put_second(*carried, static_cast<CoreId>(core));
      }
      bool some_left = false;
      for (unsigned i = 0; i < count_; ++i) {
        Requested& request = by_share(small_first ? count_ - 1 - i : i);
        if (is_free(request)) some_left = !place_whole(request, core) || some_left;
      }
      if (!some_left) return true;
      carried = core + 1 < core_count_ ? split_over_boundary(core) : nullptr;
    }
    return false;
  }

  /// Splits the request whose first part takes the largest share of what the core has left.
  Requested* split_over_boundary(unsigned core) {
    Requested* best = nullptr;
    Part<Ticks> best_part;
    uint32_t most = 0;
    for (unsigned i = 0; i < count_; ++i) {
      Requested& request = by_share(i);
      if (!may_be_split(request)) continue;
      const Part<Ticks> first = largest_first_part(request.demand, core);
      Demand<Ticks> demand = request.demand;
      demand.budget = first.budget;
      const uint32_t share = Analysis::utilization_ppm(demand);
      if (share <= most) continue;
      most = share;
      best = &request;
      best_part = first;
    }
    if (best != nullptr) put_first(*best, best_part);
    return best;
  }

  // --- Parts ---

  static bool is_free(const Requested& request) {
    return request.parts == 0 && request.pinned == kAnyCore;
  }

  static bool may_be_split(const Requested& request) { return is_free(request) && !request.whole; }

  bool place_pinned() {
    bool all = true;
    for (unsigned i = 0; i < count_; ++i) {
      Requested& request = by_share(i);
      if (request.pinned == kAnyCore) continue;
      all = request.pinned < core_count_ && place_whole(request, request.pinned) && all;
    }
    return all;
  }

  bool place_whole(Requested& request, unsigned core) {
    if (!takes(core, request.demand)) return false;
    cores_[core].insert(request.demand);
    request.parts = 1;
    request.part[0] = {static_cast<CoreId>(core), request.demand.budget, 0,
                       request.demand.deadline};
    return true;
  }
  void put_first(Requested& request, const Part<Ticks>& first) {
    cores_[first.core].insert(demand_of(request.demand, first));
    has_first_part_[first.core] = true;
    request.part[0] = first;
    request.parts = 1;
  }
  void put_second(Requested& request, CoreId core) {
    const Demand<Ticks> rest = rest_of(request.demand, request.part[0]);
    cores_[core].insert(rest);
    request.part[1] = {core, rest.budget, offset_behind(request.part[0]), rest.deadline};
    request.parts = 2;
  }

  bool takes(unsigned core, const Demand<Ticks>& demand) {
    Analysis& analysis = cores_[core];
    if (analysis.full() || !Analysis::supports(demand)) return false;
    const unsigned rank = analysis.insert(demand);
    const bool fits = analysis.first_misfit(rank) == analysis.size();
    analysis.remove(rank);
    return fits;
  }

  static Demand<Ticks> demand_of(Demand<Ticks> whole, const Part<Ticks>& part) {
    whole.budget = part.budget;
    whole.deadline = part.deadline;
    return whole;
  }
  Demand<Ticks> rest_of(Demand<Ticks> whole, const Part<Ticks>& first) const {
    whole.budget -= first.budget - ahead(first.core);
    whole.deadline -= offset_behind(first);
    return whole;
  }
  /// O of fixed_priority_analysis.h, on that core.
  Ticks ahead(unsigned core) const {
    const auto& overheads = cores_[core].overheads();
    return overheads.enforcement() + overheads.overrun;
  }
  /// The first part ends, its core records that (masked), and an interrupt is sent to the other
  /// core.
  Ticks offset_behind(const Part<Ticks>& first) const {
    const auto& costs = cores_[first.core].overheads().costs;
    return first.deadline + costs.longest_masked + costs.interrupt_entry + costs.timer_interrupt;
  }

  Part<Ticks> first_part(const Demand<Ticks>& whole, Ticks budget, unsigned core) const {
    const Analysis& analysis = cores_[core];
    Demand<Ticks> demand = whole;
    demand.budget = budget;
    const Ticks deadline =
        analysis.enforced(demand) + analysis.once() + analysis.overheads().blocking;
    return {static_cast<CoreId>(core), budget, 0, deadline};
  }

  /// The largest first part that the core takes, if it leaves time for the rest; else none.
  /// Bisection is valid because a smaller first part fits if a larger one does.
  Part<Ticks> largest_first_part(const Demand<Ticks>& whole, unsigned core) {
    if (has_first_part_[core]) return {};
    const Ticks smallest = larger<Ticks>(1, smallest_budget(cores_[core].overheads().costs));
    const Ticks least = smallest + ahead(core);
    Ticks fitting = least - 1;
    Ticks too_much = whole.budget + ahead(core) - smallest + 1;
    while (too_much - fitting > 1) {
      const Ticks tried = fitting + (too_much - fitting) / 2;
      const Part<Ticks> first = first_part(whole, tried, core);
      const bool fits =
          Analysis::supports(rest_of(whole, first)) && takes(core, demand_of(whole, first));
      (fits ? fitting : too_much) = tried;
    }
    return fitting < least ? Part<Ticks>{} : first_part(whole, fitting, core);
  }

  Analysis* cores_;
  unsigned core_count_;
  Requested* requests_ = nullptr;
  unsigned count_ = 0;
  unsigned order_[kMostRequests] = {};
  bool has_first_part_[kMostCores] = {};
};

}  // namespace hocket
