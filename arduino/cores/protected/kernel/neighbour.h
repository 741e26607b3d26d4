// The kernel's interface to a Linux beside it: the FIFOs. A kernel without Linux (no_neighbour.cpp)
// has none.
#pragma once

#include "arduino/runtime/system.h"
#include "hybrid/loops/fifos.h"

namespace hocket::neighbour {

/// Creates the FIFOs. A kernel beside Linux calls it at boot, on core 0, before Linux or a loop
/// runs. `window` is mapped for the kernel only; `tell` raises Linux's interrupt. Not in a kernel
/// without Linux.
void open_fifos(void* window, hybrid::Fifos::Tell tell);
/// Linux was restarted. Not in a kernel without Linux.
void linux_begins();
/// The sketch was restarted.
void sketch_begins();

/// For system calls, which have checked number and memory. Like hybrid::Fifos.
bool put(unsigned fifo, const void* data, size_t size);
size_t get(unsigned fifo, void* buffer, size_t size, hybrid::Take take);
sys::FifoState state(unsigned fifo);

}  // namespace hocket::neighbour
