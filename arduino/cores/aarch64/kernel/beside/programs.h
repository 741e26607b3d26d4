// The programs of the system beside the kernel: where they are, and how they are restored.
//
// The command line has "beside=A:B…": the addresses at which the emulator has loaded them. The
// files are program-0, program-1 and so on in the folder of "world=". They are needed for a
// restart, because the other system may have changed its memory and the kernel has no room for a
// copy. Reading them by semihosting takes no time of the board. (A board without an emulator needs
// another source that the other world cannot change: docs/porting/aarch64.md.)
#pragma once

#include "ports/aarch64/el3/normal_world.h"

namespace hocket::programs {

/// Parses the command line. On core 0, at boot; the result survives a restart of the sketch.
/// Returns false if the word is missing or an address is not in the other system's memory.
bool find();

/// Restores the programs from the files. The other system starts at the first, with the address of
/// the second (its device tree) in X0, on `cores` cores. `again` is called after each restoration.
aarch64::normal_world::Start start(unsigned cores, void (*again)() = nullptr);

}  // namespace hocket::programs
