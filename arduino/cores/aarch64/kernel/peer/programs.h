// The programs of the system beside the kernel: where they lie, and how they are put back.
//
// The command line has «beside=A:B…»: the addresses at which the emulator has put them. The files
// are program-0, program-1 and so on in the folder of «world=»: what the other system has made of
// its own memory is not to be relied upon, and ours has no room for a copy. By semihosting that
// takes no time of the board. (A board without an emulator needs another source, out of the other
// world's reach: docs/porting/aarch64.md.)
#pragma once

#include "ports/aarch64/el3/normal_world.h"

namespace hocket::programs {

/// Reads the command line's word. Core 0, at boot; kept when the sketch begins again. False: it is
/// not there, or an address is not in the other system's memory.
bool find();

/// It begins at the first, with the second (its device tree) in X0, on so many cores; put back from
/// the files.
/// `again` is called each time that they have been put back.
aarch64::normal_world::Start start(unsigned cores, void (*again)() = nullptr);

}  // namespace hocket::programs
