// Waits without a kernel; kernel.cpp has the version with one.
#include "arduino/cores/avr8/board_clock.h"
#include "arduino/cores/avr8/core.h"
#include "arduino/runtime/system.h"

namespace hocket::uno {

__attribute__((weak)) void wait_until(uint32_t instant) {
  while (static_cast<int32_t>(Clock::now() - instant) < 0) {
  }
}

__attribute__((weak)) void pause() {}

__attribute__((weak)) void* this_thread() {
  return nullptr;
}
__attribute__((weak)) void wait(bool (*)(Waiting&), Waiting&) {}
__attribute__((weak)) void wake_now() {}

namespace {
volatile bool permit;
}

bool park_alone(uint64_t instant) {
  while (!permit) {
    if (Clock::long_now() >= instant) return false;
  }
  permit = false;
  return true;
}
__attribute__((weak)) bool park_until_ticks(uint64_t instant) {
  return park_alone(instant);
}

bool unpark_alone(unsigned loop) {
  if (loop == 0) permit = true;
  return loop == 0;
}

}  // namespace hocket::uno

namespace hocket::sys {
/// On the Uno no two threads share a virtual CPU.
void yield() {}
__attribute__((weak)) bool park_until_ns(uint64_t instant_ns) {
  return uno::park_alone(uno::ticks_up(instant_ns));
}
__attribute__((weak)) bool unpark(unsigned loop) {
  return uno::unpark_alone(loop);
}
__attribute__((weak)) unsigned loop_id() {
  return 0;
}
}  // namespace hocket::sys
