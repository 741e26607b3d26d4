// Threads with contracts in the terms of EDF-eCos (hocket/EdfThread.h). They are loops that are
// declared suspended and get their contract in setup(). Each is tested beside what is already
// admitted.
#pragma once

#include "arduino/runtime/system.h"

namespace hocket::runtime {

/// See sys::edf_prepare() and sys::edf_resume(). For threads of the calling sketch.
bool edf_prepare(unsigned loop, sys::EdfContract& contract);
bool edf_resume(unsigned loop);

}  // namespace hocket::runtime
