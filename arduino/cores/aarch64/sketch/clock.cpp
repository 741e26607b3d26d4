// The clock of a sketch: the processor's counter, which EL0 reads without a system call.
#include "arduino/cores/aarch64/sketch/ticks.h"
#include "arduino/runtime/system.h"

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

// A wait that has longer than kFarNs to go looks at the clock only now and then: an emulator reads
// it far more slowly than it computes. One turn is two instructions; all of them take less than
// kFarNs on any processor that makes 200 million instructions a second.
constexpr uint64_t kFarNs = 1'000;
constexpr uint64_t kTurns = 100;

void pass_time() {
  uint64_t turns = kTurns;
  // Writes nothing but its counter and the flags.
  asm volatile("0:\n\tsubs %0, %0, #1\n\tb.ne 0b" : "+r"(turns)::"cc");
}

}  // namespace

uint64_t now_ns() {
  return sketch::nanoseconds_of<kHz>(counter());
}

void spin_ns(uint64_t duration_ns) {
  const uint64_t begin = counter();
  const uint64_t wanted = sketch::ticks_of<kHz>(duration_ns);
  const uint64_t far = sketch::ticks_of<kHz>(kFarNs);
  for (uint64_t gone = 0; gone < wanted; gone = counter() - begin) {
    if (wanted - gone > far) pass_time();
    // Where an emulator with several cores lets the others go on.
    asm volatile("yield");
  }
}

}  // namespace hocket::sys
