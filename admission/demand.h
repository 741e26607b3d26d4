// What one virtual CPU demands, and which one comes first: the order of priorities, for admission
// and for every board.
#pragma once

#include "kernel/base/types.h"

namespace hocket {

/// A contract: `budget` in every `period`, received within `deadline` of its release. In ticks;
/// 0 < budget ≤ deadline ≤ period, and less than 2^62.
template <class Ticks>
struct Demand {
  Ticks budget = 0;
  Ticks period = 0;
  Ticks deadline = 0;
  uint8_t id = 0;
  /// An I/O virtual CPU: it does not get C in every T, but C at once and C / T in the long run. Its
  /// period and deadline are the shortest period of the virtual CPUs that it works for (inherit()).
  bool io = false;
  /// For an I/O virtual CPU: the sum of the longest top halves of its lines, one each.
  Ticks top_half = 0;
  /// For policies in which loops take turns (turn_policies.h).
  bool has_level = false;
  uint8_t level = 0;  // 0 comes first
  uint8_t tickets = 0;

  /// The place in the order of levels. A demand without a level comes last.
  constexpr unsigned place() const { return has_level ? level : 0x100; }
};

/// part · whole / divisor, rounded down. Requires part ≤ divisor. Uses long division bit by bit, so
/// no product overflows.
template <class Ticks>
constexpr Ticks proportion(Ticks part, Ticks whole, Ticks divisor) {
  Ticks quotient = 0;
  Ticks rest = 0;
  const auto add = [&](Ticks more) {
    if (rest < divisor - more) {
      rest += more;
    } else {
      rest -= divisor - more;
      ++quotient;
    }
  };
  for (Ticks bit = Ticks{1} << (8 * sizeof(Ticks) - 2); bit != 0; bit /= 2) {
    quotient += quotient;
    add(rest);
    if ((whole & bit) != 0) add(part);
  }
  return quotient;
}

/// The contract of an I/O virtual CPU with the utilisation budget / period. It works for virtual
/// CPUs whose shortest period is `shortest`: it gets their priority, and its share of their time.
template <class Ticks>
constexpr Demand<Ticks> inherit(Ticks budget, Ticks period, Ticks shortest) {
  Demand<Ticks> demand;
  demand.budget = proportion(budget, shortest, period);
  demand.period = demand.deadline = shortest;
  demand.io = true;
  return demand;
}

/// Whether `a` has the higher priority: the shorter deadline; on a tie the smaller budget, whose
/// response gains more than the other's loses; then the lower id.
template <class Ticks>
constexpr bool precedes(const Demand<Ticks>& a, const Demand<Ticks>& b) {
  if (a.deadline != b.deadline) return a.deadline < b.deadline;
  if (a.budget != b.budget) return a.budget < b.budget;
  return a.id < b.id;
}

/// The same order as bytes, for memory that is compared byte by byte. If one demand precedes
/// another, its key compares lower.
template <class Ticks>
struct PriorityKey {
  uint8_t bytes[2 * sizeof(Ticks) + 1];

  static constexpr PriorityKey of(const Demand<Ticks>& demand) {
    PriorityKey key{};
    for (unsigned i = 0; i < sizeof(Ticks); ++i) {
      const unsigned shift = 8 * (sizeof(Ticks) - 1 - i);
      key.bytes[i] = static_cast<uint8_t>(demand.deadline >> shift);
      key.bytes[sizeof(Ticks) + i] = static_cast<uint8_t>(demand.budget >> shift);
    }
    key.bytes[2 * sizeof(Ticks)] = demand.id;
    return key;
  }
  constexpr Ticks deadline() const {
    Ticks deadline = 0;
    for (unsigned i = 0; i < sizeof(Ticks); ++i) deadline = deadline << 8 | bytes[i];
    return deadline;
  }
};

}  // namespace hocket
