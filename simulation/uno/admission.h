// The admission test of an image for the Uno, with the data of its records.
#pragma once

#include "simulation/program/facts.h"
#include "simulation/uno/declared.h"

namespace hocket::uno {

/// Sets the longest time that an edge waits for its handler, if `lines` lines have handlers and
/// sections hold them back for `sections`. Also the paper's T − C, with a handler on a processor of
/// its own.
void set_delay(const Declared& declared, unsigned lines, Ticks sections,
               program::InterruptFacts& interrupt);

/// Admits the loops, or states in `facts` why not. `anyway`: loops that are refused are to run all
/// the same; facts.anyway then says whether they can.
void admit(const Declared& declared, program::RunFacts& facts, bool anyway);

}  // namespace hocket::uno
