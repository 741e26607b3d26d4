// A run from its settings to its end, and what is reported of it.
//
// A board by itself (real hardware, an emulator without a world) runs until it is switched off;
// with a world the run ends at its time, when the world says so, or when no loop is left.
#pragma once

#include "boards/aarch64/world/protocol.h"
#include "kernel/base/types.h"

namespace hocket::run {

/// How many cores answered at boot, the first one included.
void set_cores(unsigned cores);

/// The run's clock starts: sets the alarm of its end. Core 0, its kernel running.
void start();

/// The world wants to be asked at this instant (ns). Any context without locks.
void look_at(uint64_t instant);

/// Everything stops; what is known goes to the world. Any core, no lock held.
[[noreturn]] void finish(world::End why);

/// The sketch cannot run on this board: says why. Core 0, before anything runs.
[[noreturn]] void unusable(const char* why);

/// Admission said no, or was all that was asked for. Core 0, before anything runs.
[[noreturn]] void answer(bool accepted);

/// What a kick may mean besides «decide»: to be called in a kick's handler.
void on_kick();

}  // namespace hocket::run
