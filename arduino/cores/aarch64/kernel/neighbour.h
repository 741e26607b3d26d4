// What the kernel knows of a Linux beside it: the FIFOs. There are none until somebody opens them.
#pragma once

#include "hybrid/loops/fifos.h"

namespace hocket::neighbour {

/// Makes the FIFOs: a kernel beside Linux does so at boot, on core 0, before Linux or a loop runs.
/// `window`: mapped for the kernel alone; `tell`: raises Linux's interrupt.
void open_fifos(void* window, hybrid::Fifos::Tell tell);
/// The sketch, or Linux, begins again.
void sketch_begins();
void linux_begins();

/// For system calls, which have checked number and memory; as in hybrid::Fifos.
bool put(unsigned fifo, const void* data, size_t size);
size_t get(unsigned fifo, void* buffer, size_t size, hybrid::Take take);
hybrid::Fifos& fifos();

}  // namespace hocket::neighbour
