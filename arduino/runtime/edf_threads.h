// Threads by the terms of EDF-eCos (hocket/EdfThread.h): loops that are declared suspended, and get
// their contract in setup(), each tested beside what is admitted already.
#pragma once

#include "arduino/runtime/system.h"

namespace hocket::runtime {

/// See sys::edf_prepare() and sys::edf_resume(). For threads of a sketch.
bool edf_prepare(unsigned loop, sys::EdfContract& contract);
bool edf_resume(unsigned loop);

}  // namespace hocket::runtime
