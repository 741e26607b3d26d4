#include "arduino/cores/avr8/image/delays.h"

#include "arduino/cores/avr8/kernel_costs.h"
#include "arduino/cores/avr8/storm.h"

namespace hocket::uno {
namespace {

/// The longest time that an edge waits for its handler, if no handler takes longer than
/// kLongestHandler and earlier edges of its line have been handled.
///
///   budget whole      used up, held back          given back   ─▶ seen at timer 0's next match
///   │▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒│───────────────────────────│····│▒     a handler in the middle
///   0        (C − over) / 2 at the earliest       n · T
///
/// At each replenishment one line is enabled by itself: of the pending lines, the next in
/// round-robin order. So all others come at most once before it: as many times n · T.
///
/// `end`: what a match that ends sections takes besides. Between two turns there is one at most: no
/// section begins before the line that it kept waiting has come on.
///
/// (In idle time a handler is charged with up to twice its time, because the way in and out is
/// shorter.)
std::vector<DelayTerm> longest_delay_terms(const Declared& declared, unsigned lines, Ticks end) {
  const ChipCosts& costs = declared.chip_costs();
  const StormCosts& storm = costs.storm;
  const Ticks frames = storm.frame + storm.hold + 1;
  const Ticks refill = storm.look + storm.let_in;  // the longest of the system's own that masks
  const Ticks budget = declared.handlers.budget, period = declared.handlers.period;
  const Ticks beyond =
      kLongestHandler + frames + static_cast<Ticks>(lines) * Ticks{storm.let_in} + end;
  const Ticks over = beyond + static_cast<Ticks>(storm.looks_in(static_cast<uint64_t>(period)));
  // The part of a period's replenishment that exceeds the cost of matches meanwhile (declared.cpp).
  const Ticks gain = budget - (period * storm.look + kMatch - 1) / kMatch;
  const Ticks periods = 1 + (beyond + storm.look) / gain;
  const Ticks turn = larger<Ticks>(period, kMatch);  // one line is enabled at each match
  const Ticks device = declared.has_servos ? costs.longest_servo
                       : declared.has_wire ? costs.longest_wire_step
                                           : costs.longest_device;
  return {{"held_back", static_cast<Ticks>(lines) * periods * turn},
          {"before_it_is_used_up", -larger<Ticks>((budget - over) / 2, 0)},
          {"until_a_match", Ticks{kMatch}},
          {"handler", kLongestHandler},
          {"frames", frames},
          {"device_or_masked", larger(larger(kLongestDeviceMasked, refill), device)},
          {"spinlock", declared.has_spinlocks ? kLongestSpin : 0}};
}

}  // namespace

std::vector<DelayTerm> longest_delay(const Declared& declared, unsigned lines, const Held& held) {
  // The match that ends a section which has waited for too long takes longer.
  const Ticks end = held.sections > 0 ? Ticks{declared.chip_costs().storm.end} : 0;
  std::vector<DelayTerm> terms = longest_delay_terms(declared, lines, end);
  // Each line's turn comes with a match, and matches within a section bring none.
  terms.push_back({"sections", static_cast<Ticks>(lines) * held.sections + end});
  // The turn of a line that a transaction keeps masked waits for its end, with all others. Matches
  // meanwhile may use the rest of the budget: then it is the next budget, and the next transaction.
  const Ticks turn = larger<Ticks>(declared.handlers.period, kMatch);
  terms.push_back({"transactions", static_cast<Ticks>(held.interrupts_in_transactions) *
                                       (2 * held.transaction + turn)});
  return terms;
}

std::vector<DelayTerm> paper_delay(const Declared& declared) {
  const Ticks budget = declared.handlers.budget, period = declared.handlers.period;
  return {{"waits", period - budget},
          {"periods", kLongestHandler / budget * period},
          {"work", kLongestHandler % budget}};
}

}  // namespace hocket::uno
