// The longest time from an edge to its handler: from the pin, through an I/O virtual CPU that runs
// the bottom half, to the handler on a virtual CPU of its own. In ticks.
//
//   edge  top half                bottom half, on the I/O virtual CPU      handler
//    │▒▒│───── waits for budget ─────│▓▓▓░░░▓▓│──── waits for budget ────│░░▓▓
//         (T − C)                  + response        (T − C)           + response
//
// There are two bounds. The paper's bound assumes that virtual CPUs run as soon as they have
// budget. It is reported, but does not hold if other entities come before them. The second bound is
// guaranteed. Both are for an edge whose predecessors on the same line have been handled.
// Derivation: docs/decisions/interrupts-on-a-budget.md.
//
// Source: the paper's bound is equation 2 of Qduino (Cheng, Li, West, RTAS 2015).
#pragma once

#include "admission/overheads.h"

namespace hocket {

/// The paper's bound: (T_io − C_io) + Δ + (T_h − C_h). Δ = ⌊δ / C_io⌋ · T_io + δ mod C_io is how
/// long the bottom half's δ takes on a processor of its own.
template <class Ticks>
constexpr Ticks paper_delivery(const Demand<Ticks>& io, const Demand<Ticks>& handler,
                               Ticks bottom_half) {
  const Ticks executed = bottom_half / io.budget * io.period + bottom_half % io.budget;
  return (io.period - io.budget) + executed + (handler.period - handler.budget);
}

/// The guaranteed bound, on a core with these overheads. `by_deadline`: deadlines, and not ranks,
/// decide which entity comes first.
template <class Ticks>
class Delivery {
 public:
  explicit constexpr Delivery(const Overheads<Ticks>& overheads) : overheads_(overheads) {}

  /// From the edge until the bottom half has done `bottom_half` of its own work, which includes the
  /// wake-up of the handler. `response` is J + R of the I/O virtual CPU, from admission.
  constexpr Ticks to_handler(const Demand<Ticks>& io, Ticks response, Ticks bottom_half) const {
    const Ticks more = more_budgets(io, bottom_half);
    return wait(io, 1) + comes_back_late(io, more + 1) + more * io.period + (response - io.budget) +
           (bottom_half - more * io.budget);
  }

  /// From the wake-up of a waiting handler to its first instruction. `wakeups` is how often it was
  /// woken in the period before.
  constexpr Ticks to_start(const Demand<Ticks>& handler, Ticks response, Ticks wakeups) const {
    return wait(handler, wakeups) + ahead() + (response - surely_left(handler)) + ending();
  }

  /// The additional delay if sections of the sketch may hold the handler back for `sections`: it is
  /// woken once more after them.
  constexpr Ticks held_back(const Demand<Ticks>& handler, Ticks response, Ticks wakeups,
                            Ticks sections) const {
    return sections == 0 ? 0 : sections + to_start(handler, response, wakeups);
  }

  /// The whole delay. `held`: the longest time for which the sketch holds its handlers back.
  constexpr Ticks bound(const Demand<Ticks>& io, Ticks io_response, Ticks bottom_half,
                        const Demand<Ticks>& handler, Ticks handler_response, Ticks wakeups,
                        Ticks held = 0) const {
    return to_handler(io, io_response, bottom_half) + to_start(handler, handler_response, wakeups) +
           held;
  }

 protected:  // (terms.h)
  /// The number of budgets that are used up before the last one.
  static constexpr Ticks more_budgets(const Demand<Ticks>& io, Ticks bottom_half) {
    return (bottom_half - 1) / io.budget;
  }
  /// E + S.
  constexpr Ticks ending() const {
    return overheads_.costs.interrupt_entry + overheads_.costs.context_switch;
  }
  /// How much of a response is surely left when a handler begins: all that its budget takes. Under
  /// deadlines it may have used some of its budget just before, and the rest may be due as late as
  /// the whole.
  constexpr Ticks surely_left(const Demand<Ticks>& handler) const {
    return overheads_.by_deadline ? 0 : overheads_.enforced(handler);
  }
  constexpr Ticks ahead() const { return overheads_.enforcement() + overheads_.overrun; }

  /// The time until there is budget again, after all of it was used in `activations` activations.
  /// Each of those is charged with up to E + S more than it took.
  constexpr Ticks wait(const Demand<Ticks>& demand, Ticks activations) const {
    const Ticks budget = overheads_.enforced(demand);
    const Ticks charged_too_much = smaller(budget, activations * ending());
    return larger<Ticks>(demand.period - budget + charged_too_much, 0);
  }

  /// What is used beyond a budget delays the following budgets by (1 / U − 1) times as long.
  constexpr Ticks comes_back_late(const Demand<Ticks>& io, Ticks activations) const {
    const Ticks budget = overheads_.enforced(io);
    const Ticks over = activations * ahead();
    const Ticks left = larger<Ticks>(io.period - budget, 0);
    const Ticks rest = over % budget;
    const Ticks part = proportion(rest, left, budget);
    // The rounding error is less than one budget, so it is exact even if both products wrap.
    const bool more = static_cast<uint64_t>(rest) * static_cast<uint64_t>(left) !=
                      static_cast<uint64_t>(part) * static_cast<uint64_t>(budget);
    return over / budget * left + part + (more ? 1 : 0);
  }

  Overheads<Ticks> overheads_;
};

}  // namespace hocket
