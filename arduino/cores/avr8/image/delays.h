// How long an edge at most waits for its handler of attachInterrupt().
#pragma once

#include <vector>

#include "arduino/cores/avr8/image/declared.h"

namespace hocket::uno {

/// What keeps lines masked beside storm control.
struct Held {
  Ticks sections = 0;  // the longest time for which loops wait within a section
  unsigned interrupts_in_transactions = 0;  // how many transactions on the SPI bus keep masked
  Ticks transaction = 0;                    // the longest of these
};

/// A bound is the sum of its terms.
struct DelayTerm {
  const char* name;
  Ticks ticks;
};

/// The longest time that an edge waits if `lines` lines have handlers.
std::vector<DelayTerm> longest_delay(const Declared& declared, unsigned lines, const Held& held);

/// The bound of the paper: T − C, and the handler on a processor of its own.
std::vector<DelayTerm> paper_delay(const Declared& declared);

}  // namespace hocket::uno
