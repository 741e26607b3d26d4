// What the kernel knows of a Linux beside it: the FIFOs. There are none until somebody opens them.
#pragma once

#include "hybrid/loops/fifos.h"

namespace hocket {

/// Of the kernel; kept when the sketch begins again. A kernel beside Linux opens them at boot, on
/// core 0, before Linux or a loop runs: with the window, mapped for the kernel alone, and with what
/// raises Linux's interrupt.
hybrid::Fifos& neighbour_fifos();

}  // namespace hocket
