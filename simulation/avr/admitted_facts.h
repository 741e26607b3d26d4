// The decision of admission (arduino/cores/avr8/image) as facts of the report.
#pragma once

#include "arduino/cores/avr8/image/admission.h"
#include "arduino/cores/avr8/image/delays.h"
#include "simulation/program/facts.h"

namespace hocket::avr {

void tell_admission(const uno::Declared& declared, const uno::Admitted& admitted,
                    program::RunFacts& facts);

/// Sets the longest time that an edge waits for its handler, if `lines` lines have handlers. Also
/// the paper's T − C, with a handler on a processor of its own.
void set_delay(const uno::Declared& declared, unsigned lines, const uno::Held& held,
               program::InterruptFacts& interrupt);

}  // namespace hocket::avr
