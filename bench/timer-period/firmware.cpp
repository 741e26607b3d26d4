// The program of the EPOS paper's Figure 4 on the Uno's processor: an alarm that comes
// HOCKET_EVENTS times, every HOCKET_PERIOD microseconds. Its handler turns pin 4 over, so that the
// instants are seen from outside to the cycle, without the program's own clock between.
//
//   HOCKET_PRESCALER  cycles of a timer tick
//   HOCKET_TICK       microseconds of a tick of the periodic time base; 0: the one-shot base
#include <avr/io.h>

#include "bench/timer-period/machine.h"
#include "kernel/time/periodic_alarm.h"

using namespace hocket;
using bench::System;

namespace {

System::Vcpu vcpu;
System::Thread thread;
uint8_t stack[240];
[[clang::no_destroy]] PeriodicAlarm<System> alarm;

void handler(void*) {
  PORTD ^= 1 << PD4;
}

void program(void*) {
  alarm.start(Microseconds(HOCKET_PERIOD), FunctionHandler(&handler), HOCKET_EVENTS);
  for (;;) System::suspend_self();
}

}  // namespace

HOCKET_BENCH_MACHINE()

extern "C" int main() {
  asm volatile("cli" ::: "memory");
  DDRD = 1 << PD4;
  bench::start();
  System::add_best_effort(vcpu, 0);
  System::create(thread, vcpu, {stack, sizeof stack}, &program, nullptr);
  System::start(thread, System::now());
  System::run_core();
}
