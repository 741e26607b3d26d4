// The demands on one core in order of rank, and the share of the core that each takes. The base
// class of every analysis; it decides nothing.
#pragma once

#include "admission/liu_layland.h"
#include "admission/overheads.h"
#include "admission/share.h"

namespace hocket {

/// Contracts are below 2^62 ticks. The shares together do not exceed the core, so the work due in a
/// window (below 2^63) stays below 2^64.
template <class TicksType, unsigned kCapacity>
class RankedDemands {
 public:
  using Ticks = TicksType;
  static constexpr Ticks kUnbounded =
      static_cast<Ticks>(((uint64_t{1} << (8 * sizeof(Ticks) - 2)) - 1) * 2 + 1);

  constexpr RankedDemands() = default;
  explicit RankedDemands(const Overheads<Ticks>& overheads) : overheads_(overheads) {}

  unsigned size() const { return size_; }
  bool full() const { return size_ == kCapacity; }
  const Demand<Ticks>& operator[](unsigned rank) const { return demand_[rank]; }
  const Overheads<Ticks>& overheads() const { return overheads_; }

  /// Sum of budget over period, in millionths.
  uint32_t utilization_ppm() const {
    uint32_t sum = 0;
    for (unsigned i = 0; i < size_; ++i) sum += utilization_ppm(demand_[i]);
    return sum;
  }
  static uint32_t utilization_ppm(const Demand<Ticks>& demand) {
    return static_cast<uint32_t>(ratio_ppm(demand.budget, demand.period));
  }
  /// For the virtual CPUs of threads only.
  uint32_t utilization_bound_ppm() const {
    unsigned count = 0;
    for (unsigned i = 0; i < size_; ++i) count += demand_[i].io ? 0 : 1;
    return liu_layland_ppm(count);
  }

 protected:
  static constexpr unsigned kMostHandlers = 12;
  static constexpr uint64_t kMost = kUnbounded;
  static constexpr uint64_t kTooLarge = ~uint64_t{0};

  void reset(const Overheads<Ticks>& overheads) {
    overheads_ = overheads;
    size_ = 0;
  }
  void insert_at(unsigned rank, const Demand<Ticks>& demand) {
    for (unsigned i = size_++; i > rank; --i) {
      demand_[i] = demand_[i - 1];
      share_[i] = share_[i - 1];
    }
    put(rank, demand);
  }
  void remove(unsigned rank) {
    for (--size_; rank < size_; ++rank) {
      demand_[rank] = demand_[rank + 1];
      share_[rank] = share_[rank + 1];
    }
  }
  void put(unsigned rank, const Demand<Ticks>& demand) {
    demand_[rank] = demand;
    share_[rank] = Share::of(static_cast<uint64_t>(overheads_.enforced(demand)),
                             static_cast<uint64_t>(demand.period));
  }
  /// Where a demand belongs among the ranks from `first` up to, but without, `end`, which are in
  /// order.
  unsigned place_among(unsigned first, unsigned end, const Demand<Ticks>& demand) const {
    while (first < end) {
      const unsigned middle = first + (end - first) / 2;
      if (precedes(demand, demand_[middle])) {
        end = middle;
      } else {
        first = middle + 1;
      }
    }
    return first;
  }

  uint64_t period(unsigned rank) const { return static_cast<uint64_t>(demand_[rank].period); }
  uint64_t deadline(unsigned rank) const { return static_cast<uint64_t>(demand_[rank].deadline); }
  /// C'.
  uint64_t enforced(unsigned rank) const {
    return static_cast<uint64_t>(overheads_.enforced(demand_[rank]));
  }
  /// C' / T, rounded down.
  const Share& share(unsigned rank) const { return share_[rank]; }

 private:
  /// part / whole in millionths, rounded down.
  static uint64_t ratio_ppm(Ticks part, Ticks whole) {
    constexpr uint64_t kMillion = 1'000'000;
    const auto taken = static_cast<uint64_t>(part), of = static_cast<uint64_t>(whole);
    if (taken <= kTooLarge / kMillion) return taken * kMillion / larger<uint64_t>(of, 1);
    return proportion<uint64_t>(taken, kMillion, of);
  }

 protected:
  Overheads<Ticks> overheads_;

 private:
  Demand<Ticks> demand_[kCapacity];
  Share share_[kCapacity];
  unsigned size_ = 0;
};

}  // namespace hocket
