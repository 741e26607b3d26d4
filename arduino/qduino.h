// For sketches written for Qduino on Quest (its library libarduino, branch galileo): the names that
// they use besides those of Arduino.h and Hocket.h. docs/reference/qduino.md lists the differences.
//
//   channel c = channelInit();       a four-slot channel of int; channelWrite(), channelRead()
//   attachInterrupt_vcpu(…)          the former name of attachInterruptVcpu()
//   attachInterrupt(…)               10 ms in every 100 ms for its handlers, or as
//                                    QDUINO_INTERRUPT_LOOP says
//   pthread_exit(NULL)               ends the calling loop
//   FAST_INPUT, FAST_OUTPUT, fastDigitalRead(), fastDigitalWrite()
//   rdtsc(&cycles), uRdtsc(cycles), print_long_long_hex(cycles)
//   printf(), gettimeofday()         Serial at 115200 baud; time since the board started
//
// The headers of libarduino (arduthread.h, arducomm.h, pin.h and others) include this one.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Arduino.h"
#include "Hocket.h"
#include "hocket/InterruptVcpu.h"

// --- Pins ---

// The Galileo's pins 2 and 3 have a way past the pin expander. All pins of Hocket's boards are
// fast.
#define FAST_INPUT INPUT
#define FAST_OUTPUT OUTPUT
inline int fastDigitalRead(int pin) {
  return digitalRead(static_cast<pin_size_t>(pin));
}
inline int fastDigitalWrite(int pin, int value) {
  digitalWrite(static_cast<pin_size_t>(pin), static_cast<PinStatus>(value));
  return 0;
}

// --- Interrupts ---

#define attachInterrupt_vcpu(...) attachInterruptVcpu(__VA_ARGS__)

/// The loop of plain attachInterrupt(), as in HOCKET_INTERRUPT_LOOP(). Qduino's pin.h has 10/100.
#ifndef QDUINO_INTERRUPT_LOOP
#define QDUINO_INTERRUPT_LOOP 254, 10, 100
#endif
#define QDUINO_HANDLERS_(...) HOCKET_INTERRUPT_LOOP(__VA_ARGS__)  // once its argument is expanded
QDUINO_HANDLERS_(QDUINO_INTERRUPT_LOOP)
#undef QDUINO_HANDLERS_

// --- Loops and channels ---

using channel = Channel<int>*;

/// Allocates a channel. Context: setup().
inline channel channelInit() {
  return new Channel<int>;
}

/// Ends the calling loop: its body is not called again. Other loops go on.
[[noreturn]] inline void pthread_exit(void*) {
  for (;;) hocket::sys::sleep_until_ns(UINT64_MAX);
}

// --- Time ---

/// Cycles of the Quark's counter in a millisecond (UNIT of Qduino's progress.c).
#ifndef QDUINO_CYCLES_PER_MS
#define QDUINO_CYCLES_PER_MS 0x563A9
#endif

namespace hocket::qduino {

inline uint64_t cycles() {
  const uint64_t now = sys::now_ns();
  constexpr uint64_t kNsPerMs = 1'000'000, kPerMs = QDUINO_CYCLES_PER_MS;
  return now / kNsPerMs * kPerMs + now % kNsPerMs * kPerMs / kNsPerMs;
}

/// Qduino's printf() needs no Serial.begin().
struct Output {
  Output() { Serial.begin(115200); }
};
inline Output output;

}  // namespace hocket::qduino

#define uRdtsc(variable) ((variable) = ::hocket::qduino::cycles())
inline void rdtsc(unsigned long long* cycles) {
  *cycles = hocket::qduino::cycles();
}

inline void print_long_long_hex(unsigned long long value) {
  printf("0x%llx\n", value);
}

#if __has_include(<sys/time.h>)
#include <sys/time.h>
namespace hocket::qduino {
inline int time_of_day(timeval* time, void*) {
  const uint64_t now = sys::now_ns() / 1'000;
  time->tv_sec = static_cast<decltype(time->tv_sec)>(now / 1'000'000);
  time->tv_usec = static_cast<decltype(time->tv_usec)>(now % 1'000'000);
  return 0;
}
}  // namespace hocket::qduino
#define gettimeofday(time, zone) ::hocket::qduino::time_of_day(time, zone)
#endif
