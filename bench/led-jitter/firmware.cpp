// The glowing leds of the EPOS paper's Figure 6 on the Uno's processor: a thread that does nothing
// but switch eight leds by their intensities, and an alarm that changes the intensities every 20
// ms.
//
// Each turn of the thread's loop takes the same number of cycles, whatever the intensities: what
// differs from turn to turn is not the program's. The alarm turns a pin of port C over, so that the
// turns with an alarm in them can be told.
#include <avr/io.h>

#include "bench/timer-period/machine.h"
#include "kernel/time/periodic_alarm.h"

using namespace hocket;
using bench::System;

namespace {

constexpr uint8_t kLeds = 8;
System::Vcpu vcpu;
System::Thread thread;
uint8_t stack[240];
[[clang::no_destroy]] PeriodicAlarm<System> alarm;
volatile uint8_t intensity[kLeds];  // 0 to 127: how many of 128 turns it shines

/// Each led glows on and off, one after the other.
void change_led_intensity(void*) {
  PORTC ^= 1 << PC0;
  static uint8_t step = 0;
  ++step;
  for (uint8_t i = 0; i < kLeds; ++i) {
    const auto at = static_cast<uint8_t>(4 * step + 32 * i);
    intensity[i] = at < 128 ? at : static_cast<uint8_t>(255 - at);
  }
}

void print_leds(void*) {
  for (uint8_t phase = 0;; phase = (phase + 1) & 0x7f) {
    uint8_t leds = 0;
#pragma clang loop unroll(disable)
    for (uint8_t i = 0; i < kLeds; ++i) {
      // The sign of a difference of numbers below 128, without a branch.
      leds = static_cast<uint8_t>(leds >> 1 | (static_cast<uint8_t>(phase - intensity[i]) & 0x80));
    }
    PORTB = static_cast<uint8_t>(~leds);
  }
}

}  // namespace

HOCKET_BENCH_MACHINE()

extern "C" int main() {
  asm volatile("cli" ::: "memory");
  DDRB = 0xff;
  DDRC = 1 << PC0;
  bench::start();
  System::add_best_effort(vcpu, 0);
  System::create(thread, vcpu, {stack, sizeof stack}, &print_leds, nullptr);
  System::start(thread, System::now());
  using namespace time_literals;
  alarm.start(20_ms, FunctionHandler(&change_led_intensity), alarm.kForever);
  System::run_core();
}
