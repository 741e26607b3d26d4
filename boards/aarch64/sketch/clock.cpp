// The clock of a sketch: the processor's counter, which EL0 reads without a system call.
#include "arduino/runtime/system.h"
#include "boards/aarch64/sketch/ticks.h"

namespace hocket::sys {
namespace {

constexpr uint64_t kHz = HOCKET_TICK_HZ;

/// CNTVCT_EL0 (Arm ARM, D13.8.31). The barrier keeps the reading in its place: without it the
/// processor may read the counter before it has done what comes first in the program.
uint64_t counter() {
  uint64_t value;
  asm volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(value)::"memory");
  return value;
}

}  // namespace

uint64_t now_ns() {
  return sketch::nanoseconds_of<kHz>(counter());
}

void spin_ns(uint64_t duration_ns) {
  const uint64_t begin = counter();
  const uint64_t wanted = sketch::ticks_of<kHz>(duration_ns);
  // YIELD is where an emulator with several cores lets the others go on.
  while (counter() - begin < wanted) asm volatile("yield");
}

}  // namespace hocket::sys
