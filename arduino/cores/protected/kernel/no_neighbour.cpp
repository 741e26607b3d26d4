// The FIFOs of a kernel with no Linux beside it (see neighbour.h): every put is refused and
// counted.
#include "arduino/cores/protected/kernel/neighbour.h"
#include "kernel/base/atomic.h"

namespace hocket::neighbour {
namespace {

struct Refused {
  Atomic<uint32_t> records, bytes;
};
Refused refused[sys::kFifos];

}  // namespace

void sketch_begins() {}

bool put(unsigned fifo, const void*, size_t size) {
  refused[fifo].records.fetch_add(1, order::relaxed);
  refused[fifo].bytes.fetch_add(static_cast<uint32_t>(size), order::relaxed);
  return false;
}
size_t get(unsigned, void*, size_t, hybrid::Take) {
  return 0;
}
sys::FifoState state(unsigned fifo) {
  sys::FifoState state{};
  state.lost = refused[fifo].records.load(order::relaxed);
  state.lost_bytes = refused[fifo].bytes.load(order::relaxed);
  return state;
}

}  // namespace hocket::neighbour
