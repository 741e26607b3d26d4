// The FIFOs to Linux (see neighbour.h). Compiled for speed, because every record passes here.
#include "arduino/cores/protected/kernel/neighbour.h"

#include "arduino/runtime/fifo_calls.h"

namespace hocket::neighbour {
namespace {

[[gnu::section(".kept_zero")]] constinit hybrid::Fifos all;

}  // namespace

void open_fifos(void* window, hybrid::Fifos::Tell tell) {
  all.open(window, tell);
}
void sketch_begins() {
  all.sketch_begins();
}
void linux_begins() {
  all.linux_begins();
}

bool put(unsigned fifo, const void* data, size_t size) {
  return all.put(fifo, data, size);
}
size_t get(unsigned fifo, void* buffer, size_t size, hybrid::Take take) {
  return all.get(fifo, buffer, size, take);
}
sys::FifoState state(unsigned fifo) {
  return runtime::fifo_state(all, fifo);
}

}  // namespace hocket::neighbour
