// The admission test of an image for the Uno, by what its records say.
#pragma once

#include "simulation/program/facts.h"
#include "simulation/uno/declared.h"

namespace hocket::uno {

/// How long an edge waits for its handler at most, where so many lines have handlers.
program::Nanos longest_delay(const Declared& declared, unsigned lines);
/// The same by the paper's T − C, with a handler on a processor of its own.
program::Nanos longest_delay_by_paper(const Declared& declared);

/// Admits the loops, or says in `facts` why not.
void admit(const Declared& declared, program::RunFacts& facts);

}  // namespace hocket::uno
