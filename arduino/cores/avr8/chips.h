// What differs between the chips of boards with an AVR: for the image, which is compiled for one of
// them, and for the host, which runs images for all.
#pragma once

#include <stdint.h>

namespace hocket::uno {

/// A cost by the number of loops, in ticks of half a microsecond. A single loop is never chosen
/// among others. Each loop beyond the second is one more to compare.
struct CostByLoops {
  int32_t one, two, each_further;
  constexpr int32_t of(unsigned loops) const {
    return loops <= 1 ? one : two + static_cast<int32_t>(loops - 2) * each_further;
  }
};

/// What storm control takes, in ticks: storm_costs.h says what each is.
struct StormCosts {
  static constexpr uint16_t kMatch = 2048;
  uint16_t frame, hold, look, let_in, end;
  uint16_t lines;  // with a handler, at most

  /// The time that the matches in `ticks` take, wherever they begin.
  constexpr uint64_t looks_in(uint64_t ticks) const { return (ticks / kMatch + 1) * look; }
  /// Matches are charged to the budget while lines are held back. So in each period the
  /// replenishment must exceed their cost and the cost of enabling all lines and holding them back
  /// again. Otherwise a used-up budget would never recover. (A match that ends sections takes `end`
  /// more. While lines are held back there is one of those at most, so the next period recovers.)
  constexpr uint64_t least_handlers_budget(uint64_t period) const {
    return looks_in(period) + hold + uint64_t{lines} * let_in;
  }
};

/// What the kernel and the board's own interrupts take, in ticks: kernel_costs.h says what each is.
struct ChipCosts {
  static constexpr int32_t kTogether = 4;
  int32_t device, move;
  int32_t longest_device, longest_servo, longest_wire_step;
  CostByLoops context_switch, deadline_switch;
  int32_t beside_handlers, beside_spinlocks;
  int32_t entry, timer, deadline_timer;
  StormCosts storm;

  constexpr int32_t together() const { return kTogether * device + move; }
  constexpr int32_t character() const { return (together() + kTogether - 1) / kTogether; }
  constexpr int32_t not_given_back() const { return (kTogether - 1) * device; }
};

struct Atmega328p {
  static constexpr uint8_t kExternalLines = 2;  // INT0 and INT1: pins 2 and 3 of an Uno
  static constexpr uint8_t kChangeLines = 3;    // ports B, C and D
  /// A bit for each line: first those of EIMSK, then those of PCICR.
  using LineSet = uint8_t;
  static constexpr unsigned kMostLoops = 7;
  static constexpr ChipCosts kCosts{.device = 11,
                                    .move = 21,
                                    .longest_device = 33,
                                    .longest_servo = 85,
                                    .longest_wire_step = 36,
                                    .context_switch = {.one = 315, .two = 400, .each_further = 12},
                                    .deadline_switch = {.one = 340, .two = 620, .each_further = 70},
                                    .beside_handlers = 45,
                                    .beside_spinlocks = 160,
                                    .entry = 44,
                                    .timer = 280,
                                    .deadline_timer = 500,
                                    .storm = {.frame = 34,
                                              .hold = 25,
                                              .look = 38,
                                              .let_in = 23,
                                              .end = 26,
                                              .lines = kExternalLines + kChangeLines}};
};

struct Atmega2560 {
  static constexpr uint8_t kExternalLines = 6;  // INT0 to INT5: pins 21 to 18, 2 and 3 of a Mega
  static constexpr uint8_t kChangeLines = 3;    // ports B, J and K
  using LineSet = uint16_t;
  static constexpr unsigned kMostLoops = 48;  // as many as fit into 8 KiB with the smallest stacks
  /// Calls, returns and interrupts take a cycle more each, and an interrupt saves RAMPZ. With more
  /// than 16 loops the sets of ready and waiting ones have several bytes (kernel/base/slot_set.h).
  static constexpr ChipCosts kCosts{.device = 12,
                                    .move = 23,
                                    .longest_device = 36,
                                    .longest_servo = 90,
                                    .longest_wire_step = 40,
                                    .context_switch = {.one = 360, .two = 470, .each_further = 14},
                                    .deadline_switch = {.one = 390, .two = 710, .each_further = 80},
                                    .beside_handlers = 52,
                                    .beside_spinlocks = 180,
                                    .entry = 50,
                                    .timer = 320,
                                    .deadline_timer = 575,
                                    .storm = {.frame = 37,
                                              .hold = 29,
                                              .look = 51,
                                              .let_in = 31,
                                              .end = 39,
                                              .lines = kExternalLines + kChangeLines}};
};

}  // namespace hocket::uno
