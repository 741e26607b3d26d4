// The admission test of an AVR's image, with the data of its records.
#pragma once

#include "simulation/avr/declared.h"
#include "simulation/program/facts.h"

namespace hocket::uno {

/// What keeps lines masked beside storm control.
struct Held {
  Ticks sections = 0;  // the longest time for which loops wait within a section
  unsigned interrupts_in_transactions = 0;  // how many transactions on the SPI bus keep masked
  Ticks transaction = 0;                    // the longest of these
};
/// Sets the longest time that an edge waits for its handler, if `lines` lines have handlers. Also
/// the paper's T − C, with a handler on a processor of its own.
void set_delay(const Declared& declared, unsigned lines, const Held& held,
               program::InterruptFacts& interrupt);

/// Admits the loops, or states in `facts` why not. `anyway`: loops that are refused are to run all
/// the same; facts.anyway then says whether they can.
void admit(const Declared& declared, program::RunFacts& facts, bool anyway);

}  // namespace hocket::uno
