// The clock of a sketch: the processor's counter, read without a system call.
#include "arduino/cores/protected/sketch/ticks.h"
#include "arduino/runtime/system.h"
#include "user_level.h"

namespace hocket::sys {
namespace {

constexpr uint64_t kHz = HOCKET_TICK_HZ;

// A wait of more than kFarNs reads the clock only now and then, because an emulator reads it far
// more slowly than it computes. One iteration is two instructions; all iterations together take
// less than kFarNs on any processor that executes at least 200 million instructions per second.
constexpr uint64_t kFarNs = 1'000;
constexpr uint64_t kTurns = 100;

}  // namespace

uint64_t now_ns() {
  return sketch::nanoseconds_of<kHz>(sketch::counter_in_order());
}

void spin_ns(uint64_t duration_ns) {
  const uint64_t begin = sketch::counter_in_order();
  const uint64_t wanted = sketch::ticks_of<kHz>(duration_ns);
  const uint64_t far = sketch::ticks_of<kHz>(kFarNs);
  for (uint64_t gone = 0; gone < wanted; gone = sketch::counter_in_order() - begin) {
    if (wanted - gone > far) sketch::pass_time(kTurns);
    sketch::relax();
  }
}

}  // namespace hocket::sys
