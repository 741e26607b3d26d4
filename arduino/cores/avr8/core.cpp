// main() and the clock of a sketch with loops on the Uno. (plain_main.S is for other sketches.)
#include "arduino/cores/avr8/core.h"

#include "arduino/api/Common.h"
#include "arduino/cores/avr8/pwm_timers.h"
#include "arduino/runtime/system.h"

extern "C" {
void setup() __attribute__((weak));
void loop() __attribute__((weak));
[[noreturn]] void hocket_run_loops() __attribute__((weak));  // kernel.cpp
extern volatile uint16_t hocket_clock_turns[2] __attribute__((weak));
void hocket_limit_heap() __attribute__((weak));  // heap.cpp
}
/// Calls serialEvent() if the sketch defines it: part of what Arduino promises of loop().
void serialEventRun() __attribute__((weak));

// clang for AVR emits such a declaration only as undefined, not as weak.
asm(".weak setup\n.weak loop\n.weak hocket_run_loops\n.weak hocket_clock_turns\n"
    ".weak hocket_limit_heap\n"
    ".weak _Z14serialEventRunv");

namespace {

/// Starts timers 0 and 2 for PWM, as plain_init.S does for sketches without loops.
void start_pwm_timers() {
  constexpr uint8_t kBy64 = (1 << CS01) | (1 << CS00);
  TCCR0B = kBy64;
  TCCR0A = (1 << WGM01) | (1 << WGM00);
  hocket::uno::give_timer2_to_pwm();
#ifdef TCCR3A
  hocket::uno::give_further_timers_to_pwm();
#endif
}

}  // namespace

extern "C" int main() {
  start_pwm_timers();
  if (&hocket_clock_turns != nullptr) hocket::uno::Clock::start();
  asm volatile("sei" ::: "memory");
  if (&setup != nullptr) setup();
  if (&hocket_run_loops != nullptr) {
    if (&hocket_limit_heap != nullptr) hocket_limit_heap();
    hocket_run_loops();
  }
  for (;;) {
    if (&loop != nullptr) loop();
    asm volatile(".global hocket_plain_iteration\nhocket_plain_iteration:");
    if (&serialEventRun != nullptr) serialEventRun();
  }
}
