// The admission test of an image for the Uno, by what its records say.
#pragma once

#include "simulation/program/facts.h"
#include "simulation/uno/declared.h"

namespace hocket::uno {

/// How long an edge waits for its handler at most, where so many lines have handlers and sections
/// hold them back for so long; and the same by the paper's T − C, with a handler on a processor of
/// its own.
void set_delay(const Declared& declared, unsigned lines, Ticks sections,
               program::InterruptFacts& interrupt);

/// Admits the loops, or says in `facts` why not.
void admit(const Declared& declared, program::RunFacts& facts);

}  // namespace hocket::uno
