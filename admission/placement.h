// Placement of virtual CPUs on cores: first-fit decreasing with the exact test, pinned ones first.
//
// A core takes a virtual CPU if that one and everything of lower priority there keep their
// guarantees. A virtual CPU that fits on no core is refused, with the numbers of the core where the
// largest part of it would fit. Under a policy without guarantees, each one goes where the load is
// least.
#pragma once

#include "admission/analysis.h"

namespace hocket {

inline constexpr CoreId kAnyCore = 0xff;

/// One virtual CPU to place, and where it was placed. (No default values: an array is zero at
/// start.)
template <class Ticks>
struct Request {
  Demand<Ticks> demand;
  CoreId pinned;  // the required core, or kAnyCore
  CoreId core;    // the core that took it; kAnyCore: refused
};

/// Why a request was refused.
template <class Ticks>
struct Refusal {
  unsigned request;      // index of the refused request
  CoreId core;           // the core where the largest budget would fit
  uint8_t victim;        // id of the virtual CPU that would miss its deadline; may be another one
  Ticks response;        // of the victim; kUnbounded: it never finishes
  Ticks demand;          // work due by the victim's deadline
  Ticks deadline;        // of the victim
  Ticks largest_budget;  // that would fit on that core, beside all placed ones; 0: none
  bool undecided;        // a search was given up: it might fit
  Ticks overload;  // first instant after a common release by which more is due (then `demand`) than
                   // there is time; 0: unknown, or not searched for
};

template <SchedulabilityAnalysis AnalysisType, unsigned kMostRequests>
class Placement {
 public:
  using Analysis = AnalysisType;
  using Ticks = typename Analysis::Ticks;
  static constexpr bool kPromises = hocket::kPromises<Analysis>;

  /// `cores` is an array of `core_count` empty analyses.
  Placement(Analysis* cores, unsigned core_count) : cores_(cores), core_count_(core_count) {}

  /// Places all requests that fit. Then calls `on_refusal(const Refusal&)` for the others, in the
  /// order of the array, but for at most `most_refusals`: explaining one takes as long as placing
  /// many. Returns true if all were placed. Work: O(n²) for n requests, except where a core is so
  /// full that instants must be searched for again (fixed_priority_analysis.h).
  ///
  /// If a refused request is pinned to the core of its refusal, with the budget given there, it is
  /// placed, and all others stay where they are.
  template <class OnRefusal>
  bool place_all(Request<Ticks>* requests, unsigned count, OnRefusal on_refusal,
                 unsigned most_refusals = kMostRequests) {
    sort(requests, count);
    for (unsigned i = 0; i < count; ++i) requests[i].core = kAnyCore;
    for (unsigned i = 0; i < count; ++i) place(requests[order_[i]]);
    HOCKET_CHECK(keeps_promises());
    bool all = true;
    for (unsigned i = 0; i < count; ++i) {
      if (requests[i].core != kAnyCore) continue;
      all = false;
      if (most_refusals == 0) break;
      --most_refusals;
      on_refusal(explain(requests[i], i));
    }
    return all;
  }

 private:
  /// Pinned requests first, then the largest share, then the lowest id.
  void sort(const Request<Ticks>* requests, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      unsigned first = 0, end = i;
      while (first < end) {
        const unsigned middle = first + (end - first) / 2;
        if (comes_first(requests[i], requests[order_[middle]])) {
          end = middle;
        } else {
          first = middle + 1;
        }
      }
      for (unsigned place = i; place > first; --place) order_[place] = order_[place - 1];
      order_[first] = static_cast<uint16_t>(i);
    }
  }
  static bool comes_first(const Request<Ticks>& a, const Request<Ticks>& b) {
    const bool a_pinned = a.pinned != kAnyCore, b_pinned = b.pinned != kAnyCore;
    if (a_pinned != b_pinned) return a_pinned;
    const uint32_t share_a = Analysis::utilization_ppm(a.demand);
    const uint32_t share_b = Analysis::utilization_ppm(b.demand);
    return share_a != share_b ? share_a > share_b : a.demand.id < b.demand.id;
  }

  /// Computes every bound again from the final sets.
  bool keeps_promises() const {
    for (unsigned core = 0; kPromises && core < core_count_; ++core) {
      const Analysis& analysis = cores_[core];
      for (unsigned rank = 0; rank < analysis.size(); ++rank) {
        if (is_free(analysis[rank])) continue;
        if (analysis.response_time(rank) > analysis[rank].deadline) return false;
      }
    }
    return true;
  }
  /// Whether the policy ignores the demand's budget.
  static bool is_free(const Demand<Ticks>& demand) {
    if constexpr (requires { Analysis::is_free(demand); }) return Analysis::is_free(demand);
    return false;
  }

  bool may_use(const Request<Ticks>& request, unsigned core) const {
    return request.pinned == kAnyCore || request.pinned == core;
  }

  void place(Request<Ticks>& request) {
    if constexpr (!kPromises) return place_on_least_loaded(request);
    for (unsigned core = 0; core < core_count_; ++core) {
      if (!may_use(request, core) || cores_[core].full()) continue;
      const unsigned rank = cores_[core].insert(request.demand);
      if (cores_[core].first_misfit(rank) == cores_[core].size()) {
        request.core = static_cast<CoreId>(core);
        return;
      }
      cores_[core].remove(rank);
    }
  }

  void place_on_least_loaded(Request<Ticks>& request) {
    unsigned best = core_count_;
    for (unsigned core = 0; core < core_count_; ++core) {
      if (!may_use(request, core) || cores_[core].full()) continue;
      const bool less =
          best == core_count_ || cores_[core].utilization_ppm() < cores_[best].utilization_ppm();
      if (less) best = core;
    }
    if (best == core_count_) return;
    cores_[best].insert(request.demand);
    request.core = static_cast<CoreId>(best);
  }

  Refusal<Ticks> explain(const Request<Ticks>& request, unsigned index) {
    Refusal<Ticks> best{};
    bool found = false;
    for (unsigned core = 0; core < core_count_; ++core) {
      if (!may_use(request, core) || cores_[core].full()) continue;
      const Refusal<Ticks> refusal = explain_on(request, index, core);
      if (!found || refusal.largest_budget > best.largest_budget) best = refusal;
      found = true;
    }
    return best;
  }

  Refusal<Ticks> explain_on(const Request<Ticks>& request, unsigned index, unsigned core) {
    Analysis& analysis = cores_[core];
    const unsigned rank = analysis.insert(request.demand);
    const unsigned victim = analysis.first_misfit(rank);
    Refusal<Ticks> refusal{index,
                           static_cast<CoreId>(core),
                           analysis[victim].id,
                           analysis.response_time(victim),
                           analysis.demand_by_deadline(victim),
                           analysis[victim].deadline,
                           analysis.largest_budget(rank),
                           /*undecided=*/false,
                           0};
    if constexpr (requires { analysis.first_overload(); }) {
      refusal.overload = analysis.first_overload();
      if (refusal.overload != 0) refusal.demand = analysis.demand_by(refusal.overload);
      refusal.undecided = analysis.undecided();
    }
    analysis.remove(rank);
    return refusal;
  }

  Analysis* cores_;
  unsigned core_count_;
  uint16_t order_[kMostRequests];
};

}  // namespace hocket
