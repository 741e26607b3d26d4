// What the kernel knows of a Linux beside it: the FIFOs. In a kernel without one (no_neighbour.cpp)
// there are none.
#pragma once

#include "arduino/runtime/system.h"
#include "hybrid/loops/fifos.h"

namespace hocket::neighbour {

/// Makes the FIFOs: a kernel beside Linux does so at boot, on core 0, before Linux or a loop runs.
/// `window`: mapped for the kernel alone; `tell`: raises Linux's interrupt. Not in a kernel without
/// one.
void open_fifos(void* window, hybrid::Fifos::Tell tell);
/// Linux begins again. Not in a kernel without one.
void linux_begins();
/// The sketch begins again.
void sketch_begins();

/// For system calls, which have checked number and memory; as in hybrid::Fifos.
bool put(unsigned fifo, const void* data, size_t size);
size_t get(unsigned fifo, void* buffer, size_t size, hybrid::Take take);
sys::FifoState state(unsigned fifo);

}  // namespace hocket::neighbour
