// The program of a sketch that is linked with the kernel and runs at its privilege level.
#include "arduino/runtime/sketch.h"

// The table of declared loops (loops.h), and what an Arduino sketch may or may not define.
extern "C" {
extern const hocket::LoopDescriptor* const __start_hocket_loops[] __attribute__((weak));
extern const hocket::LoopDescriptor* const __stop_hocket_loops[] __attribute__((weak));
using Constructor = void (*)();
extern const Constructor hocket_constructors_begin[]
    __attribute__((weak));  // simulation/machine/sketch.ld
extern const Constructor hocket_constructors_end[] __attribute__((weak));
void setup() __attribute__((weak));
void noInterrupts() __attribute__((weak));  // arduino/api/sections.cpp
void loop() __attribute__((weak));
extern const uint64_t hocket_longest_section_ns __attribute__((weak));  // InterruptVcpu.h
}
/// Calls serialEvent() if the sketch defines it: part of what Arduino promises of loop().
void serialEventRun() __attribute__((weak));
namespace hocket::sys {
void spin_lock(uint32_t* lock) __attribute__((weak));  // linked_spinlock.cpp
}

namespace hocket::runtime {
namespace {

void enter_setup(Sketch& sketch) {
  for (auto next = hocket_constructors_begin; next != hocket_constructors_end; ++next) (*next)();
  if (&::setup != nullptr) ::setup();
  sketch.end_setup();
}

void enter_loop(Loop& loop) {
  const bool plain = loop.descriptor->id == kPlainLoop;
  for (;;) {
    loop.descriptor->body();
    if (plain && &::serialEventRun != nullptr) ::serialEventRun();
    if (const OverrunHandler handler = end_iteration(loop)) handler();
  }
}

}  // namespace

Program linked_program() {
  return {
      .loops_begin = __start_hocket_loops,
      .loops_end = __stop_hocket_loops,
      .plain_loop = &::loop,
      .uses_spinlocks = &sys::spin_lock != nullptr,
      .holds_handlers = &::noInterrupts != nullptr,
      .longest_section_ns = &hocket_longest_section_ns != nullptr ? hocket_longest_section_ns : 0,
      .enter_setup = &enter_setup,
      .enter_loop = &enter_loop};
}

}  // namespace hocket::runtime
