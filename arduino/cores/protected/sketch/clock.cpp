// The clock of a sketch: the processor's counter, which EL0 reads without a system call.
#include "arduino/cores/protected/sketch/ticks.h"
#include "arduino/runtime/system.h"

namespace hocket::sys {
namespace {

constexpr uint64_t kHz = HOCKET_TICK_HZ;

/// CNTVCT_EL0 (Arm ARM, D13.8.31). The barrier keeps the read in program order: without it the
/// processor may read the counter before earlier instructions are done.
uint64_t counter() {
  uint64_t value;
  asm volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(value)::"memory");
  return value;
}

// A wait of more than kFarNs reads the clock only now and then, because an emulator reads it far
// more slowly than it computes. One iteration is two instructions; all iterations together take
// less than kFarNs on any processor that executes at least 200 million instructions per second.
constexpr uint64_t kFarNs = 1'000;
constexpr uint64_t kTurns = 100;

void pass_time() {
  uint64_t turns = kTurns;
  // Writes only its counter and the flags.
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
    // Lets an emulator with several cores run the others.
    asm volatile("yield");
  }
}

}  // namespace hocket::sys
