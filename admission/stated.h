// The inputs of admission as plain records. A report uses them to give each bound with its terms
// (docs/reference/report.md, `bounds`), and a board without files can send them to a computer.
//
// All times are in ticks. Every record has the same layout on every computer.
#pragma once

#include "admission/overheads.h"

namespace hocket::stated {

/// Overheads (overheads.h).
struct Costs {
  uint64_t ticks_per_second;
  uint64_t interrupt_entry, context_switch, timer_interrupt, timer_lateness, longest_masked;
  uint64_t blocking, overrun, once;
  uint8_t several_cores, by_deadline, idle_time;
  uint8_t reserved[5];

  template <class Ticks>
  static constexpr Costs of(const Overheads<Ticks>& overheads, uint64_t ticks_per_second) {
    const auto& costs = overheads.costs;
    return {ticks_per_second,
            static_cast<uint64_t>(costs.interrupt_entry),
            static_cast<uint64_t>(costs.context_switch),
            static_cast<uint64_t>(costs.timer_interrupt),
            static_cast<uint64_t>(costs.timer_lateness),
            static_cast<uint64_t>(costs.longest_masked),
            static_cast<uint64_t>(overheads.blocking),
            static_cast<uint64_t>(overheads.overrun),
            static_cast<uint64_t>(overheads.once),
            overheads.several_cores ? uint8_t{1} : uint8_t{0},
            overheads.by_deadline ? uint8_t{1} : uint8_t{0},
            overheads.idle_time ? uint8_t{1} : uint8_t{0},
            {}};
  }
  constexpr Overheads<int64_t> overheads() const {
    const auto ticks = [](uint64_t value) { return static_cast<int64_t>(value); };
    return {.costs = {.interrupt_entry = ticks(interrupt_entry),
                      .context_switch = ticks(context_switch),
                      .timer_interrupt = ticks(timer_interrupt),
                      .timer_lateness = ticks(timer_lateness),
                      .longest_masked = ticks(longest_masked)},
            .blocking = ticks(blocking),
            .overrun = ticks(overrun),
            .several_cores = several_cores != 0,
            .by_deadline = by_deadline != 0,
            .idle_time = idle_time != 0,
            .once = ticks(once)};
  }
};
static_assert(sizeof(Costs) == 80);

/// One demand: its place in the order of a core, or its refusal.
struct Rank {
  uint32_t loop;  // its number in the sketch
  uint32_t core;  // the core that it is on; kNone: refused
  uint32_t part;  // for a loop in two parts: 1 or 2; else 0
  uint8_t io;
  uint8_t free;  // the policy guarantees it nothing
  uint8_t reserved[2];
  uint64_t budget, period, deadline, top_half;
  uint64_t bound;   // response time; kNever: unknown
  uint32_t pinned;  // the core to which it is pinned; kNone: not pinned
  uint32_t id;      // decides ties

  static constexpr uint32_t kNone = 0xff;
  static constexpr uint64_t kNever = ~uint64_t{0};

  template <class Ticks>
  static constexpr Rank of(const Demand<Ticks>& demand, uint32_t loop, uint32_t core) {
    Rank rank{};
    rank.loop = loop;
    rank.core = core;
    rank.io = demand.io ? 1 : 0;
    rank.budget = static_cast<uint64_t>(demand.budget);
    rank.period = static_cast<uint64_t>(demand.period);
    rank.deadline = static_cast<uint64_t>(demand.deadline);
    rank.top_half = static_cast<uint64_t>(demand.top_half);
    rank.bound = kNever;
    rank.pinned = kNone;
    rank.id = demand.id;
    return rank;
  }
  constexpr Demand<int64_t> demand() const {
    Demand<int64_t> demand;
    demand.budget = static_cast<int64_t>(budget);
    demand.period = static_cast<int64_t>(period);
    demand.deadline = static_cast<int64_t>(deadline);
    demand.id = static_cast<uint8_t>(id);
    demand.io = io != 0;
    demand.top_half = static_cast<int64_t>(top_half);
    demand.has_level = free != 0;
    return demand;
  }
};
static_assert(sizeof(Rank) == 64);

/// Interrupts that precede all loops of one core, or of every core.
struct Interrupts {
  uint64_t length, distance;
  uint32_t most;  // the most in a window; kAny: as many as the distance allows
  uint32_t core;  // or Rank::kNone: every core

  static constexpr uint32_t kAny = ~uint32_t{0};
};
static_assert(sizeof(Interrupts) == 24);

/// The delay from an edge to a handler on a virtual CPU of its own (delivery.h), through one of the
/// I/O virtual CPUs that may serve it.
struct Delivery {
  uint32_t handler, io;  // loops
  uint64_t bottom_half;  // work of the I/O virtual CPU before it wakes the handler
  uint64_t wakeups;
  uint64_t sections;  // how long the sketch may hold the handler back
};
static_assert(sizeof(Delivery) == 32);

/// The delay of a handler that runs in the interrupt itself, besides others of its kind.
struct Direct {
  uint32_t line;              // line of the sketch that declares it
  uint32_t lines;             // number of lines with top halves
  uint64_t length, distance;  // including the kernel's own time
  uint64_t top_half;          // one top half of the kernel
  uint64_t sections;          // how long the sketch may hold it back
  uint64_t bound;
};
static_assert(sizeof(Direct) == 48);

}  // namespace hocket::stated
